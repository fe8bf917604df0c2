"""`manage.py report`: PDF through a real Chromium, HTML without one, and a clear word where it cannot be."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from portability.audit.models import Entry as AuditEntry
from portability.organisation.actions import save_settings
from portability.organisation.queries import stored
from portability.reviews.actions import add_addendum, close
from portability.reviews.models import Addendum, Record, Review
from portability.reviews.pdf import find_chromium
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.reviews.making import TODAY, decided, entry_of, register
from tests.reviews.test_follow import chosen

pytestmark = pytest.mark.django_db
PDFTOTEXT = shutil.which("pdftotext")
NAME = """Müller & "Söhne" \\ 'AG'; } </style>"""


@pytest.fixture
def closed(cast: Cast, review: Review, chat: Workload) -> Review:
    """The review of 2026-Q4, signed off, of an organisation whose name a style sheet might stumble over."""
    save_settings(cast.administrator, stored().version, chosen(name=NAME))
    decided(cast.architect, entry_of(review, chat))
    close(cast.architect, review.pk, "All was looked at.", TODAY)
    review.refresh_from_db()
    return review


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("report", *arguments, stdout=out)
    return out.getvalue()


def taken() -> list[tuple[str, str, str]]:
    """By whom, of which review and as what the history says that something was taken away, the oldest first."""
    entries = AuditEntry.objects.filter(action="review.exported").order_by("pk")
    return [(entry.who_name, entry.subject, entry.details["format"]) for entry in entries]


def test_a_pdf_is_printed_by_a_real_chromium(tmp_path: Path, closed: Review) -> None:
    if find_chromium() is None:
        pytest.skip("no Chromium found: install one, or name it in PORTABILITY_CHROMIUM")
    pdf, html = tmp_path / "out.pdf", tmp_path / "out.html"
    said = run("2026-Q4", "--pdf", str(pdf), "--html", str(html))
    assert said == f"Written to {html}\nWritten to {pdf}\n"
    content = pdf.read_bytes()
    assert content.startswith(b"%PDF-") and content.rstrip().endswith(b"%%EOF")
    assert len(re.findall(rb"/Type /Page\b", content)) >= 5, "cover, exposure, register, decisions, evidence"
    assert Record.objects.get().digest in html.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.html", "out.pdf"]
    assert taken() == [("system", "2026-Q4", "html"), ("system", "2026-Q4", "pdf")]


@pytest.mark.skipif(not PDFTOTEXT, reason="no pdftotext found: install poppler-utils")
def test_every_page_names_review_organisation_record_and_its_number(tmp_path: Path, cast: Cast, closed: Review) -> None:
    if find_chromium() is None:
        pytest.skip("no Chromium found: install one, or name it in PORTABILITY_CHROMIUM")
    assert PDFTOTEXT
    pdf = tmp_path / "out.pdf"
    add_addendum(cast.architect, closed.pk, "The owner of chat is Lena.")
    run("2026-Q4", "--pdf", str(pdf))
    done = subprocess.run([PDFTOTEXT, "-layout", str(pdf), "-"], capture_output=True, text=True, check=True)
    pages = done.stdout.split("\f")[:-1]
    assert len(pages) >= 5
    for number, page in enumerate(pages, start=1):
        foot = " ".join(page.strip().splitlines()[-1].split())
        assert foot == (
            f"Portability review 2026-Q4 · {NAME} SHA-256 {Record.objects.get().digest[:16]}… · "
            f"page {number} of {len(pages)}"
        )
    assert "corrected once after it was signed" in pages[0], "a cover without its addenda would mislead"
    assert Addendum.objects.get().digest in pages[0]
    assert "The owner of chat is Lena." in pages[-1]


def test_a_long_report_becomes_several_files(
    tmp_path: Path, cast: Cast, review: Review, chat: Workload, monkeypatch: pytest.MonkeyPatch
) -> None:
    for workload in (chat, register(cast.member, cast.search, "other")):
        decided(cast.architect, entry_of(review, workload))
    close(cast.architect, review.pk, "All was looked at.", TODAY)
    monkeypatch.setattr("portability.reviews.report.PART", 1)
    copies = tmp_path / "chromium"
    copies.write_text(
        "#!/bin/sh\nfor a; do case $a in --print-to-pdf=*) to=${a#*=};; file://*) from=${a#file://};; esac; done\n"
        'cp "$from" "$to"\n'
    )
    copies.chmod(0o755)
    monkeypatch.setenv("PORTABILITY_CHROMIUM", str(copies))
    said = run("2026-Q4", "--pdf", str(tmp_path / "out.pdf"))
    files = [tmp_path / f"out-{n}-of-2.pdf" for n in (1, 2)]
    assert said == "".join(f"Written to {file}\n" for file in files)
    assert ["1. chat" in file.read_text() for file in files] == [True, False]
    assert ["2. other" in file.read_text() for file in files] == [False, True]


def test_without_a_chromium_the_html_report_is_written_and_named(
    tmp_path: Path, closed: Review, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("PORTABILITY_CHROMIUM", raising=False)
    with pytest.raises(CommandError, match=r"No Chromium was found.*No PDF was written.*out\.html"):
        run("2026-Q4", "--pdf", str(tmp_path / "out.pdf"))
    assert [path.name for path in tmp_path.iterdir()] == ["out.html"]
    assert taken() == [("system", "2026-Q4", "html")]
    assert "All was looked at." in (tmp_path / "out.html").read_text()


def test_a_chromium_that_is_not_there_is_named(tmp_path: Path, closed: Review, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTABILITY_CHROMIUM", "/nowhere/chromium")
    with pytest.raises(CommandError, match="PORTABILITY_CHROMIUM names /nowhere/chromium, and there is no such"):
        run("2026-Q4", "--pdf", str(tmp_path / "out.pdf"))


def test_a_chromium_that_fails_leaves_what_was_there(
    tmp_path: Path, closed: Review, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\necho out of memory >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PORTABILITY_CHROMIUM", str(broken))
    pdf = tmp_path / "out.pdf"
    pdf.write_bytes(b"the one of yesterday")
    with pytest.raises(CommandError, match=r"status 3\): out of memory.*--html"):
        run("2026-Q4", "--pdf", str(pdf))
    assert pdf.read_bytes() == b"the one of yesterday"


def test_an_open_review_and_one_that_never_was_are_told_apart(tmp_path: Path, review: Review) -> None:
    with pytest.raises(CommandError, match="is open: its report is made once it is signed off"):
        run("2026-Q4", "--html", str(tmp_path / "out.html"))
    with pytest.raises(CommandError, match=r"There is no review of 1999-Q1. Closed ones: none\."):
        run("1999-Q1")


def test_where_nothing_can_be_written(tmp_path: Path, closed: Review) -> None:
    with pytest.raises(CommandError, match="could not be written: No such file or directory"):
        run("2026-Q4", "--html", str(tmp_path / "nowhere" / "out.html"))
