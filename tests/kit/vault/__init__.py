"""A game whose every secret is a word that is like no other, so that it can be searched for.

Every seat holds four such words, one more lies in the vault. Twice, everybody lays a card in secret;
they are turned together, and the highest word on the table at last wins. In secret, too: a look into
the vault (a word that reveals), a card of another sent back (so that somebody is asked of whom nobody
knows), notes and sorting (asides). With the option ``pledges`` set to ``open``, everybody learns who
has laid: then "done" is public, and nothing else is.
"""

from tests.kit.vault.game import Vault
from tests.kit.vault.painter import VaultPainter

GAME = Vault()
RENDERER = VaultPainter()
