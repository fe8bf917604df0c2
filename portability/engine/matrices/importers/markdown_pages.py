"""Markdown to tables, through markdown-it; HTML tables written into it are read as HTML, with the tags around them.

What stands in a tab, a note or another block of the site generator is told by that block's words, which nobody reads
here: a table in one is kept with a fault, so that it is neither read nor overlooked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from markdown_it import MarkdownIt
from markdown_it.token import Token

from portability.engine.errors import InputError
from portability.engine.matrices.importers import html_pages
from portability.engine.matrices.importers.documents import without_comments
from portability.engine.matrices.importers.headings import Headings
from portability.engine.matrices.importers.names import limit_in
from portability.engine.matrices.importers.reading import Document, Kind
from portability.engine.matrices.importers.tables import LIMIT_CELLS, Page, Table, TableCell, TableRow, plain

_LIMIT_CHARACTERS = 300_000
_LIMIT_LINE = 5_000
_LIMIT_TABLES = 100
_LIMIT_LINKS = 500  # that may begin in lines without a blank one between: markdown-it looks for the end of each
_TABLE_STARTS = re.compile(r"<table\b", re.IGNORECASE)
_TABLE_ENDS = re.compile(r"</table\s*>", re.IGNORECASE)
_TAG_OF_TABLE = re.compile(r"</?(?:table|thead|tbody|tfoot|tr|td|th)\b", re.IGNORECASE)
_TAG_AROUND = re.compile(
    r"<(?P<end>/?)(?P<name>div|section|article|main|del|s|strike|details|noscript|dialog)\b[^<>]*(?<!/)>"
    r"(?:\s*<summary\b[^<>]*>[^<>]*</summary>)?",  # what opens a fold belongs to it
    re.IGNORECASE,
)
_CODE = re.compile(r"`[^`\n]*`")
_STYLE = re.compile(r"<style\b[^<>]*>[^<]*</style\s*>", re.IGNORECASE)
_TITLE = re.compile(r"(?:title|aria-label)=\"([^\"]*)\"")
_RULER = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?|\|[ \t]*:?-+:?[ \t]*\|")
_LIST_TABLE = re.compile(r"\{list-table\}|\.\. list-table::")
_FIRST_ENTRY = re.compile(r"[ \t]*(?:\*[ \t]+-|-[ \t]+\*)[ \t]+(.{1,80})$")
_IN_A_BLOCK = "the table stands in a tab, a note or another block, whose words may limit it"
_PIPE = re.compile(r"(?<!\\)\|")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()]*\)")
_REFERENCE = re.compile(r"\[([^\[\]]+)\]\[[^\[\]]*\]")  # a link that the site generator resolves


def page(document: Document) -> Page:
    """Every table of a Markdown document, in order. Raises InputError where one cannot be read safely."""
    text = _without_comments(document)
    _limit(document, text)
    parser = MarkdownIt("commonmark", {"html": True, "maxNesting": 50}).enable("table")
    tokens = parser.parse(text)
    lines = text.split("\n")
    blocks = [""] * len(lines)  # those of the site generator: fences whose first word stands in braces
    for token in tokens:
        if token.type == "fence" and token.map:
            start, end = token.map
            if token.info.lstrip().startswith("{"):
                blocks[start:end] = lines[start:end]
            lines[start:end] = [""] * (end - start)
    found = [
        *_pipe_tables(document, tokens, lines),
        *_html_tables(document, tokens, lines),
        *_tables_in_blocks(document, blocks),
    ]
    found += [*_indented_tables(document, tokens, lines), *_list_tables(document, text.split("\n"))]
    around = tuple(
        line for n, token in enumerate(tokens) if token.type == "paragraph_open" for line in _lines(tokens[n + 1])
    )
    headings = [tokens[n + 1].content for n, token in enumerate(tokens) if token.type == "heading_open"]
    return Page(document.name, tuple(headings[:1]), tuple(sorted(found, key=lambda table: table.line)), lines=around)


def _lines(inline: Token) -> list[str]:
    """The text of a paragraph, by its line breaks."""
    pieces = [
        "\n" if token.type in ("hardbreak", "softbreak") else token.content
        for token in inline.children or []
        if token.type in ("text", "code_inline", "hardbreak", "softbreak")
    ]
    return [" ".join(line.split()) for line in "".join(pieces).split("\n") if line.strip()]


def _without_comments(document: Document) -> str:
    text = without_comments(document.text)
    if "<!--" in text:
        line = text.count("\n", 0, text.index("<!--")) + 1
        raise InputError(document.name, line, "a comment is not closed")
    return text


def _limit(document: Document, text: str) -> None:
    if len(text) > _LIMIT_CHARACTERS:
        raise InputError(document.name, 0, f"more than {_LIMIT_CHARACTERS:,} characters of Markdown")
    links = 0
    for number, line in enumerate(text.split("\n"), 1):
        links = links + line.count("[") if line.strip() else 0
        if len(line) > _LIMIT_LINE or links > _LIMIT_LINKS:
            raise InputError(
                document.name, number, f"a line of more than {_LIMIT_LINE:,} characters, or too many links"
            )


def _html_tables(document: Document, tokens: Sequence[Token], lines: Sequence[str]) -> list[Table]:
    text = "\n".join(lines)
    found: list[Table] = []
    around: list[str] = []
    at = 0
    tags: list[str] = []
    while (start := _TABLE_STARTS.search(text, at)) and (end := _TABLE_ENDS.search(text, start.end())):
        before = "\n" * text.count("\n", 0, start.start())
        _follow(tags, text[at : start.start()])
        inner = _inside(tags, text[start.start() : end.end()], _STYLE.findall(text))
        over = _headings_over(tokens, len(before)).fault()
        tables = html_pages.page(Document(document.name, Kind.HTML, before + inner)).tables
        found.extend(replace(table, fault=table.fault or over) for table in tables)
        if len(found) > _LIMIT_TABLES:
            raise InputError(document.name, 0, f"more than {_LIMIT_TABLES} tables")
        around.append(text[at : start.start()])
        at = end.end()
    if any(_TAG_OF_TABLE.search(piece) for piece in (*around, text[at:])):
        raise InputError(document.name, 0, "an HTML table is not closed, or a tag of one stands alone")
    return found


def _follow(tags: list[str], text: str) -> None:
    """Bring the tags that are open before a text to those that are open behind it."""
    for tag in _TAG_AROUND.finditer(_CODE.sub("", text)):
        name = tag["name"].lower()
        if not tag["end"]:
            tags.append(tag[0])
            continue
        same_name = [n for n, each in enumerate(tags) if re.match(rf"<{name}\b", each, re.IGNORECASE)]
        del tags[same_name[-1] if same_name else len(tags) :]


def _inside(tags: Sequence[str], table: str, styles: Sequence[str] = ()) -> str:
    """A page that has a table inside the tags that are open around it."""
    opened = "".join((*styles, *tags)).replace("\n", " ")
    closed = "".join(f"</{found['name']}>" for tag in reversed(tags) if (found := _TAG_AROUND.match(tag)))
    return f"<!DOCTYPE html><body>{opened}{table}{closed}</body>"


def _faults_around(
    document: Document, tokens: Sequence[Token], lines: Sequence[str], starts: Sequence[int]
) -> Iterator[str]:
    """For the line each table starts at, in order: why what is around it takes it back; "" where nothing does."""
    tags: list[str] = []
    at = 0
    for start in starts:
        _follow(tags, "\n".join(lines[at:start]))
        at = start
        dummy = _inside(tags, "<table><tr><td>x</td></tr></table>", _STYLE.findall("\n".join(lines)) if tags else ())
        fault = html_pages.page(Document(document.name, Kind.HTML, dummy)).tables[0].fault if tags else ""
        yield fault or _headings_over(tokens, start).fault()


def _headings_over(tokens: Sequence[Token], line: int) -> Headings:
    """The headings that a line stands under."""
    over = Headings()
    for n, token in enumerate(tokens):
        if token.type == "heading_open" and token.map and token.map[0] < line:
            over.enter(int(token.tag[1]), plain(tokens[n + 1].content))
    return over


def _tables_in_blocks(document: Document, blocks: Sequence[str]) -> list[Table]:
    """The tables in blocks of the site generator, with that as their fault."""
    if not any(blocks):
        return []
    inner = replace(document, text="\n".join(blocks) + "\n\n")
    found = [*_rulers(inner, blocks, frozenset()), *_html_tables(inner, (), blocks)]
    return [replace(table, fault=_IN_A_BLOCK) for table in found]


def _indented_tables(document: Document, tokens: Sequence[Token], lines: Sequence[str]) -> list[Table]:
    """The tables that markdown-it takes for text: the site generator indents what stands in its tabs and notes."""
    read = {n for token in tokens if token.type == "table_open" and token.map for n in range(*token.map)}
    return list(_rulers(document, lines, frozenset(read)))


def _list_tables(document: Document, lines: Sequence[str]) -> Iterator[Table]:
    """Tables that older pages write as lists, by the first name of their headings: they are not read here."""
    starts = [n for n, line in enumerate(lines) if _LIST_TABLE.search(line)]
    for n in starts[:_LIMIT_TABLES]:
        first = next((found for line in lines[n + 1 : n + 10] if (found := _FIRST_ENTRY.match(line))), None)
        if first:
            name = TableCell((plain(_LINK.sub(r"\1", first[1])),), n + 1, True)
            fault = "the table is written as a list; save the page that is built from it, and read that"
            yield Table(document.name, n + 1, (TableRow((name,), n + 1, header=True),), fault=fault)


def _rulers(document: Document, lines: Sequence[str], read: frozenset[int]) -> Iterator[Table]:
    """Tables by the line under their headings, as far as their headings go."""
    for n, line in enumerate(lines):
        if n and n not in read and "|" in lines[n - 1] and _RULER.fullmatch(line.strip()):
            names = re.sub(r"[*_`]", "", lines[n - 1].strip().strip("|")).split("|")
            cells = tuple(TableCell((plain(_LINK.sub(r"\1", name)),), n, True) for name in names)
            yield Table(document.name, n, (TableRow(cells, n, header=True),), fault=_IN_A_BLOCK)


def _pipe_tables(document: Document, tokens: Sequence[Token], lines: Sequence[str]) -> list[Table]:
    starts = [token.map[0] for token in tokens if token.type == "table_open" and token.map]
    if len(starts) > _LIMIT_TABLES:
        raise InputError(document.name, 0, f"more than {_LIMIT_TABLES} tables")
    faults = _faults_around(document, tokens, lines, starts)
    found: list[Table] = []
    rows: list[TableRow] = []
    cells: list[TableCell] = []
    start = end = 0
    for n, token in enumerate(tokens):
        if token.type == "table_open" and token.map:
            rows, (start, end) = [], token.map
        elif token.type == "tr_open":
            cells = []
        elif token.type in ("th_open", "td_open"):
            line = token.map[0] + 1 if token.map else start + 1
            cells.append(_cell(document, tokens[n + 1], line, token.type == "th_open"))
        elif token.type == "tr_close":
            line = start + len(rows) + (2 if rows else 1)
            _refuse_ragged(document, lines[line - 1], line, len(cells))
            rows.append(TableRow(tuple(cells), line, header=not rows))
        elif token.type == "table_close":
            if sum(len(row.cells) for row in rows) > LIMIT_CELLS:
                raise InputError(document.name, start + 1, f"a table of more than {LIMIT_CELLS:,} cells")
            last = max((n for n, line in enumerate(lines) if line.strip()), default=0)
            cut = last < end and not document.text.endswith("\n\n")
            found.append(Table(document.name, start + 1, tuple(rows), ends_document=cut, fault=next(faults)))
    return found


def _refuse_ragged(document: Document, line: str, number: int, cells: int) -> None:
    """A row that ends early is filled up by every Markdown parser, and the rest of a longer one is dropped."""
    inner = line.strip()
    bars = len(_PIPE.findall(inner))
    given = bars + 1 - inner.startswith("|") - (inner.endswith("|") and not inner.endswith("\\|"))
    if given != cells:
        raise InputError(document.name, number, f"a row of {given} cells in a table of {cells} columns")


def _cell(document: Document, inline: Token, line: int, header: bool) -> TableCell:
    """One cell from its inline tokens."""
    if inline.type != "inline":
        return TableCell((), line, header)
    pieces: list[str] = []
    links: list[str] = []
    marks: list[str] = []
    raised = 0
    fault = ""
    for token in inline.children or []:
        aside = (
            str(token.attrGet("title") or "")
            if token.type != "html_inline"
            else " ".join(_TITLE.findall(token.content))
        )
        if limit := limit_in(aside):
            fault = f"a tooltip of the cell says “{limit}”"
        if token.type == "link_open":
            links.append(str(token.attrGet("href") or ""))
        elif token.type in ("text", "code_inline"):
            (marks if raised else pieces).append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            pieces.append(" ")
        elif token.type == "image":
            pieces.append(token.content)
        elif token.type == "html_inline":
            tag = token.content.strip("<>/ ").split()[0].lower() if token.content.strip("<>/ ") else ""
            if tag in ("sup", "sub"):
                raised += -1 if token.content.startswith("</") else 1
            elif tag == "br":
                pieces.append("\n")
            elif tag not in ("abbr", "span", "b", "i", "em", "strong", "code", "a", "small", "u", "p", "center"):
                raise InputError(document.name, line, f"{token.content[:40]} stands inside a cell")
    texts = map(plain, _REFERENCE.sub(r"\1", "".join(pieces)).split("\n"))
    shown = tuple(text for text in texts if text)
    return TableCell(shown, line, header, None, 1, 1, tuple(links), tuple(marks), fault=fault)
