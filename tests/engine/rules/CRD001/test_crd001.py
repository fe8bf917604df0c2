"""CRD001: kinds that one vendor's operator serves."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found


@pytest.mark.parametrize(
    ("version", "kind", "effect"),
    [
        ("apps.nvidia.com/v1alpha1", "NIMService", Effect.BLOCKS),
        ("apps.nvidia.com/v1alpha1", "NemoCustomizer", Effect.BLOCKS),
        ("nvidia.com/v1alpha1", "DynamoGraphDeployment", Effect.BLOCKS),
        ("resource.nvidia.com/v1beta1", "ComputeDomain", Effect.BLOCKS),
        ("nvidia.com/v1", "ClusterPolicy", Effect.CHANGE),
        ("nvidia.com/v1alpha1", "NVIDIADriver", Effect.CHANGE),
    ],
)
def test_kinds_of_nvidia(version: str, kind: str, effect: Effect) -> None:
    text = f"apiVersion: v1\nkind: List\nitems:\n- apiVersion: {version}\n  kind: {kind}\n  metadata: {{name: x}}\n"
    (finding,) = found("CRD001", text)
    assert finding.effect is effect
    assert finding.value == kind
    assert not found("CRD001", text, target=NVIDIA)


def test_amds_settings_have_a_counterpart() -> None:
    text = "apiVersion: amd.com/v1alpha1\nkind: DeviceConfig\nmetadata: {name: x}\n"
    (finding,) = found("CRD001", text, target=NVIDIA)
    assert "ClusterPolicy" in finding.remedy
