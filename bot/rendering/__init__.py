"""Painting in processes of its own."""
