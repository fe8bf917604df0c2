"""PLT001: the operating system for the exact part, never its series."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found

UBUNTU = {"family": "ubuntu", "version": "22.04.5", "kernel": "5.15"}


@pytest.mark.parametrize(
    ("part", "family", "version", "effect"),
    [
        ("mi350p", "ubuntu", "22.04.5", Effect.CHANGE),
        ("mi355x", "ubuntu", "22.04.5", None),
        ("mi325x", "rhel", "8.10", Effect.CHANGE),
        ("mi300x", "rhel", "8.10", None),
        ("mi300x", "rhel", "8.1", Effect.CHANGE),
        ("mi300a", "debian", "13", Effect.CHANGE),
        ("mi100", "debian", "12", Effect.CHANGE),
        ("mi300x", "ubuntu", "24.04", Effect.CONFIRM),
        ("mi300x", "ubuntu", "24.04.3", Effect.CHANGE),
        ("mi300x", "oracle-linux", "9.5", None),
        ("mi300x", "fedora", "43", Effect.CHANGE),
        ("mi300x", "rhcos", "4.20", Effect.CONFIRM),
        ("mi999x", "ubuntu", "24.04.4", Effect.CONFIRM),
    ],
)
def test_the_row_of_the_exact_part_decides(part: str, family: str, version: str, effect: Effect | None) -> None:
    found_ = found("PLT001", target={"part": part, "os": {"family": family, "version": version}})
    assert [f.effect for f in found_] == ([effect] if effect else [])
    assert all(f.about == "target" and f.place is None for f in found_)


def test_the_nearest_listed_version_is_named() -> None:
    (finding,) = found("PLT001", target={"part": "mi350p", "os": UBUNTU})
    assert "MI350P" in finding.reason
    assert "22.04.5" in finding.reason
    assert "24.04.4" in finding.remedy
    assert {e.version for e in finding.evidence} == {"7.14.0"}


def test_rhcos_is_confirmed_with_both_sources() -> None:
    (finding,) = found("PLT001", target={"os": {"family": "rhcos", "version": "4.20"}, "openshift": "4.20"})
    assert {e.source for e in finding.evidence} == {"rocm-compatibility-matrix", "gpu-operator-platforms"}


@pytest.mark.parametrize(("rocm", "nearest"), [("8.8.0", "7.14.0"), ("6.4.0", "7.12.0"), ("11.0.0", "10.0.0")])
def test_a_version_nobody_read_names_the_nearest_one(rocm: str, nearest: str) -> None:
    (finding,) = found("PLT001", target={"rocm": rocm})
    assert finding.effect is Effect.CONFIRM
    assert nearest in finding.reason


@pytest.mark.parametrize("missing", ["rocm", "os"])
def test_what_the_target_leaves_out_is_confirmed(missing: str) -> None:
    assert [f.effect for f in found("PLT001", target={missing: None})] == [Effect.CONFIRM]


def test_one_cell_for_the_family_answers_for_a_radeon_part() -> None:
    system = {"family": "ubuntu", "version": "24.04.4", "kernel": "6.17"}
    assert not found("PLT001", target={"part": "rx-7900-xtx", "rocm": "10.0.0", "os": system})
    assert [f.effect for f in found("PLT001", target={"part": "rx-7900-xtx", "os": system})] == [Effect.CONFIRM]


def test_newest_follows_the_newest_release_read() -> None:
    assert not found("PLT001", target={"rocm": "newest"})


def test_no_source_describes_an_nvidia_platform() -> None:
    assert not found("PLT001", target={"vendor": "nvidia", "part": "h100", "os": UBUNTU})
