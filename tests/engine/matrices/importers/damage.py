"""Damage to published pages, and what may still come of them.

Each way of damaging a page says what is allowed afterwards: REFUSED; LESS: refused, or read with nothing in it that
the whole page does not say; SAME: read, and as before. A change that makes another, well-formed page (a part's name
altered inside a word, a value replaced by another valid one) is no damage that anyone could tell, and is not made.
"""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Callable
from enum import Enum
from typing import NamedTuple


class Effect(Enum):
    """What may come of a damaged page."""

    REFUSED = "refused"
    LESS = "refused, or nothing that the page did not say"
    SAME = "read as before"


class Damaged(NamedTuple):
    """A page, what was done to it, and what may come of it."""

    text: str
    how: str
    effect: Effect


Damage = Callable[[str, random.Random], Damaged | None]
_CELL = re.compile(r"<(t[dh])\b[^>]*>.*?</\1>", re.DOTALL)
_DATA = re.compile(r"<td\b[^>]*>.*?</td>", re.DOTALL)
_ROW = re.compile(r"<tr\b[^>]*>.*?</tr>", re.DOTALL)
_TABLE = re.compile(r"<table\b[^>]*>.*?</table>", re.DOTALL)
_TAG = re.compile(r"</?[a-z][^>]*>")
_TABLE_TAG = re.compile(r"</?(?:table|tbody|thead|tr|t[dh])\b[^>]*>")
_CONDITION = re.compile(r' data-show-cond="([^"]*)"')


def _pick(pattern: re.Pattern[str], text: str, dice: random.Random) -> re.Match[str] | None:
    found = list(pattern.finditer(text))
    return dice.choice(found) if found else None


def _replaced(text: str, match: re.Match[str], by: str) -> str:
    return text[: match.start()] + by + text[match.end() :]


def _rewriting(name: str, pattern: re.Pattern[str], effect: Effect, *by: Callable[[re.Match[str]], str]) -> Damage:
    def damage(text: str, dice: random.Random) -> Damaged | None:
        match = _pick(pattern, text, dice)
        if match is None:
            return None
        changed = _replaced(text, match, dice.choice(by)(match))
        return Damaged(changed, f"{name} at {match.start()}: {match[0][:60]!r}", effect) if changed != text else None

    return damage


def _conditions_as(change: Callable[[dict[str, list[str]]], object]) -> Callable[[re.Match[str]], str]:
    """The condition, changed and written as JSON again."""

    def rewritten(match: re.Match[str]) -> str:
        return f' data-show-cond="{html.escape(json.dumps(change(json.loads(html.unescape(match[1])))))}"'

    return rewritten


def _attribute(value: str) -> Callable[[re.Match[str]], str]:
    return lambda match: f' data-show-cond="{value}"'


def _cut_short(text: str, dice: random.Random) -> Damaged:
    """The end is missing, with more than what closes the body."""
    last = text.rfind("</article>") if "</article>" in text else text.rfind("</table>")
    at = dice.randrange(1, last)
    return Damaged(text[:at], f"cut short at {at}", Effect.REFUSED)


def _part_of_a_tag(text: str, dice: random.Random) -> Damaged | None:
    """Some characters of a tag are missing, markup among them."""
    match = _pick(_TABLE_TAG, text, dice)
    if match is None:
        return None
    start = dice.randrange(match.start(), match.end())
    end = min(start + dice.randint(1, 12), match.end())
    if not set(text[start:end]) & set('<>"=/{}[]:'):
        return None
    return Damaged(text[:start] + text[end:], f"characters {start} to {end}: {text[start:end]!r}", Effect.LESS)


def _swapped_cells(text: str, dice: random.Random) -> Damaged | None:
    """Two cells of one row change places: in a row of systems they say the same as before."""
    row = _pick(_ROW, text, dice)
    cells = list(_DATA.finditer(row[0])) if row else []
    if row is None or len(cells) < 2:
        return None
    a, b = sorted(dice.sample(range(len(cells)), 2))
    one, two = cells[a], cells[b]
    inner = row[0]
    inner = inner[: one.start()] + two[0] + inner[one.end() : two.start()] + one[0] + inner[two.end() :]
    return Damaged(_replaced(text, row, inner), f"cells swapped in {row[0][:50]!r}", Effect.LESS)


def _merged_rows(text: str, dice: random.Random) -> Damaged | None:
    match = _pick(re.compile(r"</tr>\s*<tr\b[^>]*>"), text, dice)
    return Damaged(_replaced(text, match, ""), "rows run together", Effect.LESS) if match else None


HTML: dict[str, Damage] = {
    "cell dropped": _rewriting("cell dropped", _CELL, Effect.LESS, lambda m: ""),
    "row dropped": _rewriting("row dropped", _ROW, Effect.LESS, lambda m: ""),
    "cell emptied": _rewriting("cell emptied", _CELL, Effect.LESS, lambda m: re.sub(r">.*<", "><", m[0], flags=re.S)),
    "cell doubled": _rewriting("cell doubled", _DATA, Effect.LESS, lambda m: m[0] * 2),
    "row doubled": _rewriting("row doubled", _ROW, Effect.LESS, lambda m: m[0] * 2),
    "table doubled": _rewriting("table doubled", _TABLE, Effect.REFUSED, lambda m: m[0] * 2),
    "value garbled": _rewriting(
        "value garbled",
        re.compile(r"(?<=<td)(\b[^>]*>)(<p>)?(?=[^<\s])"),
        Effect.LESS,
        lambda m: f"{m[0]}%$",
        lambda m: f"{m[0]}�",
        lambda m: f"{m[0]}soon: ",
    ),
    "condition removed": _rewriting("condition removed", _CONDITION, Effect.LESS, lambda m: ""),
    "condition renamed": _rewriting(
        "condition renamed",
        re.compile(r"(?<= )data-show-cond(?==)"),
        Effect.LESS,
        *(lambda m, name=name: name for name in ("data-show-con", "data-shw-cond", "show-cond", "data-cond", "data-x")),
    ),
    "condition damaged": _rewriting(
        "condition damaged",
        _CONDITION,
        Effect.REFUSED,
        *(
            _attribute(text)
            for text in ("", "{}", "[]", "null", "1", "gpu", "{&quot;gpu&quot;: []}", "{&quot;os&quot;: 1}")
        ),
        lambda m: f' data-show-cond="{m[1][1:]}"',
        lambda m: f' data-show-cond="{m[1][:-1]}"',
        lambda m: f' data-show-cond="{m[1].replace("&quot;", "", 1)}"',
        lambda m: f' data-show-cond="{m[1].replace("&quot;", "&amp;quot;")}"',
        lambda m: f' data-show-cond="{m[1]}',
        lambda m: f" data-show-cond={m[1]}",
        lambda m: m[0] * 2,
        _conditions_as(lambda data: [data]),
        _conditions_as(lambda data: next(iter(data.values()))),
        _conditions_as(lambda data: {key: values[0] for key, values in data.items()}),
        _conditions_as(lambda data: {key: {values[0]: values} for key, values in data.items()}),
        _conditions_as(lambda data: {key: [values] for key, values in data.items()}),
        _conditions_as(lambda data: {key: [*values, 7] for key, values in data.items()}),
        _conditions_as(lambda data: {f"{key}?": values for key, values in data.items()}),
        _conditions_as(lambda data: {"not": data}),
    ),
    "tag cut": _rewriting("tag cut", _TAG, Effect.LESS, lambda m: ""),
    "tag of a table cut": _rewriting("tag of a table cut", _TABLE_TAG, Effect.LESS, lambda m: ""),
    "tag doubled": _rewriting("tag doubled", _TABLE_TAG, Effect.LESS, lambda m: m[0] * 2),
    "tag changed": _rewriting(
        "tag changed",
        _TABLE_TAG,
        Effect.LESS,
        lambda m: m[0].replace("td", "th") if "td" in m[0] else m[0].replace("th", "td"),
        lambda m: re.sub(r"(?<=<)(/?)\w+", r"\1div", m[0]),
        lambda m: m[0].replace("</", "<"),
    ),
    "part of a tag cut": _part_of_a_tag,
    "table nested": _rewriting(
        "table nested",
        _DATA,
        Effect.REFUSED,
        lambda m: m[0].replace("</td>", "<table><tbody><tr><td>1</td></tr></tbody></table></td>"),
        lambda m: re.sub(r"(<td[^>]*>)(.*)(</td>)", r"\1<table><tr><td>\2</td></tr></table>\3", m[0], flags=re.S),
    ),
    "span changed": _rewriting(
        "span changed",
        re.compile(r' rowspan="2"'),
        Effect.REFUSED,
        *(
            lambda m, by=by: by
            for by in ("", ' rowspan="3"', ' rowspan="99"', ' rowspan="0"', ' rowspan="x"', ' rowspan="1"')
        ),
    ),
    "cells swapped": _swapped_cells,
    "rows run together": _merged_rows,
    "cut short": _cut_short,
    "blanks between tags": _rewriting("blanks", re.compile(r"(?<=>)(?=<)"), Effect.SAME, lambda m: "\n \t"),
    "comment between tags": _rewriting("comment", re.compile(r"(?<=>)(?=<t)"), Effect.SAME, lambda m: "<!-- x -->"),
    "optional end tag left out": _rewriting(
        "end tag", re.compile(r"</(?:td|tr|p)>(?=\s*<(?:t|/t))"), Effect.SAME, lambda m: ""
    ),
    "entities": _rewriting("entities", re.compile(r"&quot;"), Effect.SAME, lambda m: "&#34;", lambda m: "&#x22;"),
}


def _lines(text: str, dice: random.Random, wanted: str) -> tuple[list[str], int] | None:
    lines = text.split("\n")
    found = [n for n, line in enumerate(lines) if re.search(wanted, line)]
    return (lines, dice.choice(found)) if found else None


def _line(name: str, wanted: str, effect: Effect, change: Callable[[str], list[str]]) -> Damage:
    def damage(text: str, dice: random.Random) -> Damaged | None:
        picked = _lines(text, dice, wanted)
        if picked is None:
            return None
        lines, at = picked
        before = lines[at]
        lines[at : at + 1] = change(before)
        changed = "\n".join(lines)
        return Damaged(changed, f"{name}, line {at + 1}: {before!r}", effect) if changed != text else None

    return damage


def _cut_in_a_line(text: str, dice: random.Random) -> Damaged:
    at = dice.randrange(1, len(text) - 1)
    while text[at] == "\n" or not text[text.rfind("\n", 0, at) + 1 : at].strip():
        at = dice.randrange(1, len(text) - 1)
    return Damaged(text[:at], f"cut short at {at}", Effect.LESS)


RST: dict[str, Damage] = {
    "line dropped": _line("line dropped", r"^ *(?:\.\.|:)|^$", Effect.LESS, lambda line: []),
    "directive dropped": _line("directive dropped", r"\.\. matrix", Effect.LESS, lambda line: []),
    "blank line dropped": _line("blank line dropped", r"^$", Effect.LESS, lambda line: []),
    "condition removed": _line("condition removed", r":show-cond:", Effect.LESS, lambda line: []),
    "condition renamed": _line(
        "condition renamed", r":show-cond:", Effect.LESS, lambda line: [line.replace("show-cond", "show-con")]
    ),
    "condition damaged": _line(
        "condition damaged", r":show-cond: \w+=", Effect.REFUSED, lambda line: [line.replace("=", "", 1)]
    ),
    "condition emptied": _line(
        "condition emptied", r":show-cond:", Effect.REFUSED, lambda line: [line.split(":show-cond:")[0] + ":show-cond:"]
    ),
    "colon dropped": _line(
        "colon dropped", r"\.\. matrix[\w-]*::", Effect.LESS, lambda line: [line.replace("::", ":")]
    ),
    "indented less": _line("indented less", r"^   +\S", Effect.LESS, lambda line: [line[1:]]),
    "indented more": _line("indented more", r"^   +\S", Effect.LESS, lambda line: [f"  {line}"]),
    "line doubled": _line("line doubled", r"\.\. matrix|:show-cond:", Effect.LESS, lambda line: [line, line]),
    "span dropped": _line("span dropped", r":rowspan:", Effect.REFUSED, lambda line: []),
    "table nested": _line(
        "table nested",
        r"^      \.\. matrix-cell::",
        Effect.REFUSED,
        lambda line: ["      .. matrix-cell::", "", "         .. matrix::", "", "            .. matrix-row::", ""],
    ),
    "cut short": _cut_in_a_line,
    "trailing blanks": _line("trailing blanks", r"\S", Effect.SAME, lambda line: [f"{line}  "]),
    "comment": _line("comment", r"^   \.\. matrix-row::", Effect.SAME, lambda line: ["   .. a remark", "", line]),
}

_SIGN = r"[✅🟠❌❔]"
MARKDOWN: dict[str, Damage] = {
    "line dropped": _line("line dropped", r"^\|", Effect.LESS, lambda line: []),
    "cell dropped": _line(
        "cell dropped", rf"\| *{_SIGN}", Effect.LESS, lambda line: [re.sub(rf"\| *{_SIGN}[^|]*", "", line, count=1)]
    ),
    "bar dropped": _line("bar dropped", r"\|.*\|", Effect.LESS, lambda line: [line.replace("|", "", 1)]),
    "inner bar dropped": _line(
        "inner bar", r"\|.*\|.*\|", Effect.LESS, lambda line: [line[0] + line[1:].replace("|", "", 1)]
    ),
    "sign garbled": _line(
        "sign garbled", rf"^\|.*{_SIGN}", Effect.REFUSED, lambda line: [re.sub(_SIGN, "yes, mostly", line, count=1)]
    ),
    "sign doubled": _line("sign doubled", r"\| *✅", Effect.REFUSED, lambda line: [line.replace("✅", "✅❌", 1)]),
    "row doubled": _line("row doubled", rf"^\|.*{_SIGN}", Effect.REFUSED, lambda line: [line, line]),
    "row broken": _line(
        "row broken", r"^\|.*\|.*\|", Effect.LESS, lambda line: [line[: len(line) // 2], line[len(line) // 2 :]]
    ),
    "comment opened": _line("comment opened", r"^\|", Effect.REFUSED, lambda line: ["<!--", line]),
    "selector": _line(
        "selector", rf"^\|.*{_SIGN}", Effect.SAME, lambda line: [re.sub(f"({_SIGN})\ufe0e?", "\\1\ufe0f", line)]
    ),
    "blanks": _line("blanks", r"^\|", Effect.SAME, lambda line: [line.replace("|", " | ").strip()]),
    "bold": _line(
        "bold",
        r"^\| *[A-Za-z]+ *\| *\S",
        Effect.SAME,
        lambda line: [re.sub(r"^\| *([A-Za-z]+) *\|", r"| **\1** |", line)],
    ),
}
MARKDOWN_WITH_HTML = {
    **{
        name: HTML[name]
        for name in (
            "cell dropped",
            "row dropped",
            "tag of a table cut",
            "tag doubled",
            "tag changed",
            "rows run together",
        )
    },
    **{
        name: HTML[name]
        for name in ("part of a tag cut", "table nested", "cell doubled", "value garbled", "comment between tags")
    },
}
