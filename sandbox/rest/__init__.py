"""The REST API: its routes, and what goes around each request."""
