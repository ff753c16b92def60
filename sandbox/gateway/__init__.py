"""The gateway: sessions, which outlive their connections, and the protocol of a connection."""

from sandbox.gateway.hub import Gateway, Intent
from sandbox.gateway.starts import Sharding

__all__ = ["Gateway", "Intent", "Sharding"]
