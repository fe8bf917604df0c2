"""Signing a review off, and a closed one: its page and report from the record alone, the files as they are stored."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.organisation.queries import default_targets
from portability.reviews import actions, queries, queue
from portability.reviews.actions.taking import note_taken
from portability.reviews.closed_filter import Wanted, amounts
from portability.reviews.elsewhere import shares
from portability.reviews.errors import Refused
from portability.reviews.footer import footer
from portability.reviews.forms import AddendumForm, SignForm, show_refusal
from portability.reviews.models import Record, Review
from portability.reviews.record.making import schema
from portability.reviews.report import closed as shown_of
from portability.reviews.report import report
from portability.reviews.report_file import pieces

PER_PAGE = 100
PIECE = 256 * 1024  # characters or bytes of a file that are sent at once
FILES = {"json": "application/json", "csv": "text/csv; charset=utf-8"}


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
    staying = shares(review, default_targets())
    context = {
        "review": review,
        "form": form,
        "progress": queue.progress(review, today, request.user.pk),
        "elsewhere": sum(share.entries for share in staying),
        "to_move": sum(share.entries for share in staying if share.to),
    }
    return render(request, "reviews/sign.html", context, status=422 if form.errors else 200)


def closed_page(
    request: SignedInRequest, review: Review, form: AddendumForm | None = None, status: int = 200
) -> HttpResponse:
    """A closed review: who signed what, the exposure, the register page by page, addenda and downloads."""
    record = _record(review)
    wanted = Wanted.of(request.GET)
    lines = wanted.lines(record)
    context: dict[str, Any] = {
        "found": review,
        "report": shown_of(record, queries.addenda(review)),
        "linked": True,  # figures lead to the entries they count
        "page": Paginator(lines.values_list("said", flat=True), PER_PAGE).get_page(request.GET.get("page")),
        "wanted": wanted,
        "filtered": wanted != Wanted(),
        "found_amounts": amounts(lines) if wanted != Wanted() else None,
        "may": queries.may(request.user, review),
        "form": form or AddendumForm(),
    }
    return render(request, "reviews/closed.html", context, status=status)


@allow(Access.EVERYONE)
@require_safe
def whole_report(request: SignedInRequest, closed: str) -> HttpResponseBase:
    """The report with everything in it, or the `part` of a long one, to be printed; sent while it is made."""
    review = _closed(closed)
    whole = report(_record(review), queries.addenda(review))
    parts = {str(one.part.number): one for one in whole.parts() if one.part}
    shown = parts.get(request.GET.get("part", ""), whole)
    register = "" if settings.SERVED else settings.REGISTER  # which one the command is to open
    context = {"report": shown, "parts": [one.part for one in parts.values()], "register": register}
    return StreamingHttpResponse(pieces(shown, render_to_string("reviews/report.html", context, request)))


@allow(Access.EVERYONE)
@require_safe
def report_footer(request: SignedInRequest, closed: str) -> HttpResponse:
    """What stands at the foot of each page of the report when a browser prints it."""
    review = _closed(closed)
    text = footer(shown_of(_record(review), ()), request.GET.get("part", ""))
    return HttpResponse(text, content_type="text/css; charset=utf-8")


@allow(Access.EVERYONE)
@require_safe
def record_file(request: SignedInRequest, closed: str) -> HttpResponseBase:
    """The record, byte for byte as it was stored."""
    record = _record(_closed(closed))
    return _stored(request, closed, "json", record.digest, lambda: record.text)


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
    return _stored(request, closed, "csv", record.csv_digest, lambda: bytes(record.csv))


def _stored(
    request: SignedInRequest, quarter: str, kind: str, digest: str, content: Callable[[], str | bytes]
) -> HttpResponseBase:
    """A file that never changes. Its content is asked for only where somebody takes it who has not got it yet."""
    headers = {
        "Content-Type": FILES[kind],
        "Content-Digest": f"sha-256=:{b64encode(bytes.fromhex(digest)).decode()}:",
        "ETag": f'"{digest}"',
        "Content-Disposition": f'attachment; filename="review-{quarter}.{kind}"',
        "Cache-Control": "private, no-cache",
    }
    unknown = HttpResponse(headers=headers)
    known: HttpResponseBase | None = get_conditional_response(request, etag=headers["ETag"], response=unknown)
    if known is not unknown and known is not None:
        return known
    answer = StreamingHttpResponse(headers=headers)
    if request.method == "GET":
        stored = content()
        answer["Content-Length"] = str(sum(map(len, _cut(stored))))
        answer.streaming_content = _cut(stored)
        note_taken(request.user, quarter, kind)
    return answer


def _cut(stored: str | bytes) -> Iterator[bytes]:
    """In pieces: encoded one by one, or it would be held twice."""
    for start in range(0, len(stored), PIECE):
        piece = stored[start : start + PIECE]
        yield piece.encode() if isinstance(piece, str) else piece


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


def _record(review: Review) -> Record:
    record = queries.record_of(review)
    if record is None:
        raise Http404
    return record


def _closed(quarter: str) -> Review:
    return get_object_or_404(queries.reviews(), quarter=quarter, state=Review.State.CLOSED)
