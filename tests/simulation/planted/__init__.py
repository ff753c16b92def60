"""Faults planted into the house, for the witness to find: each patches what is public there."""
