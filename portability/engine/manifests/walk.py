"""The walk over a document: every mapping is looked at by the names of its fields, whatever kind of object holds it."""

from __future__ import annotations

from portability.engine.manifests import assigned, commands, fields, images, names, pods, scheduling, settings
from portability.engine.manifests.builder import group_kind
from portability.engine.manifests.gather import Context, Gathered, plain
from portability.engine.manifests.nodes import Document, Mapping, Node, Scalar, Sequence, SourceLines, line_of
from portability.engine.manifests.places import At, Scope, root
from portability.engine.manifests.serving.rows import passed_over
from portability.engine.model import Resource, SiteKind

_PASSED_OVER = frozenset({"Secret", "CustomResourceDefinition"})  # whatever version they claim
_PLATFORM_OBJECTS = frozenset({"DeviceConfig"})


def walk(file: str, source: SourceLines, document: Document, gathered: Gathered) -> None:
    """Gather all of one document."""
    if document.root is None:
        return
    ctx = Context(Scope(file, document.index, source=source), gathered)
    node = document.root
    if isinstance(node, Mapping) and "kind" not in node.nodes and "apiVersion" not in node.nodes:
        ctx = ctx._replace(values=True)
        _values(ctx, node)
    visit(ctx, node, root(), "")


def _values(ctx: Context, node: Mapping) -> None:
    """A chart's values, by a field that charts have: there it is noted."""
    image = node.mapping("image")
    imaged = image is not None and not names.CHART_IMAGE.isdisjoint(image.nodes)
    field = "image" if imaged else next((name for name in node.nodes if name in names.CHART), "")
    if field:
        ctx.site(SiteKind.KIND, root().entry(node, field), node.line_of(field), "HelmValues", role="values")


def visit(ctx: Context, node: Node, at: At, name: str) -> None:
    """Look at a node that stands under a name."""
    if isinstance(node, Mapping):
        _mapping(ctx, node, at, name)
    elif isinstance(node, Sequence):
        _items(ctx, node, at, name)


def _items(ctx: Context, node: Sequence, at: At, name: str) -> None:
    if commands.lists_variables(node):
        fields.environment(ctx, name, node, at, "")
        return
    looked_at = names.texts[""][name]
    for n, item in enumerate(node.items):
        if isinstance(item, Scalar):
            if looked_at or names.has_form(item.value):
                fields.item(ctx, name, item, At(at, str(n), node), "")
        elif isinstance(item, Mapping):
            _mapping(ctx, item, At(at, str(n), node), name)
        else:
            _items(ctx, item, At(at, str(n), node), name)


def _mapping(ctx: Context, node: Mapping, at: At, name: str) -> None:
    nodes = node.nodes
    if names.TELLING.isdisjoint(nodes) and not names.parts[name]:
        _fields(ctx, node, at, name)
        return
    if "op" in nodes and node.text("path").startswith("/"):
        _patch(ctx, node, at)
        return
    if "kind" in nodes and "apiVersion" in nodes:
        ctx = _object(ctx, node, at)
        if ctx.kind in _PASSED_OVER or group_kind(node.pairs) in passed_over():
            return
    ctx = pods.replicas_here(ctx, node, at)
    first = len(ctx.gathered.drafts)
    pod = pods.is_pod(node)
    outer = ctx
    alone = -1
    if pod:
        ctx = ctx if ctx.draft is not None and ctx.draft.role == "custom" else ctx._replace(container=None)
    elif _may_stand_alone(ctx, name) and pods.looks_like_container(ctx, node):
        ctx = pods.open_container(ctx, node, at, "custom")
        alone = first
    used = images.image_mapping(ctx, node, at, images.is_owner(name))
    images.runtime_version(ctx, node, at, name)
    _fields(ctx, node, at, name, used)
    settings.custom_resource(ctx, node, at, name)
    if pod:
        pods.close_pod(outer, node, at, first)
    elif alone >= 0 and not any(alone in g.containers for g in ctx.gathered.groups):
        draft = ctx.gathered.drafts[alone]
        pods.close_alone(ctx, alone, draft.place)


def _fields(ctx: Context, node: Mapping, at: At, name: str, used: frozenset[str] = frozenset()) -> None:
    """The fields of a mapping, each by its name; those that were used up already are not."""
    looked_at = names.texts[name]
    for key, child in node.nodes.items():
        if isinstance(child, Scalar):
            if (looked_at[key] or names.has_form(child.value)) and key not in used:
                fields.text(ctx, key, child, At(at, key, node), name)
        elif key not in used:
            here = At(at, key, node)
            if names.collection[key]:
                _inner(ctx, key, child, here, name)
            elif isinstance(child, Mapping):
                _mapping(ctx, child, here, key)
            else:
                _items(ctx, child, here, key)


def _inner(ctx: Context, key: str, node: Mapping | Sequence, at: At, parent: str) -> None:
    """A mapping or a list that a field holds whose name may say something."""
    handler = _HANDLERS.get(names.collection[key])
    if handler is None or not handler(ctx, key, node, at, parent):
        visit(ctx, node, at, key)


def _probe(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    visit(ctx._replace(probe=True), node, at, name)
    return True


def _table(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """What stands below is for whoever names it, not for what surrounds it."""
    visit(ctx._replace(container=None), node, at, name)
    return True


def _group(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """The pods of one part of a LeaderWorkerSet's group."""
    owner = at.owner
    if not isinstance(owner, Mapping) or "size" not in owner.nodes:
        return False
    visit(pods.times(ctx, pods.group_size(owner, name)), node, at, name)
    return True


def _patch(ctx: Context, node: Mapping, at: At) -> None:
    """One step of a JSON patch: its value is looked at as what stands at its path. What is removed binds nothing."""
    value = node.nodes.get("value")
    if node.text("op") == "remove" or value is None:
        return
    steps = [step.replace("~1", "/").replace("~0", "~") for step in node.text("path").split("/")[1:]]
    named = [step for step in steps if not step.isdigit() and step != "-"]
    name, parent = named[-1] if named else "", named[-2] if len(named) > 1 else ""
    here, path = at.entry(node, "value"), node.nodes["path"]
    if isinstance(value, Scalar):
        assigned.put(ctx, assigned.Assigned(tuple(steps), value, here, at.entry(node, "path"), line_of(path)))
    elif name in names.TAINTS and isinstance(value, Mapping):
        scheduling.toleration(ctx, value, here)
    elif name in names.ENV_LISTS and isinstance(value, Mapping) and steps[-1] != name:
        commands.variable(ctx, value, here)
    else:
        _inner(ctx, name, value, here, parent)


def _may_stand_alone(ctx: Context, name: str) -> bool:
    """Whether a mapping here could be a container of its own: not inside a pod's container, no image's parts, and no
    format that a runtime can serve.
    """
    if name == "supportedModelFormats":
        return False
    return ctx.draft is None or (ctx.draft.role == "custom" and name != "image")


def _object(ctx: Context, node: Mapping, at: At) -> Context:
    """An object of its own: its kind is a site, and its name is where everything below belongs."""
    kind, metadata = node.text("kind"), node.mapping("metadata")
    if not kind or not ("metadata" in node.nodes or at.parent is None or "spec" in node.nodes):
        return ctx
    resource = Resource(kind, metadata.text("namespace") if metadata else "", metadata.text("name") if metadata else "")
    ctx = Context(ctx.scope.of(resource), ctx.gathered, kind=kind, depth=ctx.depth, replicas=ctx.replicas)
    scalar = node.nodes["kind"]
    ctx.site(SiteKind.KIND, at.entry(node, "kind"), line_of(scalar), kind, key=node.text("apiVersion"))
    ctx.gathered.kinds.setdefault(ctx.document, []).append(kind)
    if kind in _PLATFORM_OBJECTS:
        place = ctx.scope.place(at.entry(node, "kind"), line_of(scalar))
        here = {"file": place.file, "line": place.line, "pointer": place.pointer}
        ctx.gathered.objects.append({**plain(node), "place": here})
    return ctx


def _containers(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    if not isinstance(node, Sequence):
        return False
    role = pods.CONTAINER_LISTS[name]
    for n, item in enumerate(node.items):
        if isinstance(item, Mapping):
            here = at.item(node, n)
            own = role
            if role == "init" and item.text("restartPolicy") == "Always":
                own = "sidecar"
            _inside(pods.open_container(ctx, item, here, own), item, here)
    return True


def _single(ctx: Context, name: str, node: Node, at: At, parent: str) -> bool:
    """A container that is no list's item. Where what holds it already asks for its devices, the two are one."""
    if not isinstance(node, Mapping):
        return False
    draft = ctx.draft
    if draft is None or draft.role != "custom" or draft.image:
        first = len(ctx.gathered.drafts)
        ctx = pods.open_container(ctx, node, at, pods.SINGLE_CONTAINERS[name])
        _inside(ctx, node, at)
        pods.close_alone(ctx, first, ctx.gathered.drafts[first].place)
    else:
        _inside(ctx, node, at)
    return True


def _inside(ctx: Context, node: Mapping, at: At) -> None:
    _fields(ctx, node, at, "container")
    image = node.nodes.get("image")
    if isinstance(image, Mapping):
        images.image_mapping(ctx, image, at.entry(node, "image"), True)
    settings.custom_resource(ctx, node, at, "container")


_HANDLERS = {
    **fields.HANDLERS,
    "chart-values": assigned.chart_values,
    "containers": _containers,
    "container": _single,
    "probe": _probe,
    "table": _table,
    "group": _group,
}
