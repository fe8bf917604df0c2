"""What runs: command lines, environment, host paths, scripts, and expressions over metrics."""

from __future__ import annotations

import re

from portability.engine.manifests import images
from portability.engine.manifests.gather import Code, Context, Word, is_comment
from portability.engine.manifests.nodes import Mapping, Node, Scalar, Sequence, is_one_line, line_of
from portability.engine.manifests.places import At
from portability.engine.memo import remembered
from portability.engine.model import Place, SiteKind

_COMMAND_KEY = re.compile(
    r"^(?:command|commands|args|cmd|entrypoint|entryPoint|(?:extra|additional|serve|server|vllm|engine|sglang|cli|runtime"
    r"|container|model|worker|launch)[_-]?(?:[Cc]ommand|[Cc]ommand[_-]?[Aa]rgs|[Aa]rgs|[Ff]lags|[Aa]rguments|[Cc]md)"
    r"|(?:vllm|extra|additional)[_-]?(?:[Aa]rguments|[Oo]ptions)|flags|extraArguments)$"
)
_BARE_FLAG = re.compile(r"^--?[A-Za-z][\w-]*$")
_FIRST = frozenset({"command", "cmd", "entrypoint", "entryPoint"})
_HOST_PATHS = ("/dev/", "/usr/", "/opt/", "/run/", "/var/", "/lib/", "/proc/", "/sys/", "/home/kubernetes/")
_INSIDE = frozenset({"mountPath", "workingDir", "subPath", "containerPath"})
PACKAGES = frozenset({"pip", "packages", "requirements", "pip_packages", "pipPackages", "python_packages"})
_ENV_NAME = re.compile(r"^[A-Za-z_][A-Za-z0-9_.]*$")
_ENV_STYLE = re.compile(r"^[A-Z][A-Z0-9]*_[A-Z0-9_]+$")
_ENV_PARTS = frozenset({"name", "value", "valueFrom"})
_EXPRESSION = frozenset(
    {
        "expr",
        "query",
        "definition",
        "metricsQuery",
        "seriesQuery",
        "expression",
        "promql",
        "metricName",
        "rawSql",
        "matches",
    }
)

# Engines by how the names of their metrics begin.
_ENGINES = {"vllm:": "vllm", "sglang:": "sglang", "tgi_": "tgi"}
_ENGINE_METRIC = re.compile(rf"(?<![\w:])({'|'.join(_ENGINES)})")


@remembered
def is_command(name: str) -> bool:
    """Whether a field's name says that it holds a command or its arguments."""
    return bool(_COMMAND_KEY.match(name))


def command(ctx: Context, name: str, node: Node, at: At) -> None:
    """A command or its arguments, as a list or as one string."""
    items: list[tuple[At, Node]] = [(at, node)] if isinstance(node, Scalar) else []
    if isinstance(node, Sequence):
        items = [(at.item(node, n), item) for n, item in enumerate(node.items)]
    flag = ""
    for here, item in items:
        if isinstance(item, Scalar):
            _words(ctx, item, here, name in _FIRST, "" if item.value.startswith("-") else flag)
            flag = item.value if _BARE_FLAG.match(item.value) else ""
        elif isinstance(item, Mapping):  # names to values, as some charts have arguments
            for name, value in item.nodes.items():
                if isinstance(value, Scalar):
                    ctx.setting(name.lstrip("-"), value.value, ctx.scope.place(here.entry(item, name), line_of(value)))


def _words(ctx: Context, node: Scalar, at: At, first: bool, flag: str) -> None:
    """One item of a command, or all of it. `flag`: the item before it, whose value this is."""
    noted = ctx.lines(SiteKind.COMMAND, at, node, key=flag)
    draft = ctx.draft
    if draft is None:
        lines = [(ctx.scope.place(at, line), text) for line, text in ctx.scope.source.of(node) if text]
        if lines:
            ctx.gathered.code.append(Code(node.value, lines, lines[0][0], ctx.document))
    elif not ctx.probe:
        if noted and is_one_line(node):
            draft.words.append(Word(node.value, [noted[0][0]], first))
        else:
            draft.words.append(Word(node.value, ctx.scope.places(at, node), first, _folded(ctx, node, at)))


def _folded(ctx: Context, node: Scalar, at: At) -> list[tuple[str, Place]]:
    """The lines of the file that make up one line of a text; none where each is a line of its own."""
    lines = ctx.scope.source.of(node)
    if len(lines) < 2 or "\n" in node.value.strip():
        return []
    return [(text, ctx.scope.place(at, line)) for line, text in lines]


def is_environment(node: Node) -> bool:
    """Whether what stands under a name that only ends in `env` is a list of variables, or a mapping of them."""
    if isinstance(node, Sequence):
        return all(isinstance(item, Mapping) and "name" in item.nodes for item in node.items)
    return isinstance(node, Mapping) and all(
        isinstance(value, Scalar) and _ENV_NAME.match(name) for name, value in node.nodes.items()
    )


def lists_variables(node: Sequence) -> bool:
    """Whether a list under any name is one of variables, by how they are written: `{name: NCCL_DEBUG, value: INFO}`."""
    return bool(node.items) and all(
        isinstance(item, Mapping) and item.nodes.keys() <= _ENV_PARTS and _ENV_STYLE.match(item.text("name"))
        for item in node.items
    )


def environment(ctx: Context, node: Node, at: At) -> list[tuple[Scalar, At]]:
    """Variables as a list of names and values, a mapping, or `NAME=value` texts. Values that may hold a document."""
    carried: list[tuple[Scalar, At]] = []
    if isinstance(node, Mapping):
        for name, given in node.nodes.items():
            here = at.entry(node, name)
            value: Node | None = given
            if isinstance(given, Mapping):  # `{NAME: {value: ...}}`, which some have below `items`
                if name == "items":
                    carried += environment(ctx, given, here)
                value, here = given.nodes.get("value"), here.entry(given, "value")
            if isinstance(value, Scalar) and _ENV_NAME.match(name):
                _variable(ctx, name, value, here, carried)
        return carried
    if not isinstance(node, Sequence):
        return carried
    for n, item in enumerate(node.items):
        here = at.item(node, n)
        if isinstance(item, Scalar):
            name, equals, text = item.value.partition("=")
            if equals and _ENV_NAME.match(name):
                _remember(ctx, name, text, ctx.site(SiteKind.ENV, here, line_of(item), text, key=name))
        elif isinstance(item, Mapping):
            carried += variable(ctx, item, here)
    return carried


def variable(ctx: Context, node: Mapping, at: At) -> list[tuple[Scalar, At]]:
    """One variable as name and value. Its value, if it may hold a document."""
    carried: list[tuple[Scalar, At]] = []
    label, value = node.nodes.get("name"), node.nodes.get("value")
    if isinstance(label, Scalar) and isinstance(value, Scalar):
        _variable(ctx, label.value, value, at.entry(node, "value"), carried)
    elif isinstance(label, Scalar):
        ctx.site(SiteKind.ENV, at.entry(node, "name"), line_of(label), "", key=label.value)
    return carried


def assigned(ctx: Context, name: str, value: Scalar, at: At) -> None:
    """A variable that a path names."""
    _variable(ctx, name, value, at, [])


def _variable(ctx: Context, name: str, value: Scalar, at: At, carried: list[tuple[Scalar, At]]) -> None:
    if is_one_line(value):
        text = value.value.strip()
        _remember(ctx, name, text, ctx.site(SiteKind.ENV, at, line_of(value), text, key=name))
        if text[:1] in ("{", "["):
            carried.append((value, at))
        elif "/" in text:
            images.variable(ctx, name, value, at)
        return
    lines = [(line, text) for line, text in ctx.scope.source.of(value) if text]
    if len(lines) <= 1:
        place = ctx.site(SiteKind.ENV, at, lines[0][0] if lines else line_of(value), value.value.strip(), key=name)
    else:
        for line, text in lines:
            ctx.site(SiteKind.ENV, at, line, text, key=name)
        place = ctx.scope.place(at, line_of(value))
    _remember(ctx, name, value.value.strip(), place)
    if ctx.draft is not None and not ctx.probe and (folded := _folded(ctx, value, at)):
        ctx.draft.folded[name] = folded
    if value.value.lstrip()[:1] in ("{", "["):
        carried.append((value, at))


def _remember(ctx: Context, name: str, value: str, place: Place) -> None:
    draft = ctx.draft
    if draft is not None and not ctx.probe:
        draft.env[name] = (value, place)
    elif draft is None:
        ctx.setting("env:" + name, value, place)


def value_path(ctx: Context, name: str, node: Scalar, at: At) -> None:
    """A path of the host in a chart's values, under whatever name the chart has for it."""
    if ctx.values and node.value.startswith(_HOST_PATHS) and name not in _INSIDE:
        ctx.site(SiteKind.PATH, at, line_of(node), node.value, role="value")


def host_path(ctx: Context, node: Node, at: At) -> None:
    """A path of the host, under `hostPath`."""
    if isinstance(node, Scalar):
        if node.value:
            ctx.site(SiteKind.PATH, at, line_of(node), node.value, role="host")
    elif isinstance(node, Mapping):
        path = node.nodes.get("path")
        if isinstance(path, Scalar):
            ctx.site(SiteKind.PATH, at.entry(node, "path"), line_of(path), path.value, role="host")


def packages(ctx: Context, name: str, node: Node, at: At) -> bool:
    """Python packages that a runtime environment installs."""
    if name not in PACKAGES or not isinstance(node, Sequence):
        return False
    for n, item in enumerate(node.items):
        if isinstance(item, Scalar):
            ctx.site(SiteKind.SCRIPT, at.item(node, n), line_of(item), item.value.strip(), key="pip", role="packages")
            ctx.hint("text", item.value, at.item(node, n), line_of(item))
    return True


def mounts(ctx: Context, node: Sequence, at: At) -> None:
    """Paths in a container where volumes are mounted."""
    for n, item in enumerate(node.items):
        path = item.nodes.get("mountPath") if isinstance(item, Mapping) else None
        if isinstance(item, Mapping) and isinstance(path, Scalar):
            ctx.site(SiteKind.PATH, at.item(node, n).entry(item, "mountPath"), line_of(path), path.value, role="mount")


def is_expression(name: str) -> bool:
    """Whether a field's name says that it holds a query over metrics."""
    return name in _EXPRESSION


def expression(ctx: Context, name: str, node: Node, at: At) -> bool:
    """A query over metrics."""
    if name not in _EXPRESSION or not isinstance(node, Scalar):
        return False
    _metric(ctx, node, at, "expr")
    return True


def _metric(ctx: Context, node: Scalar, at: At, role: str) -> None:
    for line, text in ctx.scope.source.of(node):
        if text and not is_comment(text):
            text = text.replace('\\"', '"')
            place = ctx.site(SiteKind.METRIC, at, line, text, role=role)
            for prefix in _ENGINE_METRIC.findall(text):
                ctx.setting("metric:engine", _ENGINES[prefix], place)


def trigger(ctx: Context, node: Mapping, at: At) -> None:
    """What an autoscaler watches: every text of a trigger's metadata, or the name of a metric."""
    for name, value in node.nodes.items():
        if isinstance(value, Scalar) and name != "serverAddress":
            _metric(ctx, value, at.entry(node, name), "trigger")


def metric_selector(ctx: Context, node: Node, at: At, role: str) -> None:
    """What a monitor selects its targets by, or a service its pods."""
    if isinstance(node, Mapping):
        for name, child in node.nodes.items():
            metric_selector(ctx, child, at.entry(node, name), role)
    elif isinstance(node, Sequence):
        for n, child in enumerate(node.items):
            metric_selector(ctx, child, at.item(node, n), role)
    elif isinstance(node, Scalar) and node.value:
        ctx.site(SiteKind.METRIC, at, line_of(node), node.value, role=role)
