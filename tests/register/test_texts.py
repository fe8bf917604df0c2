"""The words of a row: short where a table has little room, whole where an export has it."""

from __future__ import annotations

from typing import Any

import pytest

from portability.engine.model import Assessment, Effect, Finding, Place, Summary, Verdict
from portability.register import texts


def finding(
    class_: str, value: str, pointer: str = "0:/spec/x", effect: Effect = Effect.CHANGE, **more: Any
) -> Finding:
    """A finding at a place."""
    path = more.pop("path", pointer.partition(":")[2].lstrip("/"))
    place = Place("a.yaml", 3, pointer, path)
    return Finding("X001", class_, effect, more.pop("reason", "It is so. Really."), "Do this.", place, value, **more)


def assessment(
    *findings: Finding, verdict: Verdict = Verdict.NEEDS_CHANGE, missing: tuple[str, ...] = ()
) -> Assessment:
    """An assessment with these findings."""
    return Assessment(verdict, verdict, findings, missing, (), frozenset(), Summary(), True)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (finding("RESOURCE", "2", "0:/limits/nvidia.com~1gpu"), "nvidia.com/gpu"),
        (finding("IMAGE", "registry.example/a/vllm/vllm-openai:v1@sha256:00"), "image vllm/vllm-openai:v1"),
        (finding("ENV", "all", path="env[NVIDIA_VISIBLE_DEVICES]/value"), "environment NVIDIA_VISIBLE_DEVICES"),
        (finding("NODE", "true", "0:/nodeSelector/nvidia.com~1gpu.present"), "node selection nvidia.com/gpu.present"),
        (finding("RUNTIME", "nvidia"), "runtime class nvidia"),
        (finding("FEATURE", "lora"), "It is so"),
    ],
)
def test_the_short_reason_names_the_literal(found: Finding, said: str) -> None:
    assert texts.why(assessment(found)) == said


def test_alike_reasons_are_counted_and_images_come_first() -> None:
    gpu = finding("RESOURCE", "2", "0:/limits/nvidia.com~1gpu")
    ask = finding("FEATURE", "", effect=Effect.CONFIRM)
    text = texts.why(assessment(gpu, gpu, finding("IMAGE", "a/b:c"), ask))
    assert text == "image a/b:c; nvidia.com/gpu (2); 1 to confirm"


def test_only_what_is_to_be_confirmed_says_so() -> None:
    assert texts.why(assessment(finding("FEATURE", "", effect=Effect.CONFIRM))) == "to confirm: It is so"


def test_what_blocks_stands_alone() -> None:
    blocks = finding("FEATURE", "", effect=Effect.BLOCKS, reason="No path. At all.")
    assert texts.why(assessment(blocks, finding("IMAGE", "a"), verdict=Verdict.PINNED)) == "No path"


def test_the_short_reason_never_outgrows_its_column() -> None:
    many = [finding("ENV", "x", path=f"env[{'LONG' * 30}{n}]") for n in range(40)]
    for a in (
        assessment(*many),
        assessment(finding("FEATURE", "", reason="word " * 500)),
        assessment(missing=("missing " * 200,), verdict=Verdict.NOT_ASSESSED),
    ):
        assert 0 < len(texts.why(a)) <= 200


def test_a_cell_fits_a_spreadsheet_and_counts_what_it_left_out() -> None:
    text = texts.reasons(assessment(*(finding("ENV", "x", reason=f"{n} " + "why " * 200) for n in range(500))))
    assert len(text) < 32_767
    assert text.splitlines()[-1].startswith("and ") and text.endswith("more on the workload's page")


def test_an_entry_is_one_line_whatever_a_manifest_says() -> None:
    text = texts.reasons(
        assessment(finding("ENV", "x", reason="two\nlines\r\nthree"), finding("ENV", "y", reason="one"))
    )
    assert text == "X001 a.yaml:3: two lines three\nX001 a.yaml:3: one"
