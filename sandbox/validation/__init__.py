"""Validates the bot's bodies as Discord does: one response reports all mistakes."""
