"""The GPU operator's page: parts, operating systems and ranges of versions; what is refused."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from portability.engine.matrices.importers import cells_of, read_document
from portability.engine.matrices.keys import OPERATOR
from tests.engine.matrices.importers.reading import facts, refused
from tests.engine.matrices.importers.samples import OPERATOR as PAGE
from tests.engine.matrices.importers.samples import OPERATOR_FACTS

HTML = (
    f"<!doctype html><html><body>{MarkdownIt('commonmark', {'html': True}).enable('table').render(PAGE)}</body></html>"
)
ROW = "    <tr>\n      <td>{}</td>\n      <td>{}</td>\n      <td>{}</td>\n    </tr>\n  </tbody>"


def _with(system: str, kubernetes: str = "1.30-1.40", openshift: str = "") -> str:
    return PAGE.replace("  </tbody>", ROW.format(system, kubernetes, openshift))


@pytest.mark.parametrize("text", [PAGE, HTML, PAGE.replace("</tr>\n", "</tr>\n\n"), re.sub(r">\s+<", "><", PAGE)])
def test_the_page_in_several_layouts(text: str) -> None:
    assert facts(text, OPERATOR) == OPERATOR_FACTS


@pytest.mark.parametrize(
    ("system", "os", "version"),
    [
        ("Debian 13", "debian", "13"),
        ("SLES 16.0", "sles", "16.0"),
        ("Red Hat Enterprise Linux 9.9 (RHEL)", "rhel", "9.9"),
        ("Talos Linux 1.9", "talos-linux", "1.9"),
    ],
)
def test_a_new_operating_system(system: str, os: str, version: str) -> None:
    said = {"os": os, "version": version, "kubernetes": "1.30-1.40", "driver_management": "supported"}
    assert facts(_with(system), OPERATOR)["platforms"][-1] == said


@pytest.mark.parametrize("between", ["-", "–", "—", " – ", " - ", "−"])
def test_ranges(between: str) -> None:
    assert facts(_with("Debian 13", f"1.31{between}1.39"), OPERATOR)["platforms"][-1]["kubernetes"] == "1.31-1.39"


def test_a_cell_over_two_rows_answers_for_both() -> None:
    page = PAGE.replace("<td>1.30-1.40</td>", '<td rowspan="2">1.30-1.40</td>').replace(
        "      <td>1.30 – 1.40 (driver management not supported)</td>\n", ""
    )
    assert [row.get("kubernetes") for row in facts(page, OPERATOR)["platforms"]] == ["1.30-1.40", "1.30-1.40", None]


def test_columns_are_told_by_their_headings() -> None:
    swap = r"(<t[hd]>[^<]*</t[hd]>)(\s*)(<t[hd]>[^<]*</t[hd]>)(\s*</tr>)"
    assert facts(re.sub(swap, r"\3\2\1\4", PAGE), OPERATOR) == OPERATOR_FACTS
    wider = PAGE.replace("<th>Kubernetes</th>", "<th>Remarks</th><th>Kubernetes</th>")
    wider = re.sub(r"(<tr>\s*<td>[^<]*</td>)", r"\1<td>none</td>", wider)
    assert facts(wider, OPERATOR) == OPERATOR_FACTS


def test_cells() -> None:
    reading = read_document(OPERATOR, [("x", PAGE.encode())], "1.9.0")
    assert reading.version == "1.9.0"
    assert {key: cell.value for key, cell in cells_of(reading).items()} == {
        "platform/ubuntu/24.04/kubernetes": "1.30-1.40",
        "platform/ubuntu/24.04/driver-management": "supported",
        "platform/sles/15.7/kubernetes": "1.30-1.40",
        "platform/sles/15.7/driver-management": "unsupported",
        "platform/rhcos/any/openshift": "4.16-4.30",
        "platform/rhcos/any/driver-management": "supported",
        "gpu/mi300x": "supported",
        "gpu/ai-r9700s": "supported",
    }


REFUSED: dict[str, tuple[str, str]] = {
    "an unknown range": ("is no range", PAGE.replace("4.16—4.30", "4.16 and later")),
    "a range that ends before it begins": ("ends before it begins", PAGE.replace("4.16—4.30", "4.30—4.16")),
    "an unknown remark": ("is no range", PAGE.replace("driver management not supported", "tech preview")),
    "neither Kubernetes nor OpenShift": ("neither a Kubernetes", PAGE.replace("<td>4.16—4.30</td>", "<td></td>")),
    "a system twice": ("has two rows", _with("Ubuntu 24.04")),
    "a system without version": ("no version", _with("Ubuntu LTS")),
    "a damaged system": ("may be a damaged “debian”", _with("Debiann 13")),
    "no system": ("no operating system", _with("—")),
    "a cell too few": ("fewer cells", PAGE.replace("<td>1.30-1.40</td>", "")),
    "a cell too many": ("more cells", PAGE.replace("<td>1.30-1.40</td>", "<td>1.30-1.40</td><td></td>")),
    "a heading lost": ("does not name its operating systems", PAGE.replace("Operating System", "Name")),
    "a heading damaged": ("a heading is damaged", PAGE.replace("Operating System", "Oprating System")),
    "a status that contradicts itself": ("contradicts itself", PAGE.replace("❌ Not supported", "✅ Not supported")),
    "an unknown status": ("is no status", PAGE.replace("❌ Not supported", "soon")),
    "a part twice": ("two rows", PAGE.replace("Pro W7900 | ❌ Not supported", "AI PRO R9700S | ✅ Supported")),
    "no table of GPUs": ("no tables of supported GPUs", PAGE.replace("**GPUs**", "**Things**")),
    "another page": ("this is not the AMD GPU Operator's page of platforms", "# Soup\n\nBoil the leeks.\n"),
    "a table that is not closed": ("not closed", PAGE.replace("</table>", "")),
    "a table in a table": (
        "broken markup inside a table",
        PAGE.replace("<td>1.30-1.40</td>", "<td><table><tr><td>1</td></tr></table></td>"),
    ),
    "a row that lost its tag": ("broken markup", PAGE.replace("    <tr>\n      <td>Ubuntu", "      <td>Ubuntu")),
    "cut short": ("not closed", PAGE[: PAGE.index("Red Hat Core OS")]),
    "two tables of platforms": ("2 tables", PAGE + PAGE[PAGE.index("<table") :]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    words, text = REFUSED[name]
    assert text != PAGE
    refused(text, words, OPERATOR)


def test_a_version_that_is_none() -> None:
    refused_version = "is no version of the operator"
    with pytest.raises(ValueError, match=refused_version):
        read_document(OPERATOR, [("page", PAGE.encode())], "latest")


def test_a_version_that_contradicts_the_title() -> None:
    page = HTML.replace("<body>", "<head><title>AMD GPU Operator 1.8.0</title></head><body>")
    refused(page, "describes operator 1.8.0, not 1.9.0", OPERATOR, "1.9.0")
    assert facts(page, OPERATOR, "1.8.0") == OPERATOR_FACTS


def _with_column(heading: str, *says: str) -> str:
    """The table of platforms with one more column at its end."""
    page = PAGE.replace("<th>Red Hat OpenShift</th>", f"<th>Red Hat OpenShift</th><th>{heading}</th>")
    head, _, body = page.partition("<tbody>")
    rows = body.split("</tr>")
    filled = [row + f"<td>{said}</td>" for row, said in zip(rows, says, strict=False)]
    return head + "<tbody>" + "</tr>".join([*filled, *rows[len(says) :]])


def test_a_column_of_its_own_for_driver_management() -> None:
    page = _with_column("Driver management", "❌", "Not supported", "✅ Supported")
    managed = [row["driver_management"] for row in facts(page, OPERATOR)["platforms"]]
    assert managed == ["not-supported", "not-supported", "supported"]
    refused(_with_column("Driver management", "✅", "✅", "✅"), "contradicts its row", OPERATOR)
    refused(_with_column("Driver management", "✅", "❌", ""), "no status", OPERATOR)


def test_a_column_that_is_not_read_must_not_take_back_what_its_row_says() -> None:
    assert facts(_with_column("Rancher", "1.30", "", "1.31"), OPERATOR) == OPERATOR_FACTS
    refused(_with_column("Status", "Deprecated", "", ""), "the column “Status”, which is not read", OPERATOR)
    refused(_with_column("Supported", "", "❌", ""), "the column “Supported”, which is not read", OPERATOR)


def _with_gpu_column(heading: str, said: str) -> str:
    page = PAGE.replace("| **GPUs** | |", f"| **GPUs** | {heading} | |").replace("| --- | --- |", "| --- | --- | --- |")
    return re.sub(r"\| ([✅❌])", rf"| {said} | \1", page)


def test_a_new_column_of_the_gpus() -> None:
    assert facts(_with_gpu_column("Architecture", "CDNA 3"), OPERATOR) == OPERATOR_FACTS
    refused(_with_gpu_column("DRA", "✅"), "one column that says whether", OPERATOR)
    refused(_with_gpu_column("Notes", "deprecated"), "the column “Notes”, which is not read", OPERATOR)


@pytest.mark.parametrize(
    ("heading", "other"), [("Operating System", "OS"), ("Kubernetes", "Kubernetes version"), ("**GPUs**", "AMD GPUs")]
)
def test_headings_in_other_words(heading: str, other: str) -> None:
    assert facts(PAGE.replace(heading, other, 1), OPERATOR) == OPERATOR_FACTS
