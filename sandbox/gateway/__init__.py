"""The gateway: sessions that outlive their connections, and the protocol spoken on them."""

from sandbox.gateway.hub import Gateway, Intent

__all__ = ["Gateway", "Intent"]
