"""Postgres and Valkey that come along with the service, for whoever has none."""

from service.embedded.fault import EmbeddedFault
from service.embedded.servers import EmbeddedServers, ephemeral, start

__all__ = ["EmbeddedFault", "EmbeddedServers", "ephemeral", "start"]
