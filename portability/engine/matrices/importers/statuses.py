"""Tables of signs: what ✅, 🟠, ❌ and ❔ say, with or without a word or a footnote sign beside them.

A footnote on a ✅, or on the name of its row or column, takes something of it back: such a cell is partial.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from portability.engine.errors import InputError
from portability.engine.matrices.importers.names import limit_in, listed, rows
from portability.engine.matrices.importers.tables import FOOTNOTE, Page, Table, TableCell, plain, same

_SELECTORS = re.compile("[\ufe0e\ufe0f\u200d\u00a0]")
_FOOTNOTE = re.compile(rf"(?:{FOOTNOTE}|[0-9])*")
_LIMIT_MARK = 8
_LIMIT_SIGNS = 50
_MEANS = r"[\"'”’)`]*\s*(?:=|:|→|[-–—]|\bindicates\b|\bmeans\b|\bstands for\b)\s*"
_QUOTES = "\"'“‘(` "
_MEANINGS = (
    ("partial", re.compile(r"\bpartial|\blimit|\brestrict|\bexperimental|\bbeta\b|\bpreview|\bcaveat")),
    ("unknown", re.compile(r"\bunknown|\btbd\b|\bnot known|\buntested|\bnot tested|\bplanned|\bin progress")),
    ("unsupported", re.compile(r"\bno\b|\bnot\b|\bunsupported|\bincompatible|\bnone\b")),
    ("supported", re.compile(r"\bfull|\bsupported|\bcompatib|\byes\b")),
)


@cache
def _signs() -> dict[str, str]:
    return {sign: status for status, signs in rows()["signs"].items() for sign in signs}


@cache
def _words() -> dict[str, str]:
    return {same(word): status for status, words in rows()["words"].items() for word in words}


def status(table: Table, cell: TableCell, where: str, *of_names: str) -> tuple[str, str]:
    """The status a cell states, and its footnote sign ("" for none). Refuses anything else, an empty cell included.

    `of_names`: the footnote signs beside the names of its row and column, and of the corner over all of them.
    """
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
    own = "".join((rest.replace("\\", ""), *cell.marks))
    mark = next((each for each in (own, *of_names) if each), "")
    if len(mark) > _LIMIT_MARK:
        table.refuse(f"{where}: “{mark[:40]}” is no footnote sign", cell.line)
    return ("partial" if mark and found == "supported" else found), mark


def is_status(cell: TableCell) -> bool:
    """Whether a cell begins like a status; one that only says that it does not know may be of any column."""
    text = _SELECTORS.sub("", cell.text).strip()
    return text[:1] in _signs() or _words().get(same(text), "unknown") != "unknown"


def refuse_limit(table: Table, column: str, cell: TableCell) -> None:
    """Refuse where a column that nobody reads takes back what its row says.

    One that is headed as support or status must agree, in words that are known.
    """
    said, about = same(_SELECTORS.sub("", cell.text)), same(column)
    asked = any(word in about for word in rows()["asks_for_support"])
    agrees = _signs().get(said[:1]) == "supported" or said in rows()["agreement"]
    if limit_in(said) or said in rows()["refusals"] or (asked and not agrees):
        table.refuse(f"the column “{column[:40]}”, which is not read, says “{cell.text[:40]}”", cell.line)


def refuse_other_engine(pages: Sequence[Page]) -> None:
    """Refuse a page that is another engine's, by its title: it may have tables such as vLLM's."""
    for each in pages:
        words = {word.strip("()[]:,|") for title in each.titles for word in same(title).split()}
        if other := words & listed("other_engines"):
            raise InputError(each.file, 0, f"is a page of {', '.join(sorted(other))}, not of vLLM")


def refuse_other_legend(pages: Sequence[Page]) -> None:
    """Refuse a page that gives a sign another meaning than it has here, in a sentence, a list or a table."""
    for each in pages:
        for sign, words in (*_legends(each), *_legends_of_tables(each)):
            said = _meant(words)
            if said and said != _signs()[sign]:
                raise InputError(each.file, 0, f"the page gives {sign} another meaning: “{sign} {words[:60]}”")


def _legends(page: Page) -> Iterator[tuple[str, str]]:
    """Signs with the words that explain them, several of them in a line or one; `?` also asks, unless it begins one."""
    signs = "".join(_signs())
    explained = re.compile(rf"(?P<sign>[{re.escape(signs)}]){_MEANS}(?P<words>[^{re.escape(signs)};]+)", re.IGNORECASE)
    for line in page.lines:
        text = _SELECTORS.sub("", line).strip(_QUOTES)
        for found in explained.finditer(text):
            if found["sign"] != "?" or found.start() == 0:
                yield found["sign"], found["words"].strip()


def _legends_of_tables(page: Page) -> Iterator[tuple[str, str]]:
    for table in page.tables:
        for row in table.rows:
            sign = _SELECTORS.sub("", row.cells[0].text).strip() if len(row.cells) > 1 else ""
            if sign in _signs():
                yield sign, plain(row.cells[1].text)


def _meant(words: str) -> str | None:
    """The status that the words of a legend are for; None where they do not tell."""
    return next((status for status, pattern in _MEANINGS if pattern.search(words.lower())), None)


def tracked(cell: TableCell) -> str:
    """The address of the issue that a status links to, "" for none."""
    return next((link for link in cell.links if link.startswith("https://")), "")


def explanations(pages: Sequence[Page], marks: Mapping[str, str]) -> dict[str, str]:
    """What the pages say of the footnote signs of cells: the same keys, with words for the signs."""
    signs = set(marks.values())
    if len(signs) > _LIMIT_SIGNS:
        raise InputError(pages[0].file, 0, f"more than {_LIMIT_SIGNS} different footnotes")
    words = {mark: _explained(pages, mark) for mark in signs}
    return {key: words[mark] for key, mark in marks.items()}


def _explained(pages: Sequence[Page], mark: str) -> str:
    return next((text for page in pages if (text := page.footnote(mark))), f"footnote {mark} of the page")
