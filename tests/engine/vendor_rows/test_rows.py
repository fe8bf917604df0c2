"""Rows of vendor knowledge: how patterns match, which wins, and that every shipped row says where it is from."""

from __future__ import annotations

import tracemalloc
from datetime import date

import pytest

from portability.engine.model import Effect, Vendor
from portability.engine.vendor_rows.rows import Row, Table, VendorRows, parse, shipped


def _rows(table: Table, *patterns: str) -> VendorRows:
    return VendorRows(Row(table, pattern, Vendor.NVIDIA) for pattern in patterns)


def _hit(table: Table, pattern: str, text: str) -> bool:
    return _rows(table, pattern).find(table, text) is not None


@pytest.mark.parametrize(
    ("pattern", "text", "hit"),
    [
        ("nvidia-smi", "/usr/bin/nvidia-smi -L", True),
        ("nvidia-smi", "my-nvidia-smix", False),
        ("cuda*", "base:cuda12", True),
        ("cuda*", "barracuda", False),
        ("cu##*", "torch:2-cu118", True),
        ("cu##*", "torch:2-cu1", False),
        ("NVIDIA", "nvidia", True),
    ],
)
def test_words_are_bounded(pattern: str, text: str, hit: bool) -> None:
    assert _hit(Table.IMAGES, pattern, text) is hit


@pytest.mark.parametrize(
    ("pattern", "text", "hit"),
    [("nvidia.com/gpu", "nvidia.com/gpu", True), ("nvidia.com/gpu", "xnvidia.com/gpu", False), ("a/*", "a/b", True)],
)
def test_whole_texts(pattern: str, text: str, hit: bool) -> None:
    assert _hit(Table.RESOURCES, pattern, text) is hit


@pytest.mark.parametrize(
    ("pattern", "text", "hit"),
    [
        ("CUDA_*", "CUDA_HOME=/usr", True),
        ("*_CUDA", "X=Y_CUDA", False),
        ("A=1", "A=1", True),
        ("A=1", "A=11", False),
        ("A=*x*", "A=axb", True),
        ("A", "A=", True),
    ],
)
def test_a_key_whatever_its_value_or_with_it(pattern: str, text: str, hit: bool) -> None:
    assert _hit(Table.ENVIRONMENT, pattern, text) is hit


def test_the_first_row_wins_and_an_organisations_own_come_first() -> None:
    rows = _rows(Table.IMAGES, "vllm-openai", "vllm*")
    assert rows.find(Table.IMAGES, "vllm-openai").pattern == "vllm-openai"  # type: ignore[union-attr]
    own = rows.with_extra([Row(Table.IMAGES, "team/vllm-openai", Vendor.AMD)])
    assert own.find(Table.IMAGES, "team/vllm-openai:1").vendor is Vendor.AMD  # type: ignore[union-attr]
    assert own.digest != rows.digest


def test_when_asks_for_a_second_word() -> None:
    row = Row(Table.IMAGES, "pytorch/pytorch", Vendor.NVIDIA, when=("cuda*", "cudnn*"))
    rows = VendorRows([row])
    assert rows.find(Table.IMAGES, "pytorch/pytorch:2.9-cuda12.8") is row
    assert rows.find(Table.IMAGES, "pytorch/pytorch:2.9") is None


def test_an_empty_table_and_an_empty_text_match_nothing() -> None:
    assert VendorRows([]).find(Table.IMAGES, "anything") is None
    assert shipped().find(Table.TOOLS, "") is None


def test_foreign_is_what_belongs_to_somebody_else() -> None:
    for vendor in (Vendor.AMD, Vendor.NVIDIA):
        assert Row(Table.KINDS, "x", Vendor.OTHER).foreign_to(vendor)
        assert not Row(Table.KINDS, "x", vendor).foreign_to(vendor)
        assert not Row(Table.KINDS, "x", Vendor.NONE).foreign_to(vendor)


def test_a_group_shares_what_its_rows_leave_out() -> None:
    group = {
        "vendor": "nvidia",
        "link": "https://example.org",
        "rows": ["a", {"match": ["b", "c"], "effect": "blocks"}],
    }
    rows = list(parse(Table.TOOLS, [group]))
    assert [(row.pattern, row.effect) for row in rows] == [
        ("a", Effect.CHANGE),
        ("b", Effect.BLOCKS),
        ("c", Effect.BLOCKS),
    ]


def test_a_misspelt_key_is_refused() -> None:
    with pytest.raises(ValueError, match="tools: a row has no conterpart"):
        list(parse(Table.TOOLS, [{"vendor": "amd", "rows": [{"match": "a", "conterpart": "b"}]}]))


@pytest.mark.parametrize("table", list(Table), ids=str)
def test_every_shipped_row_says_where_it_is_from(table: Table) -> None:
    rows = shipped().of(table)
    assert rows
    for row in rows:
        assert row.link.startswith("https://"), row.pattern
        assert isinstance(row.entered, date), row.pattern


def test_no_row_is_out_of_reach() -> None:
    """A row whose own pattern is answered by an earlier row could never win, unless that one asks for more."""
    for table in Table:
        for row in shipped().of(table):
            if "*" in row.pattern or "#" in row.pattern or row.when:
                continue
            won = shipped().find(table, row.pattern)
            assert won is not None
            assert (won.vendor, won.effect) == (row.vendor, row.effect) or won.when, (table, row.pattern, won.pattern)


def test_a_row_is_evidence() -> None:
    row = shipped().find(Table.IMAGES, "vllm/vllm-openai:v1")
    assert row is not None
    evidence = row.evidence()
    assert (evidence.source, evidence.cell) == ("vendor-rows", "images/vllm-openai")
    assert "vllm/vllm-openai-rocm" in evidence.value


def test_long_texts_are_answered_and_take_no_memory_for_good() -> None:
    rows = _rows(Table.TOOLS, "nvidia-smi")
    tracemalloc.start()
    try:
        answers = [rows.find(Table.TOOLS, f"{n} {'x' * 1_000_000} nvidia-smi") for n in range(20)]
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert all(answers)
    assert kept < 1_000_000


@pytest.mark.parametrize(
    ("table", "text", "vendor", "effect"),
    [
        (Table.TOOLS, "serve --attention-backend=trtllm_mha", Vendor.NVIDIA, Effect.CHANGE),  # no TensorRT-LLM
        (Table.TOOLS, "serve --moe-runner-backend flashinfer_trtllm", Vendor.NVIDIA, Effect.CHANGE),
        (Table.TOOLS, "serve --disable-flashinfer-autotune", None, None),
        (Table.TOOLS, 'platform: "tensorrt_plan"', Vendor.NVIDIA, Effect.BLOCKS),
        (Table.TOOLS, "if lsmod | grep nvidia; then", Vendor.NVIDIA, Effect.CHANGE),
        (Table.TOOLS, "docker run -d --gpus all image", Vendor.NVIDIA, Effect.CHANGE),
        (Table.TOOLS, "ray start --num-gpus=all", None, None),
        (Table.TOOLS, "export CUDA_VISIBLE_DEVICES=0 LD_LIBRARY_PATH=/usr/local/cuda", Vendor.NVIDIA, Effect.CHANGE),
        (Table.TOOLS, "export CUDA_VISIBLE_DEVICES=0", Vendor.NVIDIA, Effect.NOTE),
        (Table.TOOLS, "export HIP_VISIBLE_DEVICES=0", Vendor.AMD, Effect.NOTE),
        (Table.ENVIRONMENT, "DEVICE=cuda", None, None),
        (Table.ENVIRONMENT, "GPU_VENDOR=nvidia", Vendor.NVIDIA, Effect.CHANGE),
        (Table.ENVIRONMENT, "MODEL=nvidia/some-model", None, None),
        (Table.ENVIRONMENT, "SGLANG_ENABLE_JIT_DEEP_GEMM=0", Vendor.NVIDIA, Effect.NOTE),
        (Table.METRICS, "gpu_operator_gpu_nodes_total", Vendor.NVIDIA, Effect.CHANGE),
    ],
)
def test_rows_of_which_the_order_decides(table: Table, text: str, vendor: Vendor | None, effect: Effect | None) -> None:
    row = shipped().find(table, text)
    assert ((row.vendor, row.effect) if row else (None, None)) == (vendor, effect)
