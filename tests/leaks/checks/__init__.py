"""Checks of the whole house over any game: each opens its own, and fails with ``AssertionError``."""
