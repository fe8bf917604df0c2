"""DEV001: a device, library or directory of another vendor's driver, mounted from the host."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, SiteKind
from portability.engine.rules.base import Example, Ground, Rule, Said
from portability.engine.rules.foreign import foreign, literal, owner
from portability.engine.vendor_rows.rows import Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """The host's side is what fails; the side inside the container goes with it."""
    row = foreign(ground, Table.PATHS, said.value)
    if row is None:
        return
    mounted = said.role == "mount"
    remedy = f"Take the volume and its mount out: {row.counterpart or 'the device plugin hands out the devices'}."
    reason = f"{said.value} is where a container finds" if mounted else f"{said.value} is found only on hosts with"
    reason += f" the driver of {owner(row)}"
    yield literal(RULE, said, row, reason, remedy, Effect.NOTE if mounted else None)


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - name: main
      image: python:3.12
      volumeMounts: [{name: host, mountPath: %s}]
  volumes: [{name: host, %s}]
"""

RULE = Rule(
    id="DEV001",
    name="vendor-device-path",
    class_="DEVICE",
    why="Device files and driver directories of one vendor do not exist on the other's nodes.",
    fix="Ask for devices through the device plugin; let the image bring the libraries.",
    references=(
        "https://kubernetes.io/docs/concepts/storage/volumes/#hostpath",
        "https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html",
    ),
    reads=("paths of host volumes, and where they are mounted",),
    examples=(
        Example("hit", "a device file", _POD % ("/dev/gpu", "hostPath: {path: /dev/nvidiactl}"), effect=Effect.CHANGE),
        Example(
            "hit",
            "AMD's device file on an NVIDIA target",
            _POD % ("/dev/gpu", "hostPath: {path: /dev/kfd}"),
            target={"vendor": "nvidia", "part": "h100"},
            effect=Effect.CHANGE,
        ),
        Example("miss", "a directory of data", _POD % ("/models", "hostPath: {path: /data/nvidia-models}")),
        Example("miss", "the target's own device", _POD % ("/dev/kfd", "hostPath: {path: /dev/kfd}")),
        Example(
            "unknown", "only the container's side", _POD % ("/usr/local/nvidia", "emptyDir: {}"), effect=Effect.NOTE
        ),
    ),
    kinds=(SiteKind.PATH,),
    at=at,
)
