"""Whether a decision still says what is judged and waived today: for places that show it outside its review."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from enum import StrEnum

from django.db.models import F, Q

from portability.reviews.models import Decision, Entry, Review
from portability.reviews.standing import with_standing

Verdicts = tuple[str, str]  # the engine's, and the decided one


class Still(StrEnum):
    """What has become of a decision."""

    STANDS = "stands"
    ASKS_AGAIN = "asks again"  # its review is open, and its entry is to be decided anew for the same target
    OUT_OF_DATE = "out of date"  # no review asks for it: what it was made on gives another verdict by now


def asking_again(decisions: Collection[int], today: date) -> set[int]:
    """Of these decisions (ids), those whose review is open and asks anew, for the target they were made for.

    Also where their entry was moved away, decided there, and moved back.
    """
    made_in = Entry.objects.filter(review__state=Review.State.OPEN, decisions__in=decisions)
    entries = with_standing(made_in, today).filter(Q(asks_again=True)).values("pk")
    made = Decision.objects.filter(pk__in=decisions, target=F("entry__target"), entry__in=entries)
    return set(made.order_by().values_list("pk", flat=True))


def still(made_on: Verdicts, now: Verdicts, *, asks_again: bool) -> Still:
    """What has become of one. `made_on`: what it was made on, and as what; `now`: for the target it was made for."""
    if asks_again:
        return Still.ASKS_AGAIN
    return Still.STANDS if made_on == now else Still.OUT_OF_DATE
