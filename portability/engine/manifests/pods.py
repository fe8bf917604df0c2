"""Containers and the pods that hold them, and what custom resources and charts make containers of."""

from __future__ import annotations

from typing import TypeGuard

from portability.engine.manifests.gather import Context, Draft, Group
from portability.engine.manifests.nodes import Mapping, Node, Scalar, Sequence, is_null, line_of
from portability.engine.manifests.places import At
from portability.engine.manifests.resources import is_extended, whole
from portability.engine.model import Place

CONTAINER_LISTS = {
    "containers": "main",
    "initContainers": "init",
    "ephemeralContainers": "ephemeral",
    "sidecarContainers": "sidecar",
    "sidecars": "sidecar",
    "extraContainers": "sidecar",
    "additionalContainers": "sidecar",
    "extraInitContainers": "init",
}
SINGLE_CONTAINERS = {"mainContainer": "main", "containerSpec": "main"}
_REPLICAS = (
    "replicas", "replicaCount", "parallelism", "minReplicas", "numReplicas", "workerReplicas", "nodeCount", "workers",
)  # fmt: skip
_REPLICA_NAMES = frozenset(_REPLICAS)
# Fields that make a container of a mapping which is in no list of containers.
_SERVING_FIELDS = frozenset(
    {"modelURL", "modelUrl", "resourceProfile", "storageUri", "modelFormat", "vllmConfig", "modelURI", "hfModel"}
)
_NO_CONTAINER = frozenset(
    {"PersistentVolumeClaim", "ResourceClaim", "ResourceClaimTemplate", "Kustomization", "ConfigMap", "Secret"}
)

# Fields of which a mapping has one if it is a pod or a container, or says how often one runs.
TELLING = frozenset({"containers", "image", "repository", "resources", *_REPLICAS, *_SERVING_FIELDS})


def replicas_here(ctx: Context, node: Mapping, at: At) -> Context:
    """The context with the replicas that a mapping states, if it does."""
    if _REPLICA_NAMES.isdisjoint(node.nodes):
        return ctx
    for name in _REPLICAS:
        value = node.nodes.get(name)
        if isinstance(value, Scalar) and not is_null(value):
            count = int(value.value) if value.value.isdecimal() and len(value.value) < 9 else None
            return ctx._replace(replicas=(count, ctx.scope.place(at.entry(node, name), line_of(value))))
    return ctx


def is_pod(node: Mapping) -> bool:
    """Whether a mapping is a pod's: it lists containers."""
    containers = node.nodes.get("containers")
    return isinstance(containers, Sequence) and any(isinstance(c, Mapping) for c in containers.items)


def looks_like_container(ctx: Context, node: Mapping) -> bool:
    """Whether a mapping outside a pod stands for a container: it has an image of its own, or asks for devices."""
    if ctx.kind in _NO_CONTAINER or not (ctx.kind or ctx.values):
        return False
    nodes = node.nodes
    image = nodes.get("image")
    if isinstance(image, Scalar) and image.value and not is_null(image) and image.value.lower() != "image":
        return True
    if isinstance(image, Mapping) and ("repository" in image.nodes or "tag" in image.nodes):
        return True
    if "repository" in nodes and "tag" in nodes and isinstance(nodes["repository"], Scalar) and len(nodes) > 4:
        return True
    if not _SERVING_FIELDS.isdisjoint(nodes):
        return True
    return _asks_for_devices(nodes.get("resources"))


def _asks_for_devices(node: Node | None) -> bool:
    if not isinstance(node, Mapping):
        return False
    return any(
        isinstance(part, Mapping) and any(is_extended(name) for name in part.nodes)
        for part in (node.nodes.get("limits"), node.nodes.get("requests"))
    )


def open_container(ctx: Context, node: Mapping, at: At, role: str) -> Context:
    """Begin to gather a container."""
    name = node.text("name")
    place = ctx.scope.place(at, line_of(node))
    draft = Draft(name or at.token, role, place, ctx.kind, ctx.document)
    ctx.gathered.drafts.append(draft)
    draft.non_root, draft.docker_flags = _security(node.mapping("securityContext"))
    resources = node.mapping("resources")
    if resources is not None and resources.sequence("claims"):
        draft.uses_dra = True
    return ctx._replace(container=len(ctx.gathered.drafts) - 1)


def close_pod(ctx: Context, node: Mapping, at: At, first: int) -> None:
    """After a pod's containers were gathered: what the pod gives all of them, and how often it runs."""
    drafts = ctx.gathered.drafts[first:]
    security = node.mapping("securityContext")
    non_root, flags = _security(security)
    groups = security is not None and bool(security.sequence("supplementalGroups"))
    shared = [flag for flag in ("hostIPC", "hostPID") if node.text(flag).lower() == "true"]
    in_memory = _with_memory_shm(node)
    for draft in drafts:
        draft.non_root = draft.non_root or non_root
        draft.supplemental_groups = groups
        draft.docker_flags += [flag for flag in flags if flag not in draft.docker_flags] + shared
        draft.memory_shm = draft.name in in_memory
    if drafts:
        count, place = ctx.replicas or (None, ctx.scope.place(at, line_of(node)))
        ctx.gathered.groups.append(Group(ctx.scope.resource, count, place, list(range(first, first + len(drafts)))))


def close_alone(ctx: Context, container: int, place: Place) -> None:
    """A container without a pod around it (a custom resource's) runs as often as its resource says."""
    count, where = ctx.replicas or (None, place)
    ctx.gathered.groups.append(Group(ctx.scope.resource, count, where, [container]))


def times(ctx: Context, factor: int) -> Context:
    """The context with its replicas multiplied."""
    if ctx.replicas is None or ctx.replicas[0] is None:
        return ctx
    return ctx._replace(replicas=(ctx.replicas[0] * factor, ctx.replicas[1]))


def group_size(node: Mapping, part: str) -> int:
    """How many pods of one part a LeaderWorkerSet's group holds."""
    size = whole(node.text("size")) or 1
    if part == "leaderTemplate":
        return 1
    return size - 1 if "leaderTemplate" in node.nodes else size


def _security(node: Mapping | None) -> tuple[bool, list[str]]:
    """Whether a security context runs as another user than root, and which of docker's flags it stands for."""
    if node is None:
        return False, []
    user, flags = node.text("runAsUser"), []
    if node.text("privileged").lower() == "true":
        flags.append("privileged")
    capabilities = node.mapping("capabilities")
    if capabilities is not None:
        added = {i.value for i in capabilities.sequence("add") if isinstance(i, Scalar)}
        flags += sorted(added & {"SYS_PTRACE", "CAP_SYS_PTRACE"})
    profile = node.mapping("seccompProfile")
    if profile is not None and profile.text("type").lower() == "unconfined":
        flags.append("unconfined seccomp")
    return node.text("runAsNonRoot").lower() == "true" or (user.isdigit() and user != "0"), flags


def _with_memory_shm(node: Mapping) -> set[str]:
    """The names of a pod's containers that mount a volume in memory at /dev/shm."""
    volumes = {volume.text("name") for volume in node.sequence("volumes") if _is_in_memory(volume)}
    if not volumes:
        return set()
    containers = [item for name in CONTAINER_LISTS for item in node.sequence(name) if isinstance(item, Mapping)]
    return {container.text("name") for container in containers if _mounts_shm(container, volumes)}


def _is_in_memory(volume: Node) -> TypeGuard[Mapping]:
    empty = volume.mapping("emptyDir") if isinstance(volume, Mapping) else None
    return empty is not None and empty.text("medium").startswith("Memory")


def _mounts_shm(node: Mapping, memory: set[str]) -> bool:
    return any(
        isinstance(mount, Mapping)
        and mount.text("mountPath").rstrip("/") == "/dev/shm"  # noqa: S108
        and mount.text("name") in memory
        for mount in node.sequence("volumeMounts")
    )
