"""Checks the bodies that the bot sends, as Discord does: one answer names every mistake."""
