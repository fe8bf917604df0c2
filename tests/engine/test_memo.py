"""Answers that are kept: once worked out for a text, and never kept for a long one."""

from portability.engine.memo import remembered


def test_short_texts_are_worked_out_once_and_long_ones_each_time() -> None:
    asked: list[str] = []

    @remembered
    def size(text: str) -> int:
        asked.append(text)
        return len(text)

    long = "x" * 2_000
    assert [size("ab"), size("ab"), size(long), size(long)] == [2, 2, 2_000, 2_000]
    assert asked == ["ab", long, long]
