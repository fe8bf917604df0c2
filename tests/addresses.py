"""Every address of the product, found by walking the resolver, and how to fill its parameters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from django.urls import URLPattern, URLResolver, get_resolver, reverse

from portability.accounts.access import Access
from portability.accounts.models import Person, Team
from portability.exports.models import ColumnMapping, Export, Piece
from portability.matrices.models import Document, Release
from portability.notifications.models import Attempt, Delivery, Endpoint
from portability.register.models import Run
from portability.rehearsals.models import Rehearsal
from portability.rules.models import CustomRule, VendorRow
from portability.saved_filters.models import SavedFilter
from portability.targets.models import Target
from portability.workloads.models import Workload
from tests.reviews.samples import review_samples


@dataclass(frozen=True)
class Address:
    """One pattern: its full name, its view, and the parameters that its path asks for."""

    name: str
    view: Any
    parameters: tuple[str, ...]

    @property
    def access(self) -> tuple[Access, ...] | None:
        """Who may use it, as the view declares; None where it does not."""
        return getattr(self.view, "access", None)

    @property
    def room(self) -> str:
        """The namespace."""
        return self.name.split(":")[0]


def walk() -> list[Address]:
    """All addresses of the project."""
    return list(_walk(get_resolver().url_patterns, "", ()))


def _walk(patterns: list[Any], namespace: str, outer: tuple[str, ...]) -> Iterator[Address]:
    for pattern in patterns:
        parameters = (*outer, *pattern.pattern.converters)
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _walk(pattern.url_patterns, inner, parameters)
        elif isinstance(pattern, URLPattern):
            yield Address(f"{namespace}{pattern.name}", pattern.callback, parameters)


def samples() -> dict[tuple[str, str], object]:
    """A value for each parameter of each room, of objects that exist. Workloads belong to the search team."""
    workload = Workload.objects.select_related("current").get(name="chat-assistant")
    revision = workload.current
    assert revision is not None
    file = revision.files.get()
    run, _ = Run.objects.get_or_create(cause="rules", about="the rules changed", total=1)
    return {
        ("accounts", "pk"): Person.objects.get(username="viewer").pk,
        ("audit", "kind"): "csv",
        ("exports", "pk"): made_export().pk,
        ("exports", "kind"): "csv",
        ("exports", "slug"): own_mapping().slug,
        ("matrices", "pk"): Release.objects.order_by("pk")[0].pk,
        ("matrices", "source"): "rocm-compatibility-matrix",
        ("matrices", "document"): kept_document().pk,
        ("notifications", "pk"): endpoint().pk,
        ("notifications", "delivery"): delivery().pk,
        ("register", "pk"): run.pk,
        **review_samples(workload.pk),
        ("rehearsals", "workload"): workload.pk,
        ("rehearsals", "pk"): rehearsal(workload).pk,
        ("rules", "id"): "RES001",
        ("rules", "number"): custom_rule().number,
        ("rules", "pk"): own_row().pk,
        ("rules", "table"): "images",
        ("saved_filters", "pk"): saved_filter().pk,
        ("targets", "name"): Target.objects.order_by("-default", "name")[0].name,
        ("workloads", "pk"): workload.pk,
        ("workloads", "number"): revision.number,
        ("workloads", "position"): file.position,
        ("workloads", "name"): file.name,
    }


def made_export() -> Export:
    """A file that was made for the member."""
    found, new = Export.objects.get_or_create(
        token=UUID(int=1),
        defaults={
            "owner": Person.objects.get(username="member"),
            "format": "csv",
            "target": "mi300x-single",
            "origin": "http://testserver",
            "state": Export.State.DONE,
            "total": 1,
            "done": 1,
            "size": 2,
            "file_name": "register.csv",
            "expires_at": datetime(2100, 1, 1, tzinfo=UTC),
        },
    )
    if new:
        Piece.objects.create(export=found, position=0, content=b"a\n")
    return found


def own_mapping() -> ColumnMapping:
    """A column mapping of the organisation's own."""
    columns = [{"heading": "Name", "source": "workload"}, {"heading": "Kind", "text": "GPU supply"}]
    found, _ = ColumnMapping.objects.get_or_create(slug="board-pack", name="Board pack", defaults={"columns": columns})
    return found


def saved_filter() -> SavedFilter:
    """A private filter of the member."""
    member = Person.objects.get(username="member")
    found, _ = SavedFilter.objects.get_or_create(
        owner=member, name="Pinned ones", defaults={"owner_name": "member", "query": "verdict=pinned"}
    )
    return found


def kept_document() -> Document:
    """A document of a superseded reading."""
    old, _ = Release.objects.get_or_create(
        source_id="vllm-features", state="superseded", read=date(2026, 5, 1), read_by="curator", digest="old"
    )
    content = b"| Feature | AMD |\n"
    found, _ = Document.objects.get_or_create(
        release=old,
        position=0,
        name="features.md",
        size=len(content),
        defaults={"content": content, "digest": "0" * 64},
    )
    return found


def endpoint() -> Endpoint:
    """A webhook."""
    administrator = Person.objects.get(username="administrator")
    url, secret = "https://hooks.example.com/in", "a secret of the tests"
    found, _ = Endpoint.objects.get_or_create(name="chat", url=url, secret=secret, created_by=administrator)
    return found


def delivery() -> Delivery:
    """A test message that failed."""
    found = Delivery.objects.filter(endpoint=endpoint()).first()
    if found is None:
        now = datetime(2026, 11, 30, tzinfo=UTC)
        found = Delivery.objects.create(endpoint=endpoint(), state="failed", due_at=now, attempts=1, last_attempt=1)
        Attempt.objects.create(delivery=found, number=1, at=now, status=500, error="It answered 500.")
    return found


def rehearsal(workload: Workload) -> Rehearsal:
    """That a workload ran on a target."""
    member = Person.objects.get(username="member")
    found, _ = Rehearsal.objects.get_or_create(
        workload=workload,
        target=Target.objects.get(name="mi300x-single"),
        day=date(2026, 10, 3),
        traffic="a tenth of production, two days",
        observed="ran as it is",
        defaults={"recorded_by": member, "recorded_by_name": member.username},
    )
    return found


def own_row() -> VendorRow:
    """A row of the organisation's own."""
    curator = Person.objects.get(username="curator")
    found, _ = VendorRow.objects.get_or_create(
        table="images",
        pattern="registry-mirror/scorer",
        vendor="nvidia",
        effect="change",
        entered=date(2026, 11, 30),
        entered_by=curator,
        entered_by_name=curator.username,
    )
    return found


def custom_rule() -> CustomRule:
    """A custom rule that is a draft."""
    curator = Person.objects.get(username="curator")
    found, _ = CustomRule.objects.get_or_create(
        number=1,
        name="Images come from our registry",
        path="$..containers[*].image",
        condition="!value.startsWith('registry.bank.example/')",
        effect="change",
        reason="Clusters pull from our registry only.",
        applies_to="any",
        defaults={
            "state_at": datetime(2026, 11, 30, tzinfo=UTC),
            "entered": date(2026, 11, 30),
            "entered_by": curator,
        },
    )
    return found


def filled(address: Address) -> str:
    """The address with its parameters filled in."""
    values = samples() if address.parameters else {}
    arguments: dict[str, object] = {}
    for parameter in address.parameters:
        key = (address.room, parameter)
        assert key in values, f"tests/addresses.py has no sample for {parameter} of {address.name}"
        arguments[parameter] = values[key]
    if address.name.startswith("accounts:") and "team" in address.name and arguments:
        arguments["pk"] = Team.objects.get(slug="search").pk
    return reverse(address.name, kwargs=arguments)
