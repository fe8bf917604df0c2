"""A custom rule as its writer gives it: in a form, or in a file for pipelines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from portability.engine.errors import InputError
from portability.engine.model import Effect, Target, Vendor

CLASS = "CUSTOM"
SOURCE = "organisation-rule"  # of the evidence: the rule itself, with the day it was entered
ID = re.compile(r"ORG\d{3,6}")
ANY = "any"
APPLIES_TO = (ANY, Vendor.NVIDIA.value, Vendor.AMD.value)
MAX_RULES = 200  # in one file
LENGTHS = {"name": 80, "reason": 400, "remedy": 400, "link": 500}  # characters
_NAMES = ("id", "name", "path", "condition", "effect", "reason", "remedy", "link", "applies_to", "enabled", "entered")


@dataclass(frozen=True, slots=True)
class CustomRule:
    """One rule. `path` is a JSON path (RFC 9535), `condition` a CEL expression over what it leads to."""

    id: str  # ORG001; never used for another rule
    name: str
    path: str
    condition: str
    effect: Effect
    reason: str
    remedy: str = ""
    link: str = ""
    applies_to: str = ANY  # the vendor of the targets it is for
    enabled: bool = True
    entered: date | None = None  # the day its words were last changed

    def applies(self, target: Target) -> bool:
        """Whether the rule says anything about this target."""
        return self.applies_to in (ANY, target.vendor.value)


def rule_to_json(rule: CustomRule) -> dict[str, Any]:
    """The rule as one entry of a rules file."""
    return {
        "id": rule.id,
        "name": rule.name,
        "path": rule.path,
        "condition": rule.condition,
        "effect": rule.effect.value,
        "reason": rule.reason,
        "remedy": rule.remedy,
        "link": rule.link,
        "applies_to": rule.applies_to,
        "enabled": rule.enabled,
        "entered": rule.entered.isoformat() if rule.entered else "",
    }


def parse_rules(data: Mapping[str, Any], where: str) -> list[CustomRule]:
    """The rules of a file: a mapping with one list, `rules`. Raises InputError, naming the rule and the field."""
    listed = data.get("rules")
    unknown = sorted(set(map(str, data)) - {"rules"})
    if unknown or not isinstance(listed, Sequence) or isinstance(listed, str):
        raise InputError(where, 0, "must hold one list under the name `rules`, and nothing else")
    if len(listed) > MAX_RULES:
        raise InputError(where, 0, f"{len(listed)} rules; at most {MAX_RULES} are read")
    rules = [parse_rule(entry, f"{where}: rule {n}") for n, entry in enumerate(listed, start=1)]
    seen: set[str] = set()
    for rule in rules:
        if rule.id in seen:
            raise InputError(where, 0, f"{rule.id} is there twice; give each rule an id of its own")
        seen.add(rule.id)
    return rules


def parse_rule(data: object, where: str) -> CustomRule:
    """One rule from plain values. Its path and condition are looked at by `compile_rule`. Raises InputError."""
    if not isinstance(data, Mapping):
        raise InputError(where, 0, "must be a mapping of fields to values")
    unknown = sorted(set(map(str, data)) - set(_NAMES))
    if unknown:
        raise InputError(where, 0, f"unknown field {unknown[0]}; there are {', '.join(_NAMES)}")
    texts = {name: _text(data, name, where) for name in _NAMES if name not in ("enabled",)}
    for name in ("id", "name", "path", "condition", "effect", "reason"):
        if not texts[name]:
            raise InputError(where, 0, f"{name} is missing")
    for name, length in LENGTHS.items():
        if len(texts[name]) > length:
            raise InputError(where, 0, f"{name} has {len(texts[name])} characters; at most {length} are kept")
    if not ID.fullmatch(texts["id"]):
        raise InputError(where, 0, f"id is {texts['id'][:40]!r}; it must be ORG and a number, such as ORG001")
    enabled = data.get("enabled", True)
    if not isinstance(enabled, bool):
        raise InputError(where, 0, "enabled must be true or false")
    return CustomRule(
        id=texts["id"],
        name=texts["name"],
        path=texts["path"],
        condition=texts["condition"],
        effect=Effect(_one_of(texts["effect"], [e.value for e in Effect], "effect", where)),
        reason=texts["reason"],
        remedy=texts["remedy"],
        link=_link(texts["link"], where),
        applies_to=_one_of(texts["applies_to"] or ANY, APPLIES_TO, "applies_to", where),
        enabled=enabled,
        entered=_day(texts["entered"], where),
    )


def _text(data: Mapping[Any, Any], name: str, where: str) -> str:
    value = data.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InputError(where, 0, f"{name} must be text; put it in quotes")
    return value.strip()


def _one_of(value: str, known: Sequence[str], name: str, where: str) -> str:
    if value not in known:
        raise InputError(where, 0, f"{name} is {value[:40]!r}; it must be one of {', '.join(known)}")
    return value


def _link(value: str, where: str) -> str:
    if value and not value.startswith(("https://", "http://")):
        raise InputError(where, 0, "link must start with https:// or http://")
    return value


def _day(value: str, where: str) -> date | None:
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        raise InputError(where, 0, f"entered is {value[:40]!r}; it must be a day such as 2026-11-30") from None
