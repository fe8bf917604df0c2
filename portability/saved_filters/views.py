"""Saved filters: the list, the short list on their pages, the form, and what a page opens with."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.refused import Refused
from portability.reviews.queries import open_one
from portability.saved_filters import actions, queries
from portability.saved_filters.forms import SavedFilterForm
from portability.saved_filters.models import SavedFilter
from portability.saved_filters.pages import Judge, Page, address


@allow(Access.EVERYONE)
@require_safe
def saved_filters(request: SignedInRequest) -> HttpResponse:
    """What the person may see, with what each asks for, and of which page."""
    visible = list(queries.visible_to(request.user))
    found = [(line, actions.may_delete(request.user, line.saved)) for line in queries.lines(request.user, visible)]
    of_queue = any(line.saved.page == Page.QUEUE for line, _ in found)
    return render(request, "saved_filters/all.html", {"lines": found, "no_review": of_queue and open_one() is None})


@allow(Access.EVERYONE)
@require_safe
def menu(request: SignedInRequest, page: str = Page.REGISTER) -> HttpResponse:
    """Those of one page, short: the page asks for them when that is opened. Without htmx, the whole list."""
    if not request.htmx:
        return redirect("saved_filters:all")
    saved = queries.visible_to(request.user).filter(page=page)
    context = {
        "saved": [(each, address(page, each.query)) for each in saved],
        "default": queries.default_of(request.user, page),
        "new": reverse(_new(page)) + (f"?{request.GET.urlencode()}" if request.GET else ""),
        "person": request.user,
    }
    return render(request, "saved_filters/menu.html", context)


@allow(Access.EVERYONE)
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedInRequest, page: str = Page.REGISTER) -> HttpResponse:
    """Save what an address of the page asks for: its query string comes along."""
    if request.method != "POST":
        form = SavedFilterForm(request.user, page, initial={"query": request.GET.urlencode()}, new=True)
        return _form(request, page, form)
    form = SavedFilterForm(request.user, page, request.POST, new=True)
    if not form.is_valid():
        return _form(request, page, form, status=422)
    said = form.cleaned_data
    asked = (said["name"], said["query"], said["shared"], said.get("team"))
    try:
        saved = actions.save(request.user, page, *asked, default=said["default"])
    except Refused as refused:
        form.add_error(refused.field, str(refused))
        return _form(request, page, form, status=422)
    messages.success(request, f"{saved.name} is saved.")
    return redirect(address(page, saved.query))


@allow(Access.EVERYONE)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Rename one's own, or share it."""
    saved = SavedFilter.objects.filter(pk=pk, owner=request.user).first()
    if saved is None:
        raise Http404
    if request.method != "POST":
        initial = {"name": saved.name, "shared": saved.shared, "team": saved.team_id, "query": saved.query}
        return _form(request, saved.page, SavedFilterForm(request.user, saved.page, initial=initial, new=False), saved)
    form = SavedFilterForm(request.user, saved.page, request.POST, new=False)
    if not form.is_valid():
        return _form(request, saved.page, form, saved, status=422)
    said = form.cleaned_data
    try:
        actions.change(request.user, pk, said["name"], said["shared"], said.get("team"))
    except Refused as refused:
        form.add_error(refused.field, str(refused))
        return _form(request, saved.page, form, saved, status=422)
    except SavedFilter.DoesNotExist:
        raise Http404 from None
    messages.success(request, f"{said['name']} is saved.")
    return redirect("saved_filters:all")


@allow(Access.EVERYONE)
@require_POST
def default(request: SignedInRequest, pk: int) -> HttpResponse:
    """Let the filter's page open with it for the person, or, with `end`, without it."""
    try:
        if request.POST.get("end"):
            saved = actions.end_default(request.user, pk)
            messages.success(request, f"The {saved.get_page_display()} opens without {saved.name}.")
        else:
            saved = actions.make_default(request.user, pk)
            messages.success(request, f"The {saved.get_page_display()} opens with {saved.name} for you.")
    except SavedFilter.DoesNotExist:
        raise Http404 from None
    except Refused as refused:
        messages.error(request, f"Nothing was changed. {refused}")
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
    request: SignedInRequest, page: str, form: SavedFilterForm, saved: SavedFilter | None = None, *, status: int = 200
) -> HttpResponse:
    query = saved.query if saved else str(form["query"].value() or "")
    context = {
        "form": form,
        "saved": saved,
        "judged": Judge(request.user).judge(page, query),
        "page": Page(page).label,
        "here": address(page, query),
        "action": reverse("saved_filters:edit", args=[saved.pk]) if saved else reverse(_new(page)),
    }
    return render(request, "saved_filters/edit.html", context, status=status)


def _new(page: str) -> str:
    return "saved_filters:new_of_queue" if page == Page.QUEUE else "saved_filters:new"
