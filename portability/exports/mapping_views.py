"""Pages of column mappings: all of them, one, and the form."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.exports import making, mapping_actions
from portability.exports.columns import sources
from portability.exports.forms import ColumnForms, MappingForm, initial_columns
from portability.exports.making import FORMATS, Order
from portability.exports.mappings import Mapped, Named, find
from portability.exports.mappings import mappings as all_mappings
from portability.exports.models import ColumnMapping
from portability.refused import Refused
from portability.register.filters import choose

MORE_ROWS = 5
Preview = tuple[list[str], list[list[str]]]


def _named(slug: str) -> Named:
    found = find(slug)
    if found is None:
        raise Http404
    return found


@allow(Access.EVERYONE)
@require_safe
def mappings(request: SignedInRequest) -> HttpResponse:
    """Every mapping: the organisation's own and those that ship."""
    context = {"mappings": all_mappings(), "may_edit": mapping_actions.may_edit(request.user)}
    return render(request, "exports/mappings.html", context)


@allow(Access.EVERYONE)
@require_safe
def mapping(request: SignedInRequest, slug: str) -> HttpResponse:
    """One mapping: its columns, and the first rows under it."""
    found = _named(slug)
    preview = None if found.gone else _preview(request, found.columns)
    context = {"mapping": found, "preview": preview, "may_edit": mapping_actions.may_edit(request.user)}
    return render(request, "exports/mapping.html", context)


@allow(Access.ARCHITECT, Access.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedInRequest) -> HttpResponse:
    """Add a mapping, empty or as a copy: `?from=risk-register`."""
    if request.method == "POST":
        return _posted(request, None)
    like = find(request.GET.get("from", ""))
    form = MappingForm(initial={"name": f"{like.name}, ours"[:80], "note": like.note} if like else None)
    return _form(request, form, ColumnForms(initial=initial_columns(like) if like else None, prefix="columns"))


@allow(Access.ARCHITECT, Access.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, slug: str) -> HttpResponse:
    """Change one of the organisation's own."""
    found = _named(slug)
    if found.shipped:
        raise Http404
    if request.method == "POST":
        return _posted(request, found)
    form = MappingForm(initial={"name": found.name, "note": found.note, "version": found.version})
    return _form(request, form, ColumnForms(initial=initial_columns(found), prefix="columns"), found)


@allow(Access.ARCHITECT, Access.ADMINISTRATOR)
@require_POST
def delete(request: SignedInRequest, slug: str) -> HttpResponse:
    """Delete one of the organisation's own."""
    try:
        mapping_actions.delete(request.user, slug)
    except ColumnMapping.DoesNotExist:
        raise Http404 from None
    messages.success(request, "The mapping is deleted.")
    return redirect("exports:mappings")


def _posted(request: SignedInRequest, found: Named | None) -> HttpResponse:
    """A form that was sent: to be saved, previewed, or given more rows."""
    data = request.POST.copy()
    act = data.get("act", "save")
    shown = str(data.get("columns-TOTAL_FORMS", ""))
    if act == "more" and shown.isascii() and shown.isdigit() and len(shown) < 4:
        data["columns-TOTAL_FORMS"] = str(int(shown) + MORE_ROWS)
        return _form(request, MappingForm(data), ColumnForms(data, prefix="columns"), found, checked=False)
    form, columns = MappingForm(data), ColumnForms(data, prefix="columns")
    if not (form.is_valid() & columns.is_valid()):
        return _form(request, form, columns, found, status=422)
    wanted: list[Mapped] = columns.columns  # type: ignore[attr-defined]
    if act == "preview":
        return _form(request, form, columns, found, preview=_preview(request, wanted))
    said = form.cleaned_data
    try:
        if found is None:
            stored = mapping_actions.add(request.user, said["name"], said["note"], wanted)
        else:
            stored = mapping_actions.save(
                request.user, found.slug, said["version"] or 0, said["name"], said["note"], wanted
            )
    except Refused as refused:
        form.add_error(refused.field, str(refused))
        return _form(request, form, columns, found, status=422)
    except mapping_actions.Conflict as conflict:
        data["version"] = str(conflict.now.version)
        return _form(request, MappingForm(data), columns, found, status=409, now=conflict.now)
    except ColumnMapping.DoesNotExist:
        raise Http404 from None
    messages.success(request, f"{stored.name} is saved.")
    return redirect("exports:mapping", stored.slug)


def _form(
    request: SignedInRequest,
    form: MappingForm,
    columns: Any,
    mapping: Named | None = None,
    *,
    status: int = 200,
    checked: bool = True,
    preview: Preview | None = None,
    now: ColumnMapping | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "columns": columns,
        "mapping": mapping,
        "checked": checked,
        "preview": preview,
        "now": now,
        "sources": sources(),
    }
    return render(request, "exports/mapping_edit.html", context, status=status)


def _preview(request: SignedInRequest, columns: list[Mapped] | tuple[Mapped, ...]) -> Preview | None:
    """Headings and the first rows of the register, under these columns."""
    chosen = choose(QueryDict(), request.user)
    if chosen is None:
        return None
    order = Order(chosen, FORMATS["csv"], Named("", "", "", tuple(columns)))
    return making.preview(order, f"{request.scheme}://{request.get_host()}")
