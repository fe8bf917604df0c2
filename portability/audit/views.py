"""The history page."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http.response import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.audit import queries
from portability.audit.filters import EntryFilter
from portability.audit.models import Entry

PER_PAGE = 50
_IDS = frozenset({"team", "run"})  # numbers of the database: nobody knows a team or a run by them
_WORDS = {"pairs": "assessments"}


@allow(Access.ARCHITECT, Access.ADMINISTRATOR)
@require_safe
def entries(request: SignedInRequest) -> HttpResponse:
    """Who did what, when; filtered and paged, the newest first."""
    filter_ = EntryFilter(request.GET, queryset=queries.entries())
    page = Paginator(filter_.entries, PER_PAGE).get_page(request.GET.get("page"))
    rows = [(entry, queries.in_words(entry.action), _details(entry)) for entry in page]
    return render(request, "audit/entries.html", {"filter": filter_, "page": page, "rows": rows})


def _details(entry: Entry) -> list[tuple[str, str]]:
    """The details as name and text, by name (databases keep no order); what is nested is said in one line."""
    return [
        (_WORDS.get(name, name.replace("_", " ")), _text(value))
        for name, value in sorted(_by_field(entry.details).items())
        if not (name in _IDS and isinstance(value, int))
    ]


def _by_field(details: dict[str, Any]) -> dict[str, Any]:
    """The details with each changed field on its own: `os version: 24.04.4 → 24.04.2`."""
    changed = details.get("changed")
    if not isinstance(changed, dict) or not all(isinstance(pair, list) and len(pair) == 2 for pair in changed.values()):
        return details
    rest = {name: value for name, value in details.items() if name != "changed"}
    return rest | {name: f"{_text(was)} → {_text(now)}" for name, (was, now) in changed.items()}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(inner)}" for name, inner in sorted(value.items()))
    if isinstance(value, list):
        return ", ".join(_text(inner) for inner in value)
    return "–" if value in (None, "") else str(value)
