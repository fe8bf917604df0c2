"""Conditions in CEL, the expression language of Kubernetes, counted: each part that is evaluated is a step.

What differs from the library's CEL: only what `reading` lets through is there; values of different types are not equal,
instead of an error, and whole numbers compare with others, both as in Kubernetes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import lark
from celpy import celtypes
from celpy.evaluation import Activation, CELEvalError, CELSyntaxError, CELUnsupportedError, Evaluator, celstr

from portability.engine.custom_rules.bounds import STEPS_AN_ITEM, Meter
from portability.engine.custom_rules.reading import names_in, pattern_of, read_condition

# What the library raises, instead of returning an error, where a value is of a kind that something cannot take.
_MISFITS = (
    CELEvalError,
    CELSyntaxError,
    CELUnsupportedError,
    TypeError,
    ValueError,
    LookupError,
    AttributeError,
    ArithmeticError,
)
_OPERATORS = {  # as the grammar has them, and as functions
    "relation_lt": "_<_",
    "relation_le": "_<=_",
    "relation_gt": "_>_",
    "relation_ge": "_>=_",
    "relation_eq": "_==_",
    "relation_ne": "_!=_",
    "relation_in": "_in_",
    "addition_add": "_+_",
    "addition_sub": "_-_",
    "multiplication_mul": "_*_",
    "multiplication_div": "_/_",
    "multiplication_mod": "_%_",
}
_ABSENT = "there is no such field"
_MISFIT = "a value is of another kind than the condition expects"


class Unanswered(Exception):
    """The condition cannot be told on this value: a field is absent, or a value is of another kind."""


class NotBoolean(Exception):
    """The condition's answer is neither true nor false; the message says what it is."""


class Condition:
    """A condition that was understood."""

    def __init__(self, text: str) -> None:
        self._tree = read_condition(text)
        self.names = names_in(self._tree)

    def holds(self, variables: Mapping[str, Any], meter: Meter) -> bool:
        """Whether it holds. `variables`: those of `names` it mentions, converted by `converted`.

        Raises Unanswered, NotBoolean, and Exceeded of the meter.
        """
        activation = Activation(vars=dict(variables), functions=_functions(meter))
        try:
            answer = _Counted(self._tree, activation, meter).evaluate()
        except _MISFITS as error:
            absent = isinstance(error, CELEvalError | LookupError) and _ABSENT in str(error.args[:1])
            raise Unanswered(_ABSENT if absent else _MISFIT) from None
        if not isinstance(answer, celtypes.BoolType):
            raise NotBoolean(f"its answer is {_kind(answer)}, neither true nor false")
        return bool(answer)


def converted(value: Any, meter: Meter) -> Any:
    """A plain value as CEL's, each part counted. Too large a whole number becomes one with a point. Raises Exceeded."""
    meter.tick()
    if isinstance(value, str):
        return celtypes.StringType(value)
    if isinstance(value, Mapping):
        return celtypes.MapType({celtypes.StringType(k): converted(v, meter) for k, v in value.items()})
    if isinstance(value, list | tuple):
        return celtypes.ListType([converted(item, meter) for item in value])
    if isinstance(value, bool):
        return celtypes.BoolType(value)
    if isinstance(value, int):
        return celtypes.IntType(value) if -(2**63) <= value < 2**63 else celtypes.DoubleType(value)
    return celtypes.DoubleType(value) if isinstance(value, float) else None


class _Counted(Evaluator):
    """The library's evaluator, each visit counted. A part of a macro is evaluated by another one of these."""

    def __init__(self, ast: lark.Tree[Any], activation: Activation, meter: Meter) -> None:
        super().__init__(ast, activation)
        self._meter = meter

    def sub_evaluator(self, ast: lark.Tree[Any]) -> Evaluator:
        return _Counted(ast, self.activation, self._meter)

    def set_activation(self, values: Any) -> Evaluator:
        """Each item of a macro has names of its own, which cost more than a step."""
        self._meter.tick(STEPS_AN_ITEM)
        return super().set_activation(values)

    def _visit_tree(self, tree: lark.Tree[Any]) -> Any:
        self._meter.tick()
        return super()._visit_tree(tree)

    def relation(self, tree: lark.Tree[Any]) -> Any:
        """Two values and an operator. The library makes types anew each time, which costs more than all else."""
        operator, right_side = tree.children
        assert isinstance(operator, lark.Tree)
        left, right = self._visit_tree(_part(operator.children[0])), self._visit_tree(_part(right_side))
        if error := _checked(left, right):
            return error
        try:
            return self.activation.resolve_function(_OPERATORS[str(operator.data)])(left, right)
        except (TypeError, ValueError, ArithmeticError):
            return CELEvalError(_MISFIT)

    addition = multiplication = relation

    def literal(self, tree: lark.Tree[Any]) -> Any:
        """A value that is written out; made once."""
        token = tree.children[0]
        assert isinstance(token, lark.Token)
        return _constant(token.type, str(token))

    def member_dot(self, tree: lark.Tree[Any]) -> Any:
        """A field. The library writes the whole value into its error, however large; this does not."""
        holder, name = self._visit_tree(tree.children[0]), str(tree.children[1])
        if isinstance(holder, CELEvalError):
            return holder
        if not isinstance(holder, celtypes.MapType):
            return CELEvalError(_MISFIT)
        return dict.get(holder, celtypes.StringType(name)) if name in holder else CELEvalError(_ABSENT)

    def member_index(self, tree: lark.Tree[Any]) -> Any:
        """An entry by its key, or an item by its number."""
        holder, key = self.visit_children(tree)
        if error := _checked(holder, key):
            return error
        if isinstance(holder, celtypes.MapType) and isinstance(key, celtypes.StringType):
            return dict.get(holder, key) if key in holder else CELEvalError(_ABSENT)
        if isinstance(holder, celtypes.ListType) and isinstance(key, celtypes.IntType):
            return list.__getitem__(holder, int(key)) if 0 <= key < len(holder) else CELEvalError(_ABSENT)
        return CELEvalError(_MISFIT)


def _functions(meter: Meter) -> dict[str, Callable[..., Any]]:
    """Operators and functions whose cost depends on what they are given, counted before they are done."""

    def add(left: Any, right: Any) -> Any:
        if isinstance(left, str | list) and isinstance(right, str | list):
            meter.text(len(left) + len(right), 10 if isinstance(left, list) else 1)
        return left + right

    def equal(left: Any, right: Any) -> Any:
        return celtypes.BoolType(_equal(left, right, meter))

    def unequal(left: Any, right: Any) -> Any:
        return celtypes.BoolType(not _equal(left, right, meter))

    def among(item: Any, container: Any) -> Any:
        if isinstance(container, celtypes.MapType):
            return celtypes.BoolType(isinstance(item, celtypes.StringType) and item in container)
        if isinstance(container, celtypes.ListType):
            return celtypes.BoolType(any(_equal(item, each, meter) for each in container))
        return CELEvalError(_MISFIT)

    def matches(text: Any, pattern: Any) -> Any:
        if not isinstance(text, str):
            return CELEvalError(_MISFIT)
        compiled = pattern_of(str(pattern))
        meter.text(len(text), 1 + compiled.programsize // 50)
        return celtypes.BoolType(compiled.search(str(text)) is not None)

    def contains(text: Any, part: Any) -> Any:
        if not isinstance(text, celtypes.StringType) or not isinstance(part, celtypes.StringType):
            return CELEvalError(_MISFIT)
        meter.text(len(text))
        return celtypes.BoolType(str(part) in str(text))

    def string(value: Any) -> Any:
        if isinstance(value, celtypes.BoolType):
            return celtypes.StringType("true" if value else "false")
        if isinstance(value, celtypes.IntType):
            return celtypes.StringType(str(int(value)))
        if isinstance(value, celtypes.DoubleType):
            return celtypes.StringType(str(float(value)))
        return value if isinstance(value, celtypes.StringType) else CELEvalError(_MISFIT)

    def size(value: Any) -> Any:
        if isinstance(value, celtypes.StringType | celtypes.ListType | celtypes.MapType):
            return celtypes.IntType(len(value))
        return CELEvalError(_MISFIT)

    return {
        "_+_": add,
        "_==_": equal,
        "_!=_": unequal,
        "_in_": among,
        "_<_": _ordered(lambda order: order < 0),
        "_<=_": _ordered(lambda order: order <= 0),
        "_>_": _ordered(lambda order: order > 0),
        "_>=_": _ordered(lambda order: order >= 0),
        "matches": matches,
        "contains": contains,
        "string": string,
        "size": size,
    }


@lru_cache(maxsize=1_024)
def _constant(kind: str, text: str) -> Any:
    if kind == "STRING_LIT":
        return celstr(lark.Token(kind, text))
    if kind == "BOOL_LIT":
        return celtypes.BoolType(text == "true")
    if kind == "INT_LIT":
        return celtypes.IntType(text)
    return celtypes.DoubleType(text) if kind == "FLOAT_LIT" else None


def _part(child: Any) -> lark.Tree[Any]:
    assert isinstance(child, lark.Tree)
    return child


def _checked(*values: Any) -> CELEvalError | None:
    """The first of the values that is an error."""
    return next((v for v in values if isinstance(v, CELEvalError)), None)


def _is_number(value: Any) -> bool:
    return isinstance(value, celtypes.IntType | celtypes.DoubleType)


def _equal(left: Any, right: Any, meter: Meter) -> bool:
    """Whether two values are the same, all the way down; values of different kinds are not."""
    meter.tick()
    if isinstance(left, CELEvalError) or isinstance(right, CELEvalError):
        raise Unanswered(_MISFIT)
    if _is_number(left) and _is_number(right):
        return (
            float(left) == float(right) if isinstance(left, float) or isinstance(right, float) else int(left) == right
        )
    if type(left) is not type(right):
        return False
    if isinstance(left, celtypes.ListType):
        return len(left) == len(right) and all(_equal(a, b, meter) for a, b in zip(left, right, strict=True))
    if isinstance(left, celtypes.MapType):
        return len(left) == len(right) and all(key in right and _equal(left[key], right[key], meter) for key in left)
    return bool(left == right)


def _order(left: Any, right: Any) -> int:
    """-1, 0 or 1. Whole numbers are compared as such: the last digits of large ones are lost otherwise."""
    whole = isinstance(left, int) and isinstance(right, int)
    a, b = (int(left), int(right)) if whole else (float(left), float(right))
    return (a > b) - (a < b)


def _ordered(asked: Callable[[int], bool]) -> Callable[[Any, Any], Any]:
    """A comparison of two numbers or two texts."""

    def compare(left: Any, right: Any) -> Any:
        if _is_number(left) and _is_number(right):
            return celtypes.BoolType(asked(_order(left, right)))
        if isinstance(left, celtypes.StringType) and isinstance(right, celtypes.StringType):
            return celtypes.BoolType(asked((str(left) > str(right)) - (str(left) < str(right))))
        return CELEvalError(_MISFIT)

    return compare


def _kind(value: Any) -> str:
    if isinstance(value, celtypes.StringType):
        return "a text"
    if _is_number(value):
        return "a number"
    if isinstance(value, celtypes.ListType):
        return "a list"
    return "a mapping" if isinstance(value, celtypes.MapType) else "no value"
