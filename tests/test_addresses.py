"""Every address, for every role: who is let in is what the view declares, and no address is without a declaration."""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.db import transaction
from django.http.response import HttpResponse, HttpResponseBase
from django.test import Client
from django.urls import URLResolver, path, reverse
from django.urls.resolvers import RegexPattern

from portability import urls
from portability.accounts.access import Access
from portability.accounts.models import Person
from portability.workloads.models import Workload
from tests.addresses import Address, filled, walk
from tests.conftest import Cast

pytestmark = pytest.mark.database

ClientOf = Callable[[Person | None], Client]

ROLES: dict[str, set[Access]] = {
    "viewer": {Access.EVERYONE},
    "member": {Access.EVERYONE, Access.MEMBER},
    "outsider": {Access.EVERYONE, Access.MEMBER},
    "architect": {Access.EVERYONE, Access.ARCHITECT},
    "curator": {Access.EVERYONE, Access.CURATOR},
    "administrator": {Access.EVERYONE, Access.ADMINISTRATOR},
}
# What depends on the object, and who is let in: a workload of the search team, a run that the product started.
OF_THE_OBJECT: dict[str, set[str]] = {
    "register:cancel": {"curator", "administrator"},
    "register:retry": {"curator", "administrator"},
    "reviews:answer": {"member"},
    "reviews:note": {"member", "architect"},
    "rehearsals:new": {"member", "architect"},
    "rehearsals:withdraw": {"member", "architect"},
    "workloads:edit": {"member"},
    "workloads:file": {"member", "architect", "administrator"},
    "workloads:source": {"member", "architect", "administrator"},
    "workloads:retire": {"member"},
    "workloads:restore": {"member"},
    "workloads:rename": {"member"},
    "workloads:move": {"member", "administrator"},
}
# A person's own: to everybody else, whatever their roles, it is not there.
PERSONAL: dict[str, set[str]] = {
    "exports:export": {"member"},
    "exports:file": {"member"},
    "exports:cancel": {"member"},
    "exports:retry": {"member"},
    "exports:delete": {"member"},
    "saved_filters:edit": {"member"},
    "saved_filters:default": {"member"},
    "saved_filters:delete": {"member"},
}
ADDRESSES = walk()
GUARDED = [a for a in ADDRESSES if a.access and Access.PUBLIC not in a.access]


def let_in(address: Address, role: str) -> bool:
    """Whether the person with this role is to be let in to the sample object."""
    assert address.access is not None
    if address.name in OF_THE_OBJECT:
        return role in OF_THE_OBJECT[address.name]
    if address.name in PERSONAL:
        return role in PERSONAL[address.name]
    return bool(ROLES[role] & set(address.access))


def ask(client: Client, method: str, url: str) -> HttpResponseBase:
    """One request; what it changed is taken back, so that each address is asked in the same world."""
    signed_in = deepcopy(client.cookies)
    with transaction.atomic():
        answer = client.get(url) if method == "GET" else client.post(url)
        if answer.streaming:
            b"".join(answer)
        transaction.set_rollback(True)
    client.cookies = signed_in
    return answer


def test_every_address_says_who_may_use_it() -> None:
    assert len(ADDRESSES) > 20
    assert [a.name for a in ADDRESSES if not a.access] == []


def test_the_walk_finds_an_address_without_a_declaration(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above would fail for a view that was not declared."""
    undeclared = path("nobody-said/<int:pk>/", lambda request, pk: HttpResponse(), name="nobody-said")
    monkeypatch.setattr("portability.urls.urlpatterns", [*urls.urlpatterns, undeclared])
    monkeypatch.setattr("tests.addresses.get_resolver", lambda: URLResolver(RegexPattern(r"^/"), urls))
    assert [(a.name, a.parameters) for a in walk() if not a.access] == [("nobody-said", ("pk",))]


def test_object_rules_name_addresses_that_exist() -> None:
    assert set(OF_THE_OBJECT) <= {a.name for a in ADDRESSES}


@pytest.mark.parametrize("role", ROLES)
def test_each_role_is_let_in_where_declared_and_nowhere_else(
    role: str, cast: Cast, registered: Workload, client_of: ClientOf
) -> None:
    client = client_of(getattr(cast, role))
    wrong = []
    for address in ADDRESSES:
        url = filled(address)
        for method in ("GET", "POST"):
            status = ask(client, method, url).status_code
            if not fits(address, role, status):
                wrong.append(f"{method} {address.name}: {status} for {role}, declared {address.access}")
    assert not wrong, "\n".join(wrong)


def fits(address: Address, role: str, status: int) -> bool:
    """Whether a status is right for the role: let in (whatever the form says of an empty post), or turned away."""
    if let_in(address, role) or Access.PUBLIC in (address.access or ()):
        return status < 500 and status not in (401, 403, 404)
    if set(address.access or ()) == {Access.ADMINISTRATOR}:
        return status == 404
    if address.name in PERSONAL:
        return status in (404, 405)
    return status in (403, 405)


def test_the_anonymous_are_led_to_the_login_page(cast: Cast, registered: Workload, client_of: ClientOf) -> None:
    client = client_of(None)
    login = reverse("accounts:login")
    for address in GUARDED:
        url = filled(address)
        answer = ask(client, "GET", url)
        assert answer.status_code == 302, address.name
        assert answer.headers["Location"].startswith(f"{login}?next="), address.name
        assert ask(client, "POST", url).status_code == 403, address.name


def test_public_addresses_are_few_and_known() -> None:
    public = {a.name for a in ADDRESSES if a.access and Access.PUBLIC in a.access}
    assert public == {"accounts:login", "accounts:logout", "health:live", "health:ready"}


def test_administration_is_for_administrators_and_knowledge_for_curators() -> None:
    """Declarations that would be found wrong by nobody else: the tests above follow whatever is declared."""
    declared = {a.name: set(a.access or ()) for a in ADDRESSES}
    own = {"accounts:login", "accounts:logout", "accounts:password"}
    for name, access in declared.items():
        if name == "workloads:erase" or (name.startswith("accounts:") and name not in own):
            assert access == {Access.ADMINISTRATOR}, name
        if name.startswith("targets:") and name not in {"targets:targets", "targets:target"}:
            assert access == {Access.CURATOR}, name
    assert declared["audit:entries"] == declared["audit:export"] == {Access.ARCHITECT, Access.ADMINISTRATOR}


class Inline(HTMLParser):
    """Collects what a strict policy forbids: inline scripts and styles, event handlers, foreign addresses."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one tag."""
        values = dict(attrs)
        if tag == "style" or (tag == "script" and "src" not in values):
            self.found.append(f"<{tag}>")
        for name, value in attrs:
            loaded = name == "src" or (name == "href" and tag in ("link", "image", "use"))
            if name == "style" or name.startswith(("on", "hx-on")) or (value or "").strip().startswith("javascript:"):
                self.found.append(f"<{tag} {name}>")
            if loaded and re.match(r"(https?:)?//", value or ""):
                self.found.append(f"<{tag} {name}={value}>")
            if name in ("hx-vals", "hx-headers", "hx-vars") and (value or "").startswith("js:"):
                self.found.append(f"<{tag} {name}={value}>")


def inline(html: str) -> list[str]:
    """What in a page a strict policy forbids."""
    parser = Inline()
    parser.feed(html)
    return parser.found


def test_inline_parts_are_found() -> None:
    assert inline('<style></style><script>1</script><a onclick="x" style="y" href="javascript:1">') == [
        "<style>", "<script>", "<a onclick>", "<a style>", "<a href>",
    ]  # fmt: skip
    assert inline('<script src="/a.js"></script><img src="//elsewhere/x.png">') == ["<img src=//elsewhere/x.png>"]


def test_every_page_sends_the_strict_policy_and_has_nothing_inline(
    cast: Cast, registered: Workload, client_of: ClientOf
) -> None:
    pages = 0
    for person in (cast.member, cast.curator, cast.architect, cast.administrator, None):
        client = client_of(person)
        for address in ADDRESSES:
            url = filled(address)
            for method in ("GET", "POST"):
                answer = ask(client, method, url)
                policy = answer.headers["Content-Security-Policy"]
                assert "default-src 'none'" in policy, address.name
                assert "script-src 'self'" in policy
                assert "unsafe" not in policy
                if answer.headers.get("Content-Type", "").startswith("text/html") and not answer.streaming:
                    pages += 1
                    assert inline(answer.content.decode()) == [], f"{method} {address.name}"  # type: ignore[attr-defined]
    assert pages > 60


def test_the_policy_of_the_settings_lets_in_this_site_only() -> None:
    assert all(
        sources == ["'none'"] or sources == ["'self'"]
        for sources in settings.CONTENT_SECURITY_POLICY["DIRECTIVES"].values()
    )
