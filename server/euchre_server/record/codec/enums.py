"""Owns the protobuf numbers of what the server names by text."""

from typing import Final

from euchre_arena.v1 import rules_pb2, table_pb2
from euchre_engine import Game
from euchre_server.referee.spec import PolicyKind

__all__ = ["GAMES", "POLICIES"]

GAMES: Final = {game: rules_pb2.Game.Value("GAME_" + game.name) for game in Game}
POLICIES: Final = {
    kind: table_pb2.FaultPolicyKind.Value("FAULT_POLICY_KIND_" + kind.name) for kind in PolicyKind
}
