"""RES003: capacity shared out by a vendor's name."""

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found

QUEUE = """\
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: all}
spec:
  resourceGroups:
    - coveredResources: [cpu, nvidia.com/gpu]
      flavors:
        - name: default
          resources:
            - {name: cpu, nominalQuota: 9}
            - {name: nvidia.com/gpu, nominalQuota: 4}
"""


def test_a_queue_names_it_twice() -> None:
    findings = found("RES003", QUEUE)
    assert [f.place.line for f in findings if f.place] == [6, 11]
    assert {f.effect for f in findings} == {Effect.CHANGE}


def test_a_device_for_networks_is_none() -> None:
    assert not found("RES003", QUEUE.replace("nvidia.com/gpu", "rdma/hca"))


def test_a_profile_of_the_targets_vendor_is_fine() -> None:
    model = (
        "apiVersion: kubeai.org/v1\nkind: Model\nmetadata: {name: chat}\n"
        "spec: {url: 'hf://Qwen/Qwen3-8B', engine: VLLM, resourceProfile: 'amd-gpu-mi300x:8'}\n"
    )
    assert not found("RES003", model)
    assert found("RES003", model, target=NVIDIA)
