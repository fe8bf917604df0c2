"""Saved filters: the list, the short list on the register, and the form."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.exports.source import in_words
from portability.refused import Refused
from portability.register.filters import choose
from portability.saved_filters import actions, queries
from portability.saved_filters.forms import SavedFilterForm
from portability.saved_filters.models import SavedFilter


@allow(Access.EVERYONE)
@require_safe
def saved_filters(request: SignedInRequest) -> HttpResponse:
    """What the person may see, with what each asks for, and a way to save what the register shows."""
    visible = list(queries.visible_to(request.user))
    found = [(line, actions.may_delete(request.user, line.saved)) for line in queries.lines(request.user, visible)]
    return render(request, "saved_filters/all.html", {"lines": found})


@allow(Access.EVERYONE)
@require_safe
def menu(request: SignedInRequest) -> HttpResponse:
    """The same, short: for the register, which asks for it when it is opened. Without htmx, the whole list."""
    if not request.htmx:
        return redirect("saved_filters:all")
    here = f"?{request.GET.urlencode()}" if request.GET else ""
    context = {"saved": queries.visible_to(request.user), "here": here, "person": request.user}
    return render(request, "saved_filters/menu.html", context)


@allow(Access.EVERYONE)
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedInRequest) -> HttpResponse:
    """Save what a register address asks for: its query string comes along."""
    if request.method != "POST":
        return _form(request, SavedFilterForm(request.user, initial={"query": request.GET.urlencode()}))
    form = SavedFilterForm(request.user, request.POST)
    if not form.is_valid():
        return _form(request, form, status=422)
    said = form.cleaned_data
    try:
        saved = actions.save(request.user, said["name"], said["query"], said["shared"], said.get("team"))
    except Refused as refused:
        form.add_error(refused.field, str(refused))
        return _form(request, form, status=422)
    messages.success(request, f"{saved.name} is saved.")
    return redirect(f"{reverse('register:register')}?{saved.query}")


@allow(Access.EVERYONE)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Rename one's own, or share it."""
    saved = SavedFilter.objects.filter(pk=pk, owner=request.user).first()
    if saved is None:
        raise Http404
    if request.method != "POST":
        initial = {"name": saved.name, "shared": saved.shared, "team": saved.team_id, "query": saved.query}
        return _form(request, SavedFilterForm(request.user, initial=initial), saved)
    form = SavedFilterForm(request.user, request.POST)
    if not form.is_valid():
        return _form(request, form, saved, status=422)
    said = form.cleaned_data
    try:
        actions.change(request.user, pk, said["name"], said["shared"], said.get("team"))
    except Refused as refused:
        form.add_error(refused.field, str(refused))
        return _form(request, form, saved, status=422)
    except SavedFilter.DoesNotExist:
        raise Http404 from None
    messages.success(request, f"{said['name']} is saved.")
    return redirect("saved_filters:all")


@allow(Access.EVERYONE)
@require_POST
def delete(request: SignedInRequest, pk: int) -> HttpResponse:
    """Delete one's own; an administrator also what others share."""
    saved = SavedFilter.objects.filter(pk=pk).first()
    if saved is None or not actions.may_delete(request.user, saved):
        raise Http404
    actions.delete(request.user, pk)
    messages.success(request, f"{saved.name} is deleted.")
    return redirect("saved_filters:all")


def _form(
    request: SignedInRequest, form: SavedFilterForm, saved: SavedFilter | None = None, *, status: int = 200
) -> HttpResponse:
    query = saved.query if saved else str(form["query"].value() or "")
    chosen = choose(QueryDict(query), request.user)
    words = in_words(chosen) if chosen else {}
    problems = chosen.problems if chosen else ["There is no target yet, so there is nothing to filter."]
    context = {"form": form, "saved": saved, "words": words, "problems": problems, "chosen": chosen, "query": query}
    return render(request, "saved_filters/edit.html", context, status=status)
