"""Moving entries to another target, where the default one was changed while the review is open."""

from __future__ import annotations

import re

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from portability.accounts.access import Access, SignedInRequest, allow
from portability.organisation.queries import default_targets
from portability.reviews import actions, queries
from portability.reviews.elsewhere import shares
from portability.reviews.errors import Refused
from portability.reviews.models import Entry, Review
from portability.reviews.shown_queue import asked, closed
from portability.reviews.views import answered


@allow(Access.ARCHITECT)
@require_POST
def move(request: SignedInRequest, pk: int) -> HttpResponse:
    """Move one entry to its workload's default target."""
    entry = get_object_or_404(Entry.objects.select_related("review", "workload"), pk=pk)
    try:
        moved = actions.move_to_default(request.user, entry.review_id, timezone.localdate(), _shown(request), pk)
    except Refused as refused:
        return _closed(request, entry.review) or answered(request, entry.review, pk, str(refused), wrong=True)
    name = entry.workload.name
    if not moved or moved[0].target is None:
        return answered(request, entry.review, pk, f"{name} is for its default target already.")
    return answered(request, entry.review, pk, f"{name}: moved to {moved[0].target.name}.")


@allow(Access.ARCHITECT)
@require_http_methods(["GET", "HEAD", "POST"])
def move_all(request: SignedInRequest, quarter: str) -> HttpResponse:
    """What would be moved (GET), and moving it (POST)."""
    review = get_object_or_404(queries.reviews(), quarter=quarter)
    if review.state == Review.State.CLOSED:
        return closed(request, review)
    back = reverse("reviews:review", args=[quarter]) + asked(request, review)[0].address()
    staying = shares(review, default_targets())
    found = [share for share in staying if share.to]
    if request.method != "POST":
        to = sorted({(share.vendor, share.to.pk) for share in found if share.to})
        context = {
            "review": review,
            "shares": found,
            "stays": bool(staying),
            "to": to,
            "entries": sum(share.entries for share in found),
            "back": back,
        }
        return render(request, "reviews/move.html", context)
    try:
        moved = actions.move_to_default(request.user, review.pk, timezone.localdate(), _shown(request))
    except Refused as refused:
        if gone := _closed(request, review):
            return gone
        messages.error(request, str(refused))
        return redirect(request.get_full_path())
    number = len(moved)
    left = sum(share.entries for share in found) - number
    more = f" {left} {'is left: move it' if left == 1 else 'are left: move these'} too." if left > 0 else ""
    messages.success(request, f"{number} entr{'y' if number == 1 else 'ies'} moved to the default target.{more}")
    return redirect(request.get_full_path() if left > 0 else back)


def _shown(request: SignedInRequest) -> dict[str, int]:
    """The targets that the page said entries would go to, by vendor: sent as `nvidia:7`, and anything else left out."""
    pairs = (text.partition(":") for text in request.POST.getlist("to"))
    return {vendor: int(target) for vendor, _, target in pairs if re.fullmatch(r"[0-9]{1,18}", target)}


def _closed(request: SignedInRequest, review: Review) -> HttpResponse | None:
    """What is answered where the review was closed meanwhile; None where something else is the matter."""
    review.refresh_from_db(fields=["state"])
    return closed(request, review) if review.state == Review.State.CLOSED else None
