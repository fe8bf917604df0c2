"""The bar: which pages a person is shown, and as whom. A section of several pages lists them in a second line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse

from portability.accounts.access import Access, active_teams, has
from portability.accounts.models import Person
from portability.organisation.queries import organisation
from portability.reviews.asked import questions_for


@dataclass(frozen=True)
class Link:
    """One entry of the bar. `current` is the value of `aria-current`: the page itself, or a page below it."""

    label: str
    url: str
    current: str = ""
    questions: int = 0  # to the person's teams, that wait there


@dataclass(frozen=True)
class Bar:
    """What the bar shows. Without links nobody is signed in. `below`: the pages of the section one is in."""

    links: tuple[Link, ...] = ()
    below: tuple[Link, ...] = ()
    section: str = ""
    own: Link = Link("", "")
    roles: str = ""
    questions: int = 0  # to the person's teams
    organisation: str = ""
    logout_url: str = ""


@dataclass(frozen=True)
class Page:
    """A page that the bar leads to, and who may open it."""

    label: str
    name: str
    roles: tuple[Access, ...] = (Access.EVERYONE,)


ADMINISTRATORS = (Access.ADMINISTRATOR,)
QUESTIONS = "reviews:questions"
SECTIONS: dict[str, tuple[Page, ...]] = {
    "Exposure": (Page("Exposure", "exposure:exposure"),),
    "Register": (
        Page("Register", "register:register"),
        Page("What moved", "register:moved"),
        Page("Re-evaluations", "register:runs"),
    ),
    "Register a workload": (Page("Register a workload", "workloads:new", (Access.MEMBER,)),),
    "Review": (
        Page("Reviews", "reviews:reviews"),
        Page("Comparison", "reviews:comparison"),
        Page("Waivers", "reviews:waivers"),
        Page("Questions", QUESTIONS, (Access.MEMBER,)),
    ),
    "Targets": (Page("Targets", "targets:targets"),),
    "Matrices": (Page("Sources", "matrices:matrices"), Page("What is known", "matrices:knowledge")),
    "Rules": (Page("Rules", "rules:rules"), Page("Own rows", "rules:own_rows")),
    "History": (Page("History", "audit:entries", (Access.ARCHITECT, Access.ADMINISTRATOR)),),
    "Administration": (
        Page("People", "accounts:people", ADMINISTRATORS),
        Page("Teams", "accounts:teams", ADMINISTRATORS),
        Page("Settings", "organisation:settings", ADMINISTRATORS),
        Page("Webhooks", "notifications:endpoints", ADMINISTRATORS),
    ),
}
# What is a person's own stands behind the name at the right end of the bar.
OWN = "What is yours"
OWN_PAGES = (
    Page("Notifications", "notifications:own"),
    Page("Saved filters", "saved_filters:all"),
    Page("Files", "exports:exports"),
    Page("Password", "accounts:password"),
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
    teams = active_teams(person)
    member = bool(teams)
    questions = questions_for(teams).count() if member else 0
    here = _nearest(request.path)
    links: list[Link] = []
    below: tuple[Link, ...] = ()
    section = ""
    for label, pages in (*SECTIONS.items(), (OWN, OWN_PAGES)):
        shown = [
            Link(page.label, url, _current(request.path, url, here), questions if page.name == QUESTIONS else 0)
            for page in pages
            if (url := _address(page.name)) and _may(person, page, member)
        ]
        if not shown:
            continue
        at = next((link.current for link in shown if link.current), "")
        if at and len(shown) > 1:
            below, section = tuple(shown), label
        waiting = max(link.questions for link in shown)
        links.append(Link(label, shown[0].url, "true" if at and not shown[0].current else at, waiting))
    *links, own = links
    return Bar(
        links=tuple(links),
        below=below,
        section=section,
        own=own,
        roles=roles_of(person, member),
        questions=questions,
        organisation=organisation().name,
        logout_url=_address("accounts:logout"),
    )


def _may(person: Person, page: Page, member: bool) -> bool:
    return any(member if role is Access.MEMBER else has(person, role) for role in page.roles)


@cache  # asked for some fifty on each page
def _address(name: str) -> str:
    """Where a page is; nothing where the address does not exist (an installation may leave a room out)."""
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""


def _nearest(path: str) -> str:
    """The address of the page that this path is, or lies below: the longest there is."""
    every = [page for pages in SECTIONS.values() for page in pages]
    known = [_address(page.name) for page in (*every, *OWN_PAGES)]
    return max(
        (url for url in known if path == url or (url != "/" and url and path.startswith(url))), key=len, default=""
    )


def _current(path: str, url: str, here: str) -> str:
    if url != here:
        return ""
    return "page" if path == url else "true"
