"""SEC001: flags that a container needs under Docker, and not where a device plugin hands it its devices."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Container, Effect, Finding, SiteKind
from portability.engine.rules.base import Context, Example, Rule


def check(ctx: Context) -> Iterable[Finding]:
    """Certain where the plugin hands out devices; said as unknown where the container mounts the host's devices."""
    for container in ctx.facts.containers:
        if not container.docker_flags:
            continue
        flags = ", ".join(container.docker_flags)
        if container.asks_for_devices:
            reason = f"The container gets its devices by request, and is also given {flags}."
        elif _mounts_devices(ctx, container):
            reason = (
                f"The container is given {flags} and mounts the host's devices: whether it needs both is not known."
            )
        else:
            continue
        remedy = "Take out what it starts without: the plugin hands the device files to the container."
        yield RULE.finding(Effect.NOTE, reason, remedy, place=container.place, value=flags)


def _mounts_devices(ctx: Context, container: Container) -> bool:
    paths = (site for site in ctx.sites(SiteKind.PATH) if site.place.resource == container.place.resource)
    return any(site.role == "host" and f"{site.value}/".startswith("/dev/") for site in paths)


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - name: main
      image: "rocm/vllm:rocm7.0.0_vllm_0.11.0"
      securityContext: {privileged: %s}
      resources: {limits: {%s}}
      volumeMounts: [{name: host, mountPath: /host}]
  volumes: [{name: host, hostPath: {path: %s}}]
"""

RULE = Rule(
    id="SEC001",
    name="docker-flags-translated",
    class_="HYGIENE",
    why="Guides for Docker ask for privileged, host IPC, SYS_PTRACE or no seccomp; on a cluster that is too much.",
    fix="Ask for the device through the plugin, and take the flags out one by one.",
    references=(
        "https://rocm.docs.amd.com/projects/install-on-linux/en/latest/how-to/docker.html",
        "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
    ),
    reads=("security contexts of containers with devices",),
    examples=(
        Example("hit", "a privileged container", _POD % ("true", "amd.com/gpu: 1", "/data"), effect=Effect.NOTE),
        Example("miss", "a plain container", _POD % ("false", "amd.com/gpu: 1", "/data")),
        Example("unknown", "it takes the host's devices itself", _POD % ("true", "cpu: 1", "/dev"), effect=Effect.NOTE),
    ),
    check=check,
)
