"""Pages of the rehearsals room: recording one, reading it, and taking it back."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.organisation.kept import organisation
from portability.refused import Refused
from portability.rehearsals import actions, queries
from portability.rehearsals.forms import RehearsalForm, initial
from portability.rehearsals.models import Rehearsal
from portability.targets.queries import active_targets
from portability.workloads.models import Workload
from portability.workloads.queries import workloads


@allow(Access.MEMBER, Access.ARCHITECT)
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedInRequest, workload: int) -> HttpResponse:
    """Record that a workload ran on a target, or did not."""
    found = get_object_or_404(workloads(), pk=workload)
    if not actions.may_record(request.user, found.team):
        raise PermissionDenied(f"Rehearsals are recorded by members of {found.team.name} and by architects.")
    names = [target.name for target in active_targets()]
    if request.method != "POST":
        asked = request.GET.get("target", "")
        form = RehearsalForm(targets=names, initial=initial(asked if asked in names else ""))
        return _form(request, found, form)
    form = RehearsalForm(request.POST, targets=names)
    if not form.is_valid():
        return _form(request, found, form, status=422)
    try:
        made = actions.record_rehearsal(
            request.user, found.pk, form.said, today=timezone.localdate(), token=form.cleaned_data["token"]
        )
    except Refused as refused:
        form.add_error(refused.field, str(refused))
        return _form(request, found, form, status=422)
    messages.success(request, f"The rehearsal on {made.target} is recorded.")
    return redirect("rehearsals:rehearsal", made.pk)


def _form(request: SignedInRequest, workload: Workload, form: RehearsalForm, status: int = 200) -> HttpResponse:
    context = {"form": form, "workload": workload}
    return render(request, "rehearsals/new.html", context, status=status)


@allow(Access.EVERYONE)
@require_safe
def rehearsal(request: SignedInRequest, pk: int) -> HttpResponse:
    """One rehearsal: what was said of it, by whom, and whether it was withdrawn."""
    return _shown(request, get_object_or_404(queries.rehearsals(), pk=pk))


@allow(Access.MEMBER, Access.ARCHITECT)
@require_POST
def withdraw(request: SignedInRequest, pk: int) -> HttpResponse:
    """Take a rehearsal back."""
    try:
        actions.withdraw(request.user, pk, request.POST.get("reason", ""))
    except Rehearsal.DoesNotExist:
        raise Http404 from None
    except Refused as refused:
        found = get_object_or_404(queries.rehearsals(), pk=pk)
        return _shown(request, found, status=422, error=str(refused), reason=request.POST.get("reason", ""))
    messages.success(request, "The rehearsal is withdrawn. It stays readable, and counts no more.")
    return redirect("rehearsals:rehearsal", pk)


def _shown(request: SignedInRequest, found: Rehearsal, status: int = 200, **context: str) -> HttpResponse:
    line = queries.line(found, timezone.localdate(), organisation().rehearsal_days)
    may_withdraw = found.withdrawn_at is None and actions.may_record(request.user, found.workload.team)
    values = {"line": line, "days": organisation().rehearsal_days, "may_withdraw": may_withdraw, **context}
    return render(request, "rehearsals/rehearsal.html", values, status=status)
