"""AMD's matrix as it ships, 7.12.0, 7.14.0 and 10.0.0, published one after another: what moves with the newest."""

from __future__ import annotations

import pytest

from portability.matrices.models import Release
from portability.register.models import Assessment, Batch, Movement, Row
from portability.targets.models import Target
from tests.conftest import Cast
from tests.matrices.keeping import MIGRAPHX, POD, ROCM, publish, target, work
from tests.register.registering import register_workload

pytestmark = [pytest.mark.django_db, pytest.mark.database]
PARTS = ("rx-9070-xt", "mi350p", "mi300x")


@pytest.fixture
def unpublished(shipped: None) -> None:
    """What ships, AMD's readings as drafts, and no target."""
    Release.objects.filter(source=ROCM).update(state=Release.State.DRAFT)
    Target.objects.update(active=False)


def published(cast: Cast, version: str) -> set[int]:
    """The targets of which anything is judged again by a version that is published now; then it is."""
    run = publish(cast.curator, Release.objects.get(source=ROCM, version=version)).run
    found = {pair[1] for batch in Batch.objects.filter(run=run) for pair in batch.pairs} if run else set()
    work()
    return found


def said(of: Target, rule: str) -> list[str]:
    """Which effects findings of a rule have for the classifier on a target."""
    findings = Row.objects.get(target=of, workload__name="classifier").assessment.findings
    return sorted({finding["effect"] for finding in findings if finding["rule"] == rule})


def test_what_follows_the_newest_moves_and_nothing_else(cast: Cast, unpublished: None) -> None:
    follows = {part: target(f"{part}-follows", part, "newest") for part in PARTS}
    stays = {part: target(f"{part}-stays", part, "7.12.0") for part in PARTS}
    radeon, new_part, known_part = follows.values()
    published(cast, "7.12.0")
    register_workload(cast.search, "classifier", text=POD, declared=MIGRAPHX)
    register_workload(cast.search, "chat", declared={"model_kind": "decoder-only"})
    before = list(Row.objects.filter(target__in=stays.values()).order_by("pk").values())

    def own(of: Target) -> str:
        return Row.objects.get(target=of, workload__name="classifier").own_verdict

    assert (own(radeon), said(radeon, "SRV005")) == ("needs-change", ["confirm"]), "of MIGraphX it says nothing"
    assert said(new_part, "PLT001") == ["confirm"], "MI350P is not known"
    assert said(known_part, "PLT003") == ["change"], "another driver is listed"

    assert published(cast, "7.14.0") == {each.pk for each in follows.values()}
    assert (own(radeon), said(radeon, "SRV005")) == ("pinned", ["blocks"]), "its list has no Radeon part"
    assert said(new_part, "PLT001") == said(new_part, "PLT003") == [], "MI350P is known, with its driver"
    assert said(known_part, "PLT003") == []

    assert published(cast, "10.0.0") == {each.pk for each in follows.values()}
    assert (own(radeon), said(radeon, "SRV005")) == ("movable", [])
    assert said(new_part, "PLT001") == []
    for each in follows.values():
        assert said(each, "PLT003") == ["confirm"], "it was read without its row of drivers"

    assert list(Row.objects.filter(target__in=stays.values()).order_by("pk").values()) == before
    assert Assessment.objects.filter(target__in=stays.values()).count() == 2 * len(PARTS)
    moves = Movement.objects.filter(target=radeon, workload__name="classifier").order_by("pk")
    assert list(moves.values_list("before", "after")) == [("needs-change", "pinned"), ("pinned", "needs-change")]
    assert set(Movement.objects.values_list("target", flat=True)) == {radeon.pk}
