"""The Discord bot: tables, panels, storage. It knows no game by name."""
