"""The walk over a document: every mapping is looked at by the names of its fields, whatever kind of object holds it."""

from __future__ import annotations

from dataclasses import replace

from portability.engine.manifests import commands, embedded, images, pods, resources, scheduling, settings
from portability.engine.manifests.gather import Context, Gathered, plain
from portability.engine.manifests.nodes import Document, Mapping, Node, Scalar, Sequence
from portability.engine.manifests.places import At, Scope, root
from portability.engine.model import Resource, SiteKind

# Nothing below these names is a place where a vendor's word binds a workload.
_PROSE = frozenset(
    {"labels", "matchLabels", "labelSelector", "status", "description", "openAPIV3Schema", "podAffinity",
     "podAntiAffinity", "ownerReferences", "managedFields", "finalizers", "podLabels", "commonLabels", "selectorLabels",
     "topologySpreadConstraints", "roleRef", "subjects", "legendFormat", "title", "summary",
     "last-applied-configuration", "scaleTargetRef", "podMonitorSelector"}
)  # fmt: skip
_PROBES = frozenset({"livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "postStart", "preStop"})
_ENV_LISTS = frozenset(
    {"env", "envs", "containerEnv", "extraEnv", "extraEnvs", "environment", "env_vars", "envVars", "extraEnvVars",
     "environmentVariables", "workerEnv", "headEnv", "serverEnv", "commonEnv"}
)  # fmt: skip
_SELECTORS = {
    "nodeSelector": "selector", "nodeLabels": "flavor", "nodeSelectors": "selector", "nodeSelectorLabels": "selector"
}  # fmt: skip
_AFFINITY = frozenset({"nodeAffinity", "nodeSelectorTerms", "required_node_affinity", "nodeSelectorExpressions"})
_TAINTS = frozenset({"tolerations", "taints", "nodeTaints", "startupTaints"})
# What stands below these is for whoever names it, not for what surrounds them.
_TABLES = frozenset({"resourceProfiles", "resource_profiles", "nodeGroups", "acceleratorProfiles"})
_MONITORS = frozenset(
    {"ServiceMonitor", "PodMonitor", "PodMonitoring", "ClusterPodMonitoring", "VMServiceScrape", "VMPodScrape"}
)
_RELABELINGS = frozenset(
    {"relabelings", "metricRelabelings", "relabel_configs", "metric_relabel_configs", "metricRelabeling",
     "relabelConfigs", "metricRelabelConfigs"}
)  # fmt: skip
_PLATFORM_OBJECTS = frozenset({"DeviceConfig"})


def walk(file: str, document: Document, gathered: Gathered) -> None:
    """Gather all of one document."""
    if document.root is None:
        return
    scope = Scope(file, document.index)
    ctx = Context(scope, gathered)
    node = document.root
    if isinstance(node, Mapping) and "kind" not in node.nodes and "apiVersion" not in node.nodes:
        ctx = replace(ctx, values=True)
    visit(ctx, node, root(), "")


def visit(ctx: Context, node: Node, at: At, name: str) -> None:
    """Look at a node that stands under a name."""
    if isinstance(node, Mapping):
        _mapping(ctx, node, at, name)
    elif isinstance(node, Sequence):
        for n, item in enumerate(node.items):
            here = at.item(node, n)
            if isinstance(item, Scalar):
                _scalar(ctx, item, here, name, "")
            else:
                visit(ctx, item, here, name)


def _mapping(ctx: Context, node: Mapping, at: At, name: str) -> None:
    nodes = node.nodes
    if "op" in nodes and node.text("path").startswith("/"):
        _patch(ctx, node, at)
        return
    if "kind" in nodes and "apiVersion" in nodes:
        ctx = _object(ctx, node, at)
        if ctx.kind in ("Secret", "CustomResourceDefinition"):
            return
    ctx = pods.replicas_here(ctx, node, at)
    first = len(ctx.gathered.drafts)
    pod = pods.is_pod(node)
    outer = ctx
    alone = -1
    if pod:
        ctx = replace(ctx, container=None) if ctx.draft is None or ctx.draft.role != "custom" else ctx
    elif _may_stand_alone(ctx, name) and pods.looks_like_container(ctx, node):
        ctx = pods.open_container(ctx, node, at, "custom")
        alone = first
    used = images.image_mapping(ctx, node, at, name == "image" or name.endswith("Image"))
    images.runtime_version(ctx, node, at, name)
    for key, child in nodes.items():
        if key not in used:
            _entry(ctx, node, key, child, at.entry(node, key), name)
    settings.custom_resource(ctx, node, at, name)
    if pod:
        pods.close_pod(outer, node, at, first)
    elif alone >= 0 and not any(alone in g.containers for g in ctx.gathered.groups):
        draft = ctx.gathered.drafts[alone]
        pods.close_alone(ctx, alone, draft.place)


def _patch(ctx: Context, node: Mapping, at: At) -> None:
    """One step of a JSON patch: its value is looked at as what stands at its path. What is removed binds nothing."""
    value = node.nodes.get("value")
    if node.text("op") == "remove" or value is None:
        return
    steps = [step.replace("~1", "/").replace("~0", "~") for step in node.text("path").split("/")[1:]]
    names = [step for step in steps if not step.isdigit() and step != "-"]
    name, parent = names[-1] if names else "", names[-2] if len(names) > 1 else ""
    here, path = at.entry(node, "value"), node.nodes["path"]
    if parent in ("limits", "requests") and isinstance(value, Scalar):
        if resources.is_extended(name):
            place = at.entry(node, "path")
            ctx.site(SiteKind.RESOURCE, place, path.line, value.value, key=name, role=parent)
    elif parent in _SELECTORS and isinstance(value, Scalar):
        ctx.site(SiteKind.NODE, here, value.line, value.value, key=name, role=_SELECTORS[parent])
    elif name in _TAINTS and isinstance(value, Mapping):
        scheduling.toleration(ctx, value, here)
    elif name in _ENV_LISTS and isinstance(value, Mapping) and steps[-1] != name:
        commands.variable(ctx, value, here)
    else:
        _entry(ctx, node, name, value, here, parent)


def _may_stand_alone(ctx: Context, name: str) -> bool:
    """Whether a mapping here could be a container of its own: not inside a pod's container, and no image's parts."""
    return ctx.draft is None or (ctx.draft.role == "custom" and name != "image")


def _object(ctx: Context, node: Mapping, at: At) -> Context:
    """An object of its own: its kind is a site, and its name is where everything below belongs."""
    kind, metadata = node.text("kind"), node.mapping("metadata")
    if not kind or not ("metadata" in node.nodes or at.parent is None or "spec" in node.nodes):
        return ctx
    resource = Resource(kind, metadata.text("namespace") if metadata else "", metadata.text("name") if metadata else "")
    ctx = replace(ctx, scope=replace(ctx.scope, resource=resource), kind=kind, container=None, values=False)
    scalar = node.nodes["kind"]
    ctx.site(SiteKind.KIND, at.entry(node, "kind"), scalar.line, kind, key=node.text("apiVersion"))
    ctx.gathered.kinds.setdefault(ctx.document, []).append(kind)
    if kind in _PLATFORM_OBJECTS:
        place = ctx.scope.place(at.entry(node, "kind"), scalar.line)
        here = {"file": place.file, "line": place.line, "pointer": place.pointer}
        ctx.gathered.objects.append({**plain(node), "place": here})
    return ctx


def _entry(ctx: Context, owner: Mapping, key: str, node: Node, at: At, parent: str) -> None:
    """One field, by its name."""
    if key in _PROSE:
        return
    if isinstance(node, Scalar):
        if commands.is_command(key):
            commands.command(ctx, key, node, at)
        elif key == "hostPath":
            commands.host_path(ctx, node, at)
        else:
            _scalar(ctx, node, at, key, parent)
        return
    if key == "metadata":
        _metadata(ctx, node, at, parent)
    elif key == "annotations" or key.endswith("Annotations"):
        _annotations(ctx, node, at)
    elif key in ("limits", "requests") and isinstance(node, Mapping):
        resources.amounts(ctx, key, node, at)
    elif resources.quotas(ctx, key, node, at):
        pass
    elif key in pods.CONTAINER_LISTS and isinstance(node, Sequence):
        _containers(ctx, node, at, pods.CONTAINER_LISTS[key])
    elif key in pods.SINGLE_CONTAINERS and isinstance(node, Mapping):
        _single(ctx, node, at, pods.SINGLE_CONTAINERS[key])
    elif key in _ENV_LISTS:
        for value, here in commands.environment(ctx, node, at):
            embedded.settings_text(ctx, value, here)
    elif key in _SELECTORS and isinstance(node, Mapping):
        scheduling.selector(ctx, node, at, _SELECTORS[key])
    elif key in _AFFINITY:
        scheduling.expressions(ctx, node, at)
    elif key == "requirements" and isinstance(node, Sequence):
        scheduling.expressions(ctx, node, at, "requirement")
        commands.packages(ctx, key, node, at)
    elif key in _TAINTS and isinstance(node, Sequence):
        scheduling.tolerations(ctx, node, at)
    elif key == "hostPath":
        commands.host_path(ctx, node, at)
    elif key == "volumeMounts" and isinstance(node, Sequence):
        _mounts(ctx, node, at)
    elif isinstance(node, Sequence) and commands.is_command(key):
        commands.command(ctx, key, node, at)
    elif key in ("data", "binaryData") and ctx.kind == "ConfigMap" and isinstance(node, Mapping):
        embedded.config_map(ctx, node, at)
    elif key == "images" and images.is_kustomize_images(node) and isinstance(node, Sequence):
        images.kustomize_images(ctx, node, at)
    elif commands.packages(ctx, key, node, at):
        pass
    elif key in ("selector", "namespaceSelector") and not isinstance(node, Scalar):
        if ctx.kind in _MONITORS and key == "selector":
            commands.metric_selector(ctx, node, at, "selector")
        elif ctx.kind == "Service" and key == "selector":
            commands.metric_selector(ctx, node, at, "service")
    elif key == "metric" and isinstance(node, Mapping):
        commands.trigger(ctx, node, at)
    else:
        if key in _PROBES:
            ctx = replace(ctx, probe=True)
        elif key in _TABLES:
            ctx = replace(ctx, container=None)
        elif key in ("leaderTemplate", "workerTemplate") and "size" in owner.nodes:
            ctx = pods.times(ctx, pods.group_size(owner, key))
        visit(ctx, node, at, key)


def _metadata(ctx: Context, node: Node, at: At, parent: str) -> None:
    """An object's metadata binds nothing but by its annotations; a trigger's metadata is what it watches."""
    if not isinstance(node, Mapping):
        return
    if parent == "triggers":
        commands.trigger(ctx, node, at)
    elif "annotations" in node.nodes:
        _annotations(ctx, node.nodes["annotations"], at.entry(node, "annotations"))


def _annotations(ctx: Context, node: Node, at: At) -> None:
    if isinstance(node, Mapping):
        for name, value in node.nodes.items():
            if isinstance(value, Scalar):
                resources.annotation(ctx, name, value, at.entry(node, name))


def _containers(ctx: Context, node: Sequence, at: At, role: str) -> None:
    for n, item in enumerate(node.items):
        if isinstance(item, Mapping):
            here = at.item(node, n)
            own = role
            if role == "init" and item.text("restartPolicy") == "Always":
                own = "sidecar"
            _inside(pods.open_container(ctx, item, here, own), item, here)


def _single(ctx: Context, node: Mapping, at: At, role: str) -> None:
    """A container that is no list's item. Where what holds it already asks for its devices, the two are one."""
    draft = ctx.draft
    if draft is None or draft.role != "custom" or draft.image:
        first = len(ctx.gathered.drafts)
        ctx = pods.open_container(ctx, node, at, role)
        _inside(ctx, node, at)
        pods.close_alone(ctx, first, ctx.gathered.drafts[first].place)
        return
    _inside(ctx, node, at)


def _inside(ctx: Context, node: Mapping, at: At) -> None:
    for key, child in node.nodes.items():
        _entry(ctx, node, key, child, at.entry(node, key), "container")
    image = node.nodes.get("image")
    if isinstance(image, Mapping):
        images.image_mapping(ctx, image, at.entry(node, "image"), True)
    settings.custom_resource(ctx, node, at, "container")


def _mounts(ctx: Context, node: Sequence, at: At) -> None:
    for n, item in enumerate(node.items):
        path = item.nodes.get("mountPath") if isinstance(item, Mapping) else None
        if isinstance(item, Mapping) and isinstance(path, Scalar):
            ctx.site(SiteKind.PATH, at.item(node, n).entry(item, "mountPath"), path.line, path.value, role="mount")


def _scalar(ctx: Context, node: Scalar, at: At, key: str, parent: str) -> None:
    """A text whose field's name says what it is, or whose form does."""
    value = node.value
    if not value or key in ("apiVersion", "apiGroup"):
        return
    if (key in ("runtimeClassName", "runtimeClass") and not node.is_null) or (
        key == "handler" and ctx.kind == "RuntimeClass"
    ):
        ctx.site(SiteKind.RUNTIME_CLASS, at, node.line, value)
        return
    if _told_by_form(ctx, node, at, key, parent):
        return
    if "\n" in value:
        embedded.text(ctx, key, node, at)
    elif scheduling.hint(ctx, key, parent, node, at) or resources.device_scalar(ctx, key, node, at):
        return
    else:
        commands.value_path(ctx, key, node, at)
        settings.scalar(ctx, key, parent, node, at)


def _told_by_form(ctx: Context, node: Scalar, at: At, key: str, parent: str) -> bool:
    """Whether a text is an expression over devices or metrics, or an image; it is noted then."""
    name = "imageRef" if parent == "images" and "/" in node.value else key
    if key == "regex" and parent in _RELABELINGS:
        key = "expression"
    return (
        resources.cel(ctx, key, node, at)
        or commands.expression(ctx, key, node, at)
        or images.image_scalar(ctx, name, node, at)
    )
