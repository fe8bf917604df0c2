"""Answers that are kept: once worked out for a text, and never kept for a long one."""

import tracemalloc

import pytest

from portability.engine.manifests import read_facts
from portability.engine.memo import Memo, remembered, remembered_beside


def test_short_texts_are_worked_out_once_and_long_ones_each_time() -> None:
    asked: list[str] = []

    @remembered
    def size(text: str) -> int:
        asked.append(text)
        return len(text)

    long = "x" * 2_000
    assert [size("ab"), size("ab"), size(long), size(long)] == [2, 2, 2_000, 2_000]
    assert asked == ["ab", long, long]


def test_of_two_texts_both_must_be_short() -> None:
    asked: list[tuple[str, str]] = []

    @remembered_beside
    def joined(text: str, beside: str) -> str:
        asked.append((text, beside))
        return text + beside

    long = "x" * 2_000
    for text, beside in (("a", "b"), (long, "b"), ("a", long)) * 2:
        assert joined(text, beside) == text + beside
    assert asked == [("a", "b"), (long, "b"), ("a", long), (long, "b"), ("a", long)]


def test_a_memo_answers_long_texts_without_keeping_them() -> None:
    sizes = Memo(len)
    assert [sizes["ab"], sizes["x" * 2_000]] == [2, 2_000]
    assert list(sizes) == ["ab"]


@pytest.mark.parametrize(
    "form", ['{?"NAME": a/b}', '{?"NAME": {a: a/b}}', '{containers: [{image: a, env: [{name: "NAME", value: b}]}]}']
)
def test_manifests_of_long_names_take_no_memory_for_good(form: str) -> None:
    def read(n: int) -> None:
        read_facts([("a.yaml", "kind: Pod\nspec: " + form.replace("NAME", f"{n}-" + "Name" * 50_000))])

    read(0)
    tracemalloc.start()
    try:
        for n in range(1, 11):
            read(n)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 500_000
