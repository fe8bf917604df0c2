"""Signing a review off, and a closed one: its page and report from the record alone, the files as they are stored."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.reviews import actions, queries, queue
from portability.reviews.actions.taking import note_taken
from portability.reviews.errors import Refused
from portability.reviews.forms import AddendumForm, SignForm, show_refusal
from portability.reviews.models import Record, Review
from portability.reviews.record.making import schema
from portability.reviews.report import Report, report
from portability.reviews.words import VERDICTS

PER_PAGE = 100


@allow(Access.ARCHITECT)
@require_http_methods(["GET", "HEAD", "POST"])
def sign(request: SignedInRequest, quarter: str) -> HttpResponse:
    """What is left, and the statement under which the review is closed."""
    review = get_object_or_404(queries.reviews(), quarter=quarter)
    if review.state == Review.State.CLOSED:
        return redirect("reviews:review", quarter)
    today = timezone.localdate()
    form = SignForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            record = actions.close(request.user, review.pk, form.cleaned_data["statement"], today)
        except Refused as refused:
            review.refresh_from_db(fields=["state"])
            if review.state == Review.State.CLOSED:
                messages.error(request, f"Nothing was changed. {refused}")
                return redirect("reviews:review", quarter)
            show_refusal(form, str(refused), refused.field)
        else:
            messages.success(request, f"The review of {quarter} is closed. The record’s digest is {record.digest}.")
            return redirect("reviews:review", quarter)
    context = {"review": review, "form": form, "progress": queue.progress(review, today, request.user.pk)}
    return render(request, "reviews/sign.html", context, status=422 if form.errors else 200)


def closed_page(
    request: SignedInRequest, review: Review, form: AddendumForm | None = None, status: int = 200
) -> HttpResponse:
    """A closed review: who signed what, the exposure, the register page by page, addenda and downloads."""
    shown = _report(review)
    verdict, team = request.GET.get("verdict", ""), request.GET.get("team", "")
    entries = [
        entry
        for entry in shown.entries
        if (not verdict or (entry["engine_verdict"] == verdict and entry["state"] != "retired"))
        and (not team or entry["workload"]["team"] == team)
    ]
    context: dict[str, Any] = {
        "found": review,
        "report": shown,
        "page": Paginator(entries, PER_PAGE).get_page(request.GET.get("page")),
        "verdict": verdict if verdict in VERDICTS else "",
        "team": team,
        "filtered": bool(verdict or team),
        "may": queries.may(request.user, review),
        "form": form or AddendumForm(),
    }
    return render(request, "reviews/closed.html", context, status=status)


@allow(Access.EVERYONE)
@require_safe
def whole_report(request: SignedInRequest, closed: str) -> HttpResponse:
    """The report with everything in it, to be printed."""
    return render(request, "reviews/report.html", report_context(_report(_closed(closed))))


def report_context(shown: Report) -> dict[str, Any]:
    """For the report's body, on a page or in a file of its own."""
    entries, evidence = shown.cited()
    return {"report": shown, "entries": entries, "evidence": evidence}


@allow(Access.EVERYONE)
@require_safe
def record_file(request: SignedInRequest, closed: str) -> HttpResponseBase:
    """The record, byte for byte as it was stored."""
    record = _record(_closed(closed))
    return _stored(request, record.text.encode(), record.digest, "application/json", closed)


@allow(Access.EVERYONE)
@require_safe
def record_schema(request: SignedInRequest) -> HttpResponse:
    """What records hold, for whoever reads them by machine."""
    return HttpResponse(schema(), content_type="application/schema+json")


@allow(Access.EVERYONE)
@require_safe
def csv_file(request: SignedInRequest, closed: str) -> HttpResponseBase:
    """The register as CSV, byte for byte as it was stored."""
    record = _record(_closed(closed))
    return _stored(request, bytes(record.csv), record.csv_digest, "text/csv; charset=utf-8", closed)


def _stored(request: SignedInRequest, content: bytes, digest: str, kind: str, quarter: str) -> HttpResponseBase:
    """A file that never changes: who has it already is told so."""
    ending = "json" if kind == "application/json" else "csv"
    response = HttpResponse(content, content_type=kind)
    response["Content-Digest"] = f"sha-256=:{b64encode(bytes.fromhex(digest)).decode()}:"
    response["ETag"] = f'"{digest}"'
    response["Content-Disposition"] = f'attachment; filename="review-{quarter}.{ending}"'
    response["Cache-Control"] = "private, no-cache"
    found: HttpResponseBase | None = get_conditional_response(request, etag=f'"{digest}"', response=response)
    answer = found or response
    if request.method == "GET" and answer.status_code == 200:
        note_taken(request.user, quarter, ending)
    return answer


@allow(Access.ARCHITECT)
@require_POST
def addendum(request: SignedInRequest, closed: str) -> HttpResponse:
    """Write a correction."""
    review = _closed(closed)
    form = AddendumForm(request.POST)
    if form.is_valid():
        try:
            added = actions.add_addendum(request.user, review.pk, form.cleaned_data["text"])
        except Refused as refused:
            show_refusal(form, str(refused), refused.field)
        else:
            messages.success(request, f"Addendum {added.number} is signed.")
            return redirect("reviews:review", closed)
    return closed_page(request, review, form, status=422)


def _report(review: Review) -> Report:
    return report(_record(review), queries.addenda(review))


def _record(review: Review) -> Record:
    record = queries.record_of(review)
    if record is None:
        raise Http404
    return record


def _closed(quarter: str) -> Review:
    return get_object_or_404(queries.reviews(), quarter=quarter, state=Review.State.CLOSED)
