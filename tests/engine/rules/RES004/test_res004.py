"""RES004: device classes and selectors of dynamic resource allocation."""

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found

CLAIM = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: one}
spec:
  devices:
    requests:
      - name: gpu
        exactly:
          deviceClassName: mig.nvidia.com
          selectors:
            - cel:
                expression: |
                  device.attributes["gpu.nvidia.com"].productName == "A100" &&
                  device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0
"""


def test_each_line_of_a_selector_is_a_place() -> None:
    findings = found("RES004", CLAIM)
    assert [f.place.line for f in findings if f.place] == [9, 13, 14]
    assert all("gpu.amd.com" in f.remedy and f.effect is Effect.CHANGE for f in findings)


def test_at_home_it_is_fine() -> None:
    assert not found("RES004", CLAIM, target=NVIDIA)
