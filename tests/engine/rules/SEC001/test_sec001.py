"""SEC001: flags of Docker on a container with a device plugin."""

from portability.engine.model import Effect
from tests.engine.rules.judging import found

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  hostIPC: true
  containers:
    - name: main
      image: "rocm/vllm:rocm7.0.0_vllm_0.11.0"
      securityContext: {seccompProfile: {type: Unconfined}, capabilities: {add: [SYS_PTRACE]}}
      resources: {limits: {%s: 1}}
"""


def test_one_note_names_all_of_them() -> None:
    (finding,) = found("SEC001", POD % "amd.com/gpu")
    assert finding.effect is Effect.NOTE
    assert all(flag in finding.value for flag in ("hostIPC", "SYS_PTRACE"))


def test_without_devices_it_is_not_asked() -> None:
    assert not found("SEC001", POD % "memory")
