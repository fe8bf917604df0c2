"""For any document the tree is what PyYAML loads with every scalar as text, and lines point where they should."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from portability.engine.manifests.nodes import Mapping, Node, Scalar, line_of
from portability.engine.manifests.places import At, root
from portability.engine.manifests.reader import read

_words = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=12)
_texts = st.one_of(_words, st.lists(_words, min_size=1, max_size=4).map("\n".join), st.sampled_from(["", "1.10", "on"]))
_trees = st.recursive(
    _texts,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(_words, inner, max_size=4)),
    max_leaves=25,
)


class _Texts(yaml.SafeLoader):
    """Loads every scalar as text."""


_Texts.yaml_implicit_resolvers = {}


def _plain(node: Node | None) -> Any:
    if node is None:
        return None
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Mapping):
        return {name: _plain(child) for name, child in node.nodes.items()}
    return [_plain(child) for child in node.items]


def _every(node: Node, at: At) -> list[tuple[Scalar, At]]:
    if isinstance(node, Scalar):
        return [(node, at)]
    if isinstance(node, Mapping):
        return [pair for name, child in node.nodes.items() for pair in _every(child, at.entry(node, name))]
    return [pair for n, child in enumerate(node.items) for pair in _every(child, at.item(node, n))]


def _resolve(tree: Any, pointer: str) -> Any:
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        tree = tree[int(token)] if isinstance(tree, list) else tree[token]
    return tree


@settings(max_examples=200, deadline=None)
@given(_trees, st.booleans(), st.sampled_from(['"', "'", "|", None]))
def test_the_tree_is_what_pyyaml_loads(tree: Any, flow: bool, style: str | None) -> None:
    text = yaml.dump({"root": tree}, default_flow_style=flow, allow_unicode=True, default_style=style)
    result = read("a.yaml", text)
    assert not result.problems
    assert _plain(result.documents[0].root) == yaml.load(text, Loader=_Texts)


@settings(max_examples=200, deadline=None)
@given(_trees)
def test_pointers_resolve_and_lines_hold_the_text(tree: Any) -> None:
    text = yaml.dump({"root": tree}, allow_unicode=True, width=10_000)
    result = read("a.yaml", text)
    node = result.documents[0].root
    assert node is not None
    loaded = yaml.load(text, Loader=_Texts)
    for scalar, at in _every(node, root()):
        assert _resolve(loaded, at.pointer()) == scalar.value
        assert 1 <= line_of(scalar) <= len(result.source.lines)
        for line, part in result.source.of(scalar):
            held = result.source.lines[line - 1].replace("''", "'")  # a quote within quotes is written twice
            assert part.strip("\"'").replace("''", "'") in held or "\\" in held


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.binary(max_size=300), st.text(max_size=300)))
def test_any_input_gets_an_answer(content: str | bytes) -> None:
    result = read("a.yaml", content)
    for problem in result.problems:
        assert problem.line >= 1 and problem.message and problem.remedy
