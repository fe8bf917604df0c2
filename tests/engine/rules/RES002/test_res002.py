"""RES002: shares of a device by the name that the target advertises."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - {name: main, image: "python:3.12", resources: {limits: {%s: 1}}}
"""


@pytest.mark.parametrize("name", ["nvidia.com/mig-3g.40gb", "nvidia.com/gpu.shared", "amd.com/cpx_nps1"])
def test_a_share_that_is_not_advertised_changes_and_is_sized_anew(name: str) -> None:
    (finding,) = found("RES002", POD % name)
    assert finding.effect is Effect.CHANGE
    assert "Confirm the size" in finding.remedy


def test_another_style_than_the_nodes_is_not_advertised() -> None:
    mixed = {"resource_naming": "mixed", "partitions": {"cpx_nps4": 8}}
    assert not found("RES002", POD % "amd.com/cpx_nps4", target=mixed)
    (finding,) = found("RES002", POD % "amd.com/dpx_nps1", target=mixed)
    assert "amd.com/cpx_nps4" in finding.remedy


def test_a_mig_profile_is_at_home_on_a_node_that_shows_it() -> None:
    seen = {**NVIDIA, "advertises": {"nvidia.com/mig-1g.10gb": 7}}
    assert not found("RES002", POD % "nvidia.com/mig-1g.10gb", target=seen)
