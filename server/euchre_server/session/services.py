"""Owns the services that every gRPC server has beside its own: health and reflection.

Both are gRPC's own, for balancers and for tools such as grpcurl. Must not know what the arena does.
"""

from collections.abc import Sequence

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import SERVICE_NAME as HEALTH
from grpc_health.v1.health import aio as health
from grpc_reflection.v1alpha import reflection

__all__ = ["Health", "add_reflection"]


class Health:
    """Tells whether the arena takes bots and matches, as a whole and by service."""

    def __init__(self, service_names: Sequence[str]) -> None:
        """Makes a health service that is not on any server yet.

        Args:
            service_names: The services that it tells of.
        """
        self._names = service_names
        self._servicer = health.HealthServicer()

    async def serve(self, server: grpc.aio.Server) -> None:
        """Begins to tell that all is well."""
        for name in self._names:
            await self._servicer.set(name, health_pb2.HealthCheckResponse.SERVING)
        health_pb2_grpc.add_HealthServicer_to_server(self._servicer, server)

    async def not_serving(self) -> None:
        """Tells from now on that nobody should come any more."""
        await self._servicer.enter_graceful_shutdown()


def add_reflection(server: grpc.aio.Server, service_names: Sequence[str]) -> None:
    """Lets callers ask what these services look like."""
    names = (*service_names, HEALTH, reflection.SERVICE_NAME)
    reflection.enable_server_reflection(names, server)
