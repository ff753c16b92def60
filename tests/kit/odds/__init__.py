"""Odds and Evens, the example of docs/adding-a-game.md: the smallest game with a secret."""
