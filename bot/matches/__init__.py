"""The use cases. No Discord and no SQL."""
