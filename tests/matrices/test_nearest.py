"""A target of a version that nobody read names the nearest one read, and follows it where a nearer one is published."""

from __future__ import annotations

from datetime import date

import pytest

from portability.matrices.effects import would_move
from portability.matrices.models import Release
from portability.register import queries as register
from portability.register.models import Row, Run
from portability.targets.models import Target
from tests.conftest import Cast
from tests.matrices.keeping import ROCM, draft, publish, redraft, target, work
from tests.register.registering import register_workload

pytestmark = [pytest.mark.django_db, pytest.mark.database]
CELLS = {"part/mi300x/gfx": "gfx942", "os/mi300x/ubuntu/24.04.4": "6.8", "driver/mi300x": "31.40.1"}


@pytest.fixture
def unread(cast: Cast, shipped: None) -> Target:
    """A target of ROCm 9.5.0 beside one of 9.0.0, of which alone there is a reading, and a workload."""
    Release.objects.filter(source=ROCM).delete()
    Target.objects.update(active=False)
    publish(cast.curator, draft("9.0.0", CELLS))
    made = target("unread", "mi300x", "9.5.0")
    target("read", "mi300x", "9.0.0")
    register_workload(cast.search, "chat")
    return made


def reasons(of: Target) -> str:
    """Why the workload stands as it does for a target."""
    return Row.objects.get(target=of).reasons


def judged(run: Run | None) -> list[tuple[int, int]]:
    """The pairs of a run."""
    return [(w, t) for batch in run.batches.all() for w, t in batch.pairs] if run else []


def test_a_nearer_version_is_named_as_soon_as_it_is_published(cast: Cast, unread: Target) -> None:
    assert "no matrix for ROCm 9.5.0 was read (the nearest one read is 9.0.0)" in reasons(unread)
    done = publish(cast.curator, draft("9.4.0", CELLS))
    row = Row.objects.get(target=unread)
    assert judged(done.run) == [(row.workload_id, unread.pk)], "and the target whose version was read stays as it is"
    assert register.outdated_pairs() == [(row.workload_id, unread.pk)]
    work()
    assert "(the nearest one read is 9.4.0)" in reasons(unread)
    assert register.outdated_pairs() == []


def test_a_version_further_off_and_another_reading_make_nothing_stale(cast: Cast, unread: Target) -> None:
    assert publish(cast.curator, draft("10.0.0", CELLS)).run is None
    assert publish(cast.curator, draft("8.0.0", CELLS)).run is None
    again = redraft(Release.objects.get(source=ROCM, version="8.0.0"), read=date(2026, 11, 21))
    assert publish(cast.curator, again).run is None
    assert "(the nearest one read is 9.0.0)" in reasons(unread)


def test_a_draft_counts_what_names_the_nearest(cast: Cast, unread: Target) -> None:
    assert would_move(draft("9.4.0", CELLS)).stale == 1
    assert would_move(draft("10.0.0", CELLS)).stale == 0
