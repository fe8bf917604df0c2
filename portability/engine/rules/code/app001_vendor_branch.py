"""APP001: application code that asks for a vendor instead of a capability."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from portability.engine.material.words import How, Material, Word
from portability.engine.model import Effect, Finding, Place, Site, SiteKind
from portability.engine.rules.base import Context, Example, Ground, Rule, Said
from portability.engine.rules.code.sources import (
    PACKAGES,
    asks_both,
    asks_both_in,
    code_row,
    given,
    imported_row,
    is_prose,
    module_row,
    not_read,
    place_in,
    script,
)
from portability.engine.rules.command.lines import runs
from portability.engine.rules.foreign import because, foreign, owner, target_vendor
from portability.engine.rules.image.references import row_of
from portability.engine.vendor_rows.rows import Row, Table

_SEVERITY = {effect: n for n, effect in enumerate(Effect)}
Hit = tuple[Row, Word]


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """A line of a script that a manifest carries. Tools that it calls are APP003's, what it installs APP002's."""
    row = None if said.role == PACKAGES else _row_of_script(ground, runs(said.value))
    if row is not None:
        yield _finding(ground, row, None, said.value)


def weigh(ctx: Context, site: Site, finding: Finding) -> Finding | None:
    """A script that asks for either vendor is fine, and documentation runs nothing."""
    row = _row_of_script(ctx, runs(site.value))
    return None if is_prose(site) or (row is not None and asks_both_in(row, script(ctx, site))) else finding


def check(ctx: Context) -> Iterable[Finding]:
    """Files that the team gave: one finding a line, the worst. A file that asks for either vendor is fine."""
    for material in given(ctx):
        if not material.lists_packages:
            yield from not_read(RULE, material)
            yield from _in_material(ctx, material)


def _in_material(ctx: Context, material: Material) -> Iterator[Finding]:
    worst: dict[int, Hit] = {}
    for row, word in _hits(ctx, material):
        kept = worst.get(word.line)
        if kept is None or _SEVERITY[row.effect] < _SEVERITY[kept[0].effect]:
            worst[word.line] = (row, word)
    for row, word in worst.values():
        said = f"builds on {word.text}, made for {owner(row)}" if word.how is How.IMAGE else ""
        yield _finding(ctx, row, place_in(material, word.line), word.text, said)


def _hits(ctx: Context, material: Material) -> Iterator[Hit]:
    imported: set[str] = set()  # what is said where it is imported is not said again wherever it is used
    for word in sorted(material.words, key=lambda word: word.how is not How.MODULE):
        row = _row(ctx, word)
        if row is None or asks_both(row, material):
            continue
        if word.how is How.MODULE:
            imported.add(word.text.partition(".")[0])
        elif word.how is How.NAME and word.text.partition(".")[0] in imported:
            continue
        yield row, word


def _row(ctx: Context, word: Word) -> Row | None:
    if word.how in (How.MODULE, How.NAME):
        return module_row(ctx, word.text) or code_row(ctx, word.text)
    if word.how is How.TEXT:
        return code_row(ctx, word.text)
    if word.how is How.CALL:
        return code_row(ctx, word.text) or foreign(ctx, Table.TOOLS, runs(word.text))
    if word.how is How.COMMAND and foreign(ctx, Table.TOOLS, runs(word.text)) is None:
        return code_row(ctx, runs(word.text))
    if word.how is How.IMAGE:
        row = row_of(ctx, word.text)
        return row if row is not None and row.foreign_to(ctx.target.vendor) else None
    return None


def _row_of_script(ground: Ground, text: str) -> Row | None:
    """What explains a line of a script that calls no vendor's tool: what it imports first."""
    if foreign(ground, Table.TOOLS, text) is not None:
        return None
    return imported_row(ground, text) or code_row(ground, text)


def _finding(ground: Ground, row: Row, place: Place | None, value: str, said: str = "") -> Finding:
    if row.effect is Effect.BLOCKS:
        remedy = f"Replace it by what runs on {target_vendor(ground)}, or leave the workload where it is."
    elif said:
        remedy = f"Build on {row.counterpart or f'an image for {target_vendor(ground)}'} in its place."
    elif row.effect is Effect.CONFIRM:
        remedy = f"Confirm that it works on {target_vendor(ground)}: look at {row.counterpart or 'its documentation'}."
    elif row.counterpart and not row.counterpart.startswith("torch."):
        remedy = f"Use {row.counterpart} in its place, or ask for the capability and for no vendor."
    else:
        remedy = f"Ask for the capability: {row.counterpart or 'what PyTorch answers for either vendor'}."
    reason = because(f"The code {said or f'asks for {owner(row)} by {row.pattern}'}", row)
    return RULE.finding(row.effect, reason, remedy, place=place, value=value, evidence=[row.evidence()])


RULE = Rule(
    id="APP001",
    name="vendor-branch-in-code",
    class_="CODE",
    why="Code that asks for a vendor takes its slow path, or none, on the other; nothing in a manifest shows it.",
    fix="Ask for the capability: torch.cuda.is_available() answers for ROCm too.",
    references=("https://pytorch.org/docs/stable/notes/hip.html", "https://rocm.docs.amd.com/projects/amdsmi/"),
    reads=(
        "source files given with the workload: Python and notebooks by syntax tree, others line by line",
        "what Dockerfiles given with it build on",
        "scripts carried in manifests",
    ),
    examples=(
        Example(
            "hit",
            "a gate on CUDA's version",
            workload={"source_files": {"serve.py": "import torch\nif torch.version.cuda:\n    fast()\n"}},
            effect=Effect.CHANGE,
        ),
        Example(
            "hit", "NVIDIA's library", workload={"source_files": {"m.py": "import pynvml\n"}}, effect=Effect.CHANGE
        ),
        Example(
            "hit",
            "a library that runs on one vendor's GPUs only",
            workload={"source_files": {"serve.py": "import tensorrt as trt\n"}},
            effect=Effect.BLOCKS,
        ),
        Example("miss", "a capability", workload={"source_files": {"serve.py": "ok = torch.cuda.is_available()\n"}}),
        Example(
            "miss",
            "code that asks for either",
            workload={"source_files": {"serve.py": "if torch.version.cuda or torch.version.hip:\n    fast()\n"}},
        ),
        Example(
            "miss",
            "a version that is only logged",
            workload={"source_files": {"serve.py": "import torch\nprint(f'CUDA {torch.version.cuda}')\n"}},
        ),
        Example(
            "unknown",
            "a file that is no Python 3",
            workload={"source_files": {"old.py": "print 'ready'\n"}},
            effect=Effect.CONFIRM,
        ),
        Example(
            "unknown",
            "kernels that may have a port",
            workload={"source_files": {"k.py": "from numba import cuda\n"}},
            effect=Effect.CONFIRM,
        ),
    ),
    kinds=(SiteKind.SCRIPT,),
    at=at,
    weigh=weigh,
    check=check,
)
