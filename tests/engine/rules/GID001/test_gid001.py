"""GID001: the group of AMD's device files."""

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - name: main
      image: "rocm/vllm:rocm7.0.0_vllm_0.11.0"
      securityContext: {runAsUser: %s}
      resources: {limits: {amd.com/gpu: 1}}
"""


def test_a_user_other_than_root() -> None:
    (finding,) = found("GID001", POD % 1000)
    assert finding.effect is Effect.NOTE
    assert "supplementalGroups" in finding.remedy


def test_root_needs_no_group() -> None:
    assert not found("GID001", POD % 0)


def test_nvidia_needs_no_group() -> None:
    assert not found("GID001", POD % 1000, target=NVIDIA)
