"""HTML to tables, with the conditions on them and around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn
from xml.etree.ElementTree import Element

from portability.engine.errors import InputError
from portability.engine.matrices.importers.conditions import ConditionError, Conditions, of_attributes, together
from portability.engine.matrices.importers.headings import Headings, fault_under
from portability.engine.matrices.importers.html_labels import Labels
from portability.engine.matrices.importers.html_sight import Sight
from portability.engine.matrices.importers.names import limit_in, not_current
from portability.engine.matrices.importers.parts import names_hardware
from portability.engine.matrices.importers.reading import Document
from portability.engine.matrices.importers.strict_html import GROUPS, OF_TABLES, parse
from portability.engine.matrices.importers.tables import (
    LIMIT_CELLS,
    LIMIT_SPAN,
    Page,
    Table,
    TableCell,
    TableRow,
    plain,
)

_BLOCKS = frozenset({"p", "div", "ul", "ol", "li", "br", "dl", "dt", "dd"})
_INLINE = frozenset(
    {"a", "abbr", "b", "code", "em", "i", "img", "kbd", "samp", "small", "span", "strong", "tt", "u", "wbr"}
)
_RAISED = frozenset({"sup", "sub"})
_KNOWN = frozenset(
    {"id", "class", "style", "title", "lang", "dir", "role", "tabindex", "hidden", "translate", "data-label"}
    | {"rowspan", "colspan", "scope", "headers", "abbr", "align", "valign", "width", "height", "nowrap"}
    | {"border", "bgcolor", "cellpadding", "cellspacing", "summary", "data-sort", "data-title"}
)
_OF_COLUMNS = frozenset({"class", "style", "span", "width", "align", "id"})
_SHOWN = "data-show-"
_SELECTED = "rocm-docs-selected-content"
_NUMBER = re.compile(r"[0-9]{1,4}")
_SAVED_FROM = re.compile(r"<!--\s*saved from url=(?:\([0-9]+\))?(\S{1,300})", re.IGNORECASE)
_APART = re.compile(r"badge|label|pill|chip|\btag\b")  # in the class of words that stand apart from those before
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_WITH_TEXT = ("p", "li", "dd", "caption", "figcaption", "blockquote")
_ASIDE = ("title", "aria-label", "data-tooltip", "data-original-title")  # words that are shown beside an element


def page(document: Document) -> Page:
    """Every table of a page, in order, with its title and first heading. Raises InputError where it is not safe."""
    root, lines = parse(document.name, document.text)
    reader = _Reader(document.name, lines, Sight(root))
    _refuse_forwarding(document.name, root)
    found = (next(root.iter(tag), None) for tag in ("title", "h1"))
    titles = tuple(" ".join("".join(element.itertext()).split()) for element in found if element is not None)
    tables = tuple(reader.table(*found) for found in reader.found(root))
    around = tuple(line for tag in _WITH_TEXT for paragraph in root.iter(tag) for line in _lines(paragraph))
    return Page(document.name, titles, tables, lines=around, addresses=tuple(_addresses(document, root)))


def _refuse_forwarding(name: str, root: Element) -> None:
    """Refuse a page that sends its readers on to another at once: what it holds was left behind."""
    for element in root.iter("meta"):
        content = element.get("content", "").partition("=")
        if element.get("http-equiv", "").lower() == "refresh" and content[0].lower().rstrip().endswith("url"):
            raise InputError(name, 0, f"sends its readers on: read {content[2].strip()[:200]} instead")


def _addresses(document: Document, root: Element) -> Iterator[str]:
    """Where the page says that it stands: told by itself, or by the browser that saved it."""
    yield from _SAVED_FROM.findall(document.text[:2_000])
    yield from (e.get("href", "") for e in root.iter("link") if "canonical" in e.get("rel", "").lower().split())
    yield from (e.get("content", "") for e in root.iter("meta") if e.get("property", "").lower() == "og:url")


def _lines(paragraph: Element) -> Iterator[str]:
    """The text of a paragraph, by its line breaks."""
    pieces = [paragraph.text or ""]
    for child in paragraph:
        text = "\n" if child.tag == "br" else "".join(child.itertext()) if isinstance(child.tag, str) else ""
        pieces.append(text + (child.tail or "").replace("\n", " "))
    yield from (" ".join(line.split()) for line in "".join(pieces).split("\n") if line.strip())


def _footnote_reference(element: Element) -> bool:
    """Whether it points to a footnote, by a number that belongs to no text."""
    return "footnote-reference" in element.get("class", "").split() or element.get("role") == "doc-noteref"


class _Reader:
    def __init__(self, name: str, lines: Mapping[Element, int], sight: Sight) -> None:
        self.name = name
        self.lines = lines
        self.sight = sight

    def found(self, root: Element) -> Iterator[tuple[Element, tuple[Element, ...], str, tuple[str, ...]]]:
        """Tables, the elements around them that have conditions, a fault of what is around, and the words they stand
        under; without recursion.
        """
        labels = Labels(root)
        waiting: list[tuple[Element, tuple[Element, ...], str, tuple[str, ...]]] = [(root, (), "", ())]
        headings = Headings()
        while waiting:
            element, around, fault, under = waiting.pop()
            if not isinstance(element.tag, str) or element.tag in ("head", "script", "style", "template"):
                continue
            if element.tag == "table":
                if inner := next((each for each in element.iter("table") if each is not element), None):
                    self.refuse(inner, "a table stands inside a table")
                yield element, around, fault or headings.fault(), (*headings.words(), *under)
                continue
            if element.tag in _HEADINGS:
                headings.enter(int(element.tag[1]), plain("".join(element.itertext())))
            if _SELECTED in element.get("class", "").split() or any(n.startswith(_SHOWN) for n in element.attrib):
                around = (*around, element)
            else:
                fault = fault or self.fault_of_all_in(element)
            under = (*under, *labels.of(element))
            waiting.extend((child, around, fault, under) for child in reversed(element))

    def fault_of_all_in(self, element: Element) -> str:
        """Why no table in an element can be read, "" where none stands against it."""
        if self.sight.hides_a_part(element):
            return "the table is hidden or struck through"
        if "admonition" in element.get("class", "").split():
            return "the table stands in a note, whose words may limit it"
        summary = element.find("summary") if element.tag == "details" else None
        return fault_under(plain("".join(summary.itertext()))) if summary is not None else ""

    def table(self, element: Element, around: Sequence[Element], fault: str, over: tuple[str, ...]) -> Table:
        """One table; its conditions are its own and those around it. `fault`: of what is around."""
        conditions = None
        try:
            conditions = self.together(element, *(self.conditions(each) for each in (*around, element)))
        except InputError as error:
            fault = error.message
        fault = fault or self.fault_of(element)
        rows = list(self.rows(element))
        if sum(len(row.cells) for row in rows) > LIMIT_CELLS:
            self.refuse(element, f"a table of more than {LIMIT_CELLS:,} cells")
        kept = tuple(row for row in rows if row.cells or row.fault)
        return Table(self.name, self.lines.get(element, 0), kept, conditions, fault=fault, over=over)

    def fault_of(self, table: Element) -> str:
        """Why no cell of a table can be read, by its caption and columns; "" where nothing stands against it."""
        for child in table:
            caption = "".join(child.itertext()) if child.tag == "caption" else ""
            if limit := limit_in(caption) or not_current(caption):
                return f"the table's caption says “{limit}”"
            columns = child.iter() if child.tag == "colgroup" else ()
            if any(each.attrib.keys() - _OF_COLUMNS or self.sight.unseen(each) for each in columns):
                return "a column has a condition of its own, or is hidden"
        return ""

    def rows(self, table: Element) -> Iterator[TableRow]:
        for child in table:
            if not isinstance(child.tag, str) or child.tag in ("caption", "colgroup"):
                continue
            if child.tag in GROUPS:
                yield from (self.row(row, child) for row in child if isinstance(row.tag, str))
            else:
                yield self.row(child, None)

    def row(self, element: Element, group: Element | None) -> TableRow:
        line = self.lines.get(element, 0)
        if element.tag != "tr":
            return TableRow((), line, fault=f"<{element.tag}> stands where a row belongs")
        children = [child for child in element if isinstance(child.tag, str)]
        cells = tuple(self.cell(child) for child in children if child.tag in ("td", "th"))
        try:
            if len(cells) < len(children):
                self.refuse(element, "something else than cells stands in a row")
            around = None if group is None else self.conditions(group)
            own = self.together(element, around, self.conditions(element))
            if own and not cells:
                self.refuse(element, "a row has no cells")
        except InputError as error:
            return TableRow(cells, line, fault=error.message)
        return TableRow(cells, line, own, group is not None and group.tag == "thead")

    def cell(self, element: Element) -> TableCell:
        line, header = self.lines.get(element, 0), element.tag == "th"
        try:
            content = _Content(self, element)
            return TableCell(
                content.lines(),
                line,
                header,
                self.conditions(element),
                self.span(element, "rowspan"),
                self.span(element, "colspan"),
                tuple(content.links),
                tuple(content.marks),
            )
        except InputError as error:
            return TableCell((" ".join("".join(element.itertext()).split()),), line, header, fault=error.message)

    def span(self, element: Element, name: str) -> int:
        raw = element.get(name, "1").strip()
        if not _NUMBER.fullmatch(raw) or not 1 <= int(raw) <= LIMIT_SPAN:
            self.refuse(element, f"{name} is no number of cells")
        return int(raw)

    def conditions(self, element: Element) -> Conditions | None:
        known = _KNOWN if element.tag in OF_TABLES else frozenset(element.attrib)
        try:
            found = of_attributes(dict(element.attrib), known=known, prefix="data-")
        except ConditionError as error:
            self.refuse(element, str(error))
        # a page hides what its conditions do not select
        if self.sight.struck(element) or (found is None and self.sight.hidden(element)):
            self.refuse(element, "something is hidden or struck through")
        if element.tag in OF_TABLES and any(map(not_current, element.get("class", "").split())):
            self.refuse(element, f"something is marked as “{element.get('class', '')[:40]}”")
        told = (value for name, value in element.attrib.items() if name not in _KNOWN or name == "class")
        if found is None and element.tag in OF_TABLES and any(map(names_hardware, told)):
            self.refuse(element, "an attribute names a part or LLVM target: it may be a condition in another form")
        if found is None and element.tag not in OF_TABLES:
            self.refuse(element, "a part of the page that is shown for some only does not say for which")
        return found

    def together(self, element: Element, *given: Conditions | None) -> Conditions | None:
        try:
            return together(*given)
        except ConditionError as error:
            self.refuse(element, str(error))

    def refuse(self, element: Element, message: str) -> NoReturn:
        raise InputError(self.name, self.lines.get(element, 0), message)


class _Content:
    """The text of a cell, a line for each block in it."""

    def __init__(self, page: _Reader, cell: Element) -> None:
        self.page = page
        self.cell = cell
        self.links: list[str] = []
        self.marks: list[str] = []
        self._pieces: list[str] = []
        self._refuse_aside(cell)
        self._walk(cell)

    def lines(self) -> tuple[str, ...]:
        joined = map(plain, "".join(self._pieces).split("\n"))
        return tuple(line for line in joined if line)

    def _refuse_aside(self, element: Element) -> None:
        """Refuse where a tooltip takes back what the cell says."""
        if limit := next((limit for name in _ASIDE if (limit := limit_in(element.get(name, "")))), ""):
            self.page.refuse(self.cell, f"a tooltip of the cell says “{limit}”")

    def _walk(self, element: Element) -> None:
        self._text(element.text)
        for child in element:
            if not isinstance(child.tag, str):  # a comment
                self._text(child.tail)
                continue
            if any(word in name for name in child.attrib for word in ("cond", "show", "when")):
                self.page.refuse(self.cell, "a part of a cell has a condition of its own")
            if self.page.sight.unseen(child):
                self.page.refuse(self.cell, "a part of a cell is hidden or struck through")
            self._refuse_aside(child)
            if child.tag in _RAISED or _footnote_reference(child):
                self.marks.append("".join(child.itertext()).strip())
            elif child.tag in _BLOCKS:
                self._pieces.append("\n")
                self._walk(child)
                self._pieces.append("\n")
            elif child.tag in _INLINE:
                apart = " " if child.tag in ("small", "img") or _APART.search(child.get("class", "")) else ""
                self._pieces.append(apart)
                if child.tag == "a" and child.get("href"):
                    self.links.append(child.get("href", ""))
                if child.tag == "img":
                    self._pieces.append(child.get("alt", ""))
                self._walk(child)
                self._pieces.append(apart)
            else:
                self.page.refuse(self.cell, f"<{child.tag}> stands inside a cell")
            self._text(child.tail)

    def _text(self, text: str | None) -> None:
        if text:
            self._pieces.append(" ".join(text.split("\n")))
