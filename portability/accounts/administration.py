"""Pages on which administrators keep people and teams."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.forms import Form
from django.http.response import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from portability.accounts import actions, queries, team_actions
from portability.accounts.access import Access, SignedInRequest, allow
from portability.accounts.forms import NewPersonForm, PersonForm, TeamForm
from portability.accounts.models import Person, Team

_TOLD = "one_time_password"


@allow(Access.ADMINISTRATOR)
@require_safe
def people(request: SignedInRequest) -> HttpResponse:
    """Everyone, with roles and teams."""
    return render(request, "accounts/people.html", {"people": queries.people()})


@allow(Access.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def new_person(request: SignedInRequest) -> HttpResponse:
    """Add a person."""
    form = NewPersonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            person, told = actions.create_person(
                request.user, data["username"], form.roles, data["teams"], email=data["email"]
            )
        except actions.Refused as refused:
            form.add_error("username", str(refused))
        else:
            return _tell(request, person, told)
    return render(request, "accounts/new_person.html", {"form": form}, status=422 if form.errors else 200)


@allow(Access.ADMINISTRATOR)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def person(request: SignedInRequest, pk: int) -> HttpResponse:
    """One person: roles, teams, password, access. A one-time password is shown once, after it was made."""
    subject = get_object_or_404(Person, pk=pk)
    now = {name: getattr(subject, name) for name in ("email", "architect", "curator", "administrator")}
    form = PersonForm(
        request.POST if request.method == "POST" else None,
        person=subject,
        initial={**now, "teams": subject.teams.all()},
    )
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            actions.change_person(request.user, subject, form.roles, data["teams"], data["email"])
        except actions.Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, f"{subject.username} is changed.")
            return redirect("accounts:person", pk=pk)
    context = {"person": subject, "form": form, "told": _told(request, subject)}
    return render(request, "accounts/person.html", context, status=422 if form.errors else 200)


@allow(Access.ADMINISTRATOR)
@require_POST
def reset_password(request: SignedInRequest, pk: int) -> HttpResponse:
    """Give a new one-time password."""
    return _with_new_password(request, pk, actions.reset_password)


@allow(Access.ADMINISTRATOR)
@require_POST
def reactivate(request: SignedInRequest, pk: int) -> HttpResponse:
    """Let a person in again, with a new one-time password."""
    return _with_new_password(request, pk, actions.reactivate_person)


@allow(Access.ADMINISTRATOR)
@require_POST
def deactivate(request: SignedInRequest, pk: int) -> HttpResponse:
    """End a person's access."""
    subject = get_object_or_404(Person, pk=pk)
    try:
        actions.deactivate_person(request.user, subject)
    except actions.Refused as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, f"{subject.username} can no longer sign in, and open sessions have ended.")
    return redirect("accounts:person", pk=pk)


@allow(Access.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def teams(request: SignedInRequest) -> HttpResponse:
    """All teams, and a form for a new one."""
    form = TeamForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and _done(form, lambda name: team_actions.create_team(request.user, name)):
        messages.success(request, f"The team {form.cleaned_data['name']} is added.")
        return redirect("accounts:teams")
    context = {"teams": queries.teams(), "form": form}
    return render(request, "accounts/teams.html", context, status=422 if form.errors else 200)


@allow(Access.ADMINISTRATOR)
@require_http_methods(["GET", "HEAD", "POST"])
def team(request: SignedInRequest, pk: int) -> HttpResponse:
    """One team: its name, its people, and whether it is active."""
    subject = get_object_or_404(queries.teams(), pk=pk)
    name = subject.name
    form = TeamForm(request.POST if request.method == "POST" else None, initial={"name": name})
    if request.method == "POST" and _done(form, lambda new: team_actions.rename_team(request.user, subject, new)):
        messages.success(request, "The team is renamed.")
        return redirect("accounts:team", pk=pk)
    context = {
        "team": subject,
        "name": name,
        "form": form,
        "people": queries.people().filter(teams=subject),
        "may_delete": team_actions.may_delete(subject),
    }
    return render(request, "accounts/team.html", context, status=422 if form.errors else 200)


@allow(Access.ADMINISTRATOR)
@require_POST
def team_state(request: SignedInRequest, pk: int, active: bool) -> HttpResponse:
    """Deactivate a team, or bring it back."""
    subject = get_object_or_404(Team, pk=pk)
    team_actions.set_team_active(request.user, subject, active)
    messages.success(request, f"{subject.name} is {'active again' if active else 'deactivated'}.")
    return redirect("accounts:team", pk=pk)


@allow(Access.ADMINISTRATOR)
@require_POST
def delete_team(request: SignedInRequest, pk: int) -> HttpResponse:
    """Delete a team to which nothing ever belonged."""
    subject = get_object_or_404(Team, pk=pk)
    try:
        team_actions.delete_team(request.user, subject)
    except actions.Refused as refused:
        messages.error(request, str(refused))
        return redirect("accounts:team", pk=pk)
    messages.success(request, f"{subject.name} is deleted.")
    return redirect("accounts:teams")


def _with_new_password(request: SignedInRequest, pk: int, act: Callable[[Person, Person], str]) -> HttpResponse:
    subject = get_object_or_404(Person, pk=pk)
    try:
        told = act(request.user, subject)
    except actions.Refused as refused:
        messages.error(request, str(refused))
        return redirect("accounts:person", pk=pk)
    return _tell(request, subject, told)


def _tell(request: SignedInRequest, person: Person, told: str) -> HttpResponse:
    """Carry a one-time password over the redirect to the page that shows it once."""
    request.session[_TOLD] = [person.pk, told]
    return redirect("accounts:person", pk=person.pk)


def _told(request: SignedInRequest, person: Person) -> str:
    if request.session.get(_TOLD, [None])[0] != person.pk:
        return ""
    return str(request.session.pop(_TOLD)[1])


def _done(form: Form, act: Callable[[str], object]) -> bool:
    """Whether the form was valid and the action not refused; a refusal is shown at the name."""
    if not form.is_valid():
        return False
    try:
        act(form.cleaned_data["name"])
    except actions.Refused as refused:
        form.add_error("name", str(refused))
        return False
    return True
