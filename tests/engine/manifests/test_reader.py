"""What the reader promises: lines, pointers, limits, and clear answers to hostile input."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest

from portability.engine.manifests.limits import MAX_BYTES, MAX_DEPTH, MAX_DOCUMENTS
from portability.engine.manifests.nodes import Mapping, Scalar, Sequence, is_null, line_of
from portability.engine.manifests.reader import ReadFile, read


def root(content: str | bytes) -> Mapping:
    result = read("a.yaml", content)
    assert result.problems == []
    node = result.documents[0].root
    assert isinstance(node, Mapping)
    return node


def lines(content: str | bytes, name: str) -> list[tuple[int, str]]:
    result = read("a.yaml", content)
    node = result.documents[0].root
    assert isinstance(node, Mapping)
    return result.source.of(scalar(node, name))


def the_problem(content: str | bytes) -> tuple[int, str, str]:
    result = read("a.yaml", content)
    assert len(result.problems) == 1
    problem = result.problems[0]
    assert problem.file == "a.yaml"
    return problem.line, problem.message, problem.remedy


def scalar(node: Mapping, name: str) -> Scalar:
    found = node.nodes[name]
    assert isinstance(found, Scalar)
    return found


def test_every_scalar_knows_its_line() -> None:
    node = root("a: 1\n\n# a comment\nb:\n  - x\n  - {c: y}\n")
    assert line_of(scalar(node, "a")) == 1
    items = node.sequence("b")
    assert isinstance(items[0], Scalar) and line_of(items[0]) == 5
    assert isinstance(items[1], Mapping) and line_of(scalar(items[1], "c")) == 6


def test_quantities_stay_text() -> None:
    node = root("version: 1.10\nbig: 1e3\noctal: 0700\nwhen: 2026-01-02\n")
    assert {k: scalar(node, k).value for k in node.nodes} == {
        "version": "1.10",
        "big": "1e3",
        "octal": "0700",
        "when": "2026-01-02",
    }


def test_empty_documents_count() -> None:
    result = read("a.yaml", "---\na: 1\n---\n---\n# nothing\n---\nb: 2\n")
    assert [(d.index, d.root is None) for d in result.documents] == [(0, False), (1, True), (2, True), (3, False)]


def test_a_literal_block_keeps_the_line_of_each_of_its_lines() -> None:
    content = "script: |\n  first\n\n    indented\n  last\nafter: x\n"
    assert lines(content, "script") == [(2, "first"), (3, ""), (4, "indented"), (5, "last")]
    assert line_of(scalar(root(content), "after")) == 6


def test_a_folded_block_gives_its_lines_as_they_stand_in_the_file() -> None:
    content = "args: >-\n  --one\n  --two=2\n"
    assert scalar(root(content), "args").value == "--one --two=2"
    assert lines(content, "args") == [(2, "--one"), (3, "--two=2")]


def test_quoted_text_over_several_lines() -> None:
    content = "a: \"one\n  two\"\nb: plain\n  more\nc: 'x\n\n  y'\n"
    assert lines(content, "a") == [(1, "one"), (2, "two")]
    assert lines(content, "b") == [(3, "plain"), (4, "more")]
    assert lines(content, "c") == [(5, "x"), (6, ""), (7, "y")]


def test_an_alias_has_the_line_of_its_anchor() -> None:
    node = root("a: &x value\nb: *x\nc: [*x]\n")
    assert line_of(scalar(node, "b")) == 1
    assert node.sequence("c")[0] is node.nodes["b"] is node.nodes["a"]


def test_merges_give_way_to_what_a_mapping_says_itself() -> None:
    node = root("base: &b {x: 1, y: 2}\nother: &o {y: 3, z: 4}\nm:\n  <<: [*b, *o]\n  x: 9\n")
    merged = node.mapping("m")
    assert merged is not None
    assert {k: scalar(merged, k).value for k in merged.nodes} == {"x": "9", "y": "2", "z": "4"}


def test_a_repeated_name_keeps_its_last_value() -> None:
    assert root("a: 1\na: 2\n").text("a") == "2"


def test_json_is_read_too() -> None:
    node = root('{"a": {"b": ["x", "y"]},\n "c": "\\"q\\""}')
    assert scalar(node, "c").value == '"q"' and line_of(scalar(node, "c")) == 2


@pytest.mark.parametrize(
    "content",
    [
        "a: b\r\nc: |\r\n  x\r\n  y\r\n",
        "\ufeffa: b\nc: |\n  x\n  y\n",
        b"\xef\xbb\xbfa: b\nc: |\n  x\n  y\n",
        "a: b\nc: |\n  x\n  y\n".encode("utf-16"),
        "a: b\nc: |\n  x\n  y\n".encode("utf-16-le"),
        "a: b\nc: |\n  x\n  y\n".encode("utf-16-be"),
        "a: b\nc: |\n  x\n  y\n".encode("utf-32"),
        "a: b\rc: |\r  x\r  y\r",
    ],
)
def test_line_ends_and_encodings(content: str | bytes) -> None:
    assert root(content).text("a") == "b"
    assert lines(content, "c") == [(3, "x"), (4, "y")]


def test_a_wrong_encoding_is_said_with_its_line() -> None:
    line, message, remedy = the_problem("ok: 1\nname: Zürich\n".encode("latin-1"))
    assert line == 2 and "UTF-8" in message and "UTF-8" in remedy


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\x00\x00\x00", b"\x7fELF\x02\x00\x00", "a: b\x00c"])
def test_binary_is_said(content: str | bytes) -> None:
    assert "binary" in the_problem(content)[1]


def test_tabs_are_explained() -> None:
    line, _, remedy = the_problem("a:\n\tb: 1\n")
    assert line == 2 and "spaces" in remedy


def test_a_syntax_error_has_a_line_and_a_remedy() -> None:
    line, message, remedy = the_problem("a: 1\nb: [1, 2\nc: 3\n")
    assert line in (2, 3) and "not valid YAML" in message and remedy


def test_documents_around_a_broken_one_are_read() -> None:
    result = read("a.yaml", "a: 1\n---\nb: c: d\n---\ne: 2\n")
    assert [d.index for d in result.documents] == [0, 2]
    assert [p.line for p in result.problems] == [3]
    last = result.documents[1].root
    assert isinstance(last, Mapping) and line_of(scalar(last, "e")) == 5


@pytest.mark.parametrize("broken", ["b: [1, 2", 'b: "open', "{b: ["])
def test_a_document_that_never_closes_takes_none_after_it_along(broken: str) -> None:
    result = read("a.yaml", f"a: 1\n---\n{broken}\n---\ne: 2\n")
    assert [d.index for d in result.documents] == [0, 2]
    assert len(result.problems) == 1


def _fast(content: str | bytes, seconds: float = 5.0) -> ReadFile:
    start = time.perf_counter()
    result = read("a.yaml", content)
    assert time.perf_counter() - start < seconds
    return result


def test_half_a_character_is_said() -> None:
    line, message, _ = the_problem("a: b\nc: \ud800\n")
    assert line == 2 and "character" in message


def test_twenty_megabytes_are_refused_at_once() -> None:
    result = _fast("x: y\n" * 4_000_000, 1.0)
    assert f"{MAX_BYTES:,}" in result.problems[0].message and result.documents == []


def test_ten_thousand_documents_stop_at_the_limit() -> None:
    result = _fast("---\na: 1\n" * 10_000)
    assert "documents" in result.problems[0].message
    assert len(result.documents) == MAX_DOCUMENTS


@pytest.mark.parametrize("content", ["[" * 1_000 + "]" * 1_000, "{a: " * 1_000 + "}" * 1_000, "- " * 1_000 + "x"])
def test_a_thousand_levels_are_refused(content: str) -> None:
    result = _fast(content)
    assert f"{MAX_DEPTH} deep" in result.problems[0].message
    assert result.problems[0].line == 1


@pytest.mark.parametrize("content", ["[" * 1_000_000, "- " * 1_000_000, "{" * 1_000_000, "? " * 1_000_000])
def test_a_million_levels_neither_crash_nor_hang(content: str) -> None:
    assert _fast(content).problems


def test_aliases_cannot_grow_without_end() -> None:
    names = "abcdefghijkl"
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    lines += [f"{n}: &{n} [{', '.join(['*' + p] * 9)}]" for p, n in pairwise(names)]
    result = _fast("\n".join(lines))
    assert "aliases repeat" in result.problems[0].message


def test_an_alias_to_itself_is_refused() -> None:
    line, message, _ = the_problem("a: 1\nb: &b\n  c: *b\n")
    assert line == 2 and "alias" in message


def test_an_anchor_that_stands_twice_is_said() -> None:
    line, message, remedy = the_problem("a: &x 1\nb: &x 2\nc: *x\n")
    assert line == 2 and "&x" in message and "name" in remedy


def test_an_unknown_alias_is_refused() -> None:
    assert "*nowhere" in the_problem("a: *nowhere\n")[1]


def test_a_name_that_is_a_mapping_is_said() -> None:
    assert "name" in the_problem("? {a: 1}\n: x\n")[1]


def test_reading_takes_time_in_proportion() -> None:
    text = "- {name: a, value: b, nested: [1, 2, 3]}\n"
    small, large = text * 2_000, text * 16_000

    def best(content: str) -> float:
        times = []
        for _ in range(3):
            start = time.perf_counter()
            assert not read("a.yaml", content).problems
            times.append(time.perf_counter() - start)
        return min(times)

    assert best(large) < 8 * best(small) * 3


def test_lists_keep_their_items() -> None:
    node = root("a:\n- 1\n-\n- [x]\n").nodes["a"]
    assert isinstance(node, Sequence) and len(node.items) == 3
    assert isinstance(node.items[1], Scalar) and is_null(node.items[1])
