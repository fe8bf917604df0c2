"""Damaged pages: refused, or read with nothing in it that the whole page does not say; and never a hang.

A few hundred over the pages of the tests; thousands over the folder of published pages that PORTABILITY_SOURCES names.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from portability.engine.errors import InputError
from portability.engine.matrices.importers import read_document
from portability.engine.matrices.keys import OPERATOR, ROCM, VLLM_FEATURES, VLLM_QUANTIZATION
from tests.engine.matrices.importers import samples
from tests.engine.matrices.importers.claims import Claim, claims
from tests.engine.matrices.importers.damage import HTML, MARKDOWN, MARKDOWN_WITH_HTML, RST, Damage, Damaged, Effect
from tests.engine.matrices.importers.test_vllm import as_page

FOLDER = os.environ.get("PORTABILITY_SOURCES", "")
ROUNDS, SHARES = 5_000, 8
SECONDS = 10.0


class Page(NamedTuple):
    """A whole page, how it is read, and the ways to damage it."""

    name: str
    source: str
    text: str
    version: str | None
    ways: Mapping[str, Damage]


PLAIN = {  # a table without conditions: its cells are told by their columns, so that one elsewhere is another page
    name: way for name, way in HTML.items() if "condition" not in name and name != "cells swapped"
}
OWN = [
    Page("rocm.html", ROCM, samples.as_html(samples.systems(), samples.frameworks()), None, HTML),
    Page("systems.rst", ROCM, samples.as_rst(samples.systems()), "9.9.0", RST),
    Page("frameworks.rst", ROCM, samples.as_rst(samples.frameworks()), "9.9.0", RST),
    Page("features.md", VLLM_FEATURES, samples.FEATURES, None, MARKDOWN),
    Page("quantization.md", VLLM_QUANTIZATION, samples.QUANTIZATION, None, MARKDOWN),
    Page("operator.md", OPERATOR, samples.OPERATOR, None, {**MARKDOWN, **MARKDOWN_WITH_HTML}),
    Page(
        "features.html",
        VLLM_FEATURES,
        as_page(samples.FEATURES),
        None,
        PLAIN,
    ),
]


@cache
def _published() -> list[Page]:
    ways = {
        r"rocm-.*\.html": (ROCM, HTML),
        r"rocm-.*\.rst": (ROCM, RST),
        r"vllm-features\.md": (VLLM_FEATURES, MARKDOWN),
        r"vllm-quantization\.md": (VLLM_QUANTIZATION, MARKDOWN),
        r"gpu-operator.*-index\.md": (OPERATOR, {**MARKDOWN, **MARKDOWN_WITH_HTML}),
    }
    found = []
    for file in sorted(Path(FOLDER).iterdir()):
        for pattern, (source, damages) in ways.items():
            if re.fullmatch(pattern, file.name):
                version = re.search(r"[0-9]+(?:\.[0-9]+)+", file.name) if file.suffix == ".rst" else None
                text = file.read_text().replace(":show-when:", ":show-cond:")
                found.append(Page(file.name, source, text, version[0] if version else None, damages))
    return found


@cache
def _claims(source: str, text: str, version: str | None) -> set[Claim]:
    return claims(read_document(source, [("whole", text.encode())], version).facts)


def _said(page: Page) -> set[Claim]:
    return _claims(page.source, page.text, page.version)


def _hold(page: Page, damaged: Damaged) -> None:
    """One damaged page, held against what was allowed."""
    what = f"{page.name}: {damaged.how}"
    began = time.perf_counter()
    try:
        reading = read_document(page.source, [(page.name, damaged.text.encode())], page.version)
    except InputError as error:
        assert "\n" not in str(error), what
        assert damaged.effect is not Effect.SAME, f"{what}: refused, {error}"
    else:
        got = claims(reading.facts)
        assert damaged.effect is not Effect.REFUSED, f"{what}: read"
        assert got <= _said(page), f"{what}: says {list(got - _said(page))[:3]}"
        assert damaged.effect is not Effect.SAME or got == _said(page), f"{what}: lacks {list(_said(page) - got)[:3]}"
    assert time.perf_counter() - began < SECONDS, what


@pytest.mark.parametrize("page", OWN, ids=lambda page: page.name)
def test_damaged_pages_of_ours(page: Page) -> None:
    dice = random.Random(20)
    for name in sorted(page.ways):
        made = [damaged for _ in range(4) if (damaged := page.ways[name](page.text, dice)) is not None]
        for damaged in made:
            _hold(page, damaged)


def test_every_way_of_damaging_a_page_is_made() -> None:
    dice = random.Random(21)
    for ways in (HTML, RST, MARKDOWN, MARKDOWN_WITH_HTML):
        pages = [page for page in OWN if ways.items() <= page.ways.items()]
        idle = [n for n, way in ways.items() if not any(way(page.text, dice) for page in pages for _ in range(30))]
        assert idle == []


@pytest.mark.long
@pytest.mark.skipif(not FOLDER, reason="PORTABILITY_SOURCES is not set")
@pytest.mark.parametrize("share", range(SHARES))
def test_damaged_published_pages(share: int) -> None:
    dice = random.Random(1_000 + share)
    done = 0
    while done < ROUNDS // SHARES:
        page = dice.choice(_published())
        damaged = page.ways[dice.choice(sorted(page.ways))](page.text, dice)
        if damaged is not None:
            _hold(page, damaged)
            done += 1
