"""What tells one day's page from another's, and whether a page says that it moved."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis.strategies import lists, sampled_from, text

from portability.engine.errors import InputError
from portability.matrices.page_text import PageText, page_text

PAGE = """<!doctype html>
<html><head><title>Matrix</title><style>p {color: red}</style><script>var built = "1"; "<p>no</p>";</script></head>
<body><header>Documentation <a href="/">Home</a></header><nav><ul><li>Installing</li></ul></nav>
<main id="content"><h1>Matrix</h1><p>ROCm <b>7.14.0</b> supports&nbsp;Ubuntu.</p>
<table><tr><th>GPU</th><td>MI300X</td></tr></table><aside>On this page</aside><footer>next</footer></main>
<footer>Last updated on 1 November</footer></body></html>"""
SAYS = "Matrix ROCm 7.14.0 supports Ubuntu. GPU MI300X"


def of(page: str) -> PageText:
    """What a page says."""
    return page_text("page.html", page.encode())


def test_the_text_of_the_main_part_is_what_counts() -> None:
    assert of(PAGE).text == SAYS
    assert of(PAGE).moved == ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1 November", "2 November"),
        ('built = "1"', 'built = "2"'),
        ("Installing", "Installing more"),
        ("On this page", "Contents"),
        ("<p>ROCm", "<p class='new'>\n  ROCm"),
        ("<h1>", "<!-- <h1>Older</h1> --><h1>"),
        ("<main id", "<div><header>x</header></div><main data-x id"),
    ],
)
def test_what_stands_around_it_does_not_count(before: str, after: str) -> None:
    assert before in PAGE
    assert of(PAGE.replace(before, after)).digest == of(PAGE).digest


@pytest.mark.parametrize(("before", "after"), [("7.14.0", "7.14.1"), ("MI300X", "MI325X"), ("<td>", "<td>no ")])
def test_what_it_says_counts(before: str, after: str) -> None:
    assert of(PAGE.replace(before, after)).digest != of(PAGE).digest


def test_a_main_part_is_known_by_its_role_as_well() -> None:
    page = "<html><div>left</div><div role='main'><div>one</div> two</div><div>right</div></html>"
    assert of(page).text == "one two"


def test_a_page_without_main_part_counts_without_its_frame() -> None:
    assert of("<html><nav>menu</nav><p>one</p><header>top</header></html>").text == "one"


def test_a_source_file_counts_as_it_is() -> None:
    assert page_text("page.md", b"# Features\n\n| a | <b> |\n").text == "# Features | a | <b> |"


@pytest.mark.parametrize(
    "notice",
    [
        "This page has moved to https://docs.example.com/new.",
        "This page has been moved.",
        "The user and kernel-space support matrix has been replaced by the release notes.",
        "This documentation is no longer maintained.",
        "These pages were archived",
        "This project is now deprecated",
    ],
)
def test_a_page_says_that_it_moved(notice: str) -> None:
    words = notice.rstrip(".").split(" to https")[0]
    assert words in of(PAGE.replace("<h1>", f"<div class='banner'>{notice}</div><h1>")).moved
    assert words in of(PAGE.replace("<header>", f"<div>{notice}</div><header>")).moved
    assert words in page_text("page.md", f"# Title\n\n{notice}\n".encode()).moved


@pytest.mark.parametrize(
    "words",
    ["The matrix has columns.", "Data is moved to the GPU.", "The weights are moved.", "This page has a table."],
)
def test_other_words_are_no_notice(words: str) -> None:
    assert of(PAGE.replace("<h1>", f"<p>{words}</p><h1>")).moved == ""


def test_a_page_that_sends_its_readers_on_has_moved() -> None:
    page = '<html><meta http-equiv="refresh" content="0; url=https://docs.example.com/new"></html>'
    assert of(page + " ").moved == "it sends its readers to https://docs.example.com/new"


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(InputError):
        page_text("page.html", b"\xff\xfe")


@given(lists(sampled_from(["<main>", "</main>", "<nav>", "</nav>", "<p>", "<", ">", "<!--", "-->", "<script>", "a"])))
def test_any_page_is_read(pieces: list[str]) -> None:
    assert of("<html>" + "".join(pieces) + "x").digest


@given(text(alphabet="abc <>&;", min_size=1))
def test_any_text_is_read(words: str) -> None:
    said = of(f"<html>{words}").text
    assert said == " ".join(said.split())


@pytest.mark.parametrize(
    "piece", ["<", "<a", "<nav>", "</nav>", "<main>", "<!--", "&amp", "<a ", "<meta a=", "this page "]
)
def test_a_long_hostile_page_takes_a_few_seconds_at_most(piece: str) -> None:
    started = time.monotonic()
    of("<html>" + piece * (1_000_000 // len(piece)))
    assert time.monotonic() - started < 5
