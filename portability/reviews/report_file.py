"""The report of a closed review as one HTML file that needs no other, and no network."""

from __future__ import annotations

from django.contrib.staticfiles import finders
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from portability.reviews.report import Report

STYLES = ("app.css", "reviews.css", "report.css")


def report_html(report: Report) -> str:
    """The whole file. Its styles are within it."""
    entries, evidence = report.cited()
    style = mark_safe(_styles())
    return render_to_string(
        "reviews/report_file.html", {"report": report, "entries": entries, "evidence": evidence, "style": style}
    )


def _styles() -> str:
    texts = []
    for name in STYLES:
        path = finders.find(name)
        if not isinstance(path, str):
            raise FileNotFoundError(f"{name} is missing from the product's static files")
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return "\n".join(texts)
