"""The game that tests of the house take where one has to be taken: two people, one sentence each in turn."""

from __future__ import annotations

DUEL = "volo"
