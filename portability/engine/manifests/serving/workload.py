"""Puts together what each container serves, and what stands outside of any."""

from __future__ import annotations

from portability.engine.manifests.gather import Gathered
from portability.engine.model import Container, Facts, PodGroup, Problem


def complete(files: tuple[str, ...], documents: int, problems: tuple[Problem, ...], gathered: Gathered) -> Facts:
    """Everything gathered, as facts."""
    containers = tuple(
        Container(
            name=d.name, role=d.role, place=d.place, image=d.image, accelerators=dict(d.accelerators), gpus=d.gpus,
            uses_dra=d.uses_dra, non_root=d.non_root, supplemental_groups=d.supplemental_groups,
            memory_shm=d.memory_shm, docker_flags=tuple(d.docker_flags),
        )
        for d in gathered.drafts
    )  # fmt: skip
    groups = tuple(
        PodGroup(g.resource, g.replicas, g.place, tuple(g.containers), sum(
            containers[n].gpus for n in g.containers if containers[n].role not in ("init", "ephemeral")))
        for g in gathered.groups
    )  # fmt: skip
    return Facts(
        files=files,
        documents=documents,
        sites=tuple(gathered.sites),
        containers=containers,
        pod_groups=groups,
        runs_something=bool(containers),
        problems=problems,
        objects=tuple(gathered.objects),
    )
