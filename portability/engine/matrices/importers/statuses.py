"""Tables of signs: what ✅, 🟠, ❌ and ❔ say, with or without a word or a footnote sign beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from portability.engine.errors import InputError
from portability.engine.matrices.importers.names import rows
from portability.engine.matrices.importers.tables import Page, Table, TableCell, same

_SELECTORS = re.compile("[\ufe0e\ufe0f\u200d\u00a0]")
_FOOTNOTE = re.compile(r"(?:\\?\*|\^|†|‡|§|¹|²|³|\[[0-9*]{1,2}\]|[0-9])*")
_LEGEND = re.compile(r"\s*(?:=|:|[-–—]|indicates|means|stands for)\s*(?P<words>.+)", re.IGNORECASE)
_MEANINGS = (
    ("partial", re.compile(r"\bpartial|\blimited")),
    ("unknown", re.compile(r"\bunknown|\btbd\b|\bnot known|\buntested|\bnot tested")),
    ("unsupported", re.compile(r"\bno\b|\bnot\b|\bunsupported|\bincompatible|\bnone\b")),
    ("supported", re.compile(r"\bfull|\bsupported|\bcompatib|\byes\b")),
)


@cache
def _signs() -> dict[str, str]:
    return {sign: status for status, signs in rows()["signs"].items() for sign in signs}


@cache
def _words() -> dict[str, str]:
    return {same(word): status for status, words in rows()["words"].items() for word in words}


def status(table: Table, cell: TableCell, where: str) -> tuple[str, str]:
    """The status a cell states, and its footnote sign ("" for none). Refuses anything else, an empty cell included."""
    text = _SELECTORS.sub("", cell.text).strip()
    sign, rest = text[:1], text[1:].strip()
    found = _signs().get(sign)
    if found is None:
        found, rest = _words().get(same(text)), ""
    elif rest and same(rest) in _words():
        if _words()[same(rest)] != found:
            table.refuse(f"{where}: “{text[:40]}” contradicts itself", cell.line)
        rest = ""
    if found is None or not _FOOTNOTE.fullmatch(rest):
        table.refuse(f"{where}: “{text[:40]}” is no status that is known", cell.line)
    mark = "".join((rest.replace("\\", ""), *cell.marks))
    if len(mark) > 4:
        table.refuse(f"{where}: “{mark[:40]}” is no footnote sign", cell.line)
    return found, mark


def is_status(cell: TableCell) -> bool:
    """Whether a cell begins like a status."""
    text = _SELECTORS.sub("", cell.text).strip()
    return text[:1] in _signs() or same(text) in _words()


def refuse_limit(table: Table, column: str, cell: TableCell) -> None:
    """Refuse where a column that nobody reads takes back what its row says."""
    said = same(cell.text)
    if any(word in said for word in rows()["limits"]):
        table.refuse(f"the column “{column[:40]}”, which is not read, says “{cell.text[:40]}”", cell.line)


def refuse_other_legend(pages: Sequence[Page]) -> None:
    """Refuse a page that gives a sign another meaning than it has here."""
    for each in pages:
        for line in each.lines:
            text = _SELECTORS.sub("", line).strip()
            legend = _LEGEND.match(text[1:])
            known, said = _signs().get(text[:1]), _meant(legend["words"]) if legend else None
            if known and said and said != known:
                raise InputError(each.file, 0, f"the page gives {text[:1]} another meaning: “{text[:60]}”")


def _meant(words: str) -> str | None:
    """The status that the words of a legend are for; None where they do not tell."""
    return next((status for status, pattern in _MEANINGS if pattern.search(words.lower())), None)


def tracked(cell: TableCell) -> str:
    """The address of the issue that a status links to, "" for none."""
    return next((link for link in cell.links if link.startswith("https://")), "")


def explanations(pages: Sequence[Page], marks: Mapping[str, str]) -> dict[str, str]:
    """What the pages say of the footnote signs of cells: the same keys, with words for the signs."""
    words = {mark: _explained(pages, mark) for mark in set(marks.values())}
    return {key: words[mark] for key, mark in marks.items()}


def _explained(pages: Sequence[Page], mark: str) -> str:
    return next((text for page in pages if (text := page.footnote(mark))), f"footnote {mark} of the page")
