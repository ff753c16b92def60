"""VOLT: robots programmed in secret, for two to four."""
