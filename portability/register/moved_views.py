"""Pages of what moved: over time, and in one re-evaluation."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.register import moved as reads
from portability.register.models import Movement, Run
from portability.register.moved_filter import MovedFilter, OfRun
from portability.register.moved_groups import grouped, together

PER_PAGE = 25  # each of them is of up to as many movements as there are targets


@allow(Access.EVERYONE)
@require_safe
def moved(request: SignedInRequest) -> HttpResponse:
    """Which verdicts became others, by team, the latest first; the address says of which team, target, days, run."""
    chosen = MovedFilter(request.GET, queryset=reads.movements_for(request.user))
    context = listed(request, chosen.movements, chosen.movements, latest_first=True)
    return render(request, "register/moved.html", {**context, "filter": chosen, "of_run": chosen.chosen_run})


def of_run(request: SignedInRequest, run: Run) -> dict[str, Any]:
    """What a run's page shows of what moved in it: while it runs the counts, then each."""
    everything = reads.movements_for(request.user).filter(run=run)
    if run.state == Run.State.RUNNING:
        return _counted(everything)
    chosen = OfRun(request.GET, queryset=everything)
    return {**listed(request, everything, chosen.movements, latest_first=False), "filter": chosen}


def listed(
    request: SignedInRequest, counted: QuerySet[Movement], shown: QuerySet[Movement], *, latest_first: bool
) -> dict[str, Any]:
    """Counts of some movements, and a page of those shown: a workload's by one act together, each with why."""
    page = Paginator(grouped(shown, latest_first=latest_first), PER_PAGE).get_page(request.GET.get("page"))
    moved = together(shown, list(page))
    return {**_counted(counted), "page": page, "moved": moved, "most": f":{reads.SAID}"}


def _counted(movements: QuerySet[Movement]) -> dict[str, Any]:
    teams = reads.by_team(movements)
    return {"teams": teams, "kinds": reads.kinds_of(teams), "moved_all": sum(team.all for team in teams)}
