"""The same moment: what is registered, judged or signed off while something is waived for all workloads."""

from __future__ import annotations

import importlib
import json

import pytest

from portability.reviews import settling
from portability.reviews.actions import close, open_review, withdraw_waiver
from portability.reviews.errors import Refused
from portability.reviews.models import Record, Unsettled, Waiver
from tests.conftest import Cast
from tests.reviews.for_all import JAMMY, READY, SAYS, jammy, verdicts, waived_for_all
from tests.reviews.making import Q4, TODAY, choose_target, decided, entry_of, register, revise
from tests.reviews.test_at_once import kinds, together

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.database,
    pytest.mark.usefixtures("shipped"),
    pytest.mark.parametrize("few", [0, 200], ids=["in the background", "at once"]),
]
NOT_YET, DONE = ("needs-change", "needs-change", 0), ("needs-change", "movable", 1)


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """How many workloads are worked out at once."""
    monkeypatch.setattr(importlib.import_module("portability.reviews.actions.settle"), "FEW", few)


def test_what_is_registered_or_revised_meanwhile_has_it(cast: Cast) -> None:
    ready = register(cast.member, cast.search, "ready", READY, **SAYS)
    given, _, *late = together(
        lambda: waived_for_all(cast.architect),
        lambda: revise(cast.member, ready, READY.replace("v0.23.0", "v0.24.0"), **SAYS),
        *[lambda n=n: register(cast.member, cast.search, f"late-{n}", READY, **SAYS) for n in range(3)],
    )
    assert isinstance(given, Waiver)
    settling.take_over()
    assert {verdicts(w)[2] for w in (ready, *late)} == {1}
    assert {verdicts(w) for w in late} == {DONE}


def test_what_is_registered_while_it_is_withdrawn_has_it_no_more(cast: Cast) -> None:
    waiver = waived_for_all(cast.architect)
    _, *late = together(
        lambda: withdraw_waiver(cast.architect, waiver.pk, TODAY),
        *[lambda n=n: register(cast.member, cast.search, f"late-{n}", READY, **SAYS) for n in range(3)],
    )
    settling.take_over()
    assert {verdicts(w) for w in late} == {NOT_YET}


def test_the_same_form_sent_three_times_counts_once(cast: Cast) -> None:
    answers = together(*[lambda: waived_for_all(cast.architect)] * 3)
    assert kinds(answers) == ["Waiver"] * 3 and Waiver.objects.count() == 1


def test_two_workers_and_one_who_withdraws_end_with_what_stands(cast: Cast) -> None:
    some = [register(cast.member, cast.search, f"w{n}", READY, **SAYS) for n in range(3)]
    waiver = waived_for_all(cast.architect)
    together(
        lambda: settling.settle_target(jammy().pk),
        lambda: settling.settle_target(jammy().pk),
        lambda: withdraw_waiver(cast.architect, waiver.pk, TODAY),
    )
    settling.take_over()
    assert {verdicts(w) for w in some} == {NOT_YET} and not Unsettled.objects.exists()


def test_a_record_that_is_signed_meanwhile_says_one_thing(cast: Cast) -> None:
    choose_target(name=JAMMY)
    ready = register(cast.member, cast.search, "ready", READY, **SAYS)
    review = open_review(cast.architect, Q4, TODAY)
    decided(cast.architect, entry_of(review, ready))
    signed, given = together(
        lambda: close(cast.architect, review.pk, "Reviewed.", TODAY), lambda: waived_for_all(cast.architect)
    )
    assert isinstance(given, Waiver)
    if isinstance(signed, Record):
        [entry] = json.loads(signed.text)["entries"]
        assert (entry["decided_verdict"], entry["waivers"]) == ("needs-change", [])
    else:
        assert isinstance(signed, Refused)  # it asked again, or was not worked out yet
