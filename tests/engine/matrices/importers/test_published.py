"""On a folder of published pages: they say what is written down of them, and what ships with the product.

PORTABILITY_SOURCES names the pages (`rocm-VERSION-*.html`, `rocm-*.rst`, `vllm-*.md`, `gpu-operator-*-index.md`),
PORTABILITY_FACTS what must come out (`rocm-VERSION.yaml`).
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import yaml

from portability.engine.errors import InputError
from portability.engine.matrices.importers import cells_of, read_document
from portability.engine.matrices.importers.reading import Reading
from portability.engine.matrices.keys import OPERATOR, ROCM, VLLM_FEATURES, VLLM_QUANTIZATION
from portability.engine.matrices.knowledge import Cell
from portability.engine.matrices.shipped import knowledge

FOLDER = os.environ.get("PORTABILITY_SOURCES", "")
FACTS = os.environ.get("PORTABILITY_FACTS", "")
pytestmark = pytest.mark.skipif(not (FOLDER and FACTS), reason="PORTABILITY_SOURCES or PORTABILITY_FACTS is not set")

BY_HAND = {  # cells that the pages do not state, or another page does
    ROCM: r"os/radeon/.*",
    OPERATOR: r"(?!platform/|gpu/).*",
    VLLM_FEATURES: r"(?!.)",
    VLLM_QUANTIZATION: r"(?!.)",
}


def _read(source: str, pattern: str, version: str | None = None) -> Reading:
    files = sorted(file for file in Path(FOLDER).iterdir() if re.fullmatch(pattern, file.name))
    return read_document(source, [(file.name, file.read_bytes()) for file in files], version)


def _versions() -> list[str]:
    return [file.stem.removeprefix("rocm-") for file in sorted(Path(FACTS).glob("rocm-*.yaml"))]


def _source(version: str) -> str:
    """The source files of a release, whose names may leave the last number out."""
    return rf"rocm-{re.escape(version)}-.*\.rst|rocm-{re.escape(version.rpartition('.')[0])}-.*\.rst"


def test_rocm_pages_and_sources_say_what_is_written_down() -> None:
    assert len(_versions()) >= 3
    for version in _versions():
        wanted = yaml.safe_load((Path(FACTS) / f"rocm-{version}.yaml").read_text())
        del wanted["source"]
        assert _read(ROCM, rf"rocm-{re.escape(version)}-.*\.html").facts == wanted
        assert _read(ROCM, _source(version), version).facts == wanted


@pytest.mark.parametrize(
    ("source", "pattern", "version"),
    [
        *((ROCM, r"rocm-{}-.*\.html", version) for version in ("7.12.0", "7.14.0", "10.0.0")),
        (VLLM_FEATURES, r"vllm-features\.md", ""),
        (VLLM_QUANTIZATION, r"vllm-quantization\.md", ""),
        (OPERATOR, r"gpu-operator-.*-index\.md", "1.5.1"),
    ],
)
def test_importing_gives_the_shipped_cells(source: str, pattern: str, version: str) -> None:
    """Keys, values and links; what was noted beside them was put in our own words."""
    shipped = knowledge().release(source, version)
    assert shipped is not None
    read = cells_of(_read(source, pattern.format(re.escape(version)), version or None))

    def plain(cells: dict[str, Cell]) -> dict[str, tuple[str, str]]:
        return {key: (cell.value, cell.link) for key, cell in cells.items() if not re.fullmatch(BY_HAND[source], key)}

    assert plain(dict(read)) == plain(dict(shipped.cells))
    if source == ROCM:
        assert {key: cell.note for key, cell in read.items()} == {key: shipped.cells[key].note for key in read}


@pytest.mark.parametrize("features", ["chunked-prefill", "encoder-decoder", "async-output"])
def test_vllm_features(features: str) -> None:
    """Read off the page by eye."""
    wanted = {
        "chunked-prefill": "unsupported supported supported supported supported supported supported supported",
        "encoder-decoder": "supported supported supported supported supported supported unsupported supported",
        "async-output": "supported supported supported supported supported unsupported unsupported supported",
    }
    read = _read(VLLM_FEATURES, r"vllm-features\.md").facts
    columns = ["Volta", "Turing", "Ampere", "Ada", "Hopper", "CPU", "AMD", "Intel GPU"]
    assert read["features"][features] == dict(zip(columns, wanted[features].split(), strict=True))
    assert ["lora", "speculative-decoding", "unsupported"] in read["pairs"]
    assert len(read["pairs"]) == 15 * 16 // 2


def test_operator() -> None:
    wanted = yaml.safe_load(next(Path(FACTS).glob("gpu-operator-*.yaml")).read_text())
    read = _read(OPERATOR, r"gpu-operator-.*-index\.md").facts
    assert read == {"platforms": wanted["platforms"], "gpus": wanted["gpus"]}


def test_a_page_without_its_conditions_is_refused_for_that() -> None:
    with pytest.raises(InputError, match="has lost its conditions"):
        _read(ROCM, r"rocm-.*-flat\.md")


def test_pages_of_other_sources_are_refused() -> None:
    for source in (ROCM, OPERATOR, VLLM_FEATURES, VLLM_QUANTIZATION):
        for file in sorted(Path(FOLDER).iterdir()):
            theirs = {ROCM: "rocm", OPERATOR: "gpu-operator-", VLLM_FEATURES: "vllm-f", VLLM_QUANTIZATION: "vllm-q"}[
                source
            ]
            if not file.name.startswith(theirs) or "device-plugin" in file.name:
                with pytest.raises(InputError):
                    read_document(source, [(file.name, file.read_bytes())], "7.14.0")
