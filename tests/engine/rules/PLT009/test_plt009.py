"""PLT009: device plugin and DRA driver at once."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import device_config


@pytest.mark.parametrize(
    ("spec", "fires"),
    [
        ("devicePlugin: {enableDevicePlugin: true}\ndraDriver: {enable: true}", True),
        ("draDriver: {enable: true}", True),
        ("devicePlugin: {enableDevicePlugin: false}\ndraDriver: {enable: true}", False),
        ("devicePlugin: {enableDevicePlugin: true}", False),
    ],
)
def test_together(spec: str, fires: bool) -> None:
    findings = found("PLT009", device_config(spec))
    assert [f.effect for f in findings] == ([Effect.CHANGE] if fires else [])
    assert all(f.about == "workload" for f in findings)
