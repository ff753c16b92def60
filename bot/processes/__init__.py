"""Processes that work for the bot: what is sent to them and back, and how they are started and renewed."""
