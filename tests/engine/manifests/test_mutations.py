"""Damaged manifests: the engine answers whatever is garbled, fast, in little memory, and points at what exists."""

import os
import random
import re
import time
from pathlib import Path

import pytest
import yaml

from portability.engine.assess import Judge
from portability.engine.manifests import read_facts
from portability.engine.manifests.secrets import redact
from portability.engine.matrices import shipped
from portability.engine.model import Declared
from portability.engine.targets import parse_target, shipped_targets

ROUNDS, SHARES = 20_000, 8
SECONDS = 2.0
MEGABYTES = 256
_SAMPLE = Path(__file__).parents[3] / "portability" / "workloads" / "sample"
_NOISE = [
    "\t",
    "{",
    "}",
    "[",
    "]",
    ": ",
    "- ",
    "&a ",
    "*a",
    "|\n",
    "'",
    '"',
    "#",
    "\x00",
    "\ufeff",
    "---\n",
    "<<: ",
    "é",
    "!!x ",
]


def _originals() -> list[str]:
    """The labelled manifests where they are given, and the sample's everywhere."""
    corpus = os.environ.get("PORTABILITY_CORPUS")
    folders = [_SAMPLE, *([Path(corpus) / "manifests"] if corpus else [])]
    files = sorted(f for folder in folders for f in folder.rglob("*") if f.suffix in {".yaml", ".yml", ".json"})
    return [f.read_text() for f in files]


def _damage(text: str, dice: random.Random) -> str:
    for _ in range(dice.randint(1, 4)):
        lines = text.splitlines(keepends=True) or [""]
        at = dice.randrange(len(lines))
        match dice.randrange(7):
            case 0:
                del lines[at]
            case 1:
                lines.insert(at, lines[dice.randrange(len(lines))])
            case 2:
                lines[at] = " " * dice.randint(1, 9) + lines[at]
            case 3:
                lines[at] = lines[at].lstrip()
            case 4:
                column = dice.randint(0, len(lines[at]))
                lines[at] = lines[at][:column] + dice.choice(_NOISE) + lines[at][column:]
            case 5:
                lines = lines[: at + 1]
            case _:
                other = dice.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
        text = "".join(lines)
    return text


def _resolves(documents: list[object], pointer: str) -> bool:
    """Whether a JSON pointer leads to something in what an independent loader makes of the text."""
    index, _, path = pointer.partition(":")
    found = documents[int(index)]
    for step in path.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict):
            keys = {_as_text(key): value for key, value in found.items()}
            if step not in keys:
                return False
            found = keys[step]
        elif isinstance(found, list) and step.isdigit() and int(step) < len(found):
            found = found[int(step)]
        else:
            return False
    return True


def _as_text(key: object) -> str:
    return key if isinstance(key, str) else str(key)


def _memory(line: str) -> float:
    """Megabytes of this process: what it holds (VmRSS), or the most it has held (VmHWM)."""
    found = re.search(rf"^{line}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert found
    return int(found[1]) / 1000


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the most memory is read from Linux's /proc")
@pytest.mark.parametrize("share", range(SHARES))
def test_no_damage_makes_the_engine_fail_hang_swell_or_point_at_nothing(share: int) -> None:
    originals = _originals()
    judge = Judge(parse_target(shipped_targets()["mi300x-single"], "test"), shipped.knowledge())
    dice = random.Random(share)
    checked = 0
    Path("/proc/self/clear_refs").write_text("5")  # forgets the most that was held until now
    held = _memory("VmRSS")
    for number in range(ROUNDS // SHARES):
        text = _damage(dice.choice(originals), dice)
        began = time.process_time()
        (redacted,) = redact([("m.yaml", text)]).files
        facts = read_facts([("m.yaml", text)])
        judged = judge.assess(facts, Declared(), registered=False)
        assert time.process_time() - began < SECONDS, f"share {share}, round {number}"
        assert _memory("VmHWM") - held < MEGABYTES, f"share {share}, round {number}"
        assert redacted[1].count("\n") == text.count("\n"), f"share {share}, round {number}: lines moved"
        lines = text.count("\n") + text.count("\r") + 2
        places = [f.place for f in judged.findings if f.place]
        assert all(1 <= place.line <= lines for place in places), f"share {share}, round {number}"
        if facts.problems:
            continue
        try:
            documents: list[object] = list(yaml.load_all(text, Loader=yaml.CBaseLoader))
        except (yaml.YAMLError, ValueError, TypeError):
            continue  # a merge or a tag that the reader takes as text
        if "<<" in text:
            continue  # a base loader does not merge, so its pointers are others
        for place in places:
            checked += 1
            assert _resolves(documents, place.pointer), f"share {share}, round {number}: {place}"
    assert checked > 500
