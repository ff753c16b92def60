"""What all end-to-end tests share."""

from __future__ import annotations

import pytest

from sandbox import interactions

ANSWER_S = 60.0


@pytest.fixture(autouse=True)
def patient_sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait longer than Discord's three seconds for an acknowledgement: the machine may be busy."""
    monkeypatch.setattr(interactions, "RESPONSE_TIMEOUT_S", ANSWER_S)
