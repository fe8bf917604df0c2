"""NOD002: instance types that come with one vendor."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import SELECTING_POD


@pytest.mark.parametrize(
    "kind",
    [
        "g5.12xlarge",
        "p4d.24xlarge",
        "a3-highgpu-8g",
        "g2-standard-24",
        "Standard_NC24ads_A100_v4",
        "BM.GPU.H100.8",
        "trn2.48xlarge",
    ],
)
def test_types_of_others(kind: str) -> None:
    (finding,) = found("NOD002", SELECTING_POD % f"node.kubernetes.io/instance-type: {kind}")
    assert finding.effect is Effect.CHANGE


def test_a_node_group_named_after_a_family() -> None:
    assert found("NOD002", SELECTING_POD % "NodeGroupType: g5-gpu-karpenter")


@pytest.mark.parametrize(
    "kind", ["m5.large", "n2-standard-8", "Standard_D8s_v5", "Standard_ND96isr_MI300X_v5", "BM.GPU.MI300X.8"]
)
def test_types_without_or_of_the_target(kind: str) -> None:
    assert not found("NOD002", SELECTING_POD % f"node.kubernetes.io/instance-type: {kind}")
