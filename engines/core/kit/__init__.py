"""Pieces that small games are made of: a one-word menu, a choice of all at once in secret, hands and a deck.

A piece of the state is a frozen dataclass with a ``view`` for one viewer; its view has an ``imagine``
that gives back a piece the viewer could not tell from the real one. What the pieces mean, and who is
told what of them, stays with the game.
"""
