"""Pages of the workloads room that show what is stored, and the small acts on a workload."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow, may_read_manifests
from portability.audit.queries import of_workload
from portability.audit.words import details_in_words, sentence
from portability.organisation.kept import organisation
from portability.rehearsals.queries import on_workload
from portability.reviews.on_workload import on_workload as reviewed
from portability.workloads import actions, queries
from portability.workloads.models import ApplicationFile, ManifestFile, Workload

_MOST_ACTS = 100
_HISTORY_PAGE = 50


@allow(Access.EVERYONE)
@require_safe
def workload(request: SignedInRequest, pk: int) -> HttpResponse:
    """A workload: verdict per target, findings for the chosen one, facts, files and how the verdict moved."""
    found = get_object_or_404(queries.workloads(), pk=pk)
    page = queries.page(request.user, found, request.GET.get("target", ""))
    if page is None:
        raise Http404
    today = timezone.localdate()
    context = {
        "page": page,
        "may": queries.may(request.user, found),
        "rehearsals": on_workload(request.user, found, page.row, today, organisation().rehearsal_days),
        "reviewed": reviewed(request.user, found, page.row, today),
    }
    return render(request, "workloads/workload.html", context)


@allow(Access.EVERYONE)
@require_safe
def history(request: SignedInRequest, pk: int) -> HttpResponse:
    """Every revision, and how the verdicts moved."""
    found = get_object_or_404(queries.workloads(), pk=pk)
    context = {
        "workload": found,
        "page": Paginator(queries.revisions(found), _HISTORY_PAGE).get_page(request.GET.get("page")),
        "moves": queries.moves(found),
        "acts": [(e, sentence(e), details_in_words(e)) for e in of_workload(found)[:_MOST_ACTS]],
        "may_read": may_read_manifests(request.user, found.team),
    }
    return render(request, "workloads/history.html", context)


@allow(Access.EVERYONE)
@require_safe
def file(request: SignedInRequest, pk: int, number: int, position: int) -> HttpResponse:
    """One manifest of a revision with its line numbers, for those who may read this team's manifests."""
    return _file(request, pk, queries.file_of(pk, number, position))


@allow(Access.EVERYONE)
@require_safe
def source(request: SignedInRequest, pk: int, number: int, position: int) -> HttpResponse:
    """One file of a revision's application material, for the same people."""
    return _file(request, pk, queries.source_of(pk, number, position))


def _file(
    request: SignedInRequest, pk: int, wanted: QuerySet[ManifestFile] | QuerySet[ApplicationFile]
) -> HttpResponse:
    found = get_object_or_404(queries.workloads(), pk=pk)
    if not may_read_manifests(request.user, found.team):
        raise PermissionDenied(f"Manifests of {found.team.name} are read by the team, architects and administrators.")
    shown = wanted.first()
    if shown is None:
        raise Http404
    lines = list(enumerate(shown.text.split("\n"), start=1))
    context = {
        "file": shown,
        "workload": found,
        "siblings": queries.siblings(shown.revision),
        "address": request.path,
        "page": Paginator(lines, queries.LINES_PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "workloads/file.html", context)


@allow(Access.MEMBER)
@require_POST
def retire(request: SignedInRequest, pk: int) -> HttpResponse:
    """Take a workload out of the register."""
    reason = request.POST.get("reason", "")
    return _act(request, pk, lambda: actions.retire(request.user, pk, reason), "{} is retired.")


@allow(Access.MEMBER)
@require_POST
def restore(request: SignedInRequest, pk: int) -> HttpResponse:
    """Take a retired workload back."""
    return _act(request, pk, lambda: actions.restore(request.user, pk), "{} is in the register again.")


@allow(Access.MEMBER)
@require_POST
def rename(request: SignedInRequest, pk: int) -> HttpResponse:
    """Give a workload another name."""
    name = request.POST.get("name", "")
    return _act(request, pk, lambda: actions.rename(request.user, pk, name), "It is called {} now.")


@allow(Access.MEMBER, Access.ADMINISTRATOR)
@require_POST
def move(request: SignedInRequest, pk: int) -> HttpResponse:
    """Give a workload to another team."""
    team = request.POST.get("team", "")
    team_pk = int(team) if team.isdecimal() and len(team) < 10 else 0
    return _act(request, pk, lambda: actions.move(request.user, pk, team_pk), "{} was moved.")


def _act(request: SignedInRequest, pk: int, act: Callable[[], Workload], done: str) -> HttpResponse:
    """Do it, say what was done or why not, and show the workload."""
    try:
        messages.success(request, done.format(act().name))
    except Workload.DoesNotExist:
        raise Http404 from None
    except actions.Refused as refused:
        messages.error(request, f"Nothing was changed. {refused}")
    return redirect("workloads:workload", pk)


@allow(Access.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: SignedInRequest) -> HttpResponse:
    """Take a value out of every revision."""
    if request.method != "POST":
        return render(request, "workloads/erase.html")
    everywhere = request.POST.get("everywhere") == "yes"
    try:
        erased = actions.erase_value(request.user, request.POST.get("value", ""), everywhere=everywhere)
    except actions.Refused as refused:
        context = {"error": str(refused), "widespread": isinstance(refused, actions.Widespread)}
        return render(request, "workloads/erase.html", context, status=422)
    return render(request, "workloads/erase.html", {"erased": erased})
