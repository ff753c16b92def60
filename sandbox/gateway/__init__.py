"""The gateway: sessions that outlive their connections, and the protocol spoken on them."""

from sandbox.gateway.hub import Gateway, Intent
from sandbox.gateway.starts import Sharding

__all__ = ["Gateway", "Intent", "Sharding"]
