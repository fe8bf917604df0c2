"""What a reading says, as a set of single claims: two readings can then be held against each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

Claim = tuple[Any, ...]


def claims(facts: Mapping[str, Any]) -> set[Claim]:
    """All of them. A condition that is not there is the claim `*`: it says more than any that is."""
    return {
        *_parts(facts.get("parts", {})),
        *_frameworks(facts.get("frameworks", ())),
        *_statuses(facts),
        *_platforms(facts),
    }


def _parts(parts: Mapping[str, Any]) -> Iterator[Claim]:
    for part, said in parts.items():
        for name, value in said.items():
            if name == "os":
                for family, rows in value.items():
                    yield part, "os", family, tuple((row["version"], row.get("kernel")) for row in rows)
            else:
                yield part, name, tuple(value) if isinstance(value, list) else value


def _frameworks(rows: Any) -> Iterator[Claim]:
    for row in rows:
        scopes = product(*(row["when"].get(key, ["*"]) for key in ("os", "gpu", "gfx", "fam")))
        for scope, version in product(list(scopes), row["versions"]):
            yield row["framework"], version, *scope
        for version in row["versions"] if "python" in row else ():
            yield row["framework"], version, "python", row["python"]


def _statuses(facts: Mapping[str, Any]) -> Iterator[Claim]:
    for table in ("features", "methods"):
        for name, columns in facts.get(table, {}).items():
            for column, status in columns.items():
                yield table, name, column, status
    for pair in facts.get("pairs", ()):
        yield "pair", *pair
    for at, link in facts.get("links", {}).items():
        yield "link", at, link


def _platforms(facts: Mapping[str, Any]) -> Iterator[Claim]:
    for row in facts.get("platforms", ()):
        yield "platform", *sorted(row.items())
    for part in facts.get("gpus", ()):
        yield "gpu", part
