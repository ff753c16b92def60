"""The checks see what they are there for: each planted leak turns the one red that watches its channel."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.kit.samples import some
from tests.kit.vault.install import KEY
from tests.leaks import planted_inside as inner
from tests.leaks import planted_outside as outer
from tests.leaks.checks.canaries import check_canaries
from tests.leaks.checks.faults import check_faults
from tests.leaks.checks.inside import check_dataclasses, check_files, check_reprs
from tests.leaks.checks.silence import check_sentences, check_silence
from tests.leaks.checks.twins import Tables, check_choices, check_drafts, check_idle, check_truths
from tests.leaks.test_secrets import ASKED_IN_SECRET

Check = Callable[[Path], Awaitable[object]]
SECRET, OPEN = Tables(KEY, before=0), Tables(KEY, 2, options=(("pledges", "open"),))


async def classes(_: Path) -> int:
    return check_dataclasses()


CHECKS: dict[str, Check] = {
    "truths": lambda folder: check_truths(SECRET, folder, short=True),
    "choices": lambda folder: check_choices(SECRET, folder),
    "drafts": lambda folder: check_drafts(SECRET, folder),
    "idle": lambda folder: check_idle(SECRET, folder),
    "silence": lambda folder: check_silence(SECRET, folder, sentences=6),
    "done": lambda folder: check_silence(OPEN, folder, sentences=6),
    "asked": lambda folder: check_sentences(SECRET, folder, ASKED_IN_SECRET, closed=True),
    "canaries": lambda folder: check_canaries(folder, seats=2),
    "faults": check_faults,
    "reprs": check_reprs,
    "classes": classes,
    "files": lambda folder: check_files(KEY, folder),
}

LEAKS: list[tuple[Callable[[pytest.MonkeyPatch], None], str]] = [
    (outer.public_view, "truths"),
    (outer.pixel, "truths"),
    (outer.size, "truths"),
    (outer.alt_text, "truths"),
    (outer.pixel, "choices"),
    (outer.chunk, "canaries"),
    (outer.file_name, "truths"),
    (outer.public_custom_id, "truths"),
    (outer.component_number, "truths"),
    (outer.panel_custom_id, "truths"),
    (outer.waiting_by_truth, "truths"),
    (outer.completed_for_another, "canaries"),
    (outer.refusal, "canaries"),
    (outer.telling_preview, "canaries"),
    (outer.telling_label, "truths"),
    (outer.incident, "faults"),
    (outer.posts_in_secret, "silence"),
    (outer.edits_in_secret, "silence"),
    (outer.posts_when_done, "done"),
    (outer.types_in_secret, "silence"),
    (outer.quiet_receipt, "silence"),
    (outer.closed_doors, "asked"),
    (outer.decision_counts_all, "idle"),
    (outer.log_counts_all, "idle"),
    (outer.past_of_another, "canaries"),
    (outer.past_told_to_all, "canaries"),
    (outer.turns_count_all, "idle"),
    (outer.since_counts_all, "silence"),
    (outer.shared_revision, "drafts"),
    (outer.shared_draft, "drafts"),
    (outer.early_replay, "canaries"),
    (outer.bare_commitment, "canaries"),
    (outer.open_answer, "canaries"),
    (outer.open_panel, "canaries"),
    (outer.wrong_door, "canaries"),
    (outer.told_to_all, "canaries"),
    (outer.own_file_name, "canaries"),
    (outer.calls_anybody, "canaries"),
    (outer.thread_name, "canaries"),
    (outer.nonce, "canaries"),
    (outer.mentions, "truths"),
    (inner.log_line, "faults"),
    (inner.warning, "faults"),
    (inner.traceback_text, "faults"),
    (inner.loop_text, "faults"),
    (inner.painter_line, "faults"),
    (inner.painter_note, "faults"),
    (inner.job_error, "faults"),
    (inner.task_name, "reprs"),
    (inner.shown_panel, "reprs"),
    (inner.careless_class, "classes"),
    (inner.sprite_of_card, "files"),
    (inner.picture_on_disk, "files"),
]


DONE = {"faults", "reprs", "classes", "files"}
"""Checks that ``test_secrets`` makes of the house in the very same way in every run."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.nightly if n in DONE else ()) for n in CHECKS]
)
async def test_the_house_as_it_is_passes(name: str, tmp_path: Path) -> None:
    assert name == "asked" or await CHECKS[name](tmp_path)


@pytest.mark.parametrize(("leak", "name"), some(LEAKS, 6), ids=lambda item: getattr(item, "__name__", item))
async def test_a_planted_leak_is_seen(
    leak: Callable[[pytest.MonkeyPatch], None], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    with pytest.raises(AssertionError):
        await CHECKS[name](tmp_path)
