"""AMD's matrix: the page and its source files say the same, whatever their layout; what is new is read."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from portability.engine.matrices.importers import cells_of, read_document
from portability.engine.matrices.keys import ROCM
from tests.engine.matrices.importers.reading import facts
from tests.engine.matrices.importers.samples import FACTS, LINUX, C, R, as_html, as_rst, frameworks, systems

PAGE = as_html(systems(), frameworks())
SOURCE = as_rst(systems(), frameworks())


def test_the_page() -> None:
    assert facts(PAGE) == FACTS


@pytest.mark.parametrize("option", ["show-cond", "show-when"])
def test_the_source(option: str) -> None:
    assert facts(as_rst(systems(), frameworks(), option=option), version="9.9.0") == FACTS


def test_the_source_in_two_files() -> None:
    files = [("a.rst", as_rst(frameworks()).encode()), ("b.rst", as_rst(systems()).encode())]
    assert read_document(ROCM, files, "9.9.0").facts == FACTS


LAYOUTS: dict[str, Callable[[str], str]] = {
    "byte order mark": lambda page: "\ufeff" + page,
    "line ends": lambda page: page.replace("\n", "\r\n"),
    "minified": lambda page: re.sub(r">\s+<", "><", page),
    "optional tags left out": lambda page: re.sub(r"</(?:p|td|th|tr|tbody|body|html)>", "", page),
    "single quotes": lambda page: re.sub(
        r'data-show-cond="([^"]*)"', lambda m: f"data-show-cond='{m[1].replace('&quot;', chr(34))}'", page
    ),
    "older attribute": lambda page: page.replace("data-show-cond", "data-show-when"),
    "capitals": lambda page: re.sub(r"</?(?:table|tr|t[dh])\b", lambda m: m[0].upper(), page),
    "saved after scripts ran": lambda page: re.sub(
        r"<(t[dr])(?= data-show-cond)", r'<\1 style="display: none" class="x" hidden aria-hidden="true"', page
    ),
    "breaks for paragraphs": lambda page: page.replace("</p><p>", "<br/>"),
    "lists for paragraphs": lambda page: re.sub(
        r"<p>([^/]*)</p><p>([^/]*)</p>", r"<ul><li><p>\1</p></li><li>\2</li></ul>", page
    ),
    "head and columns": lambda page: page.replace(
        '<table class="table"><tbody>\n<tr>', '<table class="table"><colgroup><col></colgroup><thead>\n<tr>', 1
    ).replace("<th><p>Python versions</p></th>\n</tr>", "<th><p>Python versions</p></th>\n</tr></thead><tbody>"),
    "other elements around": lambda page: page.replace(
        "<main>", '<div id="x"><nav><ul><li>a<li>b</ul></nav><main>'
    ).replace("</main>", "</main></div><script>if (1 < 2) {}</script>"),
    "comments": lambda page: page.replace("<td", "<!-- <td>no</td> --><td"),
    "fragment": lambda page: page[page.index("<main>") : page.index("</body>")],
    "a wider condition around": lambda page: page.replace(
        "<section>",
        '<div data-show-cond="{&quot;fam&quot;: [&quot;instinct&quot;, &quot;radeon&quot;]}"><section>',
        1,
    ).replace("</section>", "</section></div>", 1),
    "a condition on the body": lambda page: page.replace(
        "<tbody>", '<tbody data-show-cond="{&quot;fam&quot;: [&quot;instinct&quot;]}">', 1
    ),
    "tables that say something else": lambda page: page.replace(
        "</article>",
        "<table><tr><th>Component</th><th>Group</th></tr><tr><td><pre>x</pre></td>"
        '<td data-show-cond="{&quot;i&quot;: [&quot;pip&quot;]}"><div data-show-cond="{}">y</div></td></tr></table>'
        "</article>",
    ),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_page_in_another_layout(name: str) -> None:
    page = LAYOUTS[name](PAGE)
    assert page != PAGE
    assert facts(page, version="9.9.0" if name == "fragment" else None) == FACTS


def test_a_condition_around_a_table_narrows_its_cells() -> None:
    around = '<div data-show-cond="{&quot;gfx&quot;: [&quot;gfx942&quot;, &quot;gfx950&quot;]}"><section>'
    page = as_html(systems(), frameworks())
    at = page.rindex("<section>")
    page = (page[:at] + around + page[at + len("<section>") :]).replace(
        "</section>\n</article>", "</section></div>\n</article>"
    )
    assert facts(page)["frameworks"][3]["when"] == {"os": LINUX, "gfx": ["gfx942", "gfx950"]}


def test_conditions_around_tables_in_a_source() -> None:
    inner = "\n".join(f"   {line}".rstrip() for line in as_rst(systems()).split("\n"))
    assert facts(f".. selected:: fam=instinct\n\n{inner}\n", version="9.9.0")["parts"] == FACTS["parts"]


def test_what_stands_around_tables_in_a_source_does_not_matter() -> None:
    text = (
        "****\nROCm |ROCM_VERSION| matrix\n****\n\n.. include:: /etc/passwd\n\n.. toctree::\n\n   a\n\n"
        "See :doc:`/x` and `y`_.\n\n.. selector:: Device\n   :key: fam\n   :show-cond: w=compute\n\n"
        "   .. selector-option:: A\n      :value: b w=c\n\n"
        f"{SOURCE}\n\n----\n\nMore |text| here.\n"
    )
    assert facts(text, version="9.9.0") == FACTS


def test_a_version_in_the_title_of_a_source() -> None:
    assert facts(f"ROCm 9.9.0 matrix\n=================\n\n{SOURCE}")["rocm"] == "9.9.0"


def test_a_new_part_is_read() -> None:
    page = PAGE.replace("&quot;mi355x&quot;", "&quot;mi999x&quot;, &quot;mi355x&quot;")
    assert facts(page)["parts"] == {**FACTS["parts"], "mi999x": FACTS["parts"]["mi355x"]}


def test_a_new_part_of_a_new_target_is_read() -> None:
    page = PAGE.replace("&quot;gfx950&quot;", "&quot;gfx1250&quot;, &quot;gfx950&quot;")
    assert facts(page)["frameworks"][0]["when"]["gfx"] == ["gfx1250", "gfx950", "gfx942"]


@pytest.mark.parametrize(
    ("system", "heading", "entry"),
    [
        ("alma-linux", "Supported AlmaLinux versions", "AlmaLinux 9.6 (kernel: 5.14.0-570)"),
        ("azurelinux", "Supported Azure Linux version", "Azure Linux 3.0 (kernel: 6.6)"),
    ],
)
def test_a_new_operating_system_is_read(system: str, heading: str, entry: str) -> None:
    table = systems()
    table.rows.insert(5, R([C(heading, head=True), C(entry, {"gpu": ["mi300x"]})], {"os": [system]}))
    for text in (as_html(table), as_rst(table)):
        read = facts(text, version="9.9.0")["parts"]
        assert read["mi300x"]["os"][system][0]["version"] in entry
        assert system not in read["mi300a"]["os"]


@pytest.mark.parametrize(
    ("heading", "entry", "system"),
    [
        ("Supported network adapters", "Pollara 400", None),
        ("Supported tools versions", "1.2", None),
        ("Supported Windows XYZ driver version", "26.10.32", "windows"),
    ],
)
def test_a_row_that_states_something_else_is_passed_over(heading: str, entry: str, system: str | None) -> None:
    table = systems()
    table.rows.insert(3, R([C(heading, head=True), C(entry, {"gpu": ["mi300x"]})], {"os": [system]} if system else {}))
    assert facts(as_html(table))["parts"] == facts(as_rst(table), version="9.9.0")["parts"] == FACTS["parts"]


@pytest.mark.parametrize(
    ("entry", "version", "kernel"),
    [
        ("RHEL 9.9 (kernel: 5.14.0-700)", "9.9", "5.14.0-700"),
        ("Red Hat Enterprise Linux 9.9 (Kernel: 5.14.0-700.1.el9_9)", "9.9", "5.14.0-700.1.el9_9"),
        ("9.9 (GA kernel: 5.14)", "9.9", "5.14"),
        ("RHEL 9 SP2 (kernel: UEK 8.1)", "9.2", "UEK 8.1"),
        ("RHEL 9.9 LTS (kernel: 5.14)", "9.9", "5.14"),
    ],
)
def test_systems_and_kernels_as_they_are_written(entry: str, version: str, kernel: str) -> None:
    page = PAGE.replace("RHEL 9.9 (kernel: 5.14.0-700)", entry)
    assert facts(page)["parts"]["mi300a"]["os"]["rhel"] == [{"version": version, "kernel": kernel}]


def test_a_new_framework_is_read() -> None:
    table = frameworks()
    table.rows.append(R([C("llama.cpp"), C("b6652, 25.08-rc1", {"gfx": ["gfx942"]}), C("3.14")], {"os": LINUX}))
    assert facts(as_html(systems(), table))["frameworks"][-1] == {
        "framework": "llama.cpp",
        "versions": ["b6652", "25.08-rc1"],
        "when": {"os": LINUX, "gfx": ["gfx942"]},
        "python": "3.14",
    }


def test_a_row_for_a_family_on_any_system_is_read() -> None:
    table = frameworks()
    table.rows.append(R([C("TensorFlow"), C("9.9.1"), C("3.14")], {"fam": ["radeon", "radeon-pro"]}))
    reading = read_document(ROCM, [("x", as_html(systems(), table).encode())])
    assert reading.facts["frameworks"][-1]["when"] == {"fam": ["radeon", "radeon-pro"]}
    assert cells_of(reading)["framework/TensorFlow/radeon/9.9.1"].value == "any"


@pytest.mark.parametrize("at", [0, 1, 2, 3])
def test_a_new_column_is_read_wherever_it_stands(at: int) -> None:
    table = frameworks()
    table.columns.insert(at, "Container")
    for n, row in enumerate(table.rows):
        # the first row has two cells for its second column; of the fourth the first is covered by the name above
        row.cells.insert(at + (at > 1) if n == 0 else max(at - 1, 0) if n == 3 else at, C("yes"))
    assert facts(as_html(systems(), table))["frameworks"] == FACTS["frameworks"]


def test_columns_in_another_order() -> None:
    table = frameworks()
    table.columns = ["Python versions", "Framework", "Supported versions"]
    for row in table.rows:
        row.cells.insert(0, row.cells.pop())
    table.rows[3].cells = [C("3.13", table.rows[3].cells[0].when), C("0.98.0", table.rows[3].cells[1].when)]
    assert facts(as_html(systems(), table))["frameworks"] == FACTS["frameworks"]


def test_a_family_of_parts_with_one_cell_for_all_of_them() -> None:
    table = systems()
    table.when = {"fam": ["radeon"]}
    shown = {"gpu": ["rx-7600", "w7700"]}
    table.rows = [
        R([C("AMD GPU series", head=True), C("AMD Radeon RX 7000 Series", shown)]),
        R([C("LLVM target", head=True), C("gfx1102", {"gpu": ["rx-7600"]}), C("gfx1101", {"gpu": ["w7700"]})]),
        R(
            [C("Supported Ubuntu versions", head=True), C(["24.04.9 (kernel: OEM 6.17)", "22.04.9 (kernel: GA 5.15)"])],
            {"os": ["ubuntu"]},
        ),
        R([C("Supported Windows version", head=True), C("Windows 11 25H2")], {"os": ["windows"]}),
        R([C("Supported AMD GPU Driver versions", head=True), C("39.20, 39.10.1")], {"os": ["ubuntu"]}),
        R([C("Supported Adrenalin Driver version", head=True), C("26.6.4")], {"os": ["windows"]}),
    ]
    for text in (as_html(table), as_rst(table)):
        reading = read_document(ROCM, [("x", text.encode())], "9.9.0")
        assert reading.facts["parts"]["w7700"] == {
            "series": "AMD Radeon RX 7000 Series",
            "gfx": "gfx1101",
            "os": {
                "ubuntu": [{"version": "24.04.9", "kernel": "6.17"}, {"version": "22.04.9", "kernel": "5.15"}],
                "windows": [{"version": "11 25H2"}],
            },
            "amdgpu": ["39.20", "39.10.1"],
        }
        assert cells_of(reading)["os/rx-7600/ubuntu/24.04.9"].note == "OEM kernel"
        assert cells_of(reading)["os/rx-7600/ubuntu/22.04.9"].note == ""


def test_cells_that_select_parts_by_target_or_family() -> None:
    table = systems()
    table.rows[-1].cells[1].when = {"gfx": ["gfx950"], "fam": ["instinct"]}
    assert facts(as_html(table))["parts"] == FACTS["parts"]


def test_cells() -> None:
    cells = cells_of(read_document(ROCM, [("x", PAGE.encode())]))
    assert {key: cells[key].value for key in cells if "/mi350p" in key} == {
        "part/mi350p/gfx": "gfx950",
        "part/mi350p/series": "AMD Instinct MI350 Series",
        "part/mi350p/architecture": "CDNA 4",
        "os/mi350p/ubuntu/24.04.9": "6.17",
        "os/mi350p/rhel/9.9": "5.14.0-700",
        "driver/mi350p": "39.20.1, 39.10.0",
        "firmware/mi350p": "01.99.01.03 (or later); 01.98.00.02",
    }
    assert {key: (cells[key].value, cells[key].note) for key in cells if key.startswith("framework/PyTorch/")} == {
        **{
            f"framework/PyTorch/{gfx}/{version}": ("ubuntu, rhel, sles", "Python 3.14, 3.13")
            for gfx in ("gfx950", "gfx942")
            for version in ("9.2.0", "9.1.0")
        },
        "framework/PyTorch/radeon/9.2.0": ("ubuntu, rhel, sles", "Python 3.14, 3.13"),
        "framework/PyTorch/ryzen/9.2.0": ("ubuntu, rhel, sles", "Python 3.14, 3.13"),
        "framework/PyTorch/any/9.0.0": ("windows", "Python 3.13"),
    }


def test_a_row_of_two_hardware_conditions_is_kept_by_the_more_exact() -> None:
    table = frameworks()
    table.rows[4].cells[1].when = {"gfx": ["gfx950", "gfx1102"], "fam": ["instinct"]}
    cells = cells_of(read_document(ROCM, [("x", as_html(systems(), table).encode())]))
    assert [key for key in cells if key.startswith("framework/vLLM/")] == ["framework/vLLM/gfx950/0.99.0"]
