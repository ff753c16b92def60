"""Painting pictures in worker processes."""
