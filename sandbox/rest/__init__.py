"""The REST API: its routes, and the handling that all requests share."""
