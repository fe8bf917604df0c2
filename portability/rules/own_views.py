"""Pages of the organisation's own rows: the list, a row, and the forms of those who enter them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.accounts.models import Person
from portability.engine.model import Effect, Vendor
from portability.engine.vendor_rows.rows import Row, Table
from portability.register.models import Run
from portability.rules import actions, pages, queries
from portability.rules.effects import Effects, effects
from portability.rules.forms import PasteForm, RowForm
from portability.rules.models import VendorRow
from portability.rules.own_rows import EFFECTS, TABLES, VENDORS, stands_before
from portability.rules.pages import table_name

PER_PAGE = 100
FORM = ("GET", "HEAD", "POST")


@allow(Access.EVERYONE)
@require_safe
def rows(request: SignedInRequest) -> HttpResponse:
    """The organisation's own rows: of one table or of all, and those that hold a text."""
    table, text = request.GET.get("table", ""), request.GET.get("q", "").replace("\x00", "").strip()[:100]
    table = table if table in {known.value for known in TABLES} else ""
    removed = bool(request.GET.get("removed"))
    page = Paginator(queries.listed(table, text, removed=removed), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "lines": [(row, table_name(Table(row.table)), VENDORS[Vendor(row.vendor)].partition(":")[0]) for row in page],
        "tables": [(known.value, table_name(known)) for known in TABLES],
        "table": table,
        "text": text,
        "removed": removed,
        "may_write": actions.may_write(request.user),
        "writers": queries.writers(),
    }
    return render(request, "rules/own_rows.html", context)


@allow(Access.EVERYONE)
@require_safe
def row(request: SignedInRequest, pk: int) -> HttpResponse:
    """One row of the organisation's own, removed or not: what rested on it leads here."""
    found = get_object_or_404(VendorRow, pk=pk)
    chosen = pages.choose(request.GET.get("target", ""))
    context = {
        "row": found,
        "chosen": chosen,
        "hits": pages.resting_on(request.user, chosen.target, found) if chosen.target else None,
        "leaves_findings": found.vendor != Vendor.NONE and found.effect != Effect.NOTE,
        "name": table_name(Table(found.table)),
        "whose": VENDORS[Vendor(found.vendor)],
        "effect": EFFECTS[Effect(found.effect)] if found.vendor != Vendor.NONE else "none",
        "may_write": actions.may_write(request.user),
        "before": _before(found.table, found.pattern, found.vendor),
    }
    return render(request, "rules/own_row.html", context)


@allow(Access.CURATOR, Access.ADMINISTRATOR)
@require_http_methods(FORM)
def new(request: SignedInRequest) -> HttpResponse:
    """Enter a row: what it would change first, then the row. An address may fill in table and pattern."""
    if request.method != "POST":
        return _form(request, RowForm(initial={name: request.GET[name][:200] for name in _FILLED & request.GET.keys()}))
    form = RowForm(request.POST)
    if not form.is_valid():
        return _form(request, form, status=422)
    if not _saving(request):
        return _form(request, form, would=_would(request.user, [form.values]))
    try:
        saved = actions.add_rows(request.user, [form.values])
    except actions.Refused as refused:
        form.add_error("pattern", str(refused))
        return _form(request, form, status=422)
    _say(request, f"{saved.rows[0]} was entered.", saved.run)
    return redirect("rules:own_row", saved.rows[0].pk)


@allow(Access.CURATOR, Access.ADMINISTRATOR)
@require_http_methods(FORM)
def edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Change a row: what that would change first."""
    found = get_object_or_404(VendorRow, pk=pk, removed_at=None)
    if request.method != "POST":
        initial = {name: getattr(found, name) for name in (*RowForm.base_fields,)}
        return _form(request, RowForm(initial=initial, row=found), row=found)
    form = RowForm(request.POST, row=found)
    if not form.is_valid():
        return _form(request, form, status=422, row=found)
    if not _saving(request):
        return _form(request, form, row=found, would=_would(request.user, [form.values], without=found))
    try:
        saved = actions.save_row(request.user, pk, form.cleaned_data["version"] or 0, form.values)
    except actions.Refused as refused:
        form.add_error("pattern", str(refused))
        return _form(request, form, status=422, row=found)
    except actions.Conflict as conflict:
        return _edited_meanwhile(request, conflict.row)
    changed = saved.rows[0].version != found.version
    _say(request, f"{saved.rows[0]} was saved." if changed else "Nothing was changed.", saved.run)
    return redirect("rules:own_row", pk)


@allow(Access.CURATOR, Access.ADMINISTRATOR)
@require_http_methods(FORM)
def remove(request: SignedInRequest, pk: int) -> HttpResponse:
    """Remove a row: what that would change first."""
    found = get_object_or_404(VendorRow, pk=pk, removed_at=None)
    if request.method != "POST":
        would = _would(request.user, [], without=found)
        return render(request, "rules/own_remove.html", {"row": found, "would": would})
    version = request.POST.get("version", "")
    try:
        saved = actions.remove_row(request.user, pk, int(version) if version.isdecimal() and len(version) < 9 else 0)
    except actions.Conflict as conflict:
        return _conflict(request, conflict.row)
    _say(request, f"{saved.rows[0]} was removed.", saved.run)
    return redirect("rules:own_rows")


@allow(Access.CURATOR, Access.ADMINISTRATOR)
@require_http_methods(FORM)
def paste(request: SignedInRequest) -> HttpResponse:
    """Enter many rows at once, all or none: what they would change first."""
    if request.method != "POST":
        return render(request, "rules/own_paste.html", {"form": PasteForm()})
    form = PasteForm(request.POST)
    context: dict[str, Any] = {"form": form}
    if form.is_valid() and _saving(request):
        try:
            saved = actions.add_rows(request.user, form.values)
        except actions.Refused as refused:
            form.add_error("lines", str(refused))
        else:
            _say(request, f"{len(saved.rows)} row{'s were' if len(saved.rows) > 1 else ' was'} entered.", saved.run)
            return redirect(f"{reverse('rules:own_rows')}?table={form.cleaned_data['table']}")
    if form.is_valid():
        given = form.values
        lines = [(v, VENDORS[Vendor(v.vendor)].partition(":")[0], _before(v.table, v.pattern, v.vendor)) for v in given]
        context |= {
            "lines": lines,
            "contradicting": sum(before is not None for _, _, before in lines),
            "would": _would(request.user, given),
            "save": f"Save {len(given)} row{'s' if len(given) > 1 else ''}",
        }
    return render(request, "rules/own_paste.html", context, status=200 if form.is_valid() else 422)


_FILLED = {"table", "pattern"}


def _saving(request: SignedInRequest) -> bool:
    return request.POST.get("act") == "save"


def _would(who: Person, given: Sequence[actions.RowValues], without: VendorRow | None = None) -> Effects:
    """What it would change if these rows were entered now, and one was taken out."""
    today = timezone.localdate()
    added = [VendorRow(**asdict(values), entered=today, entered_by_name=who.get_username()) for values in given]
    return effects(queries.judging().own, queries.own_with(added, without))


def _form(
    request: SignedInRequest,
    form: RowForm,
    *,
    status: int = 200,
    row: VendorRow | None = None,
    would: Effects | None = None,
) -> HttpResponse:
    context: dict[str, Any] = {"form": form, "row": row, "would": would}
    if would:
        values = form.values
        context["before"] = _before(values.table, values.pattern, values.vendor)
    return render(request, "rules/own_edit.html", context, status=status)


def _before(table: str, pattern: str, vendor: str) -> tuple[Row, str] | None:
    """The shipped row that an own row contradicts, and whose it says the name is."""
    row = stands_before(Table(table), pattern)
    return (row, VENDORS[row.vendor].partition(":")[0]) if row and row.vendor != vendor else None


def _edited_meanwhile(request: SignedInRequest, now: VendorRow) -> HttpResponse:
    """Keep what was typed; saving again then replaces the other person's edit knowingly."""
    if now.removed_at:
        return _conflict(request, now)
    typed = request.POST.copy()
    typed["version"] = str(now.version)
    context = {"form": RowForm(typed, row=now), "row": now, "now": now, "whose": VENDORS[Vendor(now.vendor)]}
    return render(request, "rules/own_edit.html", context, status=409)


def _conflict(request: SignedInRequest, now: VendorRow) -> HttpResponse:
    """Someone was quicker: nothing was done, and their row is shown."""
    done = "removed" if now.removed_at else f"saved by {now.entered_by_name}"
    messages.error(request, f"This row was {done} in the meantime. Nothing of yours was done; below is what it is now.")
    return redirect("rules:own_row", now.pk)


def _say(request: SignedInRequest, text: str, run: Run | None) -> None:
    """What was done, and where what it touches is judged again."""
    if run is None:
        messages.success(request, f"{text} No workload is touched.")
        return
    link = format_html('<a href="{}">see how far it is</a>', reverse("register:run", args=[run.pk]))
    messages.success(request, format_html("{} What this touches is judged again: {}.", text, link))
