"""A condition's text to a tree that may be evaluated: every name, function and literal in it is one that is there.

What is refused here cannot fail later for that reason, and cannot cost anything: CEL's `matches` takes only a pattern
that is written out, so that it is understood, and found small enough, before the rule is saved.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import lark
import re2
from celpy.celparser import CELParseError, CELParser
from celpy.evaluation import celstr

from portability.engine.custom_rules.bounds import (
    MAX_CONDITION,
    MAX_DEPTH,
    MAX_NESTING,
    MAX_PATTERN,
    MAX_PATTERN_SIZE,
)
from portability.engine.errors import InputError

WHERE = "condition"
VARIABLES = ("value", "document", "target")
MACROS = ("all", "exists", "exists_one", "filter", "map")  # each with a name and what is asked of it
METHODS = {"contains": 1, "endsWith": 1, "matches": 1, "size": 0, "startsWith": 1}  # and how many arguments
FUNCTIONS = ("double", "has", "int", "size", "string")  # each with one argument
# A tree node with one child says nothing of its own: leaving it out makes evaluation shallow and several times faster.
_PASSED_THROUGH = frozenset(
    {"expr", "conditionalor", "conditionaland", "relation", "addition", "multiplication", "unary", "member"}
)


def read_condition(text: str) -> lark.Tree[lark.Token]:
    """The tree of a condition. Raises InputError, saying where in it what is wrong and what there is instead."""
    _check_text(text)
    try:
        tree = CELParser().parse(text)
    except CELParseError as error:
        raise _refused(text, error.line, error.column, _unexpected(text, error)) from None
    except (lark.exceptions.LarkError, ValueError, RecursionError):
        raise InputError(WHERE, 0, "cannot be read as a CEL expression") from None
    tree = _shortened(tree)
    if _depth(tree) > MAX_DEPTH:
        raise InputError(
            WHERE, 0, f"more than {MAX_DEPTH} operators one inside another; use a list: value in ['a', 'b', 'c']"
        )
    _check(tree, frozenset(VARIABLES), text)
    return tree


def names_in(tree: lark.Tree[lark.Token]) -> frozenset[str]:
    """The names a condition mentions."""
    return frozenset(str(found.children[0]) for found in tree.find_data("ident"))


@lru_cache(maxsize=256)
def pattern_of(text: str) -> Any:
    """A compiled regular expression. Raises InputError where RE2 does not take it or makes too much of it."""
    if len(text) > MAX_PATTERN:
        raise InputError(WHERE, 0, f"a pattern of {len(text)} characters; at most {MAX_PATTERN} are read")
    try:
        options = re2.Options()
        options.log_errors = False
        pattern = re2.compile(text, options)
    except re2.error as error:
        said = error.args[0].decode(errors="replace") if isinstance(error.args[0], bytes) else str(error.args[0])
        raise InputError(WHERE, 0, f"the pattern {text!r} is no regular expression (RE2): {said}") from None
    if pattern.programsize > MAX_PATTERN_SIZE:
        raise InputError(WHERE, 0, f"the pattern {text!r} repeats too much: write smaller counts")
    return pattern


def _check_text(text: str) -> None:
    """Length, brackets; that every text in quotes ends on its line: else the library's reader could take for ever."""
    if not text.strip():
        raise InputError(WHERE, 0, "is empty; write true for a rule that holds wherever the path leads")
    if len(text) > MAX_CONDITION:
        raise InputError(WHERE, 0, f"{len(text):,} characters; at most {MAX_CONDITION:,} are read")
    depth = n = 0
    while n < len(text):
        c = text[n]
        if text.startswith("//", n):
            n = text.find("\n", n) if "\n" in text[n:] else len(text)
            continue
        if c in "\"'":
            n = _end_of_text(text, n)
        elif not c.isascii():
            raise _at(text, n, f"{c!r} stands outside quotes")
        depth += (c in "([{") - (c in ")]}")
        if depth > MAX_NESTING:
            raise _at(text, n, f"more than {MAX_NESTING} brackets inside one another")
        n += 1


def _end_of_text(text: str, start: int) -> int:
    """The position of the quote that ends what starts at a quote."""
    quote = text[start]
    if text.startswith(quote * 3, start):
        raise _at(text, start, "write texts on one line, in single quotes")
    n = start + 1
    while n < len(text) and text[n] not in "\r\n":
        if text[n] == quote:
            return n
        n += 2 if text[n] == "\\" else 1
    raise _at(text, start, f"the text that starts here is not closed by {quote} on the same line")


def _at(text: str, position: int, message: str) -> InputError:
    line = text.count("\n", 0, position) + 1
    column = position - (text.rfind("\n", 0, position) + 1) + 1
    return _refused(text, line, column, message)


def _refused(text: str, line: int | None, column: int | None, message: str) -> InputError:
    several = "\n" in text.strip() and line and line > 0
    where = f"line {line}, " if several else ""
    return InputError(WHERE, 0, f"{message} (at {where}character {column})" if column and column > 0 else message)


def _unexpected(text: str, error: CELParseError) -> str:
    first = error.__context__  # what the parser itself said
    lines = text.split("\n")
    ended = isinstance(first, lark.exceptions.UnexpectedToken) and first.token.type == "$END"
    if ended or error.line is None or not 0 < error.line <= len(lines):
        return "ends too early: something is missing after its last character"
    return f"not understood from {lines[error.line - 1][(error.column or 1) - 1 :][:20]!r} on"


def _shortened(tree: lark.Tree[Any]) -> lark.Tree[Any]:
    """Without the nodes that only pass through. Children before parents, as `iter_subtrees` gives them."""
    for part in tree.iter_subtrees():
        part.children = [_inner(child) for child in part.children]
    inner = _inner(tree)
    assert isinstance(inner, lark.Tree)
    return inner


def _inner(child: Any) -> Any:
    while isinstance(child, lark.Tree):
        only = child.children[0] if len(child.children) == 1 else None
        if child.data in _PASSED_THROUGH and isinstance(only, lark.Tree):
            child = only
        elif child.data == "primary" and isinstance(only, lark.Tree) and only.data == "paren_expr":
            child = only.children[0]
        else:
            return child
    return child


def _depth(tree: lark.Tree[Any]) -> int:
    """How deep a tree is, without recursion."""
    deepest, waiting = 0, [(tree, 1)]
    while waiting:
        part, depth = waiting.pop()
        deepest = max(deepest, depth)
        waiting += [(child, depth + 1) for child in part.children if isinstance(child, lark.Tree)]
    return deepest


def _check(tree: lark.Tree[Any], names: frozenset[str], text: str) -> None:
    """Refuse what is not there: names, functions, kinds of literals. `names`: what may be named at this place."""
    kind = str(tree.data)
    if kind == "ident":
        _check_name(_token(tree, 0), names, text)
    elif kind in ("dot_ident", "dot_ident_arg", "member_object"):
        raise _refused(text, tree.meta.line, tree.meta.column, "names with a leading dot and messages are not there")
    elif kind == "literal":
        _check_literal(_token(tree, 0), text)
    elif kind == "ident_arg":
        _check_function(tree, text)
    elif kind == "member_dot_arg" and tree.children[1] in MACROS:
        _check_macro(tree, names, text)
        return
    elif kind == "member_dot_arg":
        _check_method(tree, text)
    for child in tree.children:
        if isinstance(child, lark.Tree):
            _check(child, names, text)


def _check_name(name: lark.Token, names: frozenset[str], text: str) -> None:
    if name not in names:
        raise _refused(
            text, name.line, name.column, f"{str(name)[:40]!r} is not known here; there are {', '.join(sorted(names))}"
        )


def _check_literal(token: lark.Token, text: str) -> None:
    if token.type in ("BYTES_LIT", "UINT_LIT"):
        raise _refused(text, token.line, token.column, "write texts without b and numbers without u before or after")
    if token.type == "INT_LIT" and not _fits(str(token)):
        raise _refused(text, token.line, token.column, "the number is too large")
    if token.type == "STRING_LIT":
        try:
            celstr(token)
        except (ValueError, OverflowError):
            raise _refused(text, token.line, token.column, "an escape in this text means nothing") from None


def _fits(number: str) -> bool:
    try:
        return -(2**63) <= int(number, 0 if "x" in number else 10) < 2**63
    except ValueError:  # thousands of digits
        return False


def _token(tree: lark.Tree[Any], position: int) -> lark.Token:
    """The name or literal that the grammar puts there."""
    token = tree.children[position]
    assert isinstance(token, lark.Token)
    return token


def _tree(tree: lark.Tree[Any], position: int) -> lark.Tree[Any]:
    """The part that the grammar puts there."""
    part = tree.children[position]
    assert isinstance(part, lark.Tree)
    return part


def _arguments(tree: lark.Tree[Any], position: int) -> list[Any]:
    return list(_tree(tree, position).children) if len(tree.children) > position else []


def _check_function(tree: lark.Tree[Any], text: str) -> None:
    name, given = _token(tree, 0), _arguments(tree, 1)
    if name not in FUNCTIONS:
        message = f"there is no function {str(name)[:40]}; there are {', '.join(FUNCTIONS)}"
        raise _refused(text, name.line, name.column, message)
    if len(given) != 1:
        raise _refused(text, name.line, name.column, f"{name} takes one argument")
    if name == "has" and given[0].data != "member_dot":
        raise _refused(text, name.line, name.column, "has takes a field: has(value.resources)")


def _check_method(tree: lark.Tree[Any], text: str) -> None:
    name, given = _token(tree, 1), _arguments(tree, 2)
    if name not in METHODS:
        there = ", ".join(sorted([*METHODS, *MACROS]))
        raise _refused(text, name.line, name.column, f"there is no .{str(name)[:40]}(); there are {there}")
    if len(given) != METHODS[name]:
        raise _refused(text, name.line, name.column, f".{name}() takes {METHODS[name] or 'no'} argument")
    if name == "matches":
        literal = _written_out(given[0])
        if literal is None:
            message = "write the pattern out: value.matches(r'^registry\\.example/')"
            raise _refused(text, name.line, name.column, message)
        pattern_of(str(celstr(literal)))


def _written_out(tree: lark.Tree[Any]) -> lark.Token | None:
    """The literal that an argument is; None where it is anything else."""
    inside = tree.children[0] if tree.data == "primary" else tree
    if isinstance(inside, lark.Tree) and inside.data == "literal":
        token = inside.children[0]
        if isinstance(token, lark.Token) and token.type == "STRING_LIT":
            return token
    return None


def _check_macro(tree: lark.Tree[Any], names: frozenset[str], text: str) -> None:
    name, given = _token(tree, 1), _arguments(tree, 2)
    variable = given[0].children[0] if given and given[0].data == "primary" else None
    if len(given) != 2 or not isinstance(variable, lark.Tree) or variable.data != "ident":
        message = f".{name}() takes a name and what is asked of it: .{name}(x, x == 'a')"
        raise _refused(text, name.line, name.column, message)
    _check(_tree(tree, 0), names, text)
    _check(given[1], names | {str(variable.children[0])}, text)
