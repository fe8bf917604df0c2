"""Who may use an address. Every view says so with `allow`, and one test walks them all.

An action that is not yours answers 403; administration and what is personal to others answer 404, so that
their existence is not told. What depends on the object (a team's own workload) is asked by the functions below.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django_htmx.middleware import HtmxDetails

from portability.accounts.models import Person, Team
from portability.organisation.kept import organisation

View = Callable[..., HttpResponseBase]


class Access(StrEnum):
    """Who an address is for. Roles add up; `MEMBER` is anyone who belongs to an active team."""

    PUBLIC = "public"  # signed in or not
    EVERYONE = "everyone"  # anyone signed in
    MEMBER = "member"
    ARCHITECT = "architect"
    CURATOR = "curator"
    ADMINISTRATOR = "administrator"


class SignedInRequest(HttpRequest):
    """A request of a signed-in person, with htmx details: the type of every view's first argument."""

    user: Person
    htmx: HtmxDetails


def is_member(person: Person) -> bool:
    """Whether the person belongs to any active team."""
    return person.teams.filter(active=True).exists()


def active_teams(person: Person) -> list[int]:
    """The ids of the active teams that the person belongs to."""
    return list(person.teams.filter(active=True).values_list("pk", flat=True))


def has(person: Person, access: Access) -> bool:
    """Whether a signed-in person holds the role."""
    if access in (Access.PUBLIC, Access.EVERYONE):
        return True
    if access is Access.MEMBER:
        return is_member(person)
    return bool(getattr(person, access.value))


def allow(*anyone_of: Access) -> Callable[[View], View]:
    """Let only these roles through. Outermost decorator of every view; the test of all addresses reads `access`."""

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if Access.PUBLIC not in anyone_of and not any(has(request.user, a) for a in anyone_of):  # type: ignore[arg-type]
                if set(anyone_of) == {Access.ADMINISTRATOR}:
                    raise Http404
                raise PermissionDenied("Your role does not include this.")
            return view(request, *args, **kwargs)

        guarded.access = anyone_of  # type: ignore[attr-defined]
        guarded.login_required = Access.PUBLIC not in anyone_of  # type: ignore[attr-defined]
        return guarded

    return decorate


def may_edit(person: Person, team: Team) -> bool:
    """Whether the person edits this team's workloads: as a member of it."""
    return team.active and person.teams.filter(pk=team.pk).exists()


def may_read_manifests(person: Person, team: Team) -> bool:
    """Whether the person reads this team's manifest text.

    The team, architects and administrators do; everyone who is signed in, where the organisation opened it.
    """
    if person.architect or person.administrator or organisation().manifests_for_everyone:
        return True
    return person.teams.filter(pk=team.pk).exists()
