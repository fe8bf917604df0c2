"""What a re-evaluation is about: the one thing that was changed, so that its page can be led to."""

from __future__ import annotations

from typing import NamedTuple

from django.urls import reverse


class Subject(NamedTuple):
    """`kind` is one of `_PAGES`, or empty where no one thing caused a run; `key` names it in its address."""

    kind: str = ""
    key: str = ""

    @property
    def url(self) -> str:
        """Where it can be read; empty where there is no one page."""
        if self.kind not in _PAGES:
            return ""
        name, parameter = _PAGES[self.kind]
        return reverse(name, kwargs={parameter: self.key} if parameter else {})


NOTHING = Subject()
OWN_ROWS = Subject("rows")
_PAGES = {
    "release": ("matrices:release", "pk"),
    "source": ("matrices:source", "source"),
    "target": ("targets:target", "name"),
    "row": ("rules:own_row", "pk"),
    "rows": ("rules:own_rows", ""),
    "rule": ("rules:rule", "id"),
}


def release(pk: int) -> Subject:
    """A reading of a source."""
    return Subject("release", str(pk))


def source(pk: str) -> Subject:
    """A source."""
    return Subject("source", pk)


def target(name: str) -> Subject:
    """A target."""
    return Subject("target", name)


def row(pk: int) -> Subject:
    """A row of the organisation's own."""
    return Subject("row", str(pk))


def rule(label: str) -> Subject:
    """A rule, by its id."""
    return Subject("rule", label)
