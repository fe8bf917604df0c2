"""Other versions and layouts of the pages, and pages that are like them: read for what they say, or refused for it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portability.engine.matrices.importers import IMPORTED
from portability.engine.matrices.keys import OPERATOR, ROCM, VLLM_FEATURES, VLLM_QUANTIZATION
from tests.engine.matrices.importers.reading import facts, refused
from tests.engine.matrices.importers.samples import (
    FACTS,
    FEATURES,
    FEATURES_FACTS,
    OPERATOR_FACTS,
    QUANTIZATION,
    QUANTIZATION_FACTS,
    SYSTEMS_FACTS,
    C,
    as_html,
    as_rst,
    frameworks,
    systems,
)
from tests.engine.matrices.importers.samples import OPERATOR as OPERATOR_PAGE
from tests.engine.matrices.importers.test_operator import HTML as OPERATOR_HTML
from tests.engine.matrices.importers.test_vllm import as_page

PAGE = as_html(systems(), frameworks())
UNSEEN = ["\u00ad", "\u200b", "\u2060"]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(UNSEEN), st.data())
def test_where_a_word_may_be_broken_says_nothing(unseen: str, data: st.DataObject) -> None:
    """Soft hyphens and the like, in names and values."""
    for text, source, said in (
        (QUANTIZATION, VLLM_QUANTIZATION, QUANTIZATION_FACTS),
        (as_page(QUANTIZATION), VLLM_QUANTIZATION, QUANTIZATION_FACTS),
        (PAGE, ROCM, FACTS),
        (as_rst(systems(), frameworks()), ROCM, FACTS),
    ):
        words = list(re.finditer(r"Implementation|Hopper|Architecture|Ubuntu|Framework|PyTorch|24\.04|2\.0", text))
        word = data.draw(st.sampled_from(words))
        at = data.draw(st.integers(word.start() + 1, word.end() - 1))
        assert facts(text[:at] + unseen + text[at:], source, "9.9.0" if source == ROCM else None) == said


@pytest.mark.parametrize("entity", ["&shy;", "&#8203;", "&NoBreak;"])
def test_where_a_word_may_be_broken_as_an_entity(entity: str) -> None:
    assert facts(as_page(QUANTIZATION).replace("Hopper", f"Hop{entity}per"), VLLM_QUANTIZATION) == QUANTIZATION_FACTS


def test_methods_that_were_renamed() -> None:
    page = QUANTIZATION.replace("| AWQ                   ", "| llm-compressor FP8 (W8A8) ").replace(
        "| BitBLAS (GPTQ)        ", "| llm-compressor INT8 (W8A8) "
    )
    assert list(facts(page, VLLM_QUANTIZATION)["methods"]) == ["fp8", "marlin", "int8", "new_w2a2"]


def test_an_older_page_leaves_out_a_feature_with_itself() -> None:
    lines = FEATURES.split("\n")
    at = next(n for n, line in enumerate(lines) if line.startswith("| Feature |")) + 2
    for n in range(4):
        cells = lines[at + n].split("|")
        cells[n + 2] = " "
        lines[at + n] = "|".join(cells)
    read = facts("\n".join(lines).replace("❌", "✗").replace("❔", "?"), VLLM_FEATURES)
    said = [pair for pair in FEATURES_FACTS["pairs"] if pair[0] != pair[1]]
    assert read["pairs"] == said
    assert read["features"] == FEATURES_FACTS["features"]


LIST_TABLE = """\
Supported Hardware
==================

.. list-table::
   :header-rows: 1

   * - Implementation
     - Hopper
     - AMD GPU
   * - AWQ
     - ✅︎
     - ✗
   * - `FP8 (W8A8) <fp8.html>`__
     - ✅︎ [1]_
     - ✅ :sup:`1`

"""
CSV_TABLE = """\
Supported Hardware
==================

.. csv-table::
   :header: "Implementation", "Hopper", "AMD GPU"

   "AWQ", "✅", "✗"
   "FP8 (W8A8)", "✅ [1]_", "✅ [1]_"

"""
GRID_TABLE = """\
Supported Hardware
==================

================  =======  =======
Implementation    Hopper   AMD GPU
================  =======  =======
AWQ               ✅       ✗
FP8 (W8A8)        ✅ [1]_  ✅ [1]_
================  =======  =======

"""


@pytest.mark.parametrize("page", [LIST_TABLE, CSV_TABLE, GRID_TABLE])
def test_a_table_of_an_older_source(page: str) -> None:
    directive = "" if ".. " in page else ".. role:: x\n\n"
    read = facts(f"{directive}{page}.. [1] Not on the oldest part.\n\nNotes.\n", VLLM_QUANTIZATION)["methods"]
    assert read == {
        "awq": {"Hopper": "supported", "AMD GPU": "unsupported"},
        "fp8": {"Hopper": "partial", "AMD GPU": "partial"},
    }
    bare = page.replace("[1]_", "    ").rstrip()
    refused(f"{directive}{bare}\n", "ends inside a table", VLLM_QUANTIZATION)


def test_a_legend_of_an_older_source() -> None:
    refused(f'{LIST_TABLE}- "✅" indicates partial support.\n\nNotes.\n', "another meaning", VLLM_QUANTIZATION)


def test_no_file_is_opened_for_a_table() -> None:
    refused(CSV_TABLE.replace("   :header:", "   :file: /etc/passwd\n   :header:"), "no table", VLLM_QUANTIZATION)


def _transposed(page: str) -> str:
    """Each pipe table of a page with its rows and columns exchanged."""

    def exchanged(match: re.Match[str]) -> str:
        rows = [line.strip().strip("|").split("|") for line in match[0].strip().split("\n")]
        columns = list(zip(*(rows[:1] + rows[2:]), strict=True))
        lines = ["|" + "|".join(column) + "|" for column in columns]
        return "\n".join([lines[0], "|" + " - |" * (len(rows) - 1), *lines[1:]]) + "\n"

    return re.sub(r"(?:^\|.*\n)+", exchanged, page, flags=re.MULTILINE)


def test_rows_and_columns_exchanged() -> None:
    refused(_transposed(QUANTIZATION), "rows and columns are exchanged", VLLM_QUANTIZATION)
    refused(_transposed(FEATURES), "no name of hardware|not answered|answered twice", VLLM_FEATURES)


SHOWN = 'data-show-cond="{&quot;gpu&quot;: [&quot;mi455x&quot;]}"'
TURNED = [
    f"<tr><th>AMD GPU series</th><th>Architecture</th><th>LLVM target</th></tr>"
    f"<tr {SHOWN}><td>AMD Instinct MI400 Series</td><td>CDNA 5</td><td>gfx1250</td></tr>",
    "<tr><th>GPU</th><th>LLVM target</th><th>Supported Ubuntu versions</th></tr>"
    "<tr><td>MI455X</td><td>gfx1250</td><td>Ubuntu 26.04</td></tr>",
    "<tr><th>Framework</th><td>PyTorch</td></tr><tr><th>Supported versions</th><td>9.2.0</td></tr>",
]


@pytest.mark.parametrize("rows", TURNED)
def test_rows_and_columns_exchanged_in_the_matrix(rows: str) -> None:
    refused(PAGE.replace("</article>", f"<table>{rows}</table></article>"), "are exchanged")


def test_a_table_of_what_parts_are_made_of_is_passed_over() -> None:
    rows = "<tr><th>GPU</th><th>Architecture</th><th>LLVM target</th></tr><tr><td>MI455X</td><td>x</td><td>y</td></tr>"
    assert facts(PAGE.replace("</article>", f"<table>{rows}</table></article>")) == FACTS


PLAIN_RST = [
    ".. list-table::\n\n   * - LLVM target\n     - gfx1250\n   * - Supported Ubuntu versions\n     - Ubuntu 26.04\n",
    '.. csv-table::\n   :header: "Framework", "Supported versions"\n\n   "PyTorch", "9.2.0"\n',
]


@pytest.mark.parametrize("table", PLAIN_RST)
def test_a_table_without_conditions_in_a_source_is_not_overlooked(table: str) -> None:
    refused(f"{as_rst(systems())}\n\n{table}\nEnd.\n", "lost its conditions", version="9.9.0")


def test_a_condition_in_another_form() -> None:
    one = ' data-show-cond="{&quot;gpu&quot;: [&quot;mi300x&quot;]}"'
    assert one in PAGE
    for other in (' class="only mi300x"', ' data-gpu="mi300x"', ' data-for="gfx942,gfx950"'):
        refused(PAGE.replace(one, other), "may be a condition in another form")


@pytest.mark.parametrize("source", IMPORTED)
def test_a_web_archive(source: str) -> None:
    for head in (
        "From: <Saved by Blink>\nMIME-Version: 1.0\n",
        "MIME-Version: 1.0\nContent-Type: multipart/related;\n",
    ):
        refused(f"{head}\n{PAGE}", "is a web archive", source)


@pytest.mark.parametrize(
    ("source", "page"), [(ROCM, PAGE), (VLLM_QUANTIZATION, as_page(QUANTIZATION)), (OPERATOR, OPERATOR_HTML)]
)
def test_a_page_that_sends_its_readers_on(source: str, page: str) -> None:
    forward = '<meta http-equiv="Refresh" content="0; URL=https://example.org/new.html">'
    forwarding = page.replace("<html", f"{forward}<html", 1)
    refused(
        forwarding if "<head>" not in page else page.replace("<head>", f"<head>{forward}"),
        "sends its readers on|broken",
        source,
    )
    stays = page.replace("<head>", '<head><meta http-equiv="refresh" content="300">')
    assert facts(stays, source) == facts(page, source)


ROCM_AT = "https://rocm.docs.amd.com/en/{}/compatibility/compatibility-matrix.html"
OPERATOR_AT = "https://instinct.docs.amd.com/projects/gpu-operator/en/{}/index.html"
SAYING = {
    "its own address": ("<head>", '<head><link rel="canonical" href="{}">'),
    "how others show it": ("<head>", '<head><meta property="og:url" content="{}">'),
    "the browser that saved it": ("<html", "<!-- saved from url=(0080){} -->\n<html"),
}


@pytest.mark.parametrize("way", SAYING)
def test_the_version_in_an_address(way: str) -> None:
    before, after = SAYING[way]
    page = PAGE.replace("ROCm 9.9.0 compatibility matrix", "Compatibility matrix")
    for address, version in (("docs-9.8.0", "9.8.0"), ("9.8.0-preview", "9.8.0")):
        at = page.replace(before, after.format(ROCM_AT.format(address)), 1)
        assert facts(at)["rocm"] == version
        refused(at, "describes ROCm 9.8.0, not 9.9.0", version="9.9.0")
    for other in (ROCM_AT.format("latest"), "https://rocm.docs.amd.com/projects/ai-ecosystem/en/docs-26.03/x.html"):
        assert facts(page.replace(before, after.format(other), 1), version="9.9.0") == FACTS
    operator = OPERATOR_HTML.replace("<body>", "<head></head><body>").replace(
        before, after.format(OPERATOR_AT.format("release-v1.3.0")), 1
    )
    refused(operator, "describes operator 1.3.0, not 1.9.0", OPERATOR, "1.9.0")


def test_a_title_of_two_versions() -> None:
    refused(PAGE.replace("9.9.0 compatibility matrix — ", "9.9.0 compatibility matrix — ROCm 9.8.0 "), "but page says")


@pytest.mark.parametrize("remark", ["deprecated", "preview", "beta", "unsupported", "HWE", "EOL", "Debian"])
def test_a_remark_behind_a_system_of_the_operator(remark: str) -> None:
    refused(OPERATOR_PAGE.replace("Ubuntu 24.04 LTS", f"Ubuntu 24.04 LTS ({remark})"), "names two|says more", OPERATOR)
    refused(OPERATOR_PAGE.replace("Ubuntu 24.04 LTS", f"Talos Linux 1.9 ({remark})"), "names two|says more", OPERATOR)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("AMD Instinct™ MI300X", "NVIDIA H200", "is a part of nvidia, not of AMD"),
        ("AMD Instinct™ MI300X", "AMD Instinct™ MI300 Series", "names several parts"),
        ("# AMD GPU Operator", "# NVIDIA GPU Operator", "is a page of nvidia"),
    ],
)
def test_pages_of_other_makers_and_names_of_several_parts(before: str, after: str, words: str) -> None:
    assert before in OPERATOR_PAGE
    refused(OPERATOR_PAGE.replace(before, after), words, OPERATOR)


@pytest.mark.parametrize("title", ["Quantization — SGLang", "Quantization - vLLM Ascend", "TPU | vLLM"])
def test_pages_of_other_engines(title: str) -> None:
    page = as_page(QUANTIZATION).replace("<title>x - vLLM", f"<title>{title}")
    refused(page, "is a page of", VLLM_QUANTIZATION)


@pytest.mark.parametrize("nothing", ["N/A", "—", "-", "Not supported", "❌", "none"])
def test_a_cell_that_says_that_nothing_is_offered(nothing: str) -> None:
    page = OPERATOR_PAGE.replace("<td></td>", f"<td>{nothing}</td>")
    assert page != OPERATOR_PAGE
    assert facts(page, OPERATOR) == OPERATOR_FACTS


@pytest.mark.parametrize("between", [" to ", " through ", " – v", "-v"])
def test_ranges_in_words(between: str) -> None:
    page = OPERATOR_PAGE.replace("<td>1.30-1.40</td>", f"<td>v1.30{between}1.40</td>")
    assert facts(page, OPERATOR) == OPERATOR_FACTS


LIMITS = [
    "Beta",
    "Tech preview",
    "Experimental",
    "Limited",
    "Partial",
    "Planned",
    "No",
    "x86 only",
    "🟠",
    "⚠️",
    "Requires 1.2",
]


@pytest.mark.parametrize("said", LIMITS)
def test_a_column_that_is_not_read_and_limits_its_row(said: str) -> None:
    table = frameworks()
    table.columns.append("Notes")
    for n, row in enumerate(table.rows):
        row.cells.append(C(said if n == 1 else ""))
    refused(as_html(systems(), table), "the column “Notes”, which is not read, says")


@pytest.mark.parametrize(
    ("said", "agrees"), [("GA", True), ("✅ Supported", True), ("Yes", True), ("", False), ("N/A", False)]
)
def test_a_column_that_is_headed_as_support_must_agree(said: str, agrees: bool) -> None:
    table = frameworks()
    table.columns.append("Support status")
    for row in table.rows:
        row.cells.append(C(said))
    if agrees:
        assert facts(as_html(systems(), table)) == FACTS
    else:
        refused(as_html(systems(), table), "the column “Support status”, which is not read, says")


def test_words_for_a_status() -> None:
    signs = {"✅︎ ": "Yes", "✅️ ": "supported", "❌ ": "No"}
    page = QUANTIZATION.replace(
        "| New (W2A2)            | ✅︎      | ✅️       | ❌       |", "| New (W2A2) | N/A | — | TBD |"
    )
    read = facts(page, VLLM_QUANTIZATION)["methods"]
    assert set(read.pop("new_w2a2").values()) == {"unknown"}
    assert read == {name: said for name, said in QUANTIZATION_FACTS["methods"].items() if name != "new_w2a2"}
    page = QUANTIZATION
    for sign, word in signs.items():
        page = page.replace(f"| {sign}", f"| {word} ")
    assert facts(page, VLLM_QUANTIZATION) == QUANTIZATION_FACTS


def test_a_version_that_is_called_past() -> None:
    refused(as_html(systems(), frameworks()).replace("0.98.0", "0.98.0-deprecated"), "not recognised as versions")


def test_a_family_that_older_pages_split() -> None:
    table = systems()
    table.when = {"fam": ["radeon-pro"]}
    first, second = {"gpu": ["w7900"]}, {"gpu": ["w7700"]}
    for row in table.rows:
        for cell in row.cells:
            if gpus := cell.when.get("gpu"):
                cell.when = {"gpu": [new for old, new in (("mi355x", "w7900"), ("mi300x", "w7700")) if old in gpus]}
        row.cells = [cell for cell in row.cells if cell.when.get("gpu") != []]
    table.rows[2].cells[1:] = [C("gfx1100", first), C("gfx1101", second)]
    assert set(facts(as_html(table))["parts"]) == {"w7900", "w7700"}
    table.when = {"fam": ["instinct"]}
    refused(as_html(table), "shown for no part")


def test_the_samples_are_what_is_compared() -> None:
    assert facts(PAGE)["parts"] == SYSTEMS_FACTS
