"""The referee: a pure machine that rules a table from inputs with times to outputs and facts."""

from euchre_server.referee.outputs import Output
from euchre_server.referee.rebuild import rebuild
from euchre_server.referee.result import TableResult, result_of
from euchre_server.referee.state import TableState, opening
from euchre_server.referee.table import step

__all__ = ["Output", "TableResult", "TableState", "opening", "rebuild", "result_of", "step"]
