"""Interactions: what people press and type."""
