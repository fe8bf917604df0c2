"""The bar: which pages a person is shown, and as whom."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

from portability.accounts.access import Access, has
from portability.accounts.models import Person
from portability.organisation.kept import organisation


@dataclass(frozen=True)
class Link:
    """One entry of the bar. `current` is the value of `aria-current`: the page itself, or a page below it."""

    label: str
    url: str
    current: str = ""


@dataclass(frozen=True)
class Bar:
    """What the bar shows. Without links nobody is signed in."""

    links: tuple[Link, ...] = ()
    roles: str = ""
    organisation: str = ""
    notifications_url: str = ""
    password_url: str = ""
    logout_url: str = ""


PAGES: tuple[tuple[str, str, tuple[Access, ...]], ...] = (
    ("Exposure", "exposure:exposure", (Access.EVERYONE,)),
    ("Register", "register:register", (Access.EVERYONE,)),
    ("Register a workload", "workloads:new", (Access.MEMBER,)),
    ("Review", "reviews:reviews", (Access.EVERYONE,)),
    ("Targets", "targets:targets", (Access.EVERYONE,)),
    ("Matrices", "matrices:matrices", (Access.EVERYONE,)),
    ("Rules", "rules:rules", (Access.EVERYONE,)),
    ("People", "accounts:people", (Access.ADMINISTRATOR,)),
    ("Teams", "accounts:teams", (Access.ADMINISTRATOR,)),
    ("Settings", "organisation:settings", (Access.ADMINISTRATOR,)),
    ("History", "audit:entries", (Access.ARCHITECT, Access.ADMINISTRATOR)),
)


def roles_of(person: Person, member: bool) -> str:
    """The person's roles in words; whoever has none is a viewer."""
    roles = [role for role in ("architect", "curator", "administrator") if getattr(person, role)]
    return ", ".join((["member"] if member else []) + roles) or "viewer"


def bar_for(request: HttpRequest) -> Bar:
    """The bar for the person of this request."""
    person = getattr(request, "user", None)
    if not isinstance(person, Person) or not person.is_authenticated:
        return Bar()
    member = has(person, Access.MEMBER)
    links = tuple(
        Link(label, url, _current(request.path, url))
        for label, name, roles in PAGES
        if (url := _address(name)) and any(member if role is Access.MEMBER else has(person, role) for role in roles)
    )
    own = [_address(name) for name in ("notifications:own", "accounts:password", "accounts:logout")]
    return Bar(links, roles_of(person, member), organisation().name, *own)


def _address(name: str) -> str:
    """Where a page is; nothing where the address does not exist (an installation may leave a room out)."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""


def _current(path: str, url: str) -> str:
    if path == url:
        return "page"
    below = url != "/" and path.startswith(url) and not any(
        len(other) > len(url) and path.startswith(other) for _, name, _ in PAGES if (other := _address(name))
    )
    return "true" if below else ""
