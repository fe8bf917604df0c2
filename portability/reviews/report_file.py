"""The report of a closed review as HTML, piece by piece: on a page, or as one file that needs no other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from portability.reviews.footer import footer
from portability.reviews.report import Evidence, Report

STYLES = ("app.css", "reviews.css", "report.css")
_LINES, _ENTRIES = 500, 50  # at once
_LONG = re.compile("<!-- (?:lines|entries|evidence) -->")  # in report_body.html; what a record says is escaped


def report_html(report: Report) -> str:
    """The whole file. For a large review take it in pieces."""
    return "".join(file_pieces(report))


def file_pieces(report: Report) -> Iterator[str]:
    """The file. Its styles are within it."""
    style = mark_safe(f"{_styles()}\n{footer(report, str(report.part or ''))}")
    return pieces(report, render_to_string("reviews/report_file.html", {"report": report, "style": style}))


def pieces(report: Report, frame: str) -> Iterator[str]:
    """What `report_body.html` left out of the frame that includes it is put in, some entries at a time."""
    before, between, after, end = _LONG.split(frame)
    yield before
    lines = iter(report.lines)
    while some := list(islice(lines, _LINES)):
        yield render_to_string("reviews/report_lines.html", {"lines": some})
    yield between
    evidence = Evidence()
    entries = report.entries()
    while some := list(islice(entries, _ENTRIES)):
        cited = [_cited(entry, evidence) for entry in some]
        yield render_to_string("reviews/report_entries.html", {"entries": cited, "zone": report.zone})
    yield after
    yield render_to_string("reviews/report_evidence.html", {"evidence": evidence.rows})
    yield end


def _cited(entry: dict[str, Any], evidence: Evidence) -> dict[str, Any]:
    """The entry with its findings, each with the numbers (`cites`) of what it rests on."""
    for finding in (entry["engine"] or {}).get("findings", ()):
        finding["cites"] = evidence.cite(finding["evidence"])
    return entry


def _styles() -> str:
    texts = []
    for name in STYLES:
        path = finders.find(name)
        if not isinstance(path, str):
            raise FileNotFoundError(f"{name} is missing from the product's static files")
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return "\n".join(texts)
