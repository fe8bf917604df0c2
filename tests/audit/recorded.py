"""Which kinds of entries the code records, found by reading every call of `record`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import product

from portability.reviews.models import Note
from tests.audit.test_every_act import modules

WORDS = {"kind": Note.Kind.values}  # what a name in an f-string stands for


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Each call of `record` with the kinds it may record, one by one."""
    for _, module in modules():
        constants = {
            target.id: node.value.value
            for node in module.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for call in ast.walk(module):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "record":
                for kind in kinds(call.args[1], constants):
                    yield kind, call


def kinds(node: ast.expr, constants: Mapping[str, object]) -> list[str]:
    """What an expression can come to. Raises KeyError, TypeError where that cannot be read."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.Name):
        return [str(constants[node.id])]
    if isinstance(node, ast.IfExp):
        return kinds(node.body, constants) + kinds(node.orelse, constants)
    if isinstance(node, ast.JoinedStr):
        return ["".join(parts) for parts in product(*(part(value) for value in node.values))]
    raise TypeError(f"It is not seen what this records: {ast.unparse(node)}")


def part(node: ast.expr) -> list[str]:
    """What a part of an f-string can come to."""
    if isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Name):
        return WORDS[node.value.id]
    return [str(node.value)] if isinstance(node, ast.Constant) else []


def details(call: ast.Call) -> set[str] | None:
    """The details that a call names; None where some come by `**`."""
    names = {keyword.arg for keyword in call.keywords}
    return None if None in names else {name for name in names if name}
