"""What no table can read a meaning from is not kept; what one can is, by its name or by its value."""

import pytest

from portability.engine.manifests.serving.known import may_tell
from portability.engine.manifests.serving.rows import custom_resources, flags, model_fields


def test_every_name_that_a_table_reads_from_fields_is_kept() -> None:
    named = [*model_fields()["fields"], *model_fields()["hints"], *custom_resources()["engine_fields"]]
    named += [name for name, row in flags().items() if not row.flag]
    assert named and [name for name in named if not may_tell(name, "x")] == []


@pytest.mark.parametrize("name", ["engine.version", "features", "vllm-enable-prefix-caching"])
def test_names_read_elsewhere_and_names_with_an_engines_prefix_are_kept(name: str) -> None:
    assert may_tell(name, "x")


def test_an_address_of_a_hub_is_kept_under_any_name() -> None:
    assert may_tell("whatever", "hf://Qwen/Qwen3-8B")
    assert not may_tell("whatever", "Qwen/Qwen3-8B")
