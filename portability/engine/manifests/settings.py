"""Named values that configure an engine: fields of custom resources and charts, and arguments written as mappings."""

from __future__ import annotations

from functools import cache

from portability.engine.manifests.gather import Context, kebab
from portability.engine.manifests.nodes import Mapping, Node, Scalar, Sequence, is_null, line_of
from portability.engine.manifests.places import At
from portability.engine.manifests.serving.known import may_tell
from portability.engine.manifests.serving.rows import custom_resources
from portability.engine.memo import remembered_beside
from portability.engine.model import Place

# Custom resources that serve the adapters they list.
_WITH_ADAPTERS = frozenset({"Model", "Workspace", "InferenceSet"})
# Where an InferenceService names its framework: in the newer form and in the older ones.
PREDICTORS = frozenset({"predictor", "default", "canary"})
_INFERENCE_SERVICES = frozenset({"InferenceService", "KFService"})


def scalar(ctx: Context, name: str, parent: str, node: Scalar, at: At) -> None:
    """A plain field: kept by its name where a table can say later what it means."""
    if is_null(node) or len(node.value) > 2_000:
        return
    name = _qualified(name, parent)
    if may_tell(name, node.value):
        ctx.setting(name, node.value, ctx.scope.place(at, line_of(node)))


def is_named(name: str, parent: str) -> bool:
    """Whether some table reads a meaning from a field by this name."""
    return may_tell(_qualified(name, parent), "")


def everything(ctx: Context, node: Node, place: Place, parent: str = "") -> None:
    """All named values of a document at one place."""
    if isinstance(node, Mapping):
        for name, child in node.nodes.items():
            if isinstance(child, Scalar):
                ctx.setting(_qualified(name, parent), child.value, place)
            else:
                everything(ctx, child, place, name)
    elif isinstance(node, Sequence):
        for child in node.items:
            everything(ctx, child, place, parent)


def custom_resource(ctx: Context, node: Mapping, at: At, name: str) -> None:
    """What the presence of a field says, beside its value."""
    predictor = name in PREDICTORS and (name == "predictor" or ctx.kind in _INFERENCE_SERVICES)
    if not predictor and telling().isdisjoint(node.nodes):
        return
    prefill = node.nodes.get("prefill")
    if (
        isinstance(prefill, Mapping)
        and _runs(prefill)
        and (ctx.kind == "LLMInferenceService" or "decode" in node.nodes)
    ):
        ctx.hint("feature", "disaggregated-prefill", at.entry(node, "prefill"), node.line_of("prefill"))
    adapters = node.sequence("adapters")
    if (adapters and ctx.kind in _WITH_ADAPTERS) or (ctx.kind == "ModelAdapter" and "artifactURL" in node.nodes):
        field = "adapters" if adapters else "artifactURL"
        ctx.hint("feature", "lora", at.entry(node, field), node.line_of(field))
    for field, feature in custom_resources()["features"].items():
        part = node.nodes.get(field)
        if isinstance(part, Mapping) and part.nodes and _runs(part):
            ctx.hint("feature", feature, at.entry(node, field), node.line_of(field))
    role = node.text("role")
    if role == "draft":
        ctx.hint("draft", node.text("name"), at.entry(node, "role"), node.line_of("role"))
    elif role == "main" and "name" in node.nodes:
        ctx.hint("main", node.text("name"), at.entry(node, "role"), node.line_of("role"))
    if predictor:
        for key in node.nodes:
            ctx.hint("framework", key, at.entry(node, key), node.line_of(key))


@cache
def telling() -> frozenset[str]:
    """Fields whose presence says something, beside their values."""
    return frozenset({"prefill", "adapters", "artifactURL", "role", *custom_resources()["features"]})


def _runs(node: Mapping) -> bool:
    """Whether a part of a deployment is switched on."""
    off = any(node.text(name).lower() == "false" for name in ("create", "enabled"))
    return not off and node.text("replicas") != "0"


@remembered_beside
def _qualified(name: str, parent: str) -> str:
    """A field's name, with its parent where the name alone says too little."""
    own = kebab(name)
    return f"{kebab(parent)}.{own}" if own in _SHORT and parent not in ("", "spec") else own


_SHORT = frozenset(
    {"type", "name", "version", "uri", "url", "id", "enabled", "enable", "weight", "weights", "kv-cache", "tp", "pp",
     "dp", "tensor", "pipeline", "data", "expert", "engine", "value", "runtime", "method", "role", "source", "repo"}
)  # fmt: skip
