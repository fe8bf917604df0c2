"""JSON paths (RFC 9535), counted: each value a path goes through is a step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from jsonpath_rfc9535 import JSONPathEnvironment, JSONPathNode, JSONPathQuery
from jsonpath_rfc9535.exceptions import JSONPathError
from jsonpath_rfc9535.filter_expressions import FilterContext, FilterExpression
from jsonpath_rfc9535.parse import Parser
from jsonpath_rfc9535.segments import JSONPathChildSegment, JSONPathRecursiveDescentSegment, JSONPathSegment
from jsonpath_rfc9535.selectors import FilterSelector
from jsonpath_rfc9535.tokens import TokenStream

from portability.engine.custom_rules.bounds import MAX_NESTING, MAX_PATH, Meter
from portability.engine.custom_rules.trees import Location
from portability.engine.errors import InputError

WHERE = "path"


class Path:
    """A path that was understood. Not for two threads at once: it counts on one meter."""

    def __init__(self, text: str) -> None:
        self._environment = _Environment()
        self._query = _compile(self._environment, text)

    def find(self, document: Any, meter: Meter) -> Iterator[tuple[Location, Any]]:
        """What the path leads to in a document: where, and the value. Raises Exceeded."""
        self._environment.meter = meter
        for node in self._query.finditer(document):
            yield node.location, node.value


def _compile(environment: _Environment, text: str) -> JSONPathQuery:
    if len(text) > MAX_PATH:
        raise InputError(WHERE, 0, f"{len(text):,} characters; at most {MAX_PATH} are read")
    if not text.startswith("$"):
        raise InputError(WHERE, 0, "starts with $, the whole object: $.spec.replicas, $..containers[*].image")
    if sum(text.count(c) for c in "([") > MAX_NESTING or text.count("!") > MAX_NESTING:
        raise InputError(WHERE, 0, f"more than {MAX_NESTING} brackets; put what it asks for into the condition")
    try:
        return environment.compile(text)
    except JSONPathError as error:
        raise InputError(WHERE, 0, _said(error)) from None
    except (ValueError, OverflowError, IndexError, RecursionError):
        raise InputError(WHERE, 0, "cannot be read as a JSON path (RFC 9535)") from None


def _said(error: JSONPathError) -> str:
    said = str(error.args[0]) if error.args else "cannot be read"
    if "'match'" in said or "'search'" in said:
        said = "match and search are not there in paths; use value.matches('...') in the condition"
    return f"{said} (at character {error.token.index + 1})" if error.token else said


class _Environment(JSONPathEnvironment):
    """Without `match` and `search`: their regular expressions can take for ever. CEL's, by RE2, cannot."""

    meter: Meter

    def __init__(self) -> None:
        self.parser_class = _Parser
        self.meter = Meter()
        super().__init__()

    def setup_function_extensions(self) -> None:
        super().setup_function_extensions()
        del self.function_extensions["match"], self.function_extensions["search"]


class _Parser(Parser):
    """Builds the parts that count."""

    def parse_query(self, stream: TokenStream, *, in_filter: bool = False) -> Iterable[JSONPathSegment]:
        for segment in super().parse_query(stream, in_filter=in_filter):
            kind = _Descent if isinstance(segment, JSONPathRecursiveDescentSegment) else _Child
            yield kind(env=segment.env, token=segment.token, selectors=segment.selectors)

    def parse_filter_selector(self, stream: TokenStream) -> FilterSelector:
        selector = super().parse_filter_selector(stream)
        selector.expression = _Filter(selector.expression.token, selector.expression.expression)
        return selector


class _Child(JSONPathChildSegment):
    """`.name`, `[0]`, `[*]`, `[?...]`."""

    def resolve(self, nodes: Iterable[JSONPathNode]) -> Iterable[JSONPathNode]:
        return _counted(self.env, super().resolve(nodes))


class _Descent(JSONPathRecursiveDescentSegment):
    """`..`: every value below, the place itself included."""

    def resolve(self, nodes: Iterable[JSONPathNode]) -> Iterable[JSONPathNode]:
        return _counted(self.env, super().resolve(nodes))

    def _visit(self, node: JSONPathNode, depth: int = 1) -> Iterable[JSONPathNode]:
        """Depth first, as the library's own, each visit counted and without recursion."""
        waiting = [node]
        while waiting:
            here = waiting.pop()
            _tick(self.env)
            yield here
            value = here.value
            inside: Iterable[tuple[Any, Any]] = ()
            if isinstance(value, dict):
                inside = value.items()
            elif isinstance(value, list):
                inside = enumerate(value)
            below = [here.new_child(v, key, here) for key, v in inside if isinstance(v, dict | list)]
            waiting += reversed(below)


class _Filter(FilterExpression):
    """A filter, each asking counted."""

    def evaluate(self, context: FilterContext) -> bool:
        _tick(context.env)
        return super().evaluate(context)


def _counted(environment: JSONPathEnvironment, nodes: Iterable[JSONPathNode]) -> Iterator[JSONPathNode]:
    for node in nodes:
        _tick(environment)
        yield node


def _tick(environment: JSONPathEnvironment) -> None:
    assert isinstance(environment, _Environment)
    environment.meter.tick()
