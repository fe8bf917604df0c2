"""What any importer does with what is no page, is too much, or is made to take long."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portability.engine.errors import InputError
from portability.engine.matrices.importers import IMPORTED, read_document
from portability.engine.matrices.importers.documents import LIMIT_BYTES, document, without_comments
from portability.engine.matrices.importers.reading import Kind
from portability.engine.matrices.keys import ROCM, VLLM_FEATURES
from tests.engine.matrices.importers.reading import refused
from tests.engine.matrices.importers.samples import (
    FEATURES,
    OPERATOR,
    QUANTIZATION,
    as_html,
    as_rst,
    frameworks,
    systems,
)

SECONDS = 20  # on a busy machine; each takes a few at most
PAGES = [as_html(systems(), frameworks()), as_rst(systems()), as_rst(frameworks()), FEATURES, QUANTIZATION, OPERATOR]
H = "<!doctype html><html><body>"
M = ".. matrix::\n\n"
K = "| Feature | a |\n| - | - |\n"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (PAGES[0], Kind.HTML),
        ("<!-- saved from x -->\n<html>", Kind.HTML),
        ("<?xml version='1.0'?><!DOCTYPE HTML>", Kind.HTML),
        ("<table><tr><td>1</td></tr></table>", Kind.HTML),
        (PAGES[1], Kind.RST),
        (PAGES[3], Kind.MARKDOWN),
        (PAGES[5], Kind.MARKDOWN),
        ("<style>\n</style>\n# A\n", Kind.MARKDOWN),
        ("<div>\n\n# A\n\n</div>", Kind.MARKDOWN),
    ],
)
def test_the_kind_is_found_from_the_content(text: str, kind: Kind) -> None:
    assert document("whatever.txt", text.encode()).kind is kind


@pytest.mark.parametrize("source", IMPORTED)
@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"a\n\x97", "page:2: is not text in UTF-8"),
        ("a".encode("utf-16"), "UTF-8"),
        (b"a\n\nb\x00c", "page:3: holds a character"),
        (b"x" * (LIMIT_BYTES + 1), "at most 5,000,000"),
        (b"hello", "no table"),
        (b'{"a": [1]}', "no table"),
        (b"<!doctype html><html><body><p>x</p></body></html>", "no table"),
        (b".. note:: x\n", "no table"),
    ],
)
def test_what_is_no_page(source: str, content: bytes, words: str) -> None:
    refused(content, words.replace("no table", "no tables?"), source)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("vllm-installation", "entered by hand"),
        ("amd-device-plugin", "entered by hand"),
        ("x", "no such source"),
        ("../x", "no such"),
    ],
)
def test_sources_without_importer(source: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_document(source, [("page", b"x")])


def test_no_file_and_too_many() -> None:
    with pytest.raises(InputError, match="name a file"):
        read_document(ROCM, [])
    with pytest.raises(InputError, match="at most 20"):
        read_document(ROCM, [("page", b"x")] * 21)


HOSTILE: dict[str, tuple[str, str]] = {
    "elements in elements": (ROCM, H + "<div>" * 100_000),
    "formatting in formatting": (ROCM, H + "<b><p>" * 100_000),
    "attributes": (ROCM, H + "<p " + " ".join(f"a{n}" for n in range(100_000)) + ">"),
    "entities": (ROCM, H + "x" * 1_000_000 + "&amp; y" * 100_000),
    "faults": (ROCM, H + "a< " * 600_000),
    "cells": (ROCM, H + "<table>" + "<tr><td>1</td></tr>" * 20_000 + "</table></body></html>"),
    "a row": (
        ROCM,
        H
        + "<table><tr><th>LLVM target</th>"
        + "<td>1</td>" * 9_000
        + "</tr><tr><th>Architecture</th></tr></table></body></html>",
    ),
    "brackets in a condition": (ROCM, H + "<table><tr><td data-show-cond='" + "[" * 500_000 + "'>x</td></tr></table>"),
    "a long version": (
        ROCM,
        as_html(systems(), frameworks()).replace("9.2.0, 9.1.0", "1" + "a" * 3_000 + "!"),
    ),
    "commas": (ROCM, as_html(systems(), frameworks()).replace("BKC 99", "," * 500_000)),
    "stars": (ROCM, M + ("\n".join(["*a " * 30] * 11) + "\n\n") * 20),
    "backquotes": (ROCM, M + "`a " * 3_000 + "\n"),
    "indentation": (ROCM, M + "".join(" " * n + "a\n\n" for n in range(400))),
    "substitutions in substitutions": (
        ROCM,
        M + "".join(f".. |a{n}| replace:: |a{n + 1}| |a{n + 1}|\n\n" for n in range(60)) + "|a0|\n",
    ),
    "targets": (ROCM, M + "".join(f".. _a{n}: a{n + 1}_\n\n" for n in range(3_000))),
    "comments": (VLLM_FEATURES, K + "<!--" * 50_000),
    "tables": (VLLM_FEATURES, K + "\n" + "<table\n" * 30_000),
    "links": (VLLM_FEATURES, K + "[" * 4_900 + "\n"),
    "links over lines": (VLLM_FEATURES, K + "\n" + ("[" * 40 + "\n") * 1_000),
    "tables under headings": (VLLM_FEATURES, "# a\n\n|a|\n|-|\n\n" * 15_000),
    "rulers": (VLLM_FEATURES, K + "\n" + "    a|\n    -|-\n\n" * 15_000),
    "tags around tables": (VLLM_FEATURES, "".join(f"<div a{n}>\n\n|a|\n|-|\n\n" for n in range(99)) + "<div>" * 9_000),
    "styles": (ROCM, H + "<style>" + "@a{.b{" * 100_000 + "</style>" + "<p class=x>" * 9_000 + "</body></html>"),
    "a long heading over tables": (
        ROCM,
        f"{H}<h1>{'past ' * 100_000}</h1>{'<table><tr><th>a</th><td>b</td></tr></table>' * 9_000}</body></html>",
    ),
    "labels": (
        ROCM,
        f"{H}<b id=x>{'<i>a</i>' * 50_000}</b>{'<div aria-labelledby=x><table></table></div>' * 20_000}</body></html>",
    ),
    "footnotes": (
        VLLM_FEATURES,
        K + "".join(f"| x{n} | ✅[^{n}] |\n" for n in range(4_000)) + "\n" + "[^1] a\n" * 9_000,
    ),
    "a long footnote": (VLLM_FEATURES, K + "| lora | ✅" + "1" * 3_000 + "! |\n\nx\n"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_made_to_take_long_is_refused_in_time(name: str) -> None:
    source, text = HOSTILE[name]
    began = time.process_time()
    refused(text, ".", source, "9.9.0" if source == ROCM else None)
    assert time.process_time() - began < SECONDS


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(PAGES),
    st.sampled_from(IMPORTED),
    st.lists(
        st.tuples(
            st.floats(0, 1),
            st.integers(0, 40),
            st.text(max_size=8) | st.sampled_from(["<", ">", '"', "|", "::", "{", "`", "\\"]),
        ),
        min_size=1,
        max_size=6,
    ),
)
def test_whatever_is_changed_it_is_read_or_refused_in_one_line(
    page: str, source: str, edits: list[tuple[float, int, str]]
) -> None:
    for where, gone, new in edits:
        at = int(where * len(page))
        page = page[:at] + new + page[at + gone :]
    try:
        read_document(source, [("page", page.encode("utf-8", "replace"))], "9.9.0")
    except InputError as error:
        assert "\n" not in str(error) and len(str(error)) < 600


@given(st.lists(st.sampled_from(["a", "\n", "<!--", "-->", "<", "-"]), max_size=20).map("".join))
def test_comments_are_taken_out_and_lines_stay(text: str) -> None:
    left = without_comments(text)
    assert left.count("\n") == text.count("\n")
    assert "<!--" not in left or "-->" not in left[left.index("<!--") :] or "-->" not in text
