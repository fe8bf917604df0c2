"""Reading a manifest written in a test."""

from __future__ import annotations

import textwrap

from portability.engine.manifests import read_facts
from portability.engine.model import Facts


def facts(text: str) -> Facts:
    """The facts of one file, which is read without a problem."""
    found = read_facts([("a.yaml", textwrap.dedent(text))])
    assert found.problems == ()
    return found
