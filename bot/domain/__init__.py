"""The data that all of the bot shares: frozen, without behaviour."""
