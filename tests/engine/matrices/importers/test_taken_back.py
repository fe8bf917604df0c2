"""What a page takes back beside, over or around a cell: the cell is then partial, or the page refused, never a yes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portability.engine.errors import InputError
from portability.engine.matrices.importers import cells_of, read_document
from portability.engine.matrices.keys import OPERATOR, VLLM_FEATURES, VLLM_QUANTIZATION
from tests.engine.matrices.importers.claims import claims
from tests.engine.matrices.importers.reading import facts, refused
from tests.engine.matrices.importers.samples import (
    FEATURES,
    FEATURES_FACTS,
    QUANTIZATION,
    QUANTIZATION_FACTS,
    as_html,
    as_rst,
    frameworks,
    systems,
)
from tests.engine.matrices.importers.samples import OPERATOR as OPERATOR_PAGE
from tests.engine.matrices.importers.test_operator import HTML as OPERATOR_HTML
from tests.engine.matrices.importers.test_vllm import as_page

SIGNS = ["\\*", "¹", "†", "§", "\\*\\*", "<sup>1</sup>", "<sup>*</sup>", " [1]", "[^1]", " [1]_"]
HARDWARE = FEATURES.index("### Feature x Hardware")
ROWS = [
    n for n, line in enumerate(FEATURES.split("\n")) if line.startswith("|") and n > FEATURES.count("\n", 0, HARDWARE)
]


def _marked(row: int, column: int, sign: str) -> str:
    """The page of features with a footnote sign behind a cell of its table of hardware; row 0 and column 0: a name."""
    lines = FEATURES.split("\n")
    at = [ROWS[0], *ROWS[2:]][row]
    cells = lines[at].split("|")
    cells[column + 1] = f" {cells[column + 1].strip()}{sign} "
    lines[at] = "|".join(cells)
    return "\n".join(lines)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 4), st.integers(0, 3), st.sampled_from(SIGNS))
def test_no_footnoted_cell_is_a_yes(row: int, column: int, sign: str) -> None:
    """On the cell, or on the name of its row or column."""
    if (row, column) == (0, 0):
        return
    whole = FEATURES_FACTS["features"]
    assert isinstance(whole, dict)
    for text in (_marked(row, column, sign), as_page(_marked(row, column, sign))):
        read = facts(text, VLLM_FEATURES)["features"]
        assert {name: list(said) for name, said in read.items()} == {name: list(said) for name, said in whole.items()}
        for n, (name, said) in enumerate(whole.items(), 1):
            for m, (hardware, before) in enumerate(said.items(), 1):
                under = (row in (0, n)) and (column in (0, m))
                assert read[name][hardware] == ("partial" if under and before == "supported" else before)


def test_a_footnote_without_a_blank_behind_its_sign_is_found() -> None:
    page = QUANTIZATION.replace("| New (W2A2)            | ✅︎ ", "| New (W2A2) | ✅︎* ").replace(
        "indicates support.", "indicates support.\n- *Not with the oldest format."
    )
    for text in (page, as_page(page)):
        cell = cells_of(read_document(VLLM_QUANTIZATION, [("page", text.encode())]))["hardware/new_w2a2/Hopper"]
        assert (cell.value, cell.note) == ("partial", "Not with the oldest format.")


def test_a_footnote_on_a_name_says_what_it_limits() -> None:
    page = FEATURES.replace("| Hopper | AMD |", "| Hopper | AMD<sup>2</sup> |") + "\n2: On the largest part.\n"
    cell = cells_of(read_document(VLLM_FEATURES, [("page", page.encode())]))["hardware/lora/AMD"]
    assert (cell.value, cell.note) == ("partial", "On the largest part.")


def test_a_footnote_on_a_heading_of_the_operator() -> None:
    refused(OPERATOR_PAGE.replace("<th>Kubernetes</th>", "<th>Kubernetes<sup>1</sup></th>"), "a footnote", OPERATOR)
    refused(OPERATOR_PAGE.replace("<th>Kubernetes</th>", "<th>Kubernetes*</th>"), "a footnote", OPERATOR)


LEGENDS = {
    "in quotes": '- "✅" = Partial compatibility',
    "in bold": "- **✅** - Partial compatibility",
    "with others in one line": "Legend: ❌ = No; ✅ = planned, ❔ = Unknown",
    "in a table": "| Sign | Meaning |\n| - | - |\n| ✅ | Not tested |",
    "in a sentence": "A cell with ✅ indicates limited support.",
    "with restrictions": "- ✅: Works with restrictions",
}


@pytest.mark.parametrize("form", [str, as_page])
@pytest.mark.parametrize("name", LEGENDS)
def test_a_legend_that_makes_less_of_a_sign(name: str, form: Callable[[str], str]) -> None:
    page = FEATURES.replace("- ✅ = Full compatibility\n- ❔ = Unknown or TBD\n", f"{LEGENDS[name]}\n")
    refused(form(page), "another meaning", VLLM_FEATURES)


def test_a_legend_that_says_the_same_in_another_form() -> None:
    legend = '| Sign | Meaning |\n| - | - |\n| ✅ | Full compatibility |\n| ❌ | No compatibility |\n\n- "❔" - Unknown'
    page = FEATURES.replace("- ✅ = Full compatibility\n- ❔ = Unknown or TBD\n", f"{legend}\n")
    assert facts(page, VLLM_FEATURES) == facts(as_page(page), VLLM_FEATURES) == FEATURES_FACTS


PAGES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "features": (VLLM_FEATURES, as_page(FEATURES), FEATURES_FACTS),
    "quantization": (VLLM_QUANTIZATION, as_page(QUANTIZATION), QUANTIZATION_FACTS),
    "operator": (OPERATOR, OPERATOR_HTML, facts(OPERATOR_HTML, OPERATOR)),
    "rocm": ("rocm-compatibility-matrix", as_html(systems(), frameworks()), facts(as_html(systems(), frameworks()))),
}
BEHIND = [" (deprecated)", " only", " TBD", "<br>deprecated", "<p>MI300X only</p>", "<small>beta</small>", " (EOL)"]
BEHIND += [
    "<img alt='beta'>",
    "&nbsp;(not supported)",
    "<span class='badge'>preview</span>",
    "*",
    "<sup>1</sup>",
    " ❌",
]
BEHIND += ["<span title='deprecated'></span>", "<span hidden>x</span>", "<del>x</del>", " – legacy", "†", " ⚠️"]
_TEXT = re.compile(r"(?<=>)[^<>]*[^<>\s](?=\s*<)")
_CELL = re.compile(r"<(t[dh])\b[^>]*>.*?</\1>", re.DOTALL)
_LESS = re.compile(r"[❌🟠❔^*]|.*W7900")  # what already says less: nothing can be taken back


def _ends(page: str) -> list[int]:
    """Where each text of a cell ends."""
    cells = [(cell.start(), cell[0]) for cell in _CELL.finditer(page)]
    return [at + text.end() for at, cell in cells for text in _TEXT.finditer(cell) if not _LESS.match(text[0])]


ENDS = [(name, at) for name, (_, page, _) in PAGES.items() for at in _ends(page)]


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(ENDS), st.sampled_from(BEHIND))
def test_nothing_behind_a_name_or_a_value_is_dropped(end: tuple[str, int], behind: str) -> None:
    """It is refused, or makes a cell partial; a note of a Python version may hold a preview."""
    name, at = end
    source, page, said = PAGES[name]
    changed = page[:at] + behind + page[at:]
    try:
        read = claims(facts(changed, source))
    except InputError:
        return
    assert read != claims(said)
    assert all("partial" in claim or "python" in claim for claim in read - claims(said))


AROUND = {
    "a style": '<div style="display: none">{}</div>',
    "an attribute": "<div hidden>{}</div>",
    "a class": '<section class="x d-none">{}</section>',
    "a class of the page's own": '<style>.gone, #x {{ display: none !important }}</style><div class="gone">{}</div>',
    "what is crossed out": "<del>{}</del>",
    "what is shown without scripts": "<noscript>{}</noscript>",
    "a closed window": "<dialog>{}</dialog>",
    "a note": '<div class="admonition warning">{}</div>',
    "a fold of what is past": "<details><summary>Previous releases</summary>{}</details>",
    "a heading of what is past": "<h2>Past versions</h2><h3>1.0</h3>{}",
    "a heading": "<h2>Support matrix (deprecated)</h2>{}",
}
STILL_SHOWN = {
    "a tab": '<div role="tabpanel" hidden>{}</div>',
    "a pane": '<div class="tab-pane" style="display: none">{}</div>',
    "a fold": "<details><summary>Show it</summary>{}</details>",
    "a heading that is over": "<h2>Past versions</h2><p>None.</p><h2>Now</h2>{}",
    "a style for paper": '<style>@media print {{ .x {{ display: none }} }}</style><div class="x">{}</div>',
}
_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)


@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("name", PAGES)
def test_a_table_that_is_not_shown_or_holds_no_longer(name: str, around: str) -> None:
    source, page, _ = PAGES[name]
    for table in _TABLE.findall(page):
        refused(page.replace(table, AROUND[around].format(table)), "the table (?:is|stands)", source)


@pytest.mark.parametrize("around", STILL_SHOWN)
@pytest.mark.parametrize("name", PAGES)
def test_a_table_that_is_shown_when_it_is_opened(name: str, around: str) -> None:
    source, page, said = PAGES[name]
    for table in _TABLE.findall(page):
        assert facts(page.replace(table, STILL_SHOWN[around].format(table)), source) == said


WITHIN = {
    "a row hidden by the page's styles": ("<tr>\n<td>AWQ", '<tr class="gone">\n<td>AWQ'),
    "a cell crossed out by the page's styles": ("<td>❌</td>", '<td id="old">❌</td>'),
    "a cell that cannot be seen": ("<td>❌</td>", '<td style="opacity: 0">❌</td>'),
    "a row that is only read aloud": ("<tr>\n<td>AWQ", '<tr class="sr-only">\n<td>AWQ'),
    "a column that is collapsed": ("<table>", '<table><colgroup><col><col style="visibility: collapse"></colgroup>'),
    "a row marked as deprecated": ("<tr>\n<td>AWQ", '<tr class="row deprecated">\n<td>AWQ'),
    "a tooltip": ("<td>✅︎</td>", '<td title="Only with small models">✅︎</td>'),
    "a tooltip in the cell": ("<td>✅︎</td>", '<td><span aria-label="experimental">✅︎</span></td>'),
    "a caption": ("<table>", "<table><caption>Archived</caption>"),
}


@pytest.mark.parametrize("name", WITHIN)
def test_a_part_of_a_table_that_is_taken_back(name: str) -> None:
    before, after = WITHIN[name]
    page = as_page(QUANTIZATION)
    assert before in page
    styles = "<style>tr.gone { display:none } #old { text-decoration: line-through }</style>"
    refused(
        page.replace(before, after, 1).replace("</title>", f"</title>{styles}"),
        "hidden|marked|tooltip|caption",
        VLLM_QUANTIZATION,
    )


def test_tooltips_in_markdown() -> None:
    for cell in ('<abbr title="MI300X only">✅</abbr>', '[✅](a.md "experimental")'):
        refused(FEATURES.replace("| ✅ | 🟠 | ✅ |", f"| ✅ | 🟠 | {cell} |"), "a tooltip", VLLM_FEATURES)


AROUND_MARKDOWN = [
    '<div style="display: none">\n\n{}\n\n</div>',
    "<del>\n\n{}\n\n</del>",
    "<details>\n<summary>Older releases</summary>\n\n{}\n\n</details>",
    "## Former versions\n\n### 1.0\n\n{}",
]


@pytest.mark.parametrize("around", AROUND_MARKDOWN)
@pytest.mark.parametrize(("source", "page"), [(VLLM_QUANTIZATION, QUANTIZATION), (OPERATOR, OPERATOR_PAGE)])
def test_what_stands_around_a_table_in_markdown(source: str, page: str, around: str) -> None:
    table = _TABLE.search(page) or re.search(r"\| Impl.*?(?=\n\n)", page, re.DOTALL)
    assert table is not None
    refused(page.replace(table[0], around.format(table[0])), "the table (?:is|stands)", source)
    shown = page.replace(table[0], f'<div class="x">\n\n{table[0]}\n\n</div>\n\nUse `<s>` and `<div hidden>`.')
    assert facts(shown, source) == facts(page, source)


ONE = (
    "<table><tr><th>Framework</th><th>Supported versions</th></tr>"
    '<tr data-show-cond="{{&quot;{}&quot;: [&quot;{}&quot;]}}"><td>SGLang</td><td>0.99.1</td></tr></table>'
)
UNDER = {
    "a heading": "<h2>Frameworks</h2><h3>{0}</h3>{1}",
    "the label of a tab": '<div><label class="tab">{0}</label><div class="content">{1}</div></div>',
    "a tab by its button": '<button id="b">For {0}</button><div role="tabpanel" aria-labelledby="b">{1}</div>',
    "a tab": '<div role="tabpanel" aria-label="{0}">{1}</div>',
    "a fold": "<details><summary>More for <b>{0}</b> GPUs</summary>{1}</details>",
}


@pytest.mark.parametrize("under", UNDER)
@pytest.mark.parametrize(
    ("key", "value", "label"),
    [
        ("os", "ubuntu", "Radeon"),
        ("os", "ubuntu", "AMD Instinct MI350X"),
        ("os", "ubuntu", "MI300 Series"),
        ("os", "ubuntu", "gfx942"),
        ("gfx", "gfx942", "Windows"),
        ("gfx", "gfx942", "Linux"),
    ],
)
def test_a_heading_or_label_that_says_for_what_a_version_holds(key: str, value: str, label: str, under: str) -> None:
    """Where a condition does not say it."""
    page = as_html(systems())
    one = ONE.format(key, value)
    refused(page.replace("</article>", UNDER[under].format(label, one) + "</article>"), f"stands under .*{label}")
    read = facts(page.replace("</article>", UNDER[under].format("Frameworks", one) + "</article>"))["frameworks"]
    assert read == [{"framework": "SGLang", "versions": ["0.99.1"], "when": {key: [value]}}]


MORE = "| Feature | Next |\n| --- | --- |\n| LoRA | ❌ |"
BLOCKS = ['=== "Next"\n\n{}', "!!! note\n{}", '??? note "More"\n\n{}', "```{{tab-item}} Next\n{}\n```"]


@pytest.mark.parametrize("block", BLOCKS)
def test_a_table_in_a_block_of_the_site_generator_is_not_overlooked(block: str) -> None:
    table = MORE if block.startswith("```") else "\n".join(f"    {line}" for line in MORE.split("\n"))
    refused(f"{FEATURES}\n{block.format(table)}\n\nEnd.\n", "stands in a tab, a note or another block", VLLM_FEATURES)


LISTS = [
    "```{list-table}\n:header-rows: 1\n\n* - Feature\n  - Next\n* - LoRA\n  - ❌\n```",
    ":::{list-table}\n:header-rows: 1\n\n- * Feature\n  * Next\n- * LoRA\n  * ❌\n:::",
    "```{eval-rst}\n.. list-table::\n   :header-rows: 1\n\n   * - Feature\n     - Next\n```",
]


@pytest.mark.parametrize("table", LISTS)
def test_a_table_that_is_written_as_a_list_is_not_overlooked(table: str) -> None:
    refused(f"{FEATURES}\n{table}\n\nEnd.\n", "is written as a list", VLLM_FEATURES)
    assert facts(f"{FEATURES}\n{table.replace('Feature', 'Flag')}\n\nEnd.\n", VLLM_FEATURES) == FEATURES_FACTS


def test_an_example_of_a_table_is_no_table() -> None:
    assert facts(f"{FEATURES}\n```markdown\n{MORE}\n```\n", VLLM_FEATURES) == FEATURES_FACTS


@pytest.mark.parametrize("around", [".. warning::\n\n{}", "Past\n----\n\n{}\n\nEnd.\n"])
def test_what_stands_around_a_table_in_a_source(around: str) -> None:
    indent = "   " if around.startswith("..") else ""
    table = "\n".join(f"{indent}{line}".rstrip() for line in as_rst(systems()).split("\n"))
    refused(f"Page\n====\n\n{around.format(table)}\n", "the table stands", version="9.9.0")
