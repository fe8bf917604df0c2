"""Every example of docs/custom-rules.md comes out as it says, and its table of bounds is what is kept to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from portability.engine.custom_rules import bounds
from portability.engine.custom_rules.evaluation import compile_rules
from portability.engine.custom_rules.rule import parse_rules
from portability.engine.targets import parse_target
from portability.rules.custom.actions import MAX_ENABLED
from portability.rules.custom.trial import SLOW
from tests.engine.custom_rules.asking import said

TEXT = (Path(__file__).parents[2] / "docs" / "custom-rules.md").read_text()
BLOCKS = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)]
EXAMPLES = [block for block in BLOCKS if "path" in block]
TARGET = parse_target({"name": "t", "vendor": "amd", "part": "mi300x", "gpus_per_node": 8}, "t")


def test_there_are_some() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: e["path"])
def test_examples(example: dict[str, str]) -> None:
    path, condition = example["path"], example["condition"]
    assert len(said(path, condition, example["hits"], TARGET).findings) == 1
    missed = said(path, condition, example["misses"], TARGET)
    assert (len(missed.findings), dict(missed.unanswered)) == (0, {})


def test_the_file_for_pipelines_is_read() -> None:
    (rules,) = [parse_rules(block, "docs") for block in BLOCKS if "rules" in block]
    assert [each.rule.id for each in compile_rules(rules, "docs")] == ["ORG001"]


def test_the_bounds_are_these() -> None:
    for number in (
        f"{bounds.MAX_PATH} and {bounds.MAX_CONDITION:,} characters; {bounds.MAX_NESTING} brackets deep;"
        f" {bounds.MAX_DEPTH} operators",
        f"{bounds.MAX_PATTERN} characters, {bounds.MAX_PATTERN_SIZE:,} instructions",
        f"{bounds.MAX_STEPS:,} steps, {bounds.MAX_SECONDS:g} s of processor time, {bounds.MAX_MATCHES:,} values",
        f"{SLOW:g} s a workload",
        f"{MAX_ENABLED} rules",
    ):
        assert number in TEXT
