"""Two quarters beside each other, or a quarter and now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.exposure.bars import STATES, Bar, pieces_of
from portability.reviews import queries
from portability.reviews.comparison import Comparison, Outcome, compare
from portability.reviews.models import Review
from portability.reviews.words import VERDICTS

NOW = "now"
LISTED = 200  # rows of one list: the others are counted, and the figures lead to shorter lists
KINDS = {"moved": "moved", "target": "for another target only", "new": "new", "retired": "retired"}
OUTCOMES = {Outcome.MISSED: "missed", Outcome.KEPT: "kept", Outcome.OPEN: "not over yet"}


@dataclass(frozen=True)
class Cell:
    """One figure of the flow: from a state to a state, with the address of what it counts."""

    number: int
    address: str
    same: bool = False
    current: bool = False


@allow(Access.EVERYONE)
@require_safe
def comparison(request: SignedInRequest) -> HttpResponse:
    """Compare what `a` and `b` of the address name; `from` and `to`, or `show`, choose what is listed."""
    today = timezone.localdate()
    reviews = {review.quarter: review for review in queries.reviews()}
    problems: list[str] = []
    a, b = _sides(request, reviews, problems)
    context: dict[str, Any] = {"reviews": list(reviews.values()), "a": a, "b": b or NOW, "problems": problems}
    if a is not None:
        came, went = request.GET.get("from", ""), request.GET.get("to", "")
        compared = compare(a, b, today, same=came if came == went else "")
        context |= _shown(request, compared, a.quarter, b.quarter if b else NOW)
    return render(request, "reviews/comparison.html", context)


def _sides(
    request: SignedInRequest, reviews: dict[str, Review], problems: list[str]
) -> tuple[Review | None, Review | None]:
    """The two sides; the second is None for now. By default the newest closed review and what followed it."""
    a, b = (request.GET.get(name, "") for name in ("a", "b"))
    if a == NOW and b in reviews:
        problems.append("Now comes last: shown the other way round.")
        a, b = b, a
    elif a == NOW:
        problems.append("Now is compared with a review: choose which one.")
        a = ""
    a, b = _known(a, reviews, problems), NOW if b == NOW else _known(b, reviews, problems)
    quarters = list(reviews)  # the newest first
    b = b or (NOW if a or not quarters else "")
    if not b:
        open_ones = [q for q in quarters if reviews[q].state == Review.State.OPEN]
        b = open_ones[0] if open_ones else NOW
    earlier = quarters if b == NOW else quarters[quarters.index(b) + 1 :]
    a = a or (earlier[0] if earlier else "")
    if a and a == b:
        problems.append("A quarter is compared with another one, or with now.")
        return None, reviews.get(b)
    if a and b != NOW and a not in earlier:
        problems.append("The earlier quarter comes first: shown the other way round.")
        a, b = b, a
    return reviews.get(a), reviews.get(b)


def _known(name: str, reviews: dict[str, Review], problems: list[str]) -> str:
    if name and name not in reviews:
        problems.append(f"There is no review “{name[:20]}”.")
        return ""
    return name


def _shown(request: SignedInRequest, compared: Comparison, a: str, b: str) -> dict[str, Any]:
    before, after, show = (request.GET.get(name, "") for name in ("from", "to", "show"))

    def address(**values: str) -> str:
        return "?" + urlencode({"a": a, "b": b, **values}) + "#list"

    retired, new = compared.of_kind("retired"), compared.of_kind("new")
    flow = []
    for verdict, words in VERDICTS.items():
        cells = [
            Cell(
                compared.counts.get((verdict, then), 0),
                address(**{"from": verdict, "to": then}),
                verdict == then,
                (before, after) == (verdict, then),
            )
            for then in VERDICTS
        ]
        gone = sum(line.before == verdict for line in retired)
        flow.append((verdict, words, cells, Cell(gone, address(show="retired", **{"from": verdict}))))
    kept = not show and before == after and before in VERDICTS
    if kept:
        lists = [("same", f"stayed {VERDICTS[before]}", compared.of_kind("target", "same"))]
    else:
        wanted = show or ("moved" if before or after else "")
        lists = [(kind, words, compared.of_kind(kind)) for kind, words in KINDS.items() if wanted in ("", kind)]
    between = [
        (kind, words, [x for x in some if before in ("", x.before) and after in ("", x.after)])
        for kind, words, some in lists
    ]
    return {
        "compared": compared,
        "verdicts": VERDICTS,
        "flow": flow,
        "new": [
            Cell(sum(line.after == verdict for line in new), address(show="new", to=verdict)) for verdict in VERDICTS
        ],
        "bars": [_bar(words, totals) for words, totals in zip((a, b), compared.totals, strict=True)],
        "lists": [(kind, words, compared.why(some[:LISTED]), len(some)) for kind, words, some in between],
        "plans": [
            (outcome.value, words, compared.plans_that(outcome), address(show=outcome.value))
            for outcome, words in OUTCOMES.items()
        ],
        "counted": [(len(compared.of_kind(kind)), words, address(show=kind)) for kind, words in KINDS.items()],
        "all": "?" + urlencode({"a": a, "b": b}),
        "show": show,
        "narrowed": bool(before or after or show),
    }


def _bar(words: str, totals: dict[str, int]) -> tuple[str, str, Bar]:
    """Of which side, its totals in words, and the bar."""
    said = " · ".join(f"{totals[state.value]} {VERDICTS[state.value]}" for state in STATES)
    return words, said, Bar(pieces_of(totals, sum(totals.values())), f"{words}: {said.replace(' · ', ', ')}")
