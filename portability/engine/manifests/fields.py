"""What a field's name says of the value under it: names of texts, and names of mappings and lists.

The walk asks here for every field there is, and most say nothing; so asking costs one lookup.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from portability.engine.manifests import commands, embedded, images, resources, scheduling, settings
from portability.engine.manifests.gather import Context
from portability.engine.manifests.nodes import Mapping, Node, Scalar, Sequence
from portability.engine.manifests.places import At
from portability.engine.memo import Memo
from portability.engine.model import SiteKind

# Takes a context, the field's name, its value, where that stands, and the name above. Answers whether the value was
# its own; if not, the walk goes on into the value.
Handler = Callable[[Context, str, Node, At, str], bool]

ENV_LISTS = frozenset(
    {"env", "envs", "containerEnv", "extraEnv", "extraEnvs", "environment", "env_vars", "envVars", "extraEnvVars",
     "environmentVariables", "workerEnv", "headEnv", "serverEnv", "commonEnv"}
)  # fmt: skip
SELECTORS = {
    "nodeSelector": "selector", "nodeLabels": "flavor", "nodeSelectors": "selector", "nodeSelectorLabels": "selector"
}  # fmt: skip
TAINTS = frozenset({"tolerations", "taints", "nodeTaints", "startupTaints"})
# Nothing below these names is a place where a vendor's word binds a workload.
_PROSE = frozenset(
    {"labels", "matchLabels", "labelSelector", "status", "description", "openAPIV3Schema", "podAffinity",
     "podAntiAffinity", "ownerReferences", "managedFields", "finalizers", "podLabels", "commonLabels", "selectorLabels",
     "topologySpreadConstraints", "roleRef", "subjects", "legendFormat", "title", "summary",
     "last-applied-configuration", "scaleTargetRef", "podMonitorSelector"}
)  # fmt: skip
_AFFINITY = frozenset({"nodeAffinity", "nodeSelectorTerms", "required_node_affinity", "nodeSelectorExpressions"})
_MONITORS = frozenset(
    {"ServiceMonitor", "PodMonitor", "PodMonitoring", "ClusterPodMonitoring", "VMServiceScrape", "VMPodScrape"}
)
_RELABELINGS = frozenset(
    {"relabelings", "metricRelabelings", "relabel_configs", "metric_relabel_configs", "metricRelabeling",
     "relabelConfigs", "metricRelabelConfigs"}
)  # fmt: skip
_VERSIONS = frozenset({"apiVersion", "apiGroup"})
_RUNTIME_CLASSES = frozenset({"runtimeClassName", "runtimeClass", "handler"})


def _is_quiet(name: str, parent: str) -> bool:
    """Whether a text under these names can say something by its form only."""
    return name in _PROSE or not (
        name in _RUNTIME_CLASSES
        or name == "hostPath"
        or (name == "regex" and parent in _RELABELINGS)
        or commands.is_command(name)
        or commands.is_expression(name)
        or images.is_key(name)
        or resources.names_devices(name)
        or scheduling.names_hardware(name, parent)
        or settings.is_named(name, parent)
    )


def _quiet_below(parent: str) -> Memo[str, bool]:
    return Memo(lambda name: _is_quiet(name, parent), 200)


# By the name above, then by the field's own: whether a text there is quiet.
quiet: Memo[str, Memo[str, bool]] = Memo(_quiet_below, 1_000)


def is_formless(value: str) -> bool:
    """Whether a text has no form that tells something whatever its name: a path, an image, lines, an expression."""
    return "/" not in value and "\n" not in value and "device." not in value


def text(ctx: Context, name: str, node: Scalar, at: At, parent: str) -> None:
    """A text that a field holds."""
    if name in _PROSE:
        return
    if commands.is_command(name):
        commands.command(ctx, name, node, at)
    elif name == "hostPath":
        commands.host_path(ctx, node, at)
    else:
        item(ctx, name, node, at, parent)


def item(ctx: Context, name: str, node: Scalar, at: At, parent: str) -> None:
    """A text whose field's name says what it is, or whose form does; or one of a list of them."""
    value = node.value
    if not value or name in _VERSIONS:
        return
    if name in _RUNTIME_CLASSES and not node.is_null and (name != "handler" or ctx.kind == "RuntimeClass"):
        ctx.site(SiteKind.RUNTIME_CLASS, at, node.line, value)
    elif _told_by_form(ctx, name, node, at, parent):
        return
    elif "\n" in value:
        embedded.text(ctx, name, node, at)
    elif not (scheduling.hint(ctx, name, parent, node, at) or resources.device_scalar(ctx, name, node, at)):
        commands.value_path(ctx, name, node, at)
        settings.scalar(ctx, name, parent, node, at)


def _told_by_form(ctx: Context, name: str, node: Scalar, at: At, parent: str) -> bool:
    """Whether a text is an expression over devices or metrics, or an image; it is noted then."""
    image = "imageRef" if parent == "images" and "/" in node.value else name
    query = "expression" if name == "regex" and parent in _RELABELINGS else name
    return (
        resources.cel(ctx, query, node, at)
        or commands.expression(ctx, query, node, at)
        or images.image_scalar(ctx, image, node, at)
    )


def handler(name: str) -> Handler | None:
    """Who takes a mapping or a list by this name; None where the walk just goes on into it."""
    return _handlers[name]


def _handler(name: str) -> Handler | None:
    if name in _TABLE:
        return _TABLE[name]
    if name.endswith("Annotations"):
        return _annotations
    return _command if commands.is_command(name) else None


_handlers: Memo[str, Handler | None] = Memo(_handler, 1_000)


def _passed_over(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    return True


def _metadata(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """An object's metadata binds nothing but by its annotations; a trigger's metadata is what it watches."""
    if isinstance(node, Mapping):
        if parent == "triggers":
            commands.trigger(ctx, node, at)
        elif "annotations" in node.nodes:
            _annotations(ctx, "annotations", node.nodes["annotations"], at.entry(node, "annotations"), name)
    return True


def _annotations(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    if isinstance(node, Mapping):
        for key, value in node.nodes.items():
            if isinstance(value, Scalar):
                resources.annotation(ctx, key, value, at.entry(node, key))
    return True


def _amounts(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    if isinstance(node, Mapping):
        resources.amounts(ctx, name, node, at)
        return True
    return resources.quotas(ctx, name, node, at)


def _quotas(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    return resources.quotas(ctx, name, node, at)


def _environment(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    for value, here in commands.environment(ctx, node, at):
        embedded.settings_text(ctx, value, here)
    return True


def _selector(role: str, ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    if not isinstance(node, Mapping):
        return False
    scheduling.selector(ctx, node, at, role)
    return True


def _affinity(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    scheduling.expressions(ctx, node, at)
    return True


def _requirements(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """Of a node, or of a Python program."""
    if not isinstance(node, Sequence):
        return False
    scheduling.expressions(ctx, node, at, "requirement")
    return commands.packages(ctx, name, node, at)


def _taints(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    if not isinstance(node, Sequence):
        return False
    scheduling.tolerations(ctx, node, at)
    return True


def _host_path(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    commands.host_path(ctx, node, at)
    return True


def _mounts(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    if not isinstance(node, Sequence):
        return False
    commands.mounts(ctx, node, at)
    return True


def _command(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    if not isinstance(node, Sequence):
        return False
    commands.command(ctx, name, node, at)
    return True


def _data(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    if ctx.kind != "ConfigMap" or not isinstance(node, Mapping):
        return False
    embedded.config_map(ctx, node, at)
    return True


def _images(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    if not isinstance(node, Sequence) or not images.is_kustomize_images(node):
        return False
    images.kustomize_images(ctx, node, at)
    return True


def _packages(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    return commands.packages(ctx, name, node, at)


def _selected(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """What an object selects: a monitor its targets, a service its pods."""
    if name == "selector" and ctx.kind in _MONITORS:
        commands.metric_selector(ctx, node, at, "selector")
    elif name == "selector" and ctx.kind == "Service":
        commands.metric_selector(ctx, node, at, "service")
    return True


def _metric(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    if not isinstance(node, Mapping):
        return False
    commands.trigger(ctx, node, at)
    return True


_TABLE: dict[str, Handler] = {
    **dict.fromkeys(_PROSE, _passed_over),
    "metadata": _metadata,
    "annotations": _annotations,
    **dict.fromkeys(("limits", "requests"), _amounts),
    **dict.fromkeys(("coveredResources", "resources", *resources.CAPACITY), _quotas),
    **dict.fromkeys(ENV_LISTS, _environment),
    **{name: partial(_selector, role) for name, role in SELECTORS.items()},
    **dict.fromkeys(_AFFINITY, _affinity),
    **dict.fromkeys(commands.PACKAGES, _packages),
    "requirements": _requirements,
    **dict.fromkeys(TAINTS, _taints),
    "hostPath": _host_path,
    "volumeMounts": _mounts,
    **dict.fromkeys(("data", "binaryData"), _data),
    "images": _images,
    **dict.fromkeys(("selector", "namespaceSelector"), _selected),
    "metric": _metric,
}
