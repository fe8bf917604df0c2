"""Tables of signs: what ✅, 🟠, ❌ and ❔ say, with or without a word or a footnote sign beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from portability.engine.matrices.importers.names import rows
from portability.engine.matrices.importers.tables import Page, Table, TableCell, same

_SELECTORS = re.compile("[\ufe0e\ufe0f\u200d\u00a0]")
_FOOTNOTE = re.compile(r"(?:\\?\*|\^|†|‡|§|¹|²|³|\[[0-9*]{1,2}\]|[0-9])*")


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


def tracked(cell: TableCell) -> str:
    """The address of the issue that a status links to, "" for none."""
    return next((link for link in cell.links if link.startswith("https://")), "")


def explanations(pages: Sequence[Page], marks: Mapping[str, str]) -> dict[str, str]:
    """What the pages say of the footnote signs of cells: the same keys, with words for the signs."""
    words = {mark: _explained(pages, mark) for mark in set(marks.values())}
    return {key: words[mark] for key, mark in marks.items()}


def _explained(pages: Sequence[Page], mark: str) -> str:
    return next((text for page in pages if (text := page.footnote(mark))), f"footnote {mark} of the page")
