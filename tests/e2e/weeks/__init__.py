"""Matches that last for two weeks: people with habits, by the sandbox's clock."""
