"""For what a cell holds: `{key: [values]}`; any of a key's values, all of the keys.

AMD's documentation writes them as JSON in `data-show-cond`, or as `key=value` pairs in the options `show-cond`
(`show-when` in older releases) of its directives. Nothing here guesses: what is not exactly that is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

Conditions = Mapping[str, tuple[str, ...]]

HARDWARE = ("gpu", "gfx", "fam")
SYSTEM = "os"
_NAMES = frozenset({"show-cond", "show-when"})
_VALUE = re.compile(r"[a-z0-9][a-z0-9.+_-]*")
_OF_KEY = {
    "gpu": re.compile(r"(?!gfx)(?=.*[0-9]).*"),
    "gfx": re.compile(r"gfx[0-9a-f]{3,5}"),
    "fam": re.compile(r"[a-z][a-z_-]*"),
    "os": re.compile(r"(?!gfx)[a-z].*"),
}
_BARE_TARGET = re.compile(r"[0-9]{3,4}[a-f]?|90a")
_SUSPECT = re.compile(r"[{}\[\]=]|&quot;")
_ALIKE = 0.7
_LIMIT_VALUES = 500


class ConditionError(ValueError):
    """A condition that cannot be read; the message says why."""


def from_json(raw: str) -> Conditions:
    """The value of `data-show-cond`. Raises ConditionError for anything but an object of lists of words."""
    try:
        data = json.loads(raw, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise ConditionError(f"a condition is not JSON: {_short(raw)}") from None
    if not isinstance(data, dict) or not all(isinstance(values, list) for values in data.values()):
        raise ConditionError(f"a condition is not an object of lists: {_short(raw)}")
    return _checked(data, raw)


def from_pairs(raw: str) -> Conditions:
    """The value of `show-cond` or `show-when`: `os=ubuntu os=rhel gfx=gfx942`."""
    found: dict[str, list[Any]] = {}
    for pair in raw.split():
        key, sign, value = pair.partition("=")
        if not sign:
            raise ConditionError(f"a condition is not made of key=value: {_short(raw)}")
        found.setdefault(key, []).append(value)
    return _checked(found, raw)


def of_attributes(attributes: Mapping[str, str], *, known: frozenset[str], prefix: str = "") -> Conditions | None:
    """The conditions among attributes or options; None where there are none.

    Raises ConditionError too for an attribute that may be a damaged condition: a condition that is overlooked would
    give a cell to parts it does not hold for.
    """
    found: list[Conditions] = []
    for name, value in attributes.items():
        bare = name.removeprefix(prefix) if prefix else name
        if bare in _NAMES and name.startswith(prefix):
            found.append(from_json(value) if prefix else from_pairs(value))
        elif name not in known and not name.startswith("aria-") and _may_be_a_condition(name, value, prefix):
            raise ConditionError(f"the attribute {_short(name)} is not known and may be a damaged condition")
    return together(*found) if found else None


def together(*given: Conditions | None) -> Conditions | None:
    """All of the conditions at once. Raises ConditionError where they exclude each other."""
    merged: dict[str, tuple[str, ...]] = {}
    for conditions in given:
        for key, values in (conditions or {}).items():
            before = merged.get(key)
            both = values if before is None else tuple(value for value in before if value in values)
            if not both:
                raise ConditionError(f"conditions exclude each other: {key} is {before} and {values}")
            merged[key] = both
    return merged or None


def may_both_hold(a: Conditions, b: Conditions, parts: Sequence[Mapping[str, str]]) -> bool:
    """Whether something exists for which both hold. `parts`: known parts as {gpu, gfx, fam}.

    Conditions that name hardware in different words (a family, an LLVM target) meet where a known part has both; and
    where both name one that nobody knows yet.
    """
    shared = {key: set(a[key]) & set(b[key]) for key in a.keys() & b.keys()}
    if not all(shared.values()):
        return False
    hard = {key: shared.get(key) or set(a.get(key) or b[key]) for key in (a.keys() | b.keys()) & set(HARDWARE)}
    if len(hard) < 2 or not a.keys() & hard.keys() or not b.keys() & hard.keys():
        return True
    if any(all(part.get(key) in values for key, values in hard.items()) for part in parts):
        return True
    return any(shared[key] - {part.get(key) for part in parts} for key in shared.keys() & hard.keys())


def hardware(conditions: Conditions) -> Conditions:
    """What of the conditions names hardware."""
    return {key: values for key, values in conditions.items() if key in HARDWARE}


def _checked(data: Mapping[str, list[Any]], raw: str) -> Conditions:
    if not data:
        raise ConditionError("a condition is empty")
    if sum(map(len, data.values())) > _LIMIT_VALUES:
        raise ConditionError("a condition has too many values")
    found: dict[str, tuple[str, ...]] = {}
    for key, values in data.items():
        if key not in (*HARDWARE, SYSTEM):
            raise ConditionError(f"a condition asks for something unknown: {_short(key)}")
        if not values:
            raise ConditionError(f"a condition names no value of {key}")
        if not all(isinstance(value, str) and _VALUE.fullmatch(value) for value in values):
            raise ConditionError(f"a condition has a value that is not a word: {_short(raw)}")
        if len(set(values)) < len(values):
            values = list(dict.fromkeys(values))
        found[key] = tuple(_target(value) if key == "gfx" else value for value in values)
        if odd := next((value for value in found[key] if not _OF_KEY[key].fullmatch(value)), None):
            raise ConditionError(f"{_short(odd)} is no value of {key}")
    return found


def _target(value: str) -> str:
    """Older releases leave `gfx` out of an LLVM target's name."""
    return f"gfx{value}" if _BARE_TARGET.fullmatch(value) else value


def _may_be_a_condition(name: str, value: str, prefix: str) -> bool:
    if any(word in name for word in ("cond", "show", "when")) or _SUSPECT.search(value):
        return True
    return any(SequenceMatcher(None, name[:40], prefix + known).ratio() >= _ALIKE for known in _NAMES)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def _short(raw: str) -> str:
    plain = " ".join(raw.split())
    return plain if len(plain) <= 60 else f"{plain[:60]}…"
