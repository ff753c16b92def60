"""The games, pure: standard library only."""
