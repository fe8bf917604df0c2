"""Pages of the matrices room that everyone reads: sources, their readings, and a release as a picture."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.matrices import queries
from portability.matrices.actions import may_write
from portability.matrices.comparison import compare
from portability.matrices.drafts import by_person
from portability.matrices.effects import would_move
from portability.matrices.fetching import may_fetch
from portability.matrices.forms import GoneThroughForm
from portability.matrices.merged import merged
from portability.matrices.models import Document, Release, Source
from portability.matrices.overview import overview
from portability.matrices.pictures import grids
from portability.matrices.sources import SHIPPED, edited

SHOWN_OPEN = 40  # cells of one kind of difference; more are folded


@allow(Access.EVERYONE)
@require_safe
def matrices(request: SignedInRequest) -> HttpResponse:
    """The published pages, what was read off them, and what is due to be read again."""
    lines = queries.lines(timezone.localdate())
    context = {
        "lines": lines,
        "overdue": sum(1 for line in lines if line.overdue),
        "drafts": queries.drafts(),
        "may_write": may_write(request.user),
    }
    return render(request, "matrices/matrices.html", context)


@allow(Access.EVERYONE)
@require_safe
def what_is_known(request: SignedInRequest) -> HttpResponse:
    """How old each source is, what is disputed, and which readings the verdicts rest on."""
    today = timezone.localdate()
    context = {
        "today": today,
        "known": overview(today),
        "looked_at_daily": settings.CHECK_SOURCES,
        "may_write": may_write(request.user),
    }
    return render(request, "matrices/knowledge.html", context)


@allow(Access.EVERYONE)
@require_safe
def source(request: SignedInRequest, source: str) -> HttpResponse:
    """One source with all its readings: drafts, published and superseded ones."""
    found = get_object_or_404(Source, pk=source)
    context = {
        "source": found,
        "readings": queries.readings_of(found, timezone.localdate()),
        "look": queries.look_at(found, queries.published_of(found)),
        "looked_at_daily": settings.CHECK_SOURCES,
        "fetchable": may_fetch(found.url),
        "differs": {SHIPPED[name]: value for name, value in edited(found).items()},
        "may_write": may_write(request.user),
    }
    return render(request, "matrices/source.html", context)


@allow(Access.EVERYONE)
@require_safe
def release(request: SignedInRequest, pk: int) -> HttpResponse:
    """One reading as grids a person can scan; a draft beside what is published."""
    found = get_object_or_404(Release.objects.select_related("source", "published_by"), pk=pk)
    return page_of(request, found)


def page_of(request: SignedInRequest, found: Release, *, status: int = 200) -> HttpResponse:
    """The page of a reading, as it is now."""
    due, overdue = queries.due_on(found.source, found, timezone.localdate())
    context: dict[str, Any] = {
        "release": found,
        "source": found.source,
        "due": due,
        "overdue": overdue,
        "readings": queries.published_of(found.source),
        "documents": queries.documents_of(found),
        "by_hand": queries.by_hand(found),
        "removed": found.removals.all(),
        "may_write": may_write(request.user),
    }
    if found.state == Release.State.DRAFT:
        return render(request, "matrices/draft.html", context | _compared(found), status=status)
    families = queries.families(queries.knowledge())
    context["grids"] = grids(queries.engine_release(found), families)
    return render(request, "matrices/release.html", context, status=status)


def _compared(draft: Release) -> dict[str, Any]:
    """A draft against what it would supersede, or else the newest published reading, and what it would move."""
    base = queries.base_of(draft.source, draft.version)
    supersedes = base if base and base.version == draft.version else None
    outrun = supersedes is not None and supersedes.read > draft.read
    now = queries.engine_release(draft)
    families = queries.families(queries.knowledge())
    was = queries.engine_release(base) if base else None
    difference = compare(was.cells if was else {}, now.cells)
    taken_out = {removal.key: removal for removal in draft.removals.all()}
    return {
        "base": base,
        "supersedes": supersedes,
        "outrun": outrun,  # by a later reading: it cannot be published
        "gone_through": GoneThroughForm() if by_person(draft) else None,
        "difference": difference,
        "kinds": [
            (name, [(change, taken_out.get(change.key)) for change in changes], len(changes) <= SHOWN_OPEN)
            for name, changes in (
                ("changed", difference.valued),
                ("changed only in notes or links", difference.worded),
                ("added", difference.added),
                ("removed", difference.removed),
            )
            if changes
        ],
        "pictures": merged(grids(was, families) if was else [], grids(now, families)) if was else [],
        "grids": [] if was else grids(now, families),
        "would": None if outrun else would_move(draft),
    }


@allow(Access.EVERYONE)
@require_safe
def document(request: SignedInRequest, document: int) -> HttpResponse:
    """A document as it was read: a plain text to keep, never a page of ours."""
    found = get_object_or_404(Document, pk=document)
    answer = HttpResponse(bytes(found.content), content_type="text/plain; charset=utf-8")
    name = found.name if found.name.endswith(".txt") else f"{found.name}.txt"
    answer["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return answer
