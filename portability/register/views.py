"""The register page, its export, and re-evaluation runs."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow, is_member
from portability.engine.model import Verdict
from portability.exports.actions import note as note_export
from portability.organisation.kept import organisation
from portability.register import actions, counting, queries
from portability.register.columns import COLUMNS, Column, page_of
from portability.register.export import csv_chunks
from portability.register.filters import VERDICTS, Chosen, choose
from portability.register.models import Run
from portability.register.moved_views import of_run
from portability.rehearsals.standing import standing
from portability.reviews.decided import decided_verdict, waived
from portability.rules.custom.standing import at_fault
from portability.saved_filters.models import SavedFilter
from portability.saved_filters.pages import ALL, shows
from portability.saved_filters.queries import default_of

PER_PAGE = 50
_SHOWN = (
    *("workload_id", "target_id", "name", "retired", "team__name", "urgency", "vendor_today", "gpus"),
    *("verdict", "own_verdict", "why", "basis_id", "moved_at", "moved_cause", "rehearsed", "rehearsed_on"),
)
_CSV_TYPE = "text/csv; charset=utf-8"


@allow(Access.EVERYONE)
@require_safe
def register(request: SignedInRequest) -> HttpResponse:
    """One row a workload for the chosen target; for htmx only the table, its counts and what tells of them."""
    default = default_of(request.user, SavedFilter.Page.REGISTER)
    if default and not request.GET and not request.htmx:
        return redirect(f"{request.path}?{default.query}")
    chosen = choose(request.GET, request.user)
    if chosen is None:
        return render(request, "register/no_target.html")
    if default:
        chosen = replace(chosen, all=ALL)
    context = _context(request, chosen)
    context["default"] = default if default and shows(default, chosen.address()) else None
    if request.htmx:
        response = render(request, "register/answer.html", context)
        response["HX-Push-Url"] = reverse("register:register") + chosen.address(page=chosen.asked.get("page"))
    else:
        context["rules_at_fault"] = list(at_fault())
        response = render(request, "register/register.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _context(request: SignedInRequest, chosen: Chosen) -> dict[str, Any]:
    """Everything the page shows, worked out here so that the template asks for nothing."""
    counts = counting.counts(chosen.filter.any_verdict, chosen.now)
    verdict = chosen.asked.get("verdict", "")
    shown = counts.shown(verdict)
    total = shown.workloads
    today, days = timezone.localdate(), organisation().rehearsal_days
    page: Page[Any] = Paginator(range(total), PER_PAGE).get_page(chosen.page)
    rows = chosen.part(page.start_index() - 1, page.end_index(), total) if total else chosen.rows.none()
    rows = rows.select_related(None).select_related("team").only(*_SHOWN)
    rows = rows.annotate(decided_verdict=decided_verdict(today), waived=waived(today))
    page.object_list = list(rows)
    for row in page.object_list:
        row.decided = VERDICTS[Verdict(row.decided_verdict)] if row.decided_verdict != row.verdict else ""
        row.outdated = row.basis_id in counts.older
        row.rehearsal = standing(row, today, days)
        row.page = page_of(row)
    never = queries.never_assessed(counts.all) if chosen.target.active and not chosen.filtered else 0
    run = queries.running() if counts.outdated or never else None
    return {
        "chosen": chosen,
        "counts": counts,
        "total": total,
        "shown": shown,
        "whole": counting.whole(chosen.filter.unfiltered) if chosen.filtered else None,
        "readings": counting.readings(counts, chosen.knowledge, timezone.localdate()),
        "page": page,
        "verdicts": [
            (v.value, words, counts.verdicts[v.value], chosen.address(verdict=None if verdict == v else v.value))
            for v, words in VERDICTS.items()
        ],
        "verdict": verdict,
        "links": _links(chosen, page.number),
        "headings": [_heading(column, chosen) for column in COLUMNS],
        "never": never,
        "run": run,
        "may_run": actions.may_run(request.user),
        "may_register": not total and not chosen.filtered and is_member(request.user),
        # the form is sent again only where something else than the form changed what it holds
        "swap_form": bool(request.htmx) and request.htmx.trigger != "register-filters",
    }


def _links(chosen: Chosen, page: int) -> dict[str, str]:
    export = reverse("register:csv")
    here = chosen.address(target=chosen.target.name)
    return {
        "clear": chosen.address(**{name: None for name in chosen.asked if name != "target"}),
        "csv": export + here,
        "exports": reverse("exports:new") + here,
        "saved": reverse("saved_filters:all"),
        "saved_menu": reverse("saved_filters:menu") + chosen.address(page=None),
        "save": reverse("saved_filters:new") + chosen.address(page=None),
        "csv_all": export + chosen.address(target=chosen.target.name, columns="all"),
        "only_target": chosen.address(verdict=None, because="target"),
        "only_confirm": chosen.address(verdict=None, because="confirm"),
        "outdated": chosen.address(state="outdated"),
        "previous": chosen.address(page=page - 1),
        "next": chosen.address(page=page + 1),
    }


def _heading(column: Column, chosen: Chosen) -> dict[str, str]:
    """A column's heading: the address that sorts by it, and how it is sorted now."""
    now = chosen.sort.removeprefix("-") == column.key
    down = chosen.sort.startswith("-")
    after = f"{column.first}{column.key}"
    if now:
        after = column.key if down else f"-{column.key}"
    return {
        "key": column.key,
        "label": column.label,
        "classes": column.classes,
        "address": chosen.address(sort=after),
        "sorted": ("descending" if down else "ascending") if now else "",
    }


@allow(Access.EVERYONE)
@require_safe
def csv(request: SignedInRequest) -> HttpResponseBase:
    """The register's rows as a file: the columns shown, or with `columns=all` every documented one."""
    chosen = choose(request.GET, request.user)
    problems = ["There is no target yet, so there is nothing to export."]
    if chosen:  # each says after a colon what the page shows instead; an export shows nothing instead
        problems = [f"{problem.rpartition(': ')[0]}." for problem in chosen.problems]
    columns = request.GET.get("columns", "")
    if columns not in ("", "all"):
        problems.append(f"columns is “all” or left out, not “{columns[:60]}”.")
    if chosen is None or problems:  # a file that silently holds something else than was asked for would be trusted
        text = "Nothing was exported.\n" + "\n".join(problems) + "\n"
        return HttpResponse(text, status=400, content_type="text/plain; charset=utf-8")
    every = columns == "all"
    if request.method == "GET":
        which = "every column" if every else "the columns shown"
        note_export(request.user, chosen, "csv", which, chosen.filter.rows.count())
    rows = chosen.rows
    origin = f"{request.scheme}://{request.get_host()}"
    response = StreamingHttpResponse(
        csv_chunks(rows, chosen.target, origin, every_column=every), content_type=_CSV_TYPE
    )
    name = re.sub(r"[^A-Za-z0-9._-]", "-", chosen.target.name)
    file = f"register-{name}-{timezone.localdate().isoformat()}{'-all-columns' if every else ''}.csv"
    response["Content-Disposition"] = f'attachment; filename="{file}"'
    response["Cache-Control"] = "no-store"
    return response


@allow(Access.EVERYONE)
@require_safe
def runs(request: SignedInRequest) -> HttpResponse:
    """The latest re-evaluations."""
    page = Paginator(queries.runs(), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "register/runs.html", {"page": page, "may_run": actions.may_run(request.user)})


@allow(Access.EVERYONE)
@require_safe
def run(request: SignedInRequest, pk: int) -> HttpResponse:
    """One re-evaluation: done, left, rate and what failed. Asks again by itself while it runs."""
    shown = get_object_or_404(queries.runs(), pk=pk)
    progress = queries.progress(shown)
    context = {
        "run": shown,
        "progress": progress,
        "may_end": actions.may_end(shown, request.user),
        "may_retry": shown.state == Run.State.CANCELLED or bool(progress.failed),
        **of_run(request, shown),
    }
    response = render(request, "register/progress.html" if request.htmx else "register/run.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


@allow(Access.EVERYONE)
@require_POST
def cancel(request: SignedInRequest, pk: int) -> HttpResponse:
    """Stop a run; who may is asked by the action."""
    get_object_or_404(Run, pk=pk)
    stopped = actions.cancel_run(pk, request.user)
    if stopped.state == Run.State.CANCELLED:
        messages.success(request, "The run is cancelled. What it had done stays.")
    else:
        messages.info(request, "The run had already ended.")
    return redirect("register:run", pk=pk)


@allow(Access.EVERYONE)
@require_POST
def retry(request: SignedInRequest, pk: int) -> HttpResponse:
    """Do again what a run left; who may is asked by the action."""
    get_object_or_404(Run, pk=pk)
    again = actions.retry_run(pk, request.user)
    if again is None:
        messages.info(request, "Nothing was left to do again.")
    return redirect("register:run", pk=again.pk if again else pk)


@allow(Access.CURATOR, Access.ADMINISTRATOR)
@require_POST
def reassess(request: SignedInRequest) -> HttpResponse:
    """Start a run of what is out of date."""
    started = actions.reassess_outdated(request.user)
    if started is None:
        messages.info(request, "Nothing is out of date.")
        return redirect("register:register")
    return redirect("register:run", pk=started.pk)
