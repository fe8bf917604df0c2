"""Pages of the rules room: the catalogue, and a rule with its reasons and examples."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.engine.output import rules_text
from portability.engine.rules import catalogue
from portability.engine.vendor_rows.rows import Table
from portability.rules import pages
from portability.rules.custom import views as custom_views
from portability.rules.custom.actions import may_write
from portability.rules.queries import standing


@allow(Access.EVERYONE)
@require_safe
def rules(request: SignedInRequest) -> HttpResponse:
    """Every rule, with how many workloads it hits for a target."""
    chosen = pages.choose(request.GET.get("target", ""))
    counted = pages.counted(request.user, chosen.target)
    custom = pages.custom_lines(counted)
    context = {
        "chosen": chosen,
        "families": pages.families(counted),
        "custom": custom,
        "faulty": [line.rule for line in custom if line.rule.at_fault],
        "may_write": may_write(request.user),
        "count": len(catalogue.listed()),
        "tables": pages.vendor_tables(),
        "own": standing().count(),
    }
    return render(request, "rules/rules.html", context)


@allow(Access.EVERYONE)
@require_safe
def rule(request: SignedInRequest, id: str) -> HttpResponse:
    """What one rule says of itself, the examples it is tested on, and the workloads it hits for a target."""
    found = catalogue.rule(id)
    if found is None:
        return custom_views.page(request, id)
    chosen = pages.choose(request.GET.get("target", ""))
    target = None if found.scope == "shown" else chosen.target
    context = {
        "rule": found,
        "scope": rules_text.scope(found),
        "effects": rules_text.effects(found),
        "examples": [(rules_text.outcome(e), e.says, rules_text.given(e)) for e in found.examples],
        "chosen": chosen,
        "hits": pages.hits(request.user, target, found.id) if target else None,
    }
    return render(request, "rules/rule.html", context)


@allow(Access.EVERYONE)
@require_safe
def rows(request: SignedInRequest, table: str) -> HttpResponse:
    """The rows of one table of vendor knowledge, or those among them that hold a text."""
    if table not in {known.value for known in Table}:
        raise Http404("no table of vendor rows has this name")
    chosen, text = Table(table), request.GET.get("q", "").strip()[:100]
    found = pages.find_rows(chosen, text)
    context = {"name": pages.table_name(chosen), "rows": found, "text": text, "tables": pages.vendor_tables()}
    return render(request, "rules/rows.html", context)
