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
from portability.reviews import queries
from portability.reviews.comparison import Comparison, Outcome, compare
from portability.reviews.models import Review
from portability.reviews.words import VERDICTS

NOW = "now"
LISTED = 200  # rows of one list: the others are counted, and the figures lead to shorter lists
OUTCOMES = {Outcome.MISSED: "missed", Outcome.KEPT: "kept", Outcome.OPEN: "not over yet"}


@dataclass(frozen=True)
class Cell:
    """One figure of the flow: from a state to a state, with the address of what it counts."""

    number: int
    address: str
    same: bool = False
    current: bool = False


@dataclass(frozen=True)
class Span:
    """A verdict's share of all, in thousandths of the bar's width, and where it begins."""

    verdict: str
    words: str
    number: int
    start: int
    width: int


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
        compared = compare(a, b, today)
        context |= _shown(request, compared, a.quarter, b.quarter if b else NOW)
    return render(request, "reviews/comparison.html", context)


def _sides(
    request: SignedInRequest, reviews: dict[str, Review], problems: list[str]
) -> tuple[Review | None, Review | None]:
    """The two sides; the second is None for now. By default the newest closed review and what followed it."""
    asked = {name: request.GET.get(name, "") for name in ("a", "b")}
    for name, value in asked.items():
        if value and value not in reviews and not (name == "b" and value == NOW):
            problems.append(f"There is no review “{value[:20]}”.")
            asked[name] = ""
    quarters = list(reviews)  # the newest first
    b = asked["b"] or (NOW if asked["a"] or not quarters else "")
    if not b:
        open_ones = [q for q in quarters if reviews[q].state == Review.State.OPEN]
        b = open_ones[0] if open_ones else NOW
    earlier = [q for q in quarters if b == NOW or q < b]
    a = asked["a"] or (earlier[0] if earlier else "")
    if b != NOW and a > b:
        problems.append("The earlier quarter comes first: shown the other way round.")
        a, b = b, a
    if a and a == b:
        problems.append("A quarter is compared with another one, or with now.")
        return None, reviews.get(b)
    return reviews.get(a), reviews.get(b)


def _shown(request: SignedInRequest, compared: Comparison, a: str, b: str) -> dict[str, Any]:
    before, after, show = (request.GET.get(name, "") for name in ("from", "to", "show"))

    def address(**values: str) -> str:
        return "?" + urlencode({"a": a, "b": b, **values}) + "#list"

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
        gone = sum(line.before == verdict for line in compared.retired)
        flow.append((verdict, words, cells, gone))
    new = [sum(line.after == verdict for line in compared.new) for verdict in VERDICTS]
    lists = [("moved", "moved", compared.moved), ("new", "new", compared.new), ("retired", "retired", compared.retired)]
    if before or after:
        lists = [
            (key, words, [x for x in some if before in ("", x.before) and after in ("", x.after)])
            for key, words, some in lists
            if key == "moved"
        ]
    elif show in ("moved", "new", "retired"):
        lists = [one for one in lists if one[0] == show]
    elif show:
        lists = []
    return {
        "compared": compared,
        "verdicts": VERDICTS,
        "flow": flow,
        "new": new,
        "bars": [(words, _bar(totals)) for words, totals in zip((a, b), compared.totals, strict=True)],
        "lists": [(key, words, some[:LISTED], len(some)) for key, words, some in lists],
        "plans": [
            (outcome.value, words, compared.plans_that(outcome), address(show=outcome.value))
            for outcome, words in OUTCOMES.items()
        ],
        "address": {key: address(show=key) for key in ("moved", "new", "retired")},
        "all": "?" + urlencode({"a": a, "b": b}),
        "show": show,
        "narrowed": bool(before or after or show),
        "unmoved": bool(before) and before == after,
    }


def _bar(totals: dict[str, int]) -> list[Span]:
    whole = sum(totals.values()) or 1
    spans, start = [], 0
    for verdict, words in VERDICTS.items():
        width = round(1000 * totals[verdict] / whole)
        spans.append(Span(verdict, words, totals[verdict], start, width))
        start += width
    return spans
