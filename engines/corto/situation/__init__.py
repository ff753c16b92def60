"""Situations: the beginning of a match, or a position in it, as data; docs/notation.md describes them."""
