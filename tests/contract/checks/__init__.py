"""What every game must keep, as functions that take a match or a game: tests and bench call them.

Each raises ``AssertionError``; each can be shown a broken game to see it caught.
"""
