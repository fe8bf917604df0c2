"""vLLM's two pages: as Markdown and as the page built from it; signs, footnotes and links; what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from markdown_it import MarkdownIt

from portability.engine.matrices.importers import cells_of, read_document
from portability.engine.matrices.keys import VLLM_FEATURES, VLLM_QUANTIZATION
from tests.engine.matrices.importers.reading import facts, refused
from tests.engine.matrices.importers.samples import FEATURES, FEATURES_FACTS, QUANTIZATION, QUANTIZATION_FACTS

PAGES = {VLLM_FEATURES: (FEATURES, FEATURES_FACTS), VLLM_QUANTIZATION: (QUANTIZATION, QUANTIZATION_FACTS)}


def as_page(markdown: str) -> str:
    """The page that a site generator makes of it."""
    body = MarkdownIt("commonmark", {"html": True}).enable("table").render(markdown)
    body = body.replace("<table>", '<div class="md-typeset__scrollwrap"><div class="md-typeset__table"><table>')
    body = body.replace("</table>", "</table></div></div>")
    return f"<!doctype html><html><head><title>x - vLLM</title></head><body><main>{body}</main></body></html>"


@pytest.mark.parametrize("source", PAGES)
def test_as_markdown_and_as_html(source: str) -> None:
    markdown, said = PAGES[source]
    assert facts(markdown, source) == said
    assert facts(as_page(markdown), source) == said


@pytest.mark.parametrize("source", PAGES)
def test_signs_as_pictures(source: str) -> None:
    markdown, said = PAGES[source]
    page = re.sub("([✅🟠❌❔])\ufe0e?", r'<img class="twemoji" alt="\1" src="x.svg">', as_page(markdown))
    assert facts(page, source) == said


@pytest.mark.parametrize("selector", ["", "\ufe0e", "\ufe0f"])
@pytest.mark.parametrize("source", PAGES)
def test_signs_with_and_without_variation_selector(source: str, selector: str) -> None:
    markdown, said = PAGES[source]
    assert facts(re.sub("([✅🟠❌❔])[\ufe0e\ufe0f]?", rf"\1{selector}", markdown), source) == said


def test_a_new_feature_and_a_new_column_keep_their_names() -> None:
    text = FEATURES.replace("| Hopper | AMD |", "| Hopper | Blackwell | AMD |").replace(
        "| ------ | --- |", "| --- | --- | --- |"
    )
    hardware = text.index("### Feature x Hardware")
    text = text[:hardware] + re.sub(
        r"^(\| (?:\[|<abbr|tree).*?\| ✅ \|)", r"\1 ✔ |", text[hardware:], flags=re.MULTILINE
    )
    read = facts(text, VLLM_FEATURES)["features"]
    assert {name: columns.pop("Blackwell") for name, columns in read.items()} == dict.fromkeys(read, "supported")
    assert read == FEATURES_FACTS["features"]


def test_links_that_the_site_generator_resolves() -> None:
    assert facts(FEATURES.replace("[CP](a.md#b)", "[CP][chunked-prefill]"), VLLM_FEATURES) == FEATURES_FACTS


def test_tables_are_told_apart_by_their_columns_not_by_their_order() -> None:
    pairs, hardware = FEATURES.index("### Feature x Feature"), FEATURES.index("### Feature x Hardware")
    swapped = f"{FEATURES[:pairs]}{FEATURES[hardware:]}\n{FEATURES[pairs:hardware]}\n"
    assert facts(swapped, VLLM_FEATURES) == FEATURES_FACTS


def test_cells_with_link_and_footnote() -> None:
    cells = cells_of(read_document(VLLM_FEATURES, [("x", FEATURES.encode())]))
    cell = cells["pair/tree-search/encoder-decoder"]
    assert (cell.value, cell.note, cell.link) == ("partial", "Only the first layer.", "https://example.org/pull/2")
    assert cells["pair/encoder-decoder/lora"].note == "Only where it was asked for."
    assert cells["hardware/encoder-decoder/AMD"].value == "unsupported"
    page = cells_of(read_document(VLLM_FEATURES, [("x", as_page(FEATURES).encode())]))
    assert page == cells
    assert len(cells) == 4 * 3 + 10


def test_cells_of_quantization() -> None:
    cells = cells_of(read_document(VLLM_QUANTIZATION, [("x", QUANTIZATION.encode())]))
    assert cells["hardware/awq/AMD GPU"].value == "unsupported"
    assert cells["hardware/gptq_bitblas/Hopper"].value == "supported"
    assert len(cells) == 4 * 3


REFUSED: dict[str, tuple[str, str, str]] = {
    "an unknown sign": ("is no status", VLLM_FEATURES, FEATURES.replace("🟠", "🟣")),
    "two signs": ("is no status", VLLM_FEATURES, FEATURES.replace("| ❔ |\n", "| ❔❌ |\n")),
    "words": ("is no status", VLLM_QUANTIZATION, QUANTIZATION.replace("❌", "mostly", 1)),
    "an empty cell": ("is no status", VLLM_QUANTIZATION, QUANTIZATION.replace("❌", "", 1)),
    "a pair that is not answered": ("not answered", VLLM_FEATURES, FEATURES.replace("| 🟠\\* |", "| |")),
    "a pair answered twice": (
        "answered twice",
        VLLM_FEATURES,
        FEATURES.replace("| ✅ | ✅ | | |", "| ✅ | ✅ | ✅ | |"),
    ),
    "a cell too few": (
        "a row of 3 cells in a table of 4",
        VLLM_QUANTIZATION,
        QUANTIZATION.replace("| ❌       ", "", 1),
    ),
    "a cell too many": ("a row of 5 cells", VLLM_QUANTIZATION, QUANTIZATION.replace("| ❌       ", "| ❌ | ❌ ", 1)),
    "a row twice": ("two rows", VLLM_QUANTIZATION, QUANTIZATION.replace("| New (W2A2) ", "| AWQ ")),
    "a column twice": ("same name", VLLM_QUANTIZATION, QUANTIZATION.replace("x86 CPU", "Hopper ")),
    "cut in a row": ("a row of 2 cells", VLLM_QUANTIZATION, QUANTIZATION[: QUANTIZATION.index("❌")]),
    "cut after a row": ("ends inside a table", VLLM_QUANTIZATION, QUANTIZATION[: QUANTIZATION.index("| BitBLAS")]),
    "one table of two": (
        "0 tables of features by hardware",
        VLLM_FEATURES,
        FEATURES[: FEATURES.index("### Feature x Hardware")],
    ),
    "a table twice": ("2 tables", VLLM_QUANTIZATION, QUANTIZATION * 2),
    "the other page": ("this is not vLLM's page of features", VLLM_FEATURES, QUANTIZATION),
    "the other page too": ("this is not vLLM's page of quantization", VLLM_QUANTIZATION, FEATURES),
    "no table": ("no table", VLLM_FEATURES, "# Features\n\nNone.\n"),
    "a table in a fence": (
        "no table",
        VLLM_QUANTIZATION,
        QUANTIZATION.replace("\n| Imp", "\n```\n| Imp", 1).replace("\n\n- ✅", "\n```\n\n- ✅"),
    ),
    "a table in a comment": (
        "no table",
        VLLM_QUANTIZATION,
        QUANTIZATION.replace("\n| Imp", "\n<!--\n| Imp", 1).replace("\n\n- ✅", "\n-->\n\n- ✅"),
    ),
    "a comment that is not closed": ("not closed", VLLM_QUANTIZATION, QUANTIZATION.replace("# Q", "<!-- # Q")),
    "a page cut short": ("ends inside a table|broken", VLLM_FEATURES, as_page(FEATURES)[:-900]),
    "a page that lost a tag": ("broken markup inside a table", VLLM_FEATURES, as_page(FEATURES).replace("<tr>", "", 3)),
    "a page that lost a cell": ("fewer cells", VLLM_FEATURES, as_page(FEATURES).replace("<td>❌</td>", "", 1)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    words, source, text = REFUSED[name]
    assert text != PAGES[source][0]
    refused(text, words, source)


LEGENDS = {
    "turned round": ("✅ = Full compatibility", "❌ = Full compatibility"),
    "a sign for less": ("✅ = Full compatibility", "🟠 = Not compatible"),
    "unknown for no": ("❔ = Unknown or TBD", "❔ = Not supported"),
}


@pytest.mark.parametrize("form", [str, as_page])
@pytest.mark.parametrize("name", LEGENDS)
def test_a_legend_that_gives_a_sign_another_meaning(name: str, form: Callable[[str], str]) -> None:
    before, after = LEGENDS[name]
    refused(form(FEATURES.replace(before, after)), "another meaning", VLLM_FEATURES)


def test_a_legend_in_a_sentence() -> None:
    refused(QUANTIZATION.replace("indicates support", "indicates no support"), "another meaning", VLLM_QUANTIZATION)


def test_a_new_method_whose_name_has_a_comma() -> None:
    page = QUANTIZATION.replace("New (W2A2) ", "FP8 (W8A8, block)")
    assert "fp8_w8a8_block" in facts(page, VLLM_QUANTIZATION)["methods"]
