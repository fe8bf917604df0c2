"""Waivers: giving one, withdrawing it, and the list of all."""

from __future__ import annotations

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
from portability.reviews.errors import Conflict, Refused
from portability.reviews.forms import WaiverForm, show_refusal
from portability.reviews.models import Waiver
from portability.workloads.findings import Texts, shown

PER_PAGE = 50


@allow(Access.EVERYONE)
@require_safe
def waivers(request: SignedInRequest) -> HttpResponse:
    """All waivers: those that have not ended, those that end soon, those that ended and why."""
    today = timezone.localdate()
    state = request.GET.get("state", "running")
    state = state if state in waiver_list.STATES else "running"
    team, rule = (request.GET.get(name, "").replace("\x00", "") for name in ("team", "rule"))  # PostgreSQL knows no NUL
    rule = rule.strip()[:20]
    page = Paginator(waiver_list.waivers(state, team, rule, today), PER_PAGE).get_page(request.GET.get("page"))
    counted = waiver_list.counts(today)
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
    """Accept one finding until a day."""
    rows = Row.objects.select_related("workload__team", "target", "assessment")
    row = get_object_or_404(rows, workload__pk=workload, target__pk=target)  # by pk: a number of any size finds none
    back = _back(request, row)
    stored = next((f for f in row.assessment.findings if findings.mark(f) == mark), None)
    form = WaiverForm(request.POST or None)
    gone = stored is None
    if request.method == "POST" and form.is_valid() and not gone:
        values = form.cleaned_data
        try:
            waiver = actions.waive(request.user, workload, target, mark, today=timezone.localdate(), **values)
        except Refused as refused:
            show_refusal(form, str(refused), refused.field)
        except Conflict:
            gone = True
        else:
            until = f"{waiver.ends:%-d %B %Y}"
            messages.success(request, f"{waiver.rule} of {row.workload.name} is waived until {until}.")
            return redirect(back)
    context = {
        "row": row,
        "form": form,
        "back": back,
        "gone": gone,
        "finding": shown([stored], Texts(), knowledge(), reading_pages())[0] if stored else None,
        "where": findings.where(stored) if stored else "",
        "never": bool(stored) and stored is not None and stored["rule"] in organisation().not_waivable,
    }
    status = 409 if gone and request.method == "POST" else 422 if form.errors else 200
    return render(request, "reviews/waive.html", context, status=status)


@allow(Access.ARCHITECT)
@require_POST
def withdraw(request: SignedInRequest, waiver: int) -> HttpResponse:
    """End a waiver before its day."""
    try:
        ended = actions.withdraw_waiver(request.user, waiver, timezone.localdate())
    except Waiver.DoesNotExist:
        raise Http404 from None
    messages.success(request, f"The waiver of {ended.rule} of {ended.workload.name} is withdrawn.")
    return redirect(_next(request) or reverse("reviews:waivers"))


def _back(request: SignedInRequest, row: Row) -> str:
    return _next(request) or f"{reverse('workloads:workload', args=[row.workload_id])}?target={row.target.name}"


def _next(request: SignedInRequest) -> str:
    """The page of this site that the person came from, where the address names it."""
    address = request.GET.get("next", "")
    return address if url_has_allowed_host_and_scheme(address, allowed_hosts=None) else ""
