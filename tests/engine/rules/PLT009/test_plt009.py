"""PLT009: device plugin and DRA driver at once."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found

CONFIG = """\
apiVersion: amd.com/v1alpha1
kind: DeviceConfig
metadata: {name: gpus, namespace: kube-amd-gpu}
spec:
"""


def manifest(spec: str) -> str:
    """A DeviceConfig with this spec, one key a line."""
    return CONFIG + "".join(f"  {line}\n" for line in spec.splitlines())


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
    findings = found("PLT009", manifest(spec))
    assert [f.effect for f in findings] == ([Effect.CHANGE] if fires else [])
    assert all(f.about == "workload" for f in findings)
