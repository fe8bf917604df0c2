"""The whole of an Excel file, cell by cell, against `golden/register.xlsx.txt`.

Where the file is meant to be another, write it anew, then look at `git diff`:

    PORTABILITY_WRITE_GOLDEN=1 .venv/bin/python -m pytest -n 0 tests/exports/test_golden_sheet.py
"""

from __future__ import annotations

import io
import os
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
import xlsxwriter
from django.http import StreamingHttpResponse
from django.test import Client
from django.urls import reverse

from portability.register.models import Assessment, Row
from portability.workloads.models import Workload
from tests.exports.sheets import told
from tests.register.generate import generate

pytestmark = pytest.mark.database
GOLDEN = Path(__file__).parent / "golden" / "register.xlsx.txt"
# Names that a spreadsheet program is tempted to take for something else, each with an owner and a model of that kind.
NAMES = (
    ("00123", "007", "1e5"),
    ("12345678901234567890", "4111111111111111", "0x1F"),
    ('=HYPERLINK("https://x.example","y")', "@SUM(A1)", "-2+3"),
    ("TRUE", "yes", "2026-11-30"),
    ("_x0041_ zürich 日本 🙂", "a\nb", "1/2"),
)


def test_a_sheet_is_the_golden_one(reader: Client) -> None:
    generate(len(NAMES))
    for (name, owner, model), workload in zip(NAMES, Workload.objects.order_by("pk"), strict=True):
        workload.name, workload.owner, workload.model = name, owner, model
        workload.replicas = 3 if name == "TRUE" else None
        workload.save()
    Row.objects.update(
        reasons="IMG001 serving.yaml:7: the image is for CUDA\nRES001 serving.yaml:12: it asks for nvidia.com/gpu",
        what_to_change="=1+1 is what the file said",
        evidence="rocm-compatibility-matrix 7.14.0, read 2026-08-07: os/mi300x/ubuntu = 24.04",
        blocks=0,
        moved_at=None,
    )
    Row.objects.filter(workload__name="00123").update(moved_at=datetime(2026, 2, 28, 23, 30, tzinfo=UTC))
    Assessment.objects.filter(revision__workload__name="TRUE").update(platform_judged=False)
    answer = reader.get(reverse("exports:take", args=["xlsx"]), {"sort": "workload"})
    assert isinstance(answer, StreamingHttpResponse)
    text = re.sub(r"/workloads/\d+/", "/workloads/*/", told(answer.getvalue()))
    text = re.sub(r'"\d{4}-\d\d-\d\d \d\d:\d\d \w+"', '"then"', text)
    if os.environ.get("PORTABILITY_WRITE_GOLDEN"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8"), "how to write it anew: at the head of this file"


def test_this_telling_tells_a_formula_a_truth_and_an_error_from_text() -> None:
    """The test above would fail for a file whose cells were such."""
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"constant_memory": True})
    sheet = book.add_worksheet("Odd")
    sheet.write_formula(0, 0, "=1+1")
    sheet.write_boolean(0, 1, True)
    sheet.write_string(0, 2, "TRUE")
    sheet.write_number(0, 3, 0.5)
    book.close()
    assert told(file.getvalue()) == '# Odd\nA1 formula "1+1"\nB1 b 1\nC1 text "TRUE"\nD1 number 0.5\n'
