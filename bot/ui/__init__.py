"""Everything that people meet on Discord: a projection of what is committed."""
