"""SHM001: shared memory for several processes."""

from portability.engine.model import Effect
from tests.engine.rules.judging import found

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: chat}
spec:
  containers:
    - name: main
      image: "vllm/vllm-openai-rocm:v0.23.0"
      args: [%s]
      resources: {limits: {amd.com/gpu: %s}}
      volumeMounts: [{name: shm, mountPath: /dev/shm}]
  volumes: [{name: shm, emptyDir: {%s}}]
"""


def test_only_memory_serves() -> None:
    (finding,) = found("SHM001", POD % ("", 2, "sizeLimit: 1Gi"))
    assert finding.effect is Effect.NOTE
    assert not found("SHM001", POD % ("", 2, "medium: Memory"))


def test_parallelism_counts_as_several() -> None:
    assert found("SHM001", POD % ("--tensor-parallel-size=4", 1, ""))
    assert not found("SHM001", POD % ("--tensor-parallel-size=1", 1, ""))
