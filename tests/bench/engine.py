"""Reading and judging next to only loading the same text with PyYAML's CSafeLoader, in one process."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import yaml

from portability.engine.assess import Judge
from portability.engine.facts_json import facts_from_json, facts_to_json
from portability.engine.manifests import read_facts
from portability.engine.manifests.collector import collector_resting
from portability.engine.matrices.shipped import knowledge
from portability.engine.model import Declared
from portability.engine.targets import parse_target, shipped_targets
from tests.bench.manifests import texts
from tests.bench.timing import best_seconds

SIZE = 20_000_000  # characters
TURNS = 3


def corpus() -> list[str]:
    """The manifests of the folder that PORTABILITY_CORPUS names; none where it names none."""
    folder = os.environ.get("PORTABILITY_CORPUS")
    return [path.read_text() for path in sorted(Path(folder, "manifests").rglob("*.y*ml"))] if folder else []


def bench_engine() -> None:
    """Print the costs of reading and judging, of judging stored facts, and how they grow."""
    real = corpus()
    made = texts(SIZE - sum(map(len, real)))
    print(f"generated manifests{' and the corpus' if real else ''}, in one process; best of {TURNS} turns")
    for name, files in (("corpus alone", real), ("all", [*real, *made])):
        if files:
            _costs(name, files)
    _growth(made)


def _costs(name: str, files: Sequence[str]) -> None:
    judge = _judge()
    stored = [json.dumps(facts_to_json(read_facts([("serving.yaml", text)]))) for text in files]
    took = best_seconds(
        {
            "load": lambda: _each(_load, files),
            "read": lambda: _each(_read, files),
            "read and judge": lambda: _as_on_a_terminal(partial(_read_and_judge, judge), files),
            "judge stored facts": lambda: _each(partial(_judge_stored, judge), stored),
        },
        TURNS,
    )
    base = took["load"]
    documents = sum(read_facts([("serving.yaml", text)]).documents for text in files)
    size = sum(map(len, files))
    print(f"{name}: {len(files):,} files, {documents:,} documents, {size / 1e6:.1f} MB")
    for act, seconds in took.items():
        print(f"  {act:20} {seconds:8.2f} s  {seconds / base:6.2f} x load")
    print(f"  {documents / took['read and judge']:,.0f} documents a second read and judged")
    print(f"  {len(files) / took['judge stored facts']:,.0f} assessments a second from stored facts")


def _growth(made: Sequence[str]) -> None:
    """A tenth of the files next to all of them, and one file next to one ten times as long."""
    judge, tenth = _judge(), made[: len(made) // 10]
    one, ten = "---\n".join(made[:20]), "---\n".join(made[:200])
    act = partial(_read_and_judge, judge)
    took = best_seconds(
        {
            "tenth": lambda: _as_on_a_terminal(act, tenth),
            "all": lambda: _as_on_a_terminal(act, made),
            "one": lambda: _as_on_a_terminal(act, [one]),
            "ten": lambda: _as_on_a_terminal(act, [ten]),
        },
        TURNS,
    )
    size = sum(map(len, made)) / sum(map(len, tenth))
    print(f"growth: {size:.1f} times the files cost {took['all'] / took['tenth']:.1f} times as much")
    longer = len(ten) / len(one)
    print(f"growth: a file {longer:.1f} times as long costs {took['ten'] / took['one']:.1f} times as much")


def _judge() -> Judge:
    return Judge(parse_target(shipped_targets()["mi300x-single"], "target"), knowledge())


def _each(act: Callable[[str], None], texts: Sequence[str]) -> None:
    for text in texts:
        act(text)


def _as_on_a_terminal(act: Callable[[str], None], texts: Sequence[str]) -> None:
    """As `portability assess` goes over what it is given; loading and judging stored facts run as Python does."""
    with collector_resting():
        _each(act, texts)


def _load(text: str) -> None:
    for _ in yaml.load_all(text, yaml.CSafeLoader):
        pass


def _read(text: str) -> None:
    read_facts([("serving.yaml", text)])


def _read_and_judge(judge: Judge, text: str) -> None:
    judge.assess(read_facts([("serving.yaml", text)]), Declared())


def _judge_stored(judge: Judge, facts: str) -> None:
    judge.assess(facts_from_json(json.loads(facts)), Declared())
