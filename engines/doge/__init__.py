"""The Secret of the Doge: a treasure hunt in the dark, together, for two to four."""
