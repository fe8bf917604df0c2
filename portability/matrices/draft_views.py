"""Pages of those who keep matrices: reading a document, entering a cell by hand, publishing and discarding."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods, require_POST

from portability.accounts.access import Access, SignedInRequest, allow
from portability.engine.errors import InputError
from portability.matrices import actions
from portability.matrices.drafts import Given, Refused
from portability.matrices.fetching import fetch_document, may_fetch
from portability.matrices.forms import CellForm, GoneThroughForm, ReadForm, RemoveForm
from portability.matrices.models import Release, Source
from portability.matrices.queries import base_of, shapes
from portability.matrices.views import page_of
from portability.outbound.errors import OutboundError

FORM = ("GET", "HEAD", "POST")


@allow(Access.CURATOR, Access.ADMINISTRATOR)
@require_http_methods(FORM)
def read(request: SignedInRequest) -> HttpResponse:
    """Read a document into a draft. An address may choose source and version."""
    if request.method != "POST":
        chosen = {name: request.GET[name][:60] for name in ("source", "version") if name in request.GET}
        return _read_page(request, ReadForm(initial={"read": timezone.localdate(), **chosen}))
    form = ReadForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            given = _fetched(request, form) if form.fetches else form.given
            draft = actions.read_draft(request.user, given)
        except (InputError, OutboundError, Refused) as refused:
            form.add_error(None, f"Nothing was kept. {refused}")
        else:
            messages.success(request, _kept(draft))
            return redirect("matrices:release", draft.pk)
    return _read_page(request, form, status=422)


def _read_page(request: SignedInRequest, form: ReadForm, *, status: int = 200) -> HttpResponse:
    """The form, and whether the page of the chosen source, or of any where none is chosen yet, may be fetched."""
    sources = list(Source.objects.all())
    chosen = [source for source in sources if source.pk == form["source"].value()]
    fetchable = any(may_fetch(source.url) for source in chosen or sources)
    return render(request, "matrices/read.html", {"form": form, "fetchable": fetchable}, status=status)


def _fetched(request: SignedInRequest, form: ReadForm) -> Given:
    """What is to be read, fetched from the address in the form or else the source's own."""
    source, link = form.cleaned_data["source"], form.cleaned_data["link"]
    name, page = fetch_document(request.user, source, link)
    if page.redirected:
        messages.warning(request, f"{page.asked} redirects to {page.url}.")
    return form.fetched(name, page)


@allow(Access.CURATOR, Access.ADMINISTRATOR)
@require_http_methods(FORM)
def cell(request: SignedInRequest, pk: int) -> HttpResponse:
    """Enter one cell by hand. An address may name a key; what is there of it fills the form."""
    found = get_object_or_404(Release.objects.select_related("source"), pk=pk)
    examples = shapes(found.source).values()
    if request.method != "POST":
        key = request.GET.get("key", "")[:160]
        base = base_of(found.source, found.version)
        there = found.cells.filter(key=key).first() or (base.cells.filter(key=key).first() if base else None)
        names = ("key", "value", "note", "link")
        initial: dict[str, Any] = {name: getattr(there, name) for name in names} if there else {"key": key}
        form = CellForm(initial=initial, examples=examples)
        return render(request, "matrices/cell.html", {"form": form, "release": found})
    form = CellForm(request.POST, examples=examples)
    if form.is_valid():
        try:
            draft = actions.enter_cell(request.user, pk, form.values)
        except Refused as refused:
            form.add_error("key", str(refused))
        except actions.Conflict as conflict:
            return _told(request, conflict, found)
        else:
            messages.success(request, f"{form.values.key} was entered into a draft of {draft}.")
            return redirect("matrices:release", draft.pk)
    return render(request, "matrices/cell.html", {"form": form, "release": found}, status=422)


@allow(Access.CURATOR, Access.ADMINISTRATOR)
@require_http_methods(FORM)
def remove(request: SignedInRequest, pk: int) -> HttpResponse:
    """Take one cell out by hand. An address may name its key."""
    found = get_object_or_404(Release.objects.select_related("source"), pk=pk)
    if request.method != "POST":
        return _remove_page(request, RemoveForm(initial={"key": request.GET.get("key", "")[:160]}), found)
    form = RemoveForm(request.POST)
    if form.is_valid():
        data = form.cleaned_data
        try:
            draft = actions.remove_cell(request.user, pk, data["key"], reason=data["reason"], link=data["link"])
        except Refused as refused:
            form.add_error("key", str(refused))
        except actions.Conflict as conflict:
            return _told(request, conflict, found)
        else:
            messages.success(request, f"{data['key']} was taken out of a draft of {draft}.")
            return redirect("matrices:release", draft.pk)
    return _remove_page(request, form, found, status=422)


def _remove_page(request: SignedInRequest, form: RemoveForm, release: Release, *, status: int = 200) -> HttpResponse:
    context = {"form": form, "release": release, "keys": release.cells.values_list("key", flat=True)}
    return render(request, "matrices/remove.html", context, status=status)


@allow(Access.CURATOR, Access.ADMINISTRATOR)
@require_POST
def publish(request: SignedInRequest, pk: int) -> HttpResponse:
    """Put a draft in force, if it and what it takes the place of are still what the person saw."""
    found = get_object_or_404(Release.objects.select_related("source"), pk=pk)
    seen = request.POST.get("instead_of", "")
    instead_of = int(seen) if seen.isdecimal() and len(seen) < 18 else None
    try:
        done = actions.publish(
            request.user,
            pk,
            digest=request.POST.get("digest", ""),
            instead_of=instead_of,
            gone_through=GoneThroughForm(request.POST).is_valid(),
        )
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("matrices:release", pk)
    except actions.Conflict as conflict:
        return _told(request, conflict, found)
    text = f"{done.release} is published"
    if done.run is None:
        messages.success(request, f"{text}. No assessment rests on what differs.")
    else:
        link = format_html('<a href="{}">see how far it is</a>', reverse("register:run", args=[done.run.pk]))
        messages.success(request, format_html("{}. {} assessed again: {}.", text, _counted(done.run.total), link))
    return redirect("matrices:release", pk)


@allow(Access.CURATOR, Access.ADMINISTRATOR)
@require_POST
def discard(request: SignedInRequest, pk: int) -> HttpResponse:
    """Throw a draft away."""
    found = get_object_or_404(Release.objects.select_related("source"), pk=pk)
    try:
        name = actions.discard(request.user, pk)
    except actions.Conflict as conflict:
        return _told(request, conflict, found)
    messages.success(request, f"The draft of {name} was discarded.")
    return redirect("matrices:source", found.source_id)


def _told(request: SignedInRequest, conflict: actions.Conflict, seen: Release) -> HttpResponse:
    """Someone was quicker: nothing was done, and what is there now is shown."""
    messages.error(request, str(conflict))
    now = Release.objects.select_related("source", "published_by").filter(pk=seen.pk).first()
    if now is None:
        return redirect("matrices:source", seen.source_id)
    return page_of(request, now, status=409)


def _kept(draft: Release) -> str:
    if draft.source.read_by_machine:
        return f"{draft} was read. It is a draft: nothing rests on it until it is published."
    return f"A draft of {draft} was begun. The product did not read it: go through it and enter what differs."


def _counted(pairs: int) -> str:
    return "1 assessment is" if pairs == 1 else f"{pairs} assessments are"
