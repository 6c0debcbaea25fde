"""The gRPC side of the arena: the server, sessions of bots, and the driver of tables."""

from euchre_server.session.access import Caller, Role, current_caller
from euchre_server.session.auth import Secret
from euchre_server.session.match_messages import (
    BotRow,
    Created,
    Matches,
    MatchOrder,
    MatchPage,
    MatchProgress,
    MatchRefused,
    MatchSnapshot,
    MatchState,
    MatchUpdate,
    PublicHand,
)
from euchre_server.session.matches_rpc import match_service
from euchre_server.session.messages import GoodbyeReason, Limits, SessionInfo, Standing
from euchre_server.session.party import Party
from euchre_server.session.recorder import Recorder, RecorderFailed
from euchre_server.session.refusal import Reason
from euchre_server.session.rpc import AddressInUse, Unprotected, check_protected
from euchre_server.session.server import ArenaServer
from euchre_server.session.tls import ServerTls, TlsError, is_loopback, load_server_tls
from euchre_server.session.token_store import TokenStore, TokenStoreError

__all__ = [
    "AddressInUse",
    "ArenaServer",
    "BotRow",
    "Caller",
    "Created",
    "GoodbyeReason",
    "Limits",
    "MatchOrder",
    "MatchPage",
    "MatchProgress",
    "MatchRefused",
    "MatchSnapshot",
    "MatchState",
    "MatchUpdate",
    "Matches",
    "Party",
    "PublicHand",
    "Reason",
    "Recorder",
    "RecorderFailed",
    "Role",
    "Secret",
    "ServerTls",
    "SessionInfo",
    "Standing",
    "TlsError",
    "TokenStore",
    "TokenStoreError",
    "Unprotected",
    "check_protected",
    "current_caller",
    "is_loopback",
    "load_server_tls",
    "match_service",
]
