"""What is counted, against what, and that every figure is the number of what its link shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portability.accounts.models import Person, Team
from portability.engine.model import Verdict
from portability.exposure.bars import STATES
from portability.exposure.counting import Amount
from portability.exposure.queries import exposure
from portability.exposure.shapes import Exposure
from portability.organisation.models import DefaultTarget
from portability.register.models import Row
from portability.register.rows import VERDICT_ORDER
from portability.reviews.models import Decided
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.exposure.figures import SAID, Shown, figures, text_of
from tests.register.generate import generate

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]

TODAY = date(2026, 11, 30)


@pytest.fixture
def target(cast: Cast) -> Target:
    """The target of what runs on NVIDIA, in a register of sixty: twelve run on AMD."""
    made = generate(60)
    Workload.objects.filter(name__in=["workload-00001", "workload-00002", "workload-00033"]).update(gpus=None)
    Workload.objects.filter(name__in=["workload-00002", "workload-00003", "workload-00034"]).update(replicas=3)
    DefaultTarget.objects.create(vendor="nvidia", target=made)
    return made


def of(vendor: str = "nvidia", *, decided: bool = False) -> Exposure:
    """The exposure on a day."""
    return exposure(vendor, decided=decided, today=TODAY)


def by_name(found: Exposure) -> dict[str, int]:
    """How many workloads are in which state."""
    return {state.words: state.figure.workloads for state in found.states}


def judge(name: str, verdict: Verdict, **columns: object) -> None:
    """Give a workload a verdict, as assessing it would."""
    rows = Row.objects.filter(workload__name=name)
    rows.update(verdict=verdict, verdict_order=VERDICT_ORDER[verdict], own_verdict=verdict)
    rows.update(**columns)


def test_the_headline_is_the_first_three_states_together(target: Target) -> None:
    found = of()
    counted = Workload.objects.filter(vendor_today="nvidia")
    exposed = counted.exclude(rows__verdict="movable")
    assert found.whole.amount.workloads == counted.count() == 48
    assert found.exposed.amount.workloads == exposed.count()
    assert found.exposed.amount.gpus == sum(w.gpus or 0 for w in exposed)
    assert found.exposed.amount.gpus_unknown == sum(w.gpus is None for w in exposed) > 0
    states = by_name(found)
    assert list(states) == ["no way out", "until changed", "not known", "could move"]
    assert sum(list(states.values())[:3]) == found.exposed.amount.workloads
    assert sum(states.values()) == 48


def test_retired_ones_and_those_of_other_vendors_are_not_counted(target: Target) -> None:
    before = of()
    Workload.objects.filter(name="workload-00001").update(retired_at=timezone.now())
    Workload.objects.filter(name="workload-00002").update(vendor_today="")
    Workload.objects.filter(name="workload-00003").update(vendor_today="unknown")
    Workload.objects.filter(name="workload-00004").update(vendor_today="none")
    found = of()
    assert found.whole.amount.workloads == before.whole.amount.workloads - 4
    apart = {a.words: a.figure.workloads for a in found.apart}
    assert apart == {
        "run on AMD already, the vendor of mi300x-single": 12,
        "run on no GPU of any vendor": 1,
        "whose vendor nobody declared and nothing shows": 2,
    }
    assert found.registered == 59


def test_only_the_default_target_of_the_vendor_is_counted_against(target: Target) -> None:
    other = generate(5, Target.objects.create(name="h100", vendor="nvidia", spec=target.spec), first=60)
    DefaultTarget.objects.create(vendor="amd", target=other)
    assert of("amd").target == other
    assert of("amd").whole.amount.workloads == Workload.objects.filter(vendor_today="amd").count()
    assert of("amd").unjudged.workloads == 12, "those sixty were judged for the other target only"


def test_what_was_never_judged_is_not_known_and_exposed(target: Target) -> None:
    before = of()
    Row.objects.filter(workload__name__in=["workload-00001", "workload-00006"]).delete()
    found = of()
    assert found.whole.amount.workloads == before.whole.amount.workloads
    assert (found.unjudged.workloads, len(found.unjudged_first)) == (2, 2)
    rows = Row.objects.filter(workload__vendor_today="nvidia", verdict="not-assessed").count()
    assert by_name(found)["not known"] == rows + 2
    assert found.judged_exposed == found.exposed.workloads - 2


def test_what_needs_change_only_because_of_the_target_or_only_to_confirm_is_apart(target: Target) -> None:
    judge("workload-00001", Verdict.NEEDS_CHANGE, own_verdict="movable", changes=1)
    judge("workload-00002", Verdict.NEEDS_CHANGE, changes=0)
    judge("workload-00003", Verdict.PINNED, own_verdict="movable", changes=0)
    found = of()
    assert (found.only_target.workloads, found.only_confirm.workloads) == (1, 1)


def test_decided_verdicts_are_counted_where_that_is_asked_for(target: Target) -> None:
    engine = by_name(of())
    for name, until, verdict in (
        ("workload-00002", None, "movable"),  # pinned before
        ("workload-00006", date(2026, 11, 29), "movable"),  # over since yesterday
    ):
        row = Row.objects.get(workload__name=name)
        assert row.verdict == "pinned"
        Decided.objects.create(
            workload=row.workload, target=target, assessment=row.assessment, verdict=verdict, until=until
        )
    assert by_name(of()) == engine
    decided = by_name(of(decided=True))
    assert decided["no way out"] == engine["no way out"] - 1
    assert decided["could move"] == engine["could move"] + 1
    assert "workload-00002" not in [row.workload.name for row in of(decided=True).first]


def test_the_most_critical_come_first(target: Target) -> None:
    listed = of().first
    assert len(listed) == 12
    order = ["critical", "high", "medium", "low"]
    assert [order.index(row.workload.criticality) for row in listed] == sorted(
        order.index(row.workload.criticality) for row in listed
    )
    critical = [row for row in listed if row.workload.criticality == "critical"]
    verdicts = ["pinned", "needs-change", "not-assessed"]
    assert [verdicts.index(row.verdict) for row in critical] == sorted(verdicts.index(r.verdict) for r in critical)


def test_lines_of_teams_and_criticalities_add_up_to_the_whole(target: Target) -> None:
    found = of()
    for lines in (found.teams, found.criticalities):
        assert sum((line.exposed.amount for line in lines), Amount()) == found.exposed.amount
        assert sum((line.whole.amount for line in lines), Amount()) == found.whole.amount
    assert [line.label for line in found.criticalities] == ["critical", "high", "medium", "low"]
    stopping = [line.exposed.amount.gpus for line in found.teams]
    assert stopping == sorted(stopping, reverse=True)


def test_every_line_says_how_many_workloads_replicas_and_gpus_and_of_how_many_that_is_not_known(target: Target) -> None:
    found = of()
    counted = Workload.objects.filter(vendor_today="nvidia")
    exposed = counted.exclude(rows__verdict="movable")
    lines = [
        (found.exposed, exposed),
        *(
            (line.exposed, counted.exclude(rows__verdict="movable").filter(team__name=line.label))
            for line in found.teams
        ),
        *((line.whole, counted.filter(criticality=line.label)) for line in found.criticalities),
        *(
            (state.figure, counted.filter(rows__verdict=verdict))
            for state, verdict in zip(found.states, STATES, strict=True)
        ),
    ]
    for figure, workloads in lines:
        replicas, gpus = ([getattr(w, name) for w in workloads] for name in ("replicas", "gpus"))
        assert [(number.n, number.unknown) for number in figure.numbers] == [
            (len(workloads), 0),
            (sum(n or 0 for n in replicas), replicas.count(None)),
            (sum(n or 0 for n in gpus), gpus.count(None)),
        ]


def test_a_line_says_at_least_where_a_number_is_not_known_and_only_there(
    target: Target, cast: Cast, client_of: ClientOf
) -> None:
    Workload.objects.update(replicas=2, gpus=4)
    Workload.objects.filter(name="workload-00002").update(replicas=None)  # pinned, medium
    Workload.objects.filter(name="workload-00004").update(gpus=None)  # movable, critical
    page = client_of(cast.viewer).get("/").content.decode()
    rows = re.findall(r"<tr><th scope=\"row\">(.*?)</tr>", page, re.DOTALL)
    said = {text_of(row).split()[0]: " ".join(text_of(row).split()) for row in rows}
    assert "at least 22 of 22 replicas 1 not known 48 of 48 GPUs" in said["medium"]
    assert "at least" not in said["high"] and "not known 4" not in said["high"]
    assert "of at least" in said["critical"] and "1 not known" not in said["critical"]


@pytest.mark.parametrize("counts", ["engine", "decided"])
def test_every_figure_is_the_number_of_what_its_link_shows(
    target: Target, cast: Cast, client_of: ClientOf, counts: str
) -> None:
    Team.objects.filter(slug="team-1").update(name="A & B")
    Workload.objects.filter(name="workload-00006").update(retired_at=timezone.now())
    Workload.objects.filter(name="workload-00008").update(vendor_today="")
    judge("workload-00001", Verdict.NEEDS_CHANGE, own_verdict="movable", changes=1)
    judge("workload-00002", Verdict.NEEDS_CHANGE, changes=0)
    for row in Row.objects.filter(workload__name__in=["workload-00007", "workload-00013", "workload-00016"]):
        Decided.objects.create(workload=row.workload, target=target, assessment=row.assessment, verdict="needs-change")
    shown = Shown(client_of(cast.viewer))
    counted = figures(shown.page(f"/?vendor=nvidia&counts={counts}"))
    assert {what: sum(of == what for _, of, _ in counted) > 12 for what in SAID} == dict.fromkeys(SAID, True)
    assert shown.otherwise(counted) == []
    assert {name for url, _, _ in counted for name in re.findall(r"[?&](\w+)=", url)} >= {
        "target", "vendor", "team", "criticality", "because", "frees", "obstacle", "gpus", "replicas",
        "verdict" if counts == "engine" else "decided",
    }  # fmt: skip


def test_the_links_say_the_same_of_what_is_not_known(target: Target, cast: Cast, client_of: ClientOf) -> None:
    shown, figure = Shown(client_of(cast.viewer)), of().exposed
    assert shown.number(figure.gpus_unknown) == figure.amount.gpus_unknown > 0
    assert shown.number(figure.replicas_unknown) == figure.amount.replicas_unknown > 0


def test_it_costs_the_same_queries_however_many_workloads(target: Target, cast: Cast, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)

    def cost(address: str) -> int:
        client.get(address)
        with CaptureQueriesContext(connection) as found:
            assert client.get(address).status_code == 200
        return len(found)

    few = [cost("/"), cost("/?counts=decided")]
    generate(600, first=60)
    assert [cost("/"), cost("/?counts=decided")] == few
    assert max(few) <= 19
