"""Target files: what is read, what is refused and how it is said, and the shipped ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from portability.engine.errors import InputError
from portability.engine.model import OperatingSystem, Vendor
from portability.engine.targets import parse_target, shipped_targets, target_to_json

LEAST = {"name": "t", "vendor": "amd", "part": "mi300x"}
CONFIG = "apiVersion: amd.com/v1alpha1\nkind: DeviceConfig\nspec: {driver: {enable: true}}\n"


def test_the_default_target_comes_first_and_is_the_promised_one() -> None:
    name, data = next(iter(shipped_targets().items()))
    target = parse_target(data, name)
    assert name == target.name == "mi300x-single"
    assert target.os == OperatingSystem("ubuntu", "24.04.4", "6.8")
    assert (target.rocm, target.amdgpu, target.kubernetes, target.operator) == ("7.14.0", "31.40.1", "1.33", "1.5.1")
    assert (target.resource_naming, target.allocation, target.gpus_per_node) == ("single", "device-plugin", 8)
    assert not target.partitions
    assert not target.driver_managed
    assert target.metrics_exporter is True


def test_shipped_targets_are_read_and_written_back() -> None:
    assert {"mi300x-single", "mi350p-jammy", "h100"} <= shipped_targets().keys()
    for name, data in shipped_targets().items():
        target = parse_target(data, name)
        assert target.name == name
        assert parse_target(target_to_json(target), name) == target
        assert target_to_json(target).items() >= data.items()


def test_what_is_left_out_or_null_is_not_known() -> None:
    target = parse_target({**LEAST, "rocm": None, "os": None, "metrics_exporter": None}, "t.yaml")
    assert (target.rocm, target.os, target.metrics_exporter, target.advertises) == ("", None, None, None)
    assert target.vendor is Vendor.AMD


def test_what_people_write_is_brought_to_the_words_of_the_matrices() -> None:
    data = {**LEAST, "part": "MI300X", "os": {"family": "Rocky_Linux", "version": 9}, "partitions": {"CPX-NPS4": 8}}
    target = parse_target(data, "t.yaml")
    assert target.part == "mi300x"
    assert target.os == OperatingSystem("rocky-linux", "9", "")
    assert target.partitions == {"cpx_nps4": 8}


def test_a_number_that_cannot_have_lost_a_zero_is_taken() -> None:
    assert parse_target({**LEAST, "kubernetes": 1.33}, "t.yaml").kubernetes == "1.33"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kubernetes": 1.3}, "kubernetes: write it in quotes"),
        ({"vendor": "intel"}, "vendor must be one of amd, nvidia"),
        ({"vendor": ["amd"]}, "vendor must be one of"),
        ({"part": None}, "part is missing"),
        ({"name": ""}, "name is missing"),
        ({"colour": "red"}, "unknown key colour"),
        ({"rocm": True}, "rocm must be text"),
        ({"rocm": ["7.14.0"]}, "rocm must be text, not a list"),
        ({"rocm": "7" * 300}, "longer than 200"),
        ({"driver_managed": "yes"}, "driver_managed must be true or false"),
        ({"gpus_per_node": -1}, "gpus_per_node must be a whole number"),
        ({"gpus_per_node": True}, "gpus_per_node must be a whole number"),
        ({"device_memory_gb": "24"}, "device_memory_gb must be a number"),
        ({"device_memory_gb": float("nan")}, "device_memory_gb must be a number"),
        ({"resource_naming": "both"}, "resource_naming must be one of single, mixed"),
        ({"os": "ubuntu"}, "os must be a mapping"),
        ({"os": {"version": "24.04.4"}}, "os.family is missing"),
        ({"os": {"family": "ubuntu", "versio": "1"}}, "os: unknown key versio"),
        ({"partitions": {"cpx": 8}}, "cpx is not a partition style"),
        ({"partitions": {"cpx_nps4": "many"}}, "partitions.cpx_nps4 must be a whole number"),
        ({"advertises": ["amd.com/gpu"]}, "advertises must be a mapping"),
        ({"feature_gates": "DynamicResourceAllocation"}, "feature_gates must be a list"),
        ({"device_config": 7}, "device_config must be a mapping"),
    ],
)
def test_what_is_no_target_is_refused_in_one_line(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_target({**LEAST, **change}, "t.yaml")
    said = str(refused.value)
    assert said.startswith("t.yaml: ")
    assert words in said
    assert "\n" not in said


@pytest.mark.parametrize("data", [[], "mi300x", None])
def test_a_target_is_a_mapping(data: Any) -> None:
    with pytest.raises(InputError, match="a target is a mapping"):
        parse_target(data, "t.yaml")


def test_a_device_config_beside_the_target_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "dc.yaml").write_text(CONFIG)
    target = parse_target({**LEAST, "device_config": "dc.yaml"}, "t.yaml", tmp_path)
    assert target.device_config is not None
    assert target.device_config["spec"] == {"driver": {"enable": True}}
    assert parse_target(target_to_json(target), "again") == target


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("../dc.yaml", CONFIG, "lies outside"),
        ("/etc/hostname", CONFIG, "lies outside"),
        ("gone.yaml", None, "cannot be read"),
        ("dc.yaml", "kind: [", "did not find expected"),
        ("dc.yaml", "a: 1\n---\nb: 2\n", r"dc\.yaml:2: expected a single document"),
        ("dc.yaml", "kind: Pod\n", "not a DeviceConfig"),
        ("dc.yaml", "- 1\n", "must hold one mapping"),
        ("dc.yaml", "x: " + "y" * 1_000_001, "is larger than"),
        ("dc.yaml", "a: &a [1, 2]\nb: [*a, *a]\n", "aliases"),
    ],
)
def test_a_device_config_that_cannot_be_used(tmp_path: Path, name: str, text: str | None, words: str) -> None:
    if text is not None and "/" not in name:
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=words):
        parse_target({**LEAST, "device_config": name}, "t.yaml", tmp_path)


def test_without_a_folder_no_file_is_looked_up() -> None:
    with pytest.raises(InputError, match="must be the object itself"):
        parse_target({**LEAST, "device_config": "dc.yaml"}, "form")
