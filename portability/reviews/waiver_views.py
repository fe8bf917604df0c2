"""Waivers: giving one, withdrawing it, and the list of all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.accounts.models import Team
from portability.matrices.queries import knowledge, reading_pages
from portability.organisation.queries import organisation
from portability.register.models import Row
from portability.reviews import actions, findings, waiver_list
from portability.reviews.beside_findings import judged_for
from portability.reviews.errors import Conflict, Refused
from portability.reviews.forms import WaiverForm, show_refusal
from portability.reviews.models import Waiver
from portability.reviews.settling import progress
from portability.targets.models import Target
from portability.targets.queries import stands_against
from portability.ui.templatetags.ui import dated
from portability.workloads.findings import Texts, shown

PER_PAGE = 50


@allow(Access.EVERYONE)
@require_safe
def waivers(request: SignedInRequest) -> HttpResponse:
    """All waivers: those in force, those that end soon, those that do not count or ended, and why."""
    today = timezone.localdate()
    state = request.GET.get("state", "running")
    state = state if state in waiver_list.STATES else "running"
    team, rule = (request.GET.get(name, "").replace("\x00", "") for name in ("team", "rule"))  # PostgreSQL knows no NUL
    rule = rule.strip()[:20]
    holding = waiver_list.in_force(today)
    listed = waiver_list.waivers(state, team, rule, today, holding)
    page = Paginator(listed, PER_PAGE).get_page(request.GET.get("page"))
    counted = waiver_list.counts(today, holding)
    context: dict[str, Any] = {
        "page": page,
        "found": waiver_list.with_standing(list(page.object_list), today),
        "figures": [(key, counted[key], words, key == state) for key, words in waiver_list.STATES.items()],
        "state": state,
        "team": team,
        "rule": rule,
        "teams": Team.objects.filter(workloads__waivers__isnull=False).distinct(),
    }
    return render(request, "reviews/waivers.html", context)


@allow(Access.ARCHITECT)
@require_http_methods(["GET", "HEAD", "POST"])
def waive(request: SignedInRequest, workload: int, target: int, mark: str) -> HttpResponse:
    """Accept one finding of a workload until a day."""
    rows = Row.objects.select_related("workload__team", "target", "assessment")
    row = get_object_or_404(rows, workload__pk=workload, target__pk=target)  # by pk: a number of any size finds none
    found = next((f for f in row.assessment.findings if findings.mark(f) == mark), None)
    page = f"{reverse('workloads:workload', args=[workload])}?target={row.target.name}"
    what = _Waived(row.workload.name, row.target, page, found)
    give = partial(actions.waive, request.user, workload, target, mark)
    return _waive(request, what, give, instead=found is not None and findings.about_target(found))


@allow(Access.ARCHITECT)
@require_http_methods(["GET", "HEAD", "POST"])
def waive_for_all(request: SignedInRequest, target: int, finding: str) -> HttpResponse:
    """Accept one finding about a target until a day, for all workloads."""
    of = get_object_or_404(Target, pk=target)
    found = next((f for f in stands_against(of) if findings.mark(f) == finding), None)
    what = _Waived(of.name, of, reverse("targets:target", args=[of.name]), found)
    give = partial(actions.waive_for_all, request.user, target, finding)
    return _waive(request, what, give, for_all=True, judged=judged_for(of.pk))


@dataclass(frozen=True, slots=True)
class _Waived:
    """What is waived: a finding of a workload or of a target itself, None where it is gone. `page`: where it stands."""

    name: str
    target: Target
    page: str
    finding: findings.Finding | None


def _waive(request: SignedInRequest, what: _Waived, give: Callable[..., Waiver], **context: Any) -> HttpResponse:
    """The form of a waiver, or its outcome. `context`: what the page says besides."""
    stored, form = what.finding, WaiverForm(request.POST or None)
    back, gone = _next(request) or what.page, stored is None
    if request.method == "POST" and form.is_valid() and not gone:
        try:
            waiver = give(today=timezone.localdate(), **form.cleaned_data)
        except Refused as refused:
            show_refusal(form, str(refused), refused.field)
        except Conflict:
            gone = True
        else:
            messages.success(request, _is_waived(waiver, what.name))
            return redirect(back)
    context |= {
        "what": what,
        "form": form,
        "back": back,
        "gone": gone,
        "finding": shown([stored], Texts(), knowledge(), reading_pages())[0] if stored else None,
        "where": findings.where(stored) if stored else "",
        "never": stored is not None and stored["rule"] in organisation().not_waivable,
    }
    status = 409 if gone and request.method == "POST" else 422 if form.errors else 200
    return render(request, "reviews/waive.html", context, status=status)


def _is_waived(waiver: Waiver, name: str) -> str:
    until = f"is waived until {dated(waiver.ends)}"
    if waiver.workload_id is not None:
        return f"{waiver.rule} of {name} {until}."
    return f"{waiver.rule} of {name} {until}, for all workloads.{_being_worked_out(waiver)}"


def _being_worked_out(waiver: Waiver) -> str:
    """What is said besides where a worker finds out what becomes of the verdicts."""
    later = waiver.workload_id is None and progress(waiver.target_id) is not None
    return " What that makes of their decided verdicts is being worked out." if later else ""


@allow(Access.ARCHITECT)
@require_POST
def withdraw(request: SignedInRequest, waiver: int) -> HttpResponse:
    """End a waiver before its day."""
    try:
        ended = actions.withdraw_waiver(request.user, waiver, timezone.localdate())
    except Waiver.DoesNotExist:
        raise Http404 from None
    of = ended.workload.name if ended.workload else f"{ended.target.name}, for all workloads,"
    messages.success(request, f"The waiver of {ended.rule} of {of} is withdrawn.{_being_worked_out(ended)}")
    return redirect(_next(request) or reverse("reviews:waivers"))


def _next(request: SignedInRequest) -> str:
    """The page of this site that the person came from, where the address names it."""
    address = request.GET.get("next", "")
    own = address.startswith("/") and url_has_allowed_host_and_scheme(address, allowed_hosts=None)
    return address if own else ""
