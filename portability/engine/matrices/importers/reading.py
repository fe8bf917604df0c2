"""What an importer gets and gives: documents as text, and the reading of one version of a source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class Kind(Enum):
    """How a document is written; told from its content."""

    HTML = "HTML"
    RST = "reStructuredText"
    MARKDOWN = "Markdown"


@dataclass(frozen=True, slots=True)
class Document:
    """One saved page or source file. `text` has no byte order mark and only `\\n` at line ends."""

    name: str
    kind: Kind
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What one or several documents of a source say of one version ("" where none is known).

    `facts` holds plain mappings, lists and text, as `portability read-matrix --format facts` prints them. `remarks`
    are words of the page about one cell, by the key that the cell gets.
    """

    source: str
    version: str
    facts: Mapping[str, Any]
    remarks: Mapping[str, str] = field(default_factory=dict)
