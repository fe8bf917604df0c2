"""Small pages of each kind that is read, written for the tests: the layout of the published ones, other contents.

A matrix is written down once and rendered as HTML and as reStructuredText, so that both can be held to the same facts.
"""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

When = dict[str, list[str]]
LINUX = ["ubuntu", "rhel", "sles"]


@dataclass
class C:
    """A cell: its lines, for what it is shown, whether it is a heading, and how many rows it spans."""

    lines: str | Sequence[str]
    when: When = field(default_factory=dict)
    head: bool = False
    rows: int = 1

    @property
    def texts(self) -> list[str]:
        return [self.lines] if isinstance(self.lines, str) else list(self.lines)


@dataclass
class R:
    """A row: its cells, and for what it is shown."""

    cells: list[C]
    when: When = field(default_factory=dict)


@dataclass
class T:
    """A table."""

    rows: list[R]
    when: When = field(default_factory=dict)
    columns: list[str] = field(default_factory=list)


def systems() -> T:
    """Four parts of two series, three operating systems, drivers and firmware."""
    first, second = {"gpu": ["mi355x", "mi350p"]}, {"gpu": ["mi300x", "mi300a"]}
    return T(
        [
            R(
                [
                    C("AMD GPU series", head=True),
                    C("AMD Instinct MI350 Series", first),
                    C("AMD Instinct MI300 Series", second),
                ]
            ),
            R([C("Architecture", head=True), C("CDNA 4", first), C("CDNA 3", second)]),
            R([C("LLVM target", head=True), C("gfx950", first), C("gfx942", second)]),
            R(
                [
                    C("Supported Ubuntu versions", head=True),
                    C(
                        ["Ubuntu 24.04.9 (GA kernel: 6.8)", "Ubuntu 22.04.9 (kernel: GA 5.15)"],
                        {"gpu": ["mi355x", "mi300x", "mi300a"]},
                    ),
                    C(["Ubuntu 24.04.9 (kernel: HWE 6.17)"], {"gpu": ["mi350p"]}),
                ],
                {"os": ["ubuntu"]},
            ),
            R(
                [C("Supported Red Hat Enterprise Linux versions", head=True), C("RHEL 9.9 (kernel: 5.14.0-700)")],
                {"os": ["rhel"]},
            ),
            R(
                [
                    C("Supported Rocky Linux versions", head=True),
                    C("Rocky Linux 9 (kernel: 5.14.0-570)", {"gpu": ["mi300x"]}),
                ],
                {"os": ["rocky-linux"]},
            ),
            R([C("Supported AMD GPU Driver (amdgpu) versions", head=True), C(["39.20.1", "39.10.0"])]),
            R(
                [
                    C("Supported PLDM bundle (firmware) versions", head=True),
                    C(["01.99.01.03 (or later)", "01.98.00.02"], first),
                    C("BKC 99", second),
                ]
            ),
        ],
        {"fam": ["instinct"]},
    )


SYSTEMS_FACTS: dict[str, Any] = {
    part: {
        "series": f"AMD Instinct {series} Series",
        "architecture": architecture,
        "gfx": gfx,
        "os": {
            "ubuntu": listed,
            "rhel": [{"version": "9.9", "kernel": "5.14.0-700"}],
            **({"rocky-linux": [{"version": "9", "kernel": "5.14.0-570"}]} if part == "mi300x" else {}),
        },
        "amdgpu": ["39.20.1", "39.10.0"],
        "firmware": firmware,
    }
    for part, series, architecture, gfx, ubuntu, firmware in (
        (
            "mi355x",
            "MI350",
            "CDNA 4",
            "gfx950",
            [("24.04.9", "6.8"), ("22.04.9", "5.15")],
            ["01.99.01.03 (or later)", "01.98.00.02"],
        ),
        ("mi350p", "MI350", "CDNA 4", "gfx950", [("24.04.9", "6.17")], ["01.99.01.03 (or later)", "01.98.00.02"]),
        ("mi300x", "MI300", "CDNA 3", "gfx942", [("24.04.9", "6.8"), ("22.04.9", "5.15")], ["BKC 99"]),
        ("mi300a", "MI300", "CDNA 3", "gfx942", [("24.04.9", "6.8"), ("22.04.9", "5.15")], ["BKC 99"]),
    )
    for listed in [[{"version": version, "kernel": kernel} for version, kernel in ubuntu]]
}


def frameworks() -> T:
    """One column with two cells of a row, a name over two rows, and a name whose condition is not its version's."""
    both, one = {"gfx": ["gfx950", "gfx942", "gfx1100"]}, {"gfx": ["gfx950"]}
    return T(
        [
            R(
                [
                    C("PyTorch"),
                    C("9.2.0, 9.1.0", {"gfx": ["gfx950", "gfx942"]}),
                    C("9.2.0", {"fam": ["radeon", "ryzen"]}),
                    C("3.14, 3.13"),
                ],
                {"os": LINUX},
            ),
            R([C("PyTorch"), C("9.0.0", {"os": ["windows"]}), C("3.13")], {"os": ["windows"]}),
            R([C("JAX", both, rows=2), C("0.99.1", both), C("3.14", both)], {"os": LINUX}),
            R([C("0.98.0", both), C("3.13", both)], {"os": LINUX}),
            R(
                [C("vLLM", one), C("0.99.0", {"gfx": ["gfx950", "gfx942"]}), C("3.14 (requires PyTorch 9.2.0)", one)],
                {"os": LINUX},
            ),
        ],
        columns=["Framework", "Supported versions", "Python versions"],
    )


FRAMEWORKS_FACTS: list[dict[str, Any]] = [
    {"framework": name, "versions": versions, "when": when, "python": python}
    for name, versions, when, python in (
        ("PyTorch", ["9.2.0", "9.1.0"], {"os": LINUX, "gfx": ["gfx950", "gfx942"]}, "3.14, 3.13"),
        ("PyTorch", ["9.2.0"], {"os": LINUX, "fam": ["radeon", "ryzen"]}, "3.14, 3.13"),
        ("PyTorch", ["9.0.0"], {"os": ["windows"]}, "3.13"),
        ("JAX", ["0.99.1"], {"os": LINUX, "gfx": ["gfx950", "gfx942", "gfx1100"]}, "3.14"),
        ("JAX", ["0.98.0"], {"os": LINUX, "gfx": ["gfx950", "gfx942", "gfx1100"]}, "3.13"),
        ("vLLM", ["0.99.0"], {"os": LINUX, "gfx": ["gfx950", "gfx942"]}, "3.14 (requires PyTorch 9.2.0)"),
    )
]
FACTS: dict[str, Any] = {"rocm": "9.9.0", "parts": SYSTEMS_FACTS, "frameworks": FRAMEWORKS_FACTS}


def as_html(*tables: T, title: str = "ROCm 9.9.0 compatibility matrix") -> str:
    """A page as AMD's theme renders it."""
    body = "\n".join(
        f'<section><div class="pst-scrollable-table-container">{_html_table(t)}</div></section>' for t in tables
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title} — Documentation</title></head>\n'
        f'<body><main><article class="bd-article"><h1>{title}</h1>\n{body}\n</article></main></body></html>\n'
    )


def _html_table(table: T) -> str:
    head = "".join(f"<th><p>{name}</p></th>\n" for name in table.columns)
    rows = "\n".join(
        f"<tr{_shown(row.when)}>\n" + "\n".join(_html_cell(cell) for cell in row.cells) + "\n</tr>"
        for row in table.rows
    )
    first = f"<tr>{head}</tr>" if head else ""
    return f'<table class="table"{_shown(table.when)}><tbody>\n{first}\n{rows}\n</tbody></table>'


def _html_cell(cell: C) -> str:
    tag = "th" if cell.head else "td"
    span = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    return f"<{tag}{span}{_shown(cell.when)}>" + "".join(f"<p>{text}</p>" for text in cell.texts) + f"</{tag}>"


def _shown(when: When) -> str:
    return f' data-show-cond="{html.escape(json.dumps(when))}"' if when else ""


def as_rst(*tables: T, option: str = "show-cond") -> str:
    """The source file of the same."""
    return "\n".join(_rst_table(table, option) for table in tables)


def _rst_table(table: T, option: str) -> str:
    lines = [".. matrix::", *_option(3, option, table.when), ""]
    if table.columns:
        lines += ["   .. matrix-head::", "", "      .. matrix-row::", "         :header:", ""]
        lines += [line for name in table.columns for line in (f"         .. matrix-cell:: {name}", "")]
    for row in table.rows:
        lines += ["   .. matrix-row::", *_option(6, option, row.when), ""]
        for cell in row.cells:
            texts = cell.texts
            lines.append("      .. matrix-cell::" + (f" {texts[0]}" if len(texts) == 1 else ""))
            lines += ["         :header:"] if cell.head else []
            lines += [f"         :rowspan: {cell.rows}"] if cell.rows > 1 else []
            lines += [*_option(9, option, cell.when), ""]
            lines += [line for text in texts if len(texts) > 1 for line in (f"         {text}", "")]
    return "\n".join(lines)


def _option(indent: int, option: str, when: When) -> list[str]:
    pairs = " ".join(f"{key}={value}" for key, values in when.items() for value in values)
    return [f"{' ' * indent}:{option}: {pairs}"] if pairs else []


FEATURES = """\
# Features

- ✅ = Full compatibility
- ❔ = Unknown or TBD

### Feature x Feature

<style>
td { white-space: nowrap; }
</style>

| Feature | [CP](a.md#b) | [LoRA](lora.md) | <abbr title="Encoder-Decoder Models">enc-dec</abbr> | tree search |
| - | - | - | - | - |
| [CP](a.md#b) | ✅ | | | |
| [LoRA](lora.md) | ✅ | ✅ | | |
| <abbr title="Encoder-Decoder Models">enc-dec</abbr> | [❌](https://example.org/issues/1) | 🟠\\* | ✅ | |
| tree search | ❔ | ✅ | [🟠](https://example.org/pull/2)<sup>^</sup> | ✅ |

\\* Only where it was asked for.
<sup>^</sup> Only the first layer.

### Feature x Hardware

| Feature | Hopper | AMD | Intel GPU |
| ------- | ------ | --- | --------- |
| [CP](a.md#b) | ✅ | ✅ | [❌](https://example.org/issues/3) |
| [LoRA](lora.md) | ✅ | ✅ | ✅ |
| <abbr title="Encoder-Decoder Models">enc-dec</abbr> | ✅ | ❌ | ❔ |
| tree search | ✅ | 🟠 | ✅ |

!!! note
    There is more on another page.
"""
FEATURES_FACTS = {
    "features": {
        "chunked-prefill": {"Hopper": "supported", "AMD": "supported", "Intel GPU": "unsupported"},
        "lora": {"Hopper": "supported", "AMD": "supported", "Intel GPU": "supported"},
        "encoder-decoder": {"Hopper": "supported", "AMD": "unsupported", "Intel GPU": "unknown"},
        "tree-search": {"Hopper": "supported", "AMD": "partial", "Intel GPU": "supported"},
    },
    "pairs": [
        ["chunked-prefill", "chunked-prefill", "supported"],
        ["chunked-prefill", "lora", "supported"],
        ["lora", "lora", "supported"],
        ["chunked-prefill", "encoder-decoder", "unsupported"],
        ["lora", "encoder-decoder", "partial"],
        ["encoder-decoder", "encoder-decoder", "supported"],
        ["chunked-prefill", "tree-search", "unknown"],
        ["lora", "tree-search", "supported"],
        ["encoder-decoder", "tree-search", "partial"],
        ["tree-search", "tree-search", "supported"],
    ],
    "links": {
        "chunked-prefill/Intel GPU": "https://example.org/issues/3",
        "encoder-decoder/chunked-prefill": "https://example.org/issues/1",
        "tree-search/encoder-decoder": "https://example.org/pull/2",
    },
}

QUANTIZATION = """\
# Quantization

| Implementation        | Hopper | AMD GPU | x86 CPU |
|-----------------------|--------|---------|---------|
| AWQ                   | ✅︎      | ❌       | ✅︎      |
| Marlin (GPTQ/AWQ/FP8) | ✅︎      | ❌       | ❌       |
| BitBLAS (GPTQ)        | ✅      | ❌       | ❌       |
| New (W2A2)            | ✅︎      | ✅️       | ❌       |

- ✅︎ indicates support.
"""
QUANTIZATION_FACTS = {
    "methods": {
        "awq": {"Hopper": "supported", "AMD GPU": "unsupported", "x86 CPU": "supported"},
        "marlin": {"Hopper": "supported", "AMD GPU": "unsupported", "x86 CPU": "unsupported"},
        "gptq_bitblas": {"Hopper": "supported", "AMD GPU": "unsupported", "x86 CPU": "unsupported"},
        "new_w2a2": {"Hopper": "supported", "AMD GPU": "supported", "x86 CPU": "unsupported"},
    }
}

OPERATOR = """\
# AMD GPU Operator

### Supported Hardware

| **GPUs** | |
| --- | --- |
| AMD Instinct™ MI300X | ✅ Supported |
| AMD Radeon™ AI PRO R9700S | ✅ Supported |
| AMD Radeon™ Pro W7900 | ❌ Not supported |

### OS & Platform Support Matrix

<table style="border-collapse: collapse;">
  <thead>
    <tr><th>Operating System</th><th>Kubernetes</th><th>Red Hat OpenShift</th></tr>
  </thead>
  <tbody>
    <tr>
      <td>Ubuntu 24.04 LTS</td>
      <td>1.30-1.40</td>
      <td></td>
    </tr>
    <tr>
      <td>SLES 15 SP7</td>
      <td>1.30 – 1.40 (driver management not supported)</td>
      <td></td>
    </tr>
    <tr>
      <td>Red Hat Core OS (RHCOS)</td>
      <td></td>
      <td>4.16—4.30</td>
    </tr>
  </tbody>
</table>

See elsewhere for the rest.
"""
OPERATOR_FACTS = {
    "platforms": [
        {"os": "ubuntu", "version": "24.04", "kubernetes": "1.30-1.40", "driver_management": "supported"},
        {"os": "sles", "version": "15.7", "kubernetes": "1.30-1.40", "driver_management": "not-supported"},
        {"os": "rhcos", "openshift": "4.16-4.30", "driver_management": "supported"},
    ],
    "gpus": ["mi300x", "ai-r9700s"],
}
