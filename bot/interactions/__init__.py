"""What people press and type."""
