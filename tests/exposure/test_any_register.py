"""Whatever a register holds: figures are what their links show, lines add up, and bars say in words what they show."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime
from random import Random

import pytest
from django.test import Client

from portability.accounts.models import Person, Team
from portability.exposure.bars import WORDS
from portability.exposure.counting import NOTHING
from portability.exposure.queries import exposure
from portability.organisation.models import DefaultTarget
from portability.register.models import Row
from portability.reviews.models import Decided
from portability.workloads.models import Criticality, Workload
from tests.conftest import Cast
from tests.exposure.figures import Shown, figures
from tests.register.generate import generate

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]

TODAY = date(2026, 11, 30)
VENDORS = ("nvidia", "other")  # both have a default target


def fill(size: int, random: Random) -> None:
    """A register of anything: sizes known or not, retired or not, decided or not."""
    target = generate(size, teams=random.choice([1, 3, 9]))
    for vendor in VENDORS:
        DefaultTarget.objects.create(vendor=vendor, target=target)
    teams = list(Team.objects.all())
    for workload in Workload.objects.all():
        workload.vendor_today = random.choice(["nvidia"] * 4 + ["amd", "other", "none", "unknown", ""])
        workload.criticality = random.choice(Criticality.values)
        workload.team = random.choice(teams)
        workload.gpus, workload.replicas = random.choice([None, 0, 1, 8, 1000]), random.choice([None, 0, 1, 3])
        workload.retired_at = random.choice([None] * 9 + [datetime(2026, 10, 1, tzinfo=UTC)])
        workload.save()
    for row in Row.objects.all():
        if row.verdict == "needs-change":
            own = random.choice(["movable", "needs-change"])
            Row.objects.filter(pk=row.pk).update(own_verdict=own, changes=random.choice([0, 2]))
        if random.random() < 0.3:
            verdict = random.choice(["movable", "needs-change", "pinned"])
            until = random.choice([None, date(2026, 1, 1), date(2030, 1, 1)])
            Decided.objects.create(
                workload_id=row.workload_id,
                target=target,
                assessment_id=row.assessment_id,
                verdict=verdict,
                until=until,
            )


@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(n, marks=pytest.mark.long) for n in range(3, 10))])
def test_figures_are_what_is_shown_lines_add_up_and_bars_say_so(cast: Cast, client_of: ClientOf, seed: int) -> None:
    fill((40, 7, 1)[seed % 3], Random(seed))
    shown = Shown(client_of(cast.viewer))
    for vendor in VENDORS:
        for counts in ("engine", "decided"):
            page = shown.page(f"/?vendor={vendor}&counts={counts}")
            counted = figures(page)
            assert counted or "No workload runs on" in page or "Which workloads would stop?" in page
            assert seed or len(counted) > 25
            assert shown.otherwise(counted) == []
            found = exposure(vendor, decided=counts == "decided", today=TODAY)
            for lines in (found.teams, found.criticalities):
                assert sum((line.exposed.amount for line in lines), NOTHING) == found.exposed.amount
                assert sum((line.whole.amount for line in lines), NOTHING) == found.whole.amount
                for line in lines:
                    assert sum((state.figure.amount for state in line.states), NOTHING) == line.whole.amount
                    gpus = zip(WORDS.values(), line.states, strict=True)
                    said = ", ".join(f"{words} {state.figure.amount.gpus}" for words, state in gpus)
                    assert line.bar.text == f"By GPUs: {said}"
