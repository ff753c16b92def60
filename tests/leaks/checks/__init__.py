"""Checks of the whole house over any game: each opens houses of its own, and fails with ``AssertionError``."""
