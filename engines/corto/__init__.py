"""CORTO: six adventures, their characters, and gold."""
