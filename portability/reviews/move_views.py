"""Moving entries to another target, where the default one was changed while the review is open."""

from __future__ import annotations

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
        moved = actions.move_to_default(request.user, entry.review_id, timezone.localdate(), pk)
    except Refused:
        return closed(request, entry.review)
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
    if request.method != "POST":
        found = shares(review, default_targets())
        context = {"review": review, "shares": found, "entries": sum(share.entries for share in found), "back": back}
        return render(request, "reviews/move.html", context)
    try:
        moved = actions.move_to_default(request.user, review.pk, timezone.localdate())
    except Refused:
        return closed(request, review)
    number = len(moved)
    messages.success(request, f"{number} entr{'y' if number == 1 else 'ies'} moved to the default target.")
    return redirect(back)
