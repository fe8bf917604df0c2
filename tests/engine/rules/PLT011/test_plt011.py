"""PLT011: operand images that float."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import device_config

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
    findings = found("PLT011", device_config(spec))
    assert [f.effect for f in findings] == ([Effect.NOTE] if fires else [])
