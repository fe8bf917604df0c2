"""PLT011: operand images that float."""

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


PINNED = 'devicePlugin: {devicePluginImage: "rocm/k8s-device-plugin:1.31", nodeLabellerImage: "rocm/x:labeller-1.31"}'


@pytest.mark.parametrize(
    ("spec", "fires"),
    [
        ("driver: {enable: false}", True),
        (PINNED, False),
        (PINNED.replace("plugin:1.31", "plugin:latest"), True),
        (PINNED.replace("labeller-1.31", "labeller-latest"), True),
        (PINNED.replace("plugin:1.31", "plugin@sha256:" + "0" * 64), False),
        ("devicePlugin: {enableDevicePlugin: false, enableNodeLabeller: false}", False),
    ],
)
def test_images(spec: str, fires: bool) -> None:
    findings = found("PLT011", manifest(spec))
    assert [f.effect for f in findings] == ([Effect.NOTE] if fires else [])
