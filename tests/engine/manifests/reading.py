"""Reading a manifest written in a test."""

from __future__ import annotations

import textwrap

from portability.engine.manifests import read_facts
from portability.engine.model import Facts, SiteKind


def facts(text: str) -> Facts:
    """The facts of one file, which is read without a problem."""
    found = read_facts([("a.yaml", textwrap.dedent(text))])
    assert found.problems == ()
    return found


def told(text: str, kind: SiteKind) -> list[tuple[int, str, str, str]]:
    """Line, key, value and role of each site of a kind."""
    return [(s.place.line, s.key, s.value, s.role) for s in facts(text).sites if s.kind is kind]
