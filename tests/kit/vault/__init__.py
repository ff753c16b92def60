"""A toy game in which every secret is a unique word, so that tests can search for leaks.

Each seat has four such words as cards, and one more is in the vault. Twice, all seats lay a card secretly;
the cards are turned together, and the highest word on the table at the end wins. Also secret: a look into
the vault (a revealing word), sending back a card of another seat (so that a pending seat is unknown to
others), notes and sorting (asides). With the option ``pledges`` set to ``open``, it is public who has laid,
and nothing else.
"""

from tests.kit.vault.game import Vault
from tests.kit.vault.painter import VaultPainter

GAME = Vault()
RENDERER = VaultPainter()
