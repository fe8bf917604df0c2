"""AMD's matrix: names that a damaged condition may have made, and what is hidden, crossed out or taken back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from portability.engine.errors import InputError
from portability.engine.matrices.importers import cells_of, read_document
from portability.engine.matrices.keys import PARTS, ROCM
from portability.engine.matrices.knowledge import Cell, Knowledge, Release
from portability.engine.matrices.shipped import knowledge
from tests.engine.matrices.importers.reading import facts, refused
from tests.engine.matrices.importers.samples import FACTS, C, R, T, as_html, as_rst, frameworks, systems


def changed(table: T, change: Callable[[T], object]) -> T:
    """A table after a change in place."""
    change(table)
    return table


@pytest.mark.parametrize("form", [as_html, as_rst])
def test_a_part_that_the_row_of_targets_does_not_have_is_a_damaged_name(form: Callable[..., str]) -> None:
    table = changed(systems(), lambda t: t.rows[3].cells[1].when.update(gpu=["mi355x", "mi300x", "mi30a"]))
    refused(form(table, frameworks()), "mi30a has no LLVM target", version="9.9.0")


@pytest.mark.parametrize("form", [as_html, as_rst])
def test_a_known_part_has_the_target_it_is_known_to_have(form: Callable[..., str]) -> None:
    table = changed(systems(), lambda t: setattr(t.rows[2].cells[2], "lines", "gfx924"))
    refused(form(table, frameworks()), "mi300x is known to be of gfx942, not of gfx924", version="9.9.0")


def test_a_new_part_with_a_new_target_is_read() -> None:
    table = systems()
    for row, words in ((0, "AMD Instinct MI400 Series"), (1, "CDNA 5"), (2, "gfx1250")):
        table.rows[row].cells.append(C(words, {"gpu": ["mi455x"]}))
    offers = changed(frameworks(), lambda t: t.rows[-1].cells[1].when["gfx"].append("gfx1250"))
    found = facts(as_html(table, offers))
    assert found["parts"]["mi455x"]["gfx"] == "gfx1250"
    assert "gfx1250" in found["frameworks"][-1]["when"]["gfx"]


@pytest.mark.parametrize(
    ("value", "when", "words"),
    [
        ("gfx", ["gfx950", "gfx924"], "gfx gfx924 is known nowhere, and it stands in one condition alone"),
        ("gpu", ["mi355x", "mi30x"], "gpu mi30x is known nowhere"),
        ("fam", ["instinct", "radeom"], "may be a damaged “radeon”"),
    ],
)
def test_hardware_of_one_condition_alone_that_nobody_knows(value: str, when: list[str], words: str) -> None:
    offers = changed(frameworks(), lambda t: setattr(t.rows[-1].cells[1], "when", {value: when}))
    refused(as_html(systems(), offers), words)


@pytest.mark.parametrize(
    ("damaged", "known"),
    [
        ("ubunt", "ubuntu"),
        ("slse", "sles"),
        ("wls", "wsl"),
        ("orcle-linux", "oracle-linux"),
        ("rockyl-inux", "rocky-linux"),
    ],
)
def test_a_system_that_is_spelled_almost_like_a_known_one(damaged: str, known: str) -> None:
    offers = changed(frameworks(), lambda t: t.rows[-1].when.update(os=[damaged, "rhel"]))
    refused(as_html(systems(), offers), f"os {damaged} is known nowhere, and it may be a damaged “{known}”")


@pytest.mark.parametrize("new", ["fedora", "azure-linux", "alma-linux", "talos"])
def test_a_new_system_is_read(new: str) -> None:
    offers = changed(frameworks(), lambda t: t.rows[-1].when.update(os=[new, "rhel"]))
    assert facts(as_html(systems(), offers))["frameworks"][-1]["when"]["os"] == [new, "rhel"]


HIDDEN = {
    "a row": ("<tr>\n<th><p>Supported AMD GPU Driver", "<tr hidden>\n<th><p>Supported AMD GPU Driver"),
    "a cell": ("<td><p>39.20.1", '<td style="display:none"><p>39.20.1'),
    "a part of a cell": ("<p>39.20.1</p>", '<p class="d-none">39.20.1</p>'),
    "words crossed out": ("<p>39.20.1</p>", '<p><span style="text-decoration: line-through">39.20.1</span></p>'),
    "a row crossed out": (
        "<tr>\n<th><p>Supported AMD GPU Driver",
        '<tr class="strike">\n<th><p>Supported AMD GPU Driver',
    ),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_what_is_hidden_without_a_condition_or_crossed_out(name: str) -> None:
    page = as_html(systems(), frameworks())
    before, after = HIDDEN[name]
    assert before in page
    refused(page.replace(before, after), "hidden or struck through")


@pytest.mark.parametrize(
    "mark", ['<a class="footnote-reference brackets" href="#f1">1</a>', '<a href="#f1" role="doc-noteref">1</a>']
)
@pytest.mark.parametrize("at", ["39.20.1", "0.98.0", "vLLM"])
def test_the_number_of_a_footnote_is_no_part_of_a_version_or_a_name(mark: str, at: str) -> None:
    refused(as_html(systems(), frameworks()).replace(f"{at}</p>", f"{at}{mark}</p>"), "footnote")


def test_more_than_a_name_beside_versions() -> None:
    offers = changed(frameworks(), lambda t: setattr(t.rows[-1].cells[0], "lines", ["vLLM", "Preview only"]))
    refused(as_html(systems(), offers), "more than a name")


@pytest.mark.parametrize("words", ["Deprecated", "Not supported on this release", "❌"])
def test_a_column_that_is_not_read_must_not_take_back_what_its_row_says(words: str) -> None:
    table = frameworks()
    table.columns.append("Notes")
    for n, row in enumerate(table.rows):
        row.cells.append(C(words if n == 1 else ""))
    refused(as_html(systems(), table), "the column “Notes”, which is not read, says")


@pytest.mark.parametrize(
    ("column", "heading"), [(1, "Version"), (1, "Supported framework versions"), (2, "Supported Python version")]
)
def test_headings_in_other_words(column: int, heading: str) -> None:
    table = frameworks()
    table.columns[column] = heading
    assert facts(as_html(systems(), table)) == FACTS


def test_a_title_that_names_the_product_longer() -> None:
    assert facts(as_html(systems(), frameworks(), title="ROCm Core SDK 9.9.0 compatibility matrix")) == FACTS


def test_it_is_held_against_what_an_organisation_published() -> None:
    """A part that only its own releases know, and a system that stands there for all parts already."""
    page = as_html(systems(), changed(frameworks(), lambda t: t.rows[-1].cells[1].when["gfx"].append("gfx1250")))
    with pytest.raises(InputError, match="gfx1250 is known nowhere"):
        read_document(ROCM, [("page", page.encode())])
    shipped = knowledge()
    parts = shipped.release(PARTS)
    assert parts is not None
    own = {"part/mi455x/gfx": "gfx1250", "part/mi455x/family": "instinct"}
    cells = {**parts.cells, **{key: Cell(key, value) for key, value in own.items()}}
    others = [release for release in shipped.releases() if release.source != PARTS]
    published = Knowledge(shipped.sources.values(), [*others, Release(PARTS, "", date(2026, 11, 1), cells)])
    reading = read_document(ROCM, [("page", page.encode())], None, published)
    assert "framework/vLLM/gfx1250/0.99.0" in cells_of(reading, published)

    everywhere = systems()
    everywhere.rows[5] = R(
        [C("Supported Rocky Linux versions", head=True), C("Rocky Linux 9 (kernel: 5.14.0-570)")],
        {"os": ["rocky-linux"]},
    )
    page = as_html(everywhere, frameworks())
    with pytest.raises(InputError, match="for some only"):
        read_document(ROCM, [("page", page.encode())])
    rows = {f"os/{part}/rocky-linux/9": "5.14" for part in ("mi355x", "mi350p", "mi300x", "mi300a")}
    newer = Release(ROCM, "9.8.0", date(2026, 11, 1), {key: Cell(key, value) for key, value in rows.items()})
    published = Knowledge(shipped.sources.values(), [*shipped.releases(), newer])
    reading = read_document(ROCM, [("page", page.encode())], None, published)
    assert {part["os"]["rocky-linux"][0]["version"] for part in reading.facts["parts"].values()} == {"9"}
