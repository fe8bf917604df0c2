"""Who takes what a field holds: a text, or a mapping or a list that its name says something of."""

from __future__ import annotations

from collections.abc import Callable

from portability.engine.manifests import commands, embedded, images, names, resources, scheduling, settings
from portability.engine.manifests.gather import Context
from portability.engine.manifests.nodes import Mapping, Node, Scalar, Sequence, is_null, line_of
from portability.engine.manifests.places import At
from portability.engine.model import SiteKind

# Takes a context, the field's name, its value, where that stands, and the name above. Answers whether the value was
# its own; if not, the walk goes on into the value.
Handler = Callable[[Context, str, Node, At, str], bool]

_MONITORS = frozenset(
    {"ServiceMonitor", "PodMonitor", "PodMonitoring", "ClusterPodMonitoring", "VMServiceScrape", "VMPodScrape"}
)
_NODE_CONFIGS = frozenset({"DeviceConfig"})


def text(ctx: Context, name: str, node: Scalar, at: At, parent: str) -> None:
    """A text that a field holds."""
    if name in names.PROSE:
        return
    if commands.is_command(name) or (name == "script" and ctx.draft is not None and embedded.is_shell(node.value)):
        commands.command(ctx, name, node, at)
    elif name == "hostPath":
        commands.host_path(ctx, node, at)
    else:
        item(ctx, name, node, at, parent)


def item(ctx: Context, name: str, node: Scalar, at: At, parent: str) -> None:
    """A text whose field's name says what it is, or whose form does; or one of a list of them."""
    value = node.value
    if not value or name in names.VERSIONS:
        return
    if name in names.RUNTIME_CLASSES and not is_null(node) and (name != "handler" or ctx.kind == "RuntimeClass"):
        ctx.site(SiteKind.RUNTIME_CLASS, at, line_of(node), value)
    elif _told_by_form(ctx, name, node, at, parent):
        return
    elif "\n" in value or (name == "patch" and value.startswith(("[", "{"))):
        embedded.text(ctx, name, node, at)
    elif not (scheduling.hint(ctx, name, parent, node, at) or resources.device_scalar(ctx, name, node, at)):
        commands.value_path(ctx, name, node, at)
        settings.scalar(ctx, name, parent, node, at)


def _told_by_form(ctx: Context, name: str, node: Scalar, at: At, parent: str) -> bool:
    """Whether a text is an expression over devices or metrics, or an image; it is noted then."""
    image = "imageRef" if parent == "images" and "/" in node.value else name
    query = "expression" if name == "regex" and parent in names.RELABELINGS else name
    return (
        resources.cel(ctx, query, node, at)
        or commands.expression(ctx, query, node, at)
        or images.image_scalar(ctx, image, node, at)
    )


def _mapping(take: Callable[[Context, str, Mapping, At], object]) -> Handler:
    """A handler of mappings; a list by the name is not its own."""

    def handle(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
        return isinstance(node, Mapping) and take(ctx, name, node, at) is not False

    return handle


def _sequence(take: Callable[[Context, str, Sequence, At], object]) -> Handler:
    """A handler of lists; a mapping by the name is not its own."""

    def handle(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
        return isinstance(node, Sequence) and take(ctx, name, node, at) is not False

    return handle


def _any(take: Callable[[Context, str, Node, At], object]) -> Handler:
    """A handler of both."""
    return lambda ctx, name, node, at, parent: take(ctx, name, node, at) is not False


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
                scheduling.annotation(ctx, key, value, at.entry(node, key))
    return True


def _amounts(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    if not isinstance(node, Mapping):
        return resources.quotas(ctx, name, node, at)
    role = names.plain[name]
    if role != name and not all(isinstance(amount, Scalar) for amount in node.nodes.values()):
        return False
    resources.amounts(ctx, role, node, at)
    return True


def environment(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """Variables, under a name that says so or that ends so."""
    if name not in names.ENV_LISTS and not commands.is_environment(node):
        return False
    for value, here in commands.environment(ctx, node, at):
        embedded.settings_text(ctx, value, here)
    return True


def _selector(ctx: Context, name: str, node: Mapping, at: At) -> None:
    scheduling.selector(ctx, node, at, names.SELECTORS[names.plain[name]])


def _requirements(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """Of a node, or of a Python program."""
    if not isinstance(node, Sequence):
        return False
    scheduling.expressions(ctx, node, at, "requirement")
    return commands.packages(ctx, name, node, at)


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


def _selected(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """What an object selects: a monitor its targets, a service its pods, a device's configuration its nodes."""
    if name == "selector" and ctx.kind in _NODE_CONFIGS and isinstance(node, Mapping):
        scheduling.selector(ctx, node, at, "selector")
    elif name == "selector" and ctx.kind in _MONITORS:
        commands.metric_selector(ctx, node, at, "selector")
    elif name == "selector" and ctx.kind == "Service":
        commands.metric_selector(ctx, node, at, "service")
    return True


def _targets(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """The addresses that a scrape configuration lists."""
    if parent not in ("static_configs", "staticConfigs"):
        return False
    commands.metric_selector(ctx, node, at, "selector")
    return True


def _hardware(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """Accelerators by name, where no Kubernetes object but a task's own form says what is asked for."""
    if not ctx.values or not isinstance(node, Mapping):
        return False
    counts = node.nodes.values()
    if not all(isinstance(count, Scalar) and (is_null(count) or count.value.isdigit()) for count in counts):
        return False
    scheduling.hardware_counts(ctx, node, at)
    return True


def _features(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """A rule of Node Feature Discovery: what it looks for, and the labels that it gives."""
    rule = at.owner
    if isinstance(rule, Mapping) and (name == "matchFeatures" or "matchFeatures" not in rule.nodes):
        scheduling.labels_given(ctx, rule, at)
    if name == "matchFeatures" and isinstance(node, Sequence):
        scheduling.features(ctx, node, at)
        return True
    return False


def _exported(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """The metrics that an exporter is told to give out."""
    if parent != "GPUConfig":
        return False
    commands.metric_selector(ctx, node, at, "expr")
    return True


def _literals(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """The variables of a config map that kustomize makes. A secret's are looked at by nobody."""
    if parent != "configMapGenerator" or not isinstance(node, Sequence):
        return parent == "secretGenerator"
    commands.environment(ctx, node, at)
    return True


# By what `names.collection` says that a mapping or a list is. What answers False leaves it to the walk.
HANDLERS: dict[str, Handler] = {
    "prose": _any(lambda ctx, name, node, at: None),
    "metadata": _metadata,
    "annotations": _annotations,
    "amounts": _amounts,
    "quotas": _any(resources.quotas),
    "environment": environment,
    "node-selector": _mapping(_selector),
    "affinity": _any(lambda ctx, name, node, at: scheduling.expressions(ctx, node, at)),
    "spread": _any(lambda ctx, name, node, at: scheduling.spread(ctx, node, at)),
    "requirements": _requirements,
    "packages": _any(commands.packages),
    "taints": _sequence(lambda ctx, name, node, at: scheduling.tolerations(ctx, node, at)),
    "host-path": _any(lambda ctx, name, node, at: commands.host_path(ctx, node, at)),
    "mounts": _sequence(lambda ctx, name, node, at: commands.mounts(ctx, node, at)),
    "command": _sequence(commands.command),
    "data": _data,
    "images": _images,
    "selected": _selected,
    "targets": _targets,
    "metric": _mapping(lambda ctx, name, node, at: commands.trigger(ctx, node, at)),
    "accelerators": _hardware,
    "features": _features,
    "pciId": _mapping(lambda ctx, name, node, at: scheduling.pci_vendors(ctx, node, at)),
    "mig-devices": _mapping(lambda ctx, name, node, at: resources.mig_profiles(ctx, node, at)),
    "literals": _literals,
    "Fields": _exported,
}
