"""The house in one process, on a loop with a seed: what goes wrong once in a thousand evenings.

:func:`simulate` plays one seed. See ARCHITECTURE, "Simulation", and ``python -m bench.simulation``.
"""

from tests.kit.simulation.findings import KNOWN_LIMITS, Finding
from tests.kit.simulation.run import Result, simulate

__all__ = ["KNOWN_LIMITS", "Finding", "Result", "simulate"]
