"""Pages of those who keep the list of sources: editing one, and adding one of the organisation's own."""

from __future__ import annotations

from django.contrib import messages
from django.forms.models import model_to_dict
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods

from portability.accounts.access import Access, SignedInRequest, allow
from portability.matrices import sources
from portability.matrices.drafts import Refused
from portability.matrices.forms import SourceForm
from portability.matrices.models import Source

FORM = ("GET", "HEAD", "POST")


@allow(Access.CURATOR, Access.ADMINISTRATOR)
@require_http_methods(FORM)
def add(request: SignedInRequest) -> HttpResponse:
    """Add a source, the cells of which are entered by hand."""
    if request.method != "POST":
        initial = {"status": Source.Status.CURRENT, "due_days": 90}
        return render(request, "matrices/source_edit.html", {"form": SourceForm(initial=initial)})
    form = SourceForm(request.POST)
    if form.is_valid():
        try:
            source = sources.add_source(request.user, form.said)
        except Refused as refused:
            form.add_error("title", str(refused))
        else:
            messages.success(request, f"{source} was added. Read it by hand next: its cells, with their day.")
            return redirect("matrices:source", source.pk)
    return render(request, "matrices/source_edit.html", {"form": form}, status=422)


@allow(Access.CURATOR, Access.ADMINISTRATOR)
@require_http_methods(FORM)
def edit(request: SignedInRequest, source: str) -> HttpResponse:
    """Change what is kept of a source."""
    found = get_object_or_404(Source, pk=source)
    if request.method != "POST":
        return _form(request, SourceForm(initial=model_to_dict(found), source=found), found)
    form = SourceForm(request.POST, source=found)
    if not form.is_valid():
        return _form(request, form, found, status=422)
    try:
        saved, run = sources.edit_source(request.user, source, form.cleaned_data["version"] or 0, form.said)
    except sources.Edited as conflict:
        return _conflict(request, conflict.source)
    text = f"{saved} was saved." if saved.version != found.version else "Nothing was changed."
    if run is not None:
        link = format_html('<a href="{}">see how far it is</a>', reverse("register:run", args=[run.pk]))
        text = format_html("{} {} assessments are made again: {}.", text, run.total, link)
    messages.success(request, text)
    return redirect("matrices:source", saved.pk)


def _conflict(request: SignedInRequest, now: Source) -> HttpResponse:
    """Show what it is now beside what was typed; saving again then replaces the other person's edit knowingly."""
    typed = request.POST.copy()
    typed["version"] = str(now.version)
    form = SourceForm(typed, source=now)
    there = model_to_dict(now)
    shown = [(field.label, there[field.name]) for field in form.visible_fields()]
    return _form(request, form, now, status=409, now=shown)


def _form(
    request: SignedInRequest, form: SourceForm, source: Source, *, status: int = 200, **context: object
) -> HttpResponse:
    return render(request, "matrices/source_edit.html", {"form": form, "source": source, **context}, status=status)
