"""The figures of a record are those of the first page at the moment of signing, whatever the register holds."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from portability.exposure.counting import Amount
from portability.exposure.quarters import closed_quarters
from portability.exposure.queries import exposure
from portability.organisation.models import DefaultTarget
from portability.organisation.queries import VENDORS
from portability.register.models import Row
from portability.reviews.actions import Seen, close, decide_many, open_review
from portability.reviews.given import Given
from portability.reviews.models import Record
from portability.reviews.record.figures import COUNTED
from portability.reviews.report import report
from portability.reviews.standing import entries, lines
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.register.generate import generate
from tests.reviews.making import Q4, TODAY

pytestmark = pytest.mark.database


def _signed(cast: Cast) -> Record:
    """A review of everything there is, agreed to and signed."""
    review = open_review(cast.architect, Q4, TODAY)
    listed = lines(entries(review, TODAY))
    for assessed in (True, False):
        seen = {
            line.entry.pk: Seen(line.entry.version, line.assessment)
            for line in listed
            if (line.engine_verdict != "not-assessed") is assessed
        }
        given = Given("agree", reason="All alike.")
        if not assessed:
            given = Given("not-known", reason="All alike.", finds_out="Lena", by_day=TODAY + timedelta(days=30))
        decide_many(cast.architect, seen, given, TODAY)
    return close(cast.architect, review.pk, "Reviewed.", TODAY)


def _counts(amount: Amount) -> dict[str, int]:
    return {name: getattr(amount, name) for name in COUNTED}


@pytest.mark.parametrize("seed", range(2))
def test_record_report_and_page_say_the_same(cast: Cast, seed: int) -> None:
    random = Random(seed)
    target = generate(60)
    DefaultTarget.objects.create(vendor="nvidia", target=target)
    other = Target.objects.create(name="h100", vendor="nvidia", spec=target.spec)
    DefaultTarget.objects.create(vendor="amd", target=other)  # for which nothing was judged
    for workload in Workload.objects.order_by("pk"):
        workload.vendor_today = random.choice(["nvidia", "nvidia", "amd", "other", "none", "unknown", ""])
        workload.gpus, workload.replicas = random.choice([None, 0, 1, 8]), random.choice([None, 0, 1, 3])
        workload.save()
    for row in Row.objects.filter(verdict="needs-change").select_related("assessment"):
        effect = random.choice(["change", "confirm"])
        row.own_verdict = row.assessment.own_verdict = random.choice(["movable", "needs-change"])
        row.changes = int(effect == "change")
        nothing = dict.fromkeys(("value", "path", "pointer", "reason", "remedy"), "")
        place = {"resource": dict.fromkeys(("kind", "namespace", "name"), "")}
        finding = {"rule": "IMG001", "class": "IMAGE", "effect": effect, "evidence": []}
        row.assessment.findings = [finding | nothing | place]
        row.assessment.save()
        row.save()
    record = _signed(cast)
    said = report(record, [])
    reported = {e.vendor: e for e in said.exposure}
    assert reported.keys() <= {vendor.value for vendor in VENDORS}
    for vendor in ("nvidia", "amd"):
        page, signed = exposure(vendor, decided=False, today=TODAY), reported[vendor]
        assert _counts(page.exposed.amount) == signed.stops
        assert _counts(page.whole.amount) == signed.whole
        assert [_counts(state.figure.amount) for state in page.states] == [dict(counts) for _, _, counts in signed.rows]
        apart = {label: counts for _, label, counts in signed.apart}
        for words, figure in (("only because of the target", page.only_target), ("only to confirm", page.only_confirm)):
            found = [counts for label, counts in apart.items() if label.endswith(words)]
            assert (found[0] if found else _counts(Amount())) == _counts(figure.amount)
        [closed] = closed_quarters(vendor)
        assert _counts(sum(closed.amounts.values(), Amount())) == signed.whole
        parts = {by: shares for by, _, shares in signed.parts}
        for by, told in (("criticality", page.criticalities), ("team", page.teams)):
            if page.unjudged.workloads:  # of which the page says that they are not among these
                continue
            assert [(line.label, _counts(line.exposed.amount), _counts(line.whole.amount)) for line in told] == [
                (share.name, share.stops, share.whole) for share in parts[by]
            ]
            assert [[state.figure.workloads for state in line.states] for line in told] == [
                [number for _, number in share.states] for share in parts[by]
            ]
    assert sum(e.stops["gpus_unknown"] > 0 for e in said.exposure) and parts
    uncounted = sum(each.counts["workloads"] for each in said.uncounted)
    assert any(each.counts["gpus_unknown"] for each in said.uncounted)
    assert uncounted == Workload.objects.filter(vendor_today__in=["none", "unknown", ""]).count() > 0
    assert uncounted + sum(e.whole["workloads"] for e in said.exposure) == 60
