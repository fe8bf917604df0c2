"""Pages of the targets room: the list, a target, and a curator's forms."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts.access import Access, SignedInRequest, allow
from portability.matrices.queries import knowledge
from portability.organisation.kept import organisation
from portability.register.models import Run
from portability.rehearsals.queries import on_target
from portability.reviews.on_target import on_target as reviewed_on_target
from portability.targets import actions, queries
from portability.targets.forms import TargetForm, initial_from
from portability.targets.judged import judged
from portability.targets.models import Target
from portability.targets.words import spec_as_yaml, spec_in_words


@allow(Access.EVERYONE)
@require_safe
def targets(request: SignedInRequest) -> HttpResponse:
    """Every target with its verdict counts and what is found about it."""
    return render(request, "targets/targets.html", {"lines": queries.lines()})


@allow(Access.EVERYONE)
@require_safe
def target(request: SignedInRequest, name: str) -> HttpResponse:
    """One target in words, what the rules say of it, and what that rests on."""
    found = get_object_or_404(Target, name=name)
    spec = queries.engine_target(found)
    published = knowledge()
    known = queries.known(spec, published)
    today = timezone.localdate()
    context = {
        "target": found,
        "spec": spec_in_words(spec),
        "as_yaml": spec_as_yaml(found.spec),
        "workloads": judged(found),
        "judged": known.assessment.platform_judged,
        "groups": queries.groups(found, known, published),
        "reviewed": reviewed_on_target(request.user, found, queries.as_stored(found, known), today),
        "releases": queries.readings(known, today),
        "rehearsals": on_target(found, today, organisation().rehearsal_days),
    }
    return render(request, "targets/target.html", context)


@allow(Access.CURATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedInRequest) -> HttpResponse:
    """Describe a new target."""
    if request.method != "POST":
        return _form(request, TargetForm(initial={"resource_naming": "single", "allocation": "device-plugin"}))
    form = TargetForm(request.POST)
    if not form.is_valid():
        return _form(request, form, status=422)
    try:
        created, run = actions.create_target(request.user, form.spec)
    except actions.Refused as refused:
        form.add_error("name", str(refused))
        return _form(request, form, status=422)
    _say(request, f"{created.name} was added.", run)
    return redirect("targets:target", created.name)


@allow(Access.CURATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: SignedInRequest, name: str) -> HttpResponse:
    """Change a target."""
    found = get_object_or_404(Target, name=name)
    if request.method != "POST":
        initial = {**initial_from(queries.engine_target(found)), "version": found.version}
        return _form(request, TargetForm(initial=initial, fixed_name=name), target=found)
    form = TargetForm(request.POST, fixed_name=name)
    if not form.is_valid():
        return _form(request, form, status=422, target=found)
    try:
        saved, run = actions.save_target(request.user, name, form.cleaned_data["version"] or 0, form.spec)
    except actions.Conflict as conflict:
        return _conflict(request, conflict)
    except actions.Refused as refused:
        form.add_error("vendor", str(refused))
        return _form(request, form, status=422, target=found)
    _say(request, f"{saved.name} was saved." if saved.version != found.version else "Nothing was changed.", run)
    return redirect("targets:target", saved.name)


@allow(Access.CURATOR)
@require_POST
def default(request: SignedInRequest, name: str) -> HttpResponse:
    """Let the register open with this target."""
    return _act(request, name, lambda: (actions.set_default(request.user, name), None), "The register opens with {}.")


@allow(Access.CURATOR)
@require_POST
def deactivate(request: SignedInRequest, name: str) -> HttpResponse:
    """Stop assessing workloads for this target."""
    return _act(request, name, lambda: (actions.deactivate(request.user, name), None), "{} is no longer active.")


@allow(Access.CURATOR)
@require_POST
def activate(request: SignedInRequest, name: str) -> HttpResponse:
    """Assess workloads for this target again."""
    return _act(request, name, lambda: actions.activate(request.user, name), "{} is active again.")


def _act(request: SignedInRequest, name: str, act: Any, done: str) -> HttpResponse:
    get_object_or_404(Target, name=name)
    try:
        _, run = act()
    except actions.Refused as refused:
        messages.error(request, str(refused))
    else:
        _say(request, done.format(name), run)
    return redirect("targets:target", name)


def _say(request: SignedInRequest, text: str, run: Run | None) -> None:
    if run is None:
        messages.success(request, text)
        return
    link = format_html('<a href="{}">see how far it is</a>', reverse("register:run", args=[run.pk]))
    messages.success(request, format_html("{} {} workloads are being assessed again: {}.", text, run.total, link))


def _form(request: SignedInRequest, form: TargetForm, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, "targets/edit.html", {"form": form, **context}, status=status)


def _conflict(request: SignedInRequest, conflict: actions.Conflict) -> HttpResponse:
    """Show what it is now beside what was typed; saving again then replaces the other person's edit knowingly."""
    typed = request.POST.copy()
    typed["version"] = str(conflict.target.version)
    form = TargetForm(typed, fixed_name=conflict.target.name)
    now = spec_as_yaml(conflict.target.spec)
    return _form(request, form, status=409, target=conflict.target, now=now)
