"""The reviews, opening one, and its queue. What is done to entries is in `entry_views` and `together_views`."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.reviews import actions, queries, queue
from portability.reviews.closed_views import closed_page
from portability.reviews.errors import Refused
from portability.reviews.forms import DiscardForm, OpenForm, show_refusal
from portability.reviews.models import Review
from portability.reviews.opening_preview import opening_preview
from portability.reviews.quarters import Free, last_day
from portability.reviews.shown_queue import Looked, answer
from portability.saved_filters.models import SavedFilter
from portability.saved_filters.queries import default_of


@allow(Access.EVERYONE)
@require_safe
def reviews(request: SignedInRequest) -> HttpResponse:
    """The open review with how far it is, the closed ones, and opening the next."""
    free = queries.quarters_to_open(timezone.localdate())
    return _list(request, OpenForm(quarters=free), free)


def _list(
    request: SignedInRequest, form: OpenForm, free: list[Free], status: int = 200, discarding: DiscardForm | None = None
) -> HttpResponse:
    under_way = queries.open_one()
    today = timezone.localdate()
    may_open = request.user.architect and under_way is None
    context: dict[str, Any] = {
        "under_way": under_way,
        "progress": queue.progress(under_way, today) if under_way else None,
        "closed": queries.closed_ones(),
        "asked": queries.questions_to(request.user).count(),
        "may_open": may_open,
        "form": form,
        "rest": any(quarter.rest for quarter in free),
        "lettered": any(quarter.name != str(quarter.quarter) for quarter in free),
        "may_discard": under_way is not None and request.user.architect and queries.untouched(under_way),
        "discarding": discarding or DiscardForm(),
        "covered": last_day() if may_open else None,
        "preview": opening_preview() if may_open else None,
    }
    return render(request, "reviews/reviews.html", context, status=status)


@allow(Access.ARCHITECT)
@require_POST
def open_review(request: SignedInRequest) -> HttpResponse:
    """Open the review of a quarter."""
    today = timezone.localdate()
    free = queries.quarters_to_open(today)
    form = OpenForm(request.POST, quarters=free)
    if queries.open_one() is not None:  # pressed twice, or by two people: it is open
        messages.info(request, "It is open already.")
        return redirect("reviews:reviews")
    if form.is_valid():
        try:
            opened = actions.open_review(request.user, form.chosen, today)
        except Refused as refused:
            show_refusal(form, str(refused), refused.field)
        else:
            return redirect("reviews:review", opened.quarter)
    return _list(request, form, free, status=422)


@allow(Access.ARCHITECT)
@require_POST
def discard(request: SignedInRequest, quarter: str) -> HttpResponse:
    """Take back that a review was opened."""
    found = get_object_or_404(queries.reviews(), quarter=quarter)
    form = DiscardForm(request.POST)
    if not form.is_valid() and queries.untouched(found):
        return _list(request, OpenForm(quarters=[]), [], 422, form)
    try:
        actions.discard(request.user, found.pk, form.cleaned_data.get("reason", ""))
    except Refused as refused:
        messages.error(request, f"{quarter} was not discarded. {refused}")
    else:
        messages.success(request, f"The review of {quarter} is discarded: its days can be reviewed again.")
    return redirect("reviews:reviews")


@allow(Access.EVERYONE)
@require_safe
def review(request: SignedInRequest, quarter: str) -> HttpResponse:
    """The queue of an open review at one entry (`at`), or the report of a closed one."""
    found = get_object_or_404(queries.reviews(), quarter=quarter)
    if found.state == Review.State.CLOSED:
        return closed_page(request, found)
    if not request.GET and not request.htmx and (default := default_of(request.user, SavedFilter.Page.QUEUE)):
        return redirect(f"{request.path}?{default.query}")
    return answer(request, found, _at(request))


@allow(Access.EVERYONE)
@require_safe
def open_queue(request: SignedInRequest) -> HttpResponse:
    """The queue of whatever review is open, with the filters of the address: where saved filters lead."""
    under_way = queries.open_one()
    if under_way is None:
        messages.info(request, "No review is open. A filter of the queue applies to the next one, once it is opened.")
        return redirect("reviews:reviews")
    query = request.GET.urlencode()
    return redirect(reverse("reviews:review", args=[under_way.quarter]) + (f"?{query}" if query else ""))


@allow(Access.EVERYONE)
@require_safe
def keys(request: SignedInRequest) -> HttpResponse:
    """The keys of the queue, as a page of their own."""
    return render(request, "reviews/keys.html")


@allow(Access.ARCHITECT)
@require_POST
def undo(request: SignedInRequest, quarter: str) -> HttpResponse:
    """Take back the person's last decision, or the last that were made at once."""
    found = get_object_or_404(queries.reviews(), quarter=quarter)
    last = queries.last_act(request.user, found.pk)
    try:
        undone = actions.undo_last(request.user, found.pk, timezone.localdate(), request.POST.get("act", ""))
    except Refused as refused:
        return answered(request, found, _at(request), f"Nothing was undone. {refused}", wrong=True)
    names = ", ".join(entry.workload.name for entry in undone[:5])
    more = f" and {len(undone) - 5} more" if len(undone) > 5 else ""
    if last and last.decision is None:
        return answered(request, found, undone[0].pk, f"Undone: {names} is no longer left to the next review.")
    what = "the decision on" if len(undone) == 1 else f"{len(undone)} decisions, on"
    return answered(request, found, undone[0].pk, f"Undone: {what} {names}{more}.")


def answered(
    request: SignedInRequest,
    review: Review,
    at: int | None,
    said: str,
    *,
    wrong: bool = False,
    looked: Looked | None = None,
) -> HttpResponse:
    """After an act: the queue at an entry, with what happened said in its live region or, on a new page, above it."""
    if not request.htmx:
        (messages.error if wrong else messages.success)(request, said)
    return answer(request, review, at, said=said, looked=looked)


def _at(request: SignedInRequest) -> int | None:
    at = request.GET.get("at", "")
    return int(at) if at.isdecimal() and len(at) < 19 else None
