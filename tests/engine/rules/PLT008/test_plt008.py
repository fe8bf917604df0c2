"""PLT008: what an enabled driver requires, on the target and among manifests."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import device_config


@pytest.mark.parametrize(
    ("spec", "effect"),
    [
        ('driver: {enable: true, version: "30.20.1"}', Effect.CHANGE),
        ("driver: {enable: true, blacklist: true}", Effect.CHANGE),
        ('driver: {enable: true, blacklist: true, version: "30.20.1"}', None),
        (
            'driver: {enable: true, blacklist: true, version: "30.20.1"}\ndevicePlugin: {enableNodeLabeller: false}',
            Effect.CHANGE,
        ),
        ("driver: {enable: false}", None),
        ("driver: {}", Effect.NOTE),
    ],
)
def test_among_manifests(spec: str, effect: Effect | None) -> None:
    findings = found("PLT008", device_config(spec))
    assert [f.effect for f in findings] == ([effect] if effect else [])
    assert all(f.about == "workload" and f.place and f.place.resource.name == "gpus" for f in findings)


def test_on_the_target_it_is_about_the_target_and_said_once() -> None:
    config = {"apiVersion": "amd.com/v1alpha1", "kind": "DeviceConfig", "spec": {"driver": {"enable": True}}}
    (finding,) = found("PLT008", target={"device_config": config})
    assert finding.about == "target"
    assert "blacklist" in finding.reason
    assert "version" in finding.reason


def test_openshift_has_no_blacklist_field() -> None:
    spec = {"driver": {"enable": True, "version": "30.20.1"}}
    config = {"apiVersion": "amd.com/v1alpha1", "kind": "DeviceConfig", "spec": spec}
    assert not found("PLT008", target={"kubernetes": None, "openshift": "4.18", "device_config": config})


def test_an_nvidia_target_has_no_platform_source() -> None:
    assert not found("PLT008", device_config("driver: {enable: true}"), target={"vendor": "nvidia", "part": "h100"})
