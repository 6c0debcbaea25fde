"""Keeps gRPC's C core from logging to the standard error output, unless the environment asks.

Has to be imported before `grpc`, which reads the setting once.
"""

import os

os.environ.setdefault("GRPC_VERBOSITY", "ERROR")
