"""What surrounds discord.py: patches, errors, permissions, and the connection's life."""
