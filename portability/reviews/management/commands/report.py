"""`manage.py report`: the report of a closed review as PDF, through a Chromium on the machine, or as HTML."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from portability.ops.ready import must_be_ready
from portability.reviews import pdf as printing
from portability.reviews import queries
from portability.reviews.actions.taking import note_taken
from portability.reviews.models import Review
from portability.reviews.report import Report, report
from portability.reviews.report_file import file_pieces

_AS_HTML = " Write it as HTML with --html, and print that."


class Command(BaseCommand):
    """Render it from the stored record alone."""

    help = (
        "Writes the report of a closed review: as PDF through a Chromium where one is found "
        "(PORTABILITY_CHROMIUM, or on the PATH), as one HTML file that needs no other."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Which review, and where to."""
        parser.add_argument("quarter", help="of the review, such as 2026-Q4")
        parser.add_argument(
            "--pdf", type=Path, metavar="FILE", help="where to write the PDF; a long one becomes several"
        )
        parser.add_argument("--html", type=Path, metavar="FILE", help="where to write the HTML file")

    def handle(self, *args: Any, quarter: str, pdf: Path | None, html: Path | None, **options: Any) -> None:
        """Write what was asked for. Without a Chromium the HTML file is written instead of the PDF, and named."""
        must_be_ready()
        if pdf is None and html is None:
            html = Path(f"review-{quarter}.html")
        whole = self._report(quarter)
        if html is not None:
            self._write(html, whole)
        if pdf is None:
            return
        chromium = printing.find_chromium()
        if chromium is None:
            beside = html or pdf.with_suffix(".html")
            if html is None:
                self._write(beside, whole)
            raise CommandError(
                f"{_none_found()} No PDF was written. The report is in {beside}: print it from a browser."
            )
        for part in whole.parts():
            place = pdf.with_stem(f"{pdf.stem}-{part.part.number}-of-{part.part.of}") if part.part else pdf
            self._print(part, place, chromium, f" The report is in {html}." if html else _AS_HTML)

    def _print(self, whole: Report, pdf: Path, chromium: Path, instead: str) -> None:
        quarter = whole.review["quarter"]
        with tempfile.TemporaryDirectory(prefix="portability-report-") as folder:
            source = Path(folder) / f"review-{quarter}.html"
            _put(source, whole)
            try:
                printing.write_pdf(source, pdf, chromium)
            except printing.CannotPrint as error:
                raise CommandError(f"{error}{instead}") from None
        note_taken(None, quarter, "pdf")
        self.stdout.write(f"Written to {pdf}")

    def _report(self, quarter: str) -> Report:
        review = queries.review_of(quarter)
        if review is None:
            known = ", ".join(queries.reviews().filter(state=Review.State.CLOSED).values_list("quarter", flat=True))
            raise CommandError(f"There is no review of {quarter}. Closed ones: {known or 'none'}.")
        record = queries.record_of(review)
        if record is None:
            raise CommandError(f"The review of {quarter} is open: its report is made once it is signed off.")
        return report(record, queries.addenda(review))

    def _write(self, path: Path, whole: Report) -> None:
        try:
            _put(path, whole)
        except OSError as error:
            raise CommandError(f"{path} could not be written: {error.strerror or error}.") from None
        note_taken(None, whole.review["quarter"], "html")
        self.stdout.write(f"Written to {path}")


def _put(path: Path, whole: Report) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(file_pieces(whole))


def _none_found() -> str:
    named = os.environ.get("PORTABILITY_CHROMIUM", "")
    if named:
        return f"PORTABILITY_CHROMIUM names {named}, and there is no such program."
    return f"No Chromium was found: none of {', '.join(printing.NAMES)} is on the PATH."
