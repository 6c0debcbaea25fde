"""The gRPC side of the arena: the server, sessions of bots, and the driver of tables."""

from euchre_server.session.auth import Secret
from euchre_server.session.messages import GoodbyeReason, Limits, SessionInfo, Standing
from euchre_server.session.recorder import Recorder, RecorderFailed
from euchre_server.session.rpc import AddressInUse
from euchre_server.session.server import ArenaServer

__all__ = [
    "AddressInUse",
    "ArenaServer",
    "GoodbyeReason",
    "Limits",
    "Recorder",
    "RecorderFailed",
    "Secret",
    "SessionInfo",
    "Standing",
]
