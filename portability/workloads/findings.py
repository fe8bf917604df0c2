"""Findings as a page shows them: grouped by effect, with the lines they stand on and the pages they rest on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import groupby
from typing import Any
from urllib.parse import quote, urlencode

from django.urls import reverse

from portability.engine.custom_rules.evaluation import told_to_all
from portability.engine.custom_rules.rule import CLASS as CUSTOM
from portability.engine.custom_rules.rule import SOURCE as CUSTOM_RULE
from portability.engine.matrices.knowledge import Knowledge
from portability.engine.model import Effect
from portability.engine.rules.catalogue import listed
from portability.engine.rules.image.img003_build_unknown import RULE as BUILD_UNKNOWN
from portability.engine.rules.image.references import repository
from portability.engine.vendor_rows.rows import OWN_SOURCE, ROW_SOURCES
from portability.engine.vendor_rows.rows import SOURCE as ROWS
from portability.matrices.names import anchor
from portability.reviews.findings import mark
from portability.rules.custom.standing import names_of

LINES_BEFORE, LINES_AFTER = 2, 1
SHOWN_AT_ONCE = 200  # more of one effect are counted, not listed: a page is for reading
_LINE_LENGTH = 300
_NAME = re.compile(r"[\w.+-]+")
_OTHER_SOURCES = {
    ROWS: "Shipped row",
    OWN_SOURCE: "Organisation’s own row",
    CUSTOM_RULE: "Organisation’s own rule",
    "observed": "Observed on the target",
}
_COUNTED = {
    Effect.BLOCKS: "that block",
    Effect.CHANGE: "to change",
    Effect.CONFIRM: "to confirm",
    Effect.NOTE: "to note",
}
_HEADINGS = {
    Effect.BLOCKS: "Blocks: no way to the target",
    Effect.CHANGE: "To change",
    Effect.CONFIRM: "To confirm",
    Effect.NOTE: "Notes",
}


def counts_in_words(counted: Iterable[tuple[Effect, int]]) -> str:
    """How many findings of each effect there are: `1 that blocks, 2 to change, 1 to confirm`."""
    return ", ".join(f"{n} {_counted(effect, n)}" for effect, n in counted if n)


def _counted(effect: Effect, n: int) -> str:
    return "that blocks" if effect is Effect.BLOCKS and n == 1 else _COUNTED[effect]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a manifest."""

    number: int
    text: str
    hit: bool = False


@dataclass(frozen=True, slots=True)
class Support:
    """One thing a finding rests on, with the page it was read from."""

    title: str
    link: str
    version: str
    read: date | None
    cell: str
    value: str
    row: bool = False  # a vendor row or a custom rule: its day is the one it was entered, not read
    own: bool = False  # of the organisation, not of the product; `link` is its page, or what a rule refers to
    by: str = ""  # who entered a row of the organisation
    page: str = ""  # in the product: the reading it was read in, or the table that holds the row


@dataclass(frozen=True, slots=True)
class Shown:
    """One finding, ready to show."""

    rule: str
    title: str
    effect: str
    file: str
    line: int
    pointer: str
    value: str
    reason: str
    remedy: str
    link: str
    excerpt: tuple[Line, ...]
    evidence: tuple[Support, ...]
    mark: str = ""  # the finding with its cause, as waivers name it
    about: str = "workload"  # workload | target
    unknown_image: str = ""  # the name of an image of which no row tells whose it is, as a row would name it

    @property
    def where(self) -> str:
        """`serving.yaml:38`, or what the finding is about where it has no place."""
        return f"{self.file}:{self.line}" if self.line else ""


@dataclass(frozen=True, slots=True)
class Group:
    """The findings of one effect."""

    effect: str
    heading: str
    count: int
    findings: tuple[Shown, ...]

    @property
    def left(self) -> int:
        """How many are counted and not listed."""
        return self.count - len(self.findings)


@dataclass(frozen=True, slots=True)
class Groups:
    """A workload's own findings by effect, and those about the target apart."""

    own: tuple[Group, ...] = ()
    target: tuple[Group, ...] = ()

    @property
    def in_words(self) -> str:
        """`1 that blocks, 2 to change, 1 to confirm, 3 to note`, over the workload's own findings."""
        counted = [(Effect(group.effect), group.count) for group in self.own]
        return counts_in_words(counted) or "nothing found in its manifests"


Address = Callable[[str, int], str]  # where a line of a file can be read; "" for nowhere


Pages = Mapping[tuple[str, str, date | None], str]  # the product's page of a reading, by source, version and day


@dataclass(frozen=True, slots=True)
class Texts:
    """The manifests' texts a reader may see, by file name, and where a line of them can be read."""

    by_name: Mapping[str, str] = field(default_factory=dict)
    address: Address = lambda _file, _line: ""


@dataclass(frozen=True, slots=True)
class Sources:
    """What findings come from: the published pages, their readings in the product, and the rules' names."""

    published: Knowledge
    pages: Pages
    titles: Mapping[str, str]


def grouped(
    findings: Sequence[Mapping[str, Any]], texts: Texts, published: Knowledge, pages: Pages | None = None
) -> Groups:
    """Findings in the form of the command line's JSON, worst first, as groups."""
    sources = Sources(published, pages or {}, _titles(findings))
    lines = {name: text.split("\n") for name, text in texts.by_name.items()}

    def of(about: str) -> tuple[Group, ...]:
        mine = [f for f in findings if f["about"] == about]
        return tuple(
            _group(Effect(effect), list(some), lines, texts, sources)
            for effect, some in groupby(mine, key=lambda f: f["effect"])
        )

    return Groups(of("workload"), of("target"))


def shown(
    findings: Sequence[Mapping[str, Any]], texts: Texts, published: Knowledge, pages: Pages | None = None
) -> list[Shown]:
    """The same findings one by one, in their order."""
    sources = Sources(published, pages or {}, _titles(findings))
    lines = {name: text.split("\n") for name, text in texts.by_name.items()}
    return [_shown(f, lines, texts, sources) for f in findings]


def _group(
    effect: Effect,
    findings: Sequence[Mapping[str, Any]],
    lines: Mapping[str, Sequence[str]],
    texts: Texts,
    sources: Sources,
) -> Group:
    listed = findings[:SHOWN_AT_ONCE]
    shown = tuple(_shown(f, lines, texts, sources) for f in listed)
    return Group(effect.value, _HEADINGS[effect], len(findings), shown)


def _shown(
    f: Mapping[str, Any],
    lines: Mapping[str, Sequence[str]],
    texts: Texts,
    sources: Sources,
) -> Shown:
    known = f["file"] in lines and f["line"]
    return Shown(
        rule=f["rule"],
        title=sources.titles.get(f["rule"], f["rule"]),
        effect=f["effect"],
        file=f["file"],
        line=f["line"],
        pointer=f["pointer"],
        value=f["value"] if known or _told_to_all(f) else "",
        reason=f["reason"],
        remedy=f["remedy"],
        link=texts.address(f["file"], f["line"]) if known else "",
        excerpt=excerpt(lines[f["file"]], f["line"]) if known else (),
        evidence=tuple(_support(e, sources) for e in f["evidence"]),
        mark=mark(f),
        about=f["about"],
        unknown_image=repository(f["value"]) if f["rule"] == BUILD_UNKNOWN.id else "",
    )


def value_for_all(f: Mapping[str, Any]) -> str:
    """What was found, where those may read it who may not read the files; else ""."""
    return str(f["value"]) if _told_to_all(f) else ""


def _told_to_all(f: Mapping[str, Any]) -> bool:
    """Whether what was found is told to those who may not read the files: names are, lines of scripts and code not."""
    value: str = f["value"]
    if f["class"] == CUSTOM:
        return told_to_all(f["pointer"], value)
    return bool(_NAME.fullmatch(value)) or (f["class"] != "CODE" and len(value.split()) <= 1)


def excerpt(lines: Sequence[str], hit: int) -> tuple[Line, ...]:
    """The line and its neighbours."""
    first, last = max(1, hit - LINES_BEFORE), min(len(lines), hit + LINES_AFTER)
    return tuple(Line(n, _short(lines[n - 1]), n == hit) for n in range(first, last + 1))


def _short(text: str) -> str:
    return text if len(text) <= _LINE_LENGTH else text[: _LINE_LENGTH - 1] + "…"


def _support(e: Mapping[str, Any], sources: Sources) -> Support:
    source = sources.published.sources.get(e["source"])
    read = date.fromisoformat(e["read"]) if e["read"] else None
    title = source.title if source else _OTHER_SOURCES.get(e["source"], e["source"])
    return Support(
        title,
        e["link"] or (source.url if source else ""),
        e["version"],
        read,
        e["cell"],
        e["value"],
        e["source"] in (*ROW_SOURCES, CUSTOM_RULE),
        e["source"] in (OWN_SOURCE, CUSTOM_RULE),
        e.get("by", ""),
        _row_page(e["cell"]) if e["source"] == ROWS else _cell_page(e, sources, read),
    )


def page_of(pages: Pages, source: str, version: str, read: date | None) -> str:
    """The product's page of a reading: of that day, or else of what the version has now; "" where it was never read."""
    return pages.get((source, version, read)) or pages.get((source, version, None), "")


def _cell_page(e: Mapping[str, Any], sources: Sources, read: date | None) -> str:
    """Where the reading's page shows the cell; of all cells that begin alike, the first."""
    page = page_of(sources.pages, e["source"], e["version"], read)
    key = e["cell"]
    if key.endswith("/*"):
        release = sources.published.release(e["source"], e["version"])
        found = sources.published.under(release, key[:-1]) if release else []
        key = found[0].key if found else ""
    return f"{page}#{quote(anchor(key))}" if page and key and "*" not in key else page


def _row_page(cell: str) -> str:
    """Where a shipped row stands among those of its table: `images/vllm-openai` is a table and a pattern."""
    table, _, pattern = cell.partition("/")
    return f"{reverse('rules:rows', args=[table])}?{urlencode({'q': pattern})}"


def _titles(findings: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The rules' names in words; the organisation's own are asked for where one of them found something."""
    own = {f["rule"] for f in findings if f["class"] == CUSTOM}
    return {rule.id: rule.title for rule in listed()} | (names_of(own) if own else {})
