"""The REST API: its routes, and what every request passes."""
