"""Pages of the matrices room: the sources, and a release as a picture."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.matrices import queries
from portability.matrices.models import Release
from portability.matrices.pictures import grids


@allow(Access.EVERYONE)
@require_safe
def matrices(request: SignedInRequest) -> HttpResponse:
    """The published pages, what was read off them, and what is due to be read again."""
    lines = queries.lines(timezone.localdate())
    overdue = sum(1 for line in lines if line.overdue)
    return render(request, "matrices/matrices.html", {"lines": lines, "overdue": overdue})


@allow(Access.EVERYONE)
@require_safe
def release(request: SignedInRequest, pk: int) -> HttpResponse:
    """One reading as grids a person can scan."""
    found = get_object_or_404(Release.objects.select_related("source"), pk=pk)
    families = queries.families(queries.knowledge())
    due, overdue = queries.due_on(found.source, found, timezone.localdate())
    context = {
        "release": found,
        "source": found.source,
        "due": due,
        "overdue": overdue,
        "grids": grids(queries.engine_release(found), families),
        "readings": queries.published_of(found.source),
    }
    return render(request, "matrices/release.html", context)
