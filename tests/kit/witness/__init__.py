"""A reader from outside: what must be true of a run, worked out from what people did and were shown.

The witness knows the house by its log of acts and by its messages. It imports no code of the house but plain
data, so that nothing of the house is its own proof: see ARCHITECTURE, "The witness", and ADR 55.
"""

from tests.kit.witness.clocks import Patience
from tests.kit.witness.transcript import Finding, MatchRecord, Press, Row, Transcript
from tests.kit.witness.verdict import verdict

__all__ = ["Finding", "MatchRecord", "Patience", "Press", "Row", "Transcript", "verdict"]
