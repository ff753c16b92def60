"""The house on Discord: tables, panels, storage. It knows no game by name."""
