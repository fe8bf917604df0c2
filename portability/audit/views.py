"""The history page, and the history as a file."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.audit import actions, export, queries, words
from portability.audit.filters import EntryFilter

PER_PAGE = 50


@allow(Access.ARCHITECT, Access.ADMINISTRATOR)
@require_safe
def entries(request: SignedInRequest) -> HttpResponse:
    """Who did what, when; filtered and paged, the newest first."""
    filter_ = EntryFilter(request.GET, queryset=queries.entries())
    page = Paginator(filter_.entries, PER_PAGE).get_page(request.GET.get("page"))
    rows = [(entry, words.sentence(entry), words.details_in_words(entry)) for entry in page]
    asked = urlencode(filter_.asked)
    context = {"filter": filter_, "page": page, "rows": rows, "asked": f"?{asked}" if asked else ""}
    return render(request, "audit/entries.html", context)


@allow(Access.ARCHITECT, Access.ADMINISTRATOR)
@require_safe
def exported(request: SignedInRequest, kind: str) -> HttpResponseBase:
    """What the history page shows by the same filter, as a file; an entry of the history itself, not in the file."""
    filter_ = EntryFilter(request.GET, queryset=queries.entries())
    problems = [f"{filter_.form[name].label}: {' '.join(errors)}" for name, errors in filter_.form.errors.items()]
    if kind not in export.TYPES:
        problems.append(f"“{kind[:20]}” is no format: {', '.join(export.TYPES)}.")
    if problems:  # a file that silently holds something else than was asked for would be trusted
        text = "Nothing was exported.\n" + "\n".join(problems) + "\n"
        return HttpResponse(text, status=400, content_type="text/plain; charset=utf-8")
    response = StreamingHttpResponse(content_type=export.TYPES[kind])
    response["Content-Disposition"] = f'attachment; filename="history-{timezone.localdate().isoformat()}.{kind}"'
    response["Cache-Control"] = "no-store"
    if request.method == "GET":
        newest = actions.note_export(request.user, filter_.entries.count(), kind, filter_.asked)
        about = {
            "filter": filter_.asked,
            "exported_by": request.user.get_username(),
            "exported_at": timezone.localtime().isoformat(timespec="seconds"),
        }
        response.streaming_content = export.pieces(kind, filter_.entries.filter(pk__lt=newest.pk), about)
    return response
