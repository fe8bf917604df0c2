"""An entry of the history in words: a sentence by its kind, and its details as name and text."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.formats import date_format

from portability.audit.kinds import KINDS, ROOMS, Kind
from portability.audit.models import Entry
from portability.reviews.words import DECISIONS, EFFECTS, VERDICTS
from portability.ui.templatetags.ui import vendor
from portability.workloads.queries import CAUSES

Details = Mapping[str, Any]
ROOM = 200  # characters of a detail in a sentence; the details have the rest
_IDS = frozenset({"team", "run", "export", "supersedes"})  # numbers of the database: nobody knows a team by one
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_PART = re.compile(r"\[([^\]]*)\]")
_FIELD = re.compile(r"\{([?!]?)(\w+)(?:\|([\w ]+)\|([\w ]+))?\}")
_NAMES = {"pairs": "assessments"}
_FORMATS = {"csv": "CSV", "json": "JSON", "xlsx": "Excel", "pdf": "PDF", "html": "HTML", "sarif": "SARIF"}
_WORDS: dict[str, Mapping[str, str]] = {
    "kind": DECISIONS,
    "engine_verdict": VERDICTS,
    "verdict": VERDICTS,
    "effect": EFFECTS,
    "cause": CAUSES,
    "format": _FORMATS,
    "outcome": {"failed": "did not run"},
    "state": {"off": "switched off"},
    "found": {"changed": "changed since it was read", "failed": "it could not be looked at"},
    "often": {"never": "none", "run": "after each re-evaluation", "day": "once a day"},
    "whose": {"own": "the own teams", "all": "all teams"},
    "shared": {"private": "nobody"},
}


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence, to be read after the name of who acted; what it was done to stands apart, to be marked."""

    before: str
    subject: str
    after: str

    def __str__(self) -> str:
        return f"{self.before}{self.subject}{self.after}"


def sentence(entry: Entry) -> Said:
    """What was done, in words. Of a kind that is not known any more, its stable words."""
    kind = KINDS.get(entry.action, Kind("", f"{in_words(entry.action)} {{s}}"))
    before, _, after = kind.sentence.partition("{s}")
    return Said(_filled(before, entry), entry.subject, _filled(after, entry))


def kind_name(action: str) -> str:
    """A kind as it stands in a list to choose from."""
    return KINDS[action].name if action in KINDS else in_words(action)


def room_name(room: str) -> str:
    """What the kinds of a room are about."""
    return ROOMS.get(room, room.replace("_", " "))


def in_words(action: str) -> str:
    """A stable word as people read it: `workload.moved-team` is `workload: moved team`."""
    return action.replace(".", ": ", 1).replace("-", " ").replace("_", " ")


def details_in_words(entry: Entry) -> list[tuple[str, str]]:
    """The details as name and text, by name (databases keep no order); what is nested is said in one line."""
    return [
        (_NAMES.get(name, name.replace("_", " ")), _text(value))
        for name, value in sorted(_by_field(entry.details).items())
        if not (name in _IDS and isinstance(value, int))
    ]


def _filled(template: str, entry: Entry) -> str:
    """A sentence with the details in it, without the parts whose details are not there."""

    def put(text: str, missing: str = "") -> str:
        return _FIELD.sub(lambda field: _put(entry, field) if _is_there(entry, field) else missing, text)

    def part(found: re.Match[str]) -> str:
        return put(found[1]) if all(_is_there(entry, field) for field in _FIELD.finditer(found[1])) else ""

    pieces = _PART.split(template)  # by turns: what always stands, and what stood in brackets
    whole = [put(piece, "–") for piece in pieces[::2]]
    parts = [part(found) for found in _PART.finditer(template)]
    return "".join(text for pair in zip(whole, [*parts, ""], strict=True) for text in pair)


def _is_there(entry: Entry, field: re.Match[str]) -> bool:
    told = _told(entry, field[2])
    return bool(told) and not (field[1] == "!" and told == entry.subject)


def _put(entry: Entry, field: re.Match[str]) -> str:
    """What stands in a field's place: a number with its noun, where the field has one."""
    mark, name, one, many = field.groups()
    told = "" if mark == "?" else _told(entry, name)
    return f"{told} {one if told == '1' else many}" if one else told


def _told(entry: Entry, name: str) -> str:
    """A detail in words; "" where there is nothing to tell."""
    if name in WORKED_OUT:
        text = WORKED_OUT[name](entry.details)
    else:
        value = entry.details.get(name)
        text = "" if value is False or value in (None, "", [], {}) else _in_field(name, value)
    text = " ".join(text.split())
    return text if len(text) <= ROOM else f"{text[: ROOM - 1].rstrip()}…"


def _in_field(name: str, value: object) -> str:
    """A value by what its field calls it: `not-known` is `not known` of a decision."""
    if name == "roles":
        return _roles(value)
    if isinstance(value, str):
        if name == "vendor":
            return vendor(value)
        return _WORDS.get(name, {}).get(value) or _text(value)
    return _text(value)


def _changed(details: Details) -> str:
    """Each field that is another: `os version: 24.04.4 → 24.04.2`."""
    changed = details.get("changed", details)
    pairs = changed.items() if isinstance(changed, dict) else ()
    return "; ".join(
        f"{name.replace('_', ' ')}: {_text(pair[0])} → {_text(pair[1])}"
        for name, pair in sorted(pairs)
        if isinstance(pair, list) and len(pair) == 2
    )


def _verdicts(details: Details) -> str:
    """`needs change → movable`, or what it stays."""
    engine, decided = (_in_field(name, details.get(name, "")) for name in ("engine_verdict", "verdict"))
    if "–" in (engine, decided):
        return ""
    return engine if engine == decided else f"{engine} → {decided}"


def _roles_changed(details: Details) -> str:
    """The roles before and after; where they are the same, it was the mail address."""
    before, after = _roles(details.get("before")), _roles(details.get("roles"))
    return f"{before} → {after}" if before != after else "another mail address"


def _roles(value: object) -> str:
    given = [name for name, has in sorted(value.items()) if has is True] if isinstance(value, dict) else []
    return ", ".join(given) or "no further role"


def _cell(details: Details) -> str:
    return f"{_text(details.get('before'))} → {_text(details.get('value'))}"


def _together(details: Details) -> str:
    """Of how many decisions at once it is one; alone it is of none."""
    number = details.get("together")
    return "" if number in (None, 1) else _text(number)


WORKED_OUT: dict[str, Callable[[Details], str]] = {
    "changed": _changed,
    "verdicts": _verdicts,
    "roles_changed": _roles_changed,
    "cell": _cell,
    "together": _together,
}


def _by_field(details: dict[str, Any]) -> dict[str, Any]:
    """The details with each changed field on its own: `os version: 24.04.4 → 24.04.2`."""
    changed = details.get("changed")
    if not isinstance(changed, dict) or not all(isinstance(pair, list) and len(pair) == 2 for pair in changed.values()):
        return details
    rest = {name: value for name, value in details.items() if name != "changed"}
    return rest | {name: f"{_text(was)} → {_text(now)}" for name, (was, now) in changed.items()}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_text(inner)}" for name, inner in sorted(value.items()))
    if isinstance(value, list):
        return ", ".join(_text(inner) for inner in value)
    if isinstance(value, str) and _DAY.fullmatch(value):
        with suppress(ValueError):  # a person may have written something of that shape that is no day
            return date_format(date.fromisoformat(value), "j F Y")
    return "–" if value in (None, "") else str(value)
