"""DEV001: devices and libraries of another vendor's driver."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - name: main
      image: python:3.12
      volumeMounts: [{name: host, mountPath: %(path)s}]
  volumes: [{name: host, hostPath: {path: %(path)s}}]
"""


@pytest.mark.parametrize(
    "path",
    [
        "/dev/nvidia0",
        "/dev/nvidia-uvm",
        "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1",
        "/home/kubernetes/bin/nvidia",
        "/run/nvidia/driver",
    ],
)
def test_the_hosts_side_changes_and_the_containers_is_a_note(path: str) -> None:
    assert {(f.effect, f.place.line) for f in found("DEV001", POD % {"path": path}) if f.place} == {
        (Effect.CHANGE, 9),
        (Effect.NOTE, 8),
    }


@pytest.mark.parametrize("path", ["/dev/infiniband", "/data/nvidia", "/dev/kfd", "/opt/rocm/lib"])
def test_what_stays(path: str) -> None:
    assert not found("DEV001", POD % {"path": path})
