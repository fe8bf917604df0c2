"""APP001: application code that asks for a vendor instead of a capability."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from portability.engine.model import Effect, Finding
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.code.sources import Line, scripts, source_files
from portability.engine.rules.command.lines import runs
from portability.engine.rules.foreign import because, foreign, owner, target_vendor
from portability.engine.vendor_rows.rows import Row, Table

_BOTH = "both-ways:"


def check(ctx: Context) -> Iterable[Finding]:
    """A file that asks for either vendor is fine. Tools called by a carried script are APP003's."""
    carried = (line for line in scripts(ctx) if foreign(ctx, Table.TOOLS, runs(line.text)) is None)
    for line in chain(source_files(ctx), carried):
        row = foreign(ctx, Table.CODE, runs(line.text))
        if row is not None and not _asks_both(row, line):
            yield _finding(ctx, line, row)


def _asks_both(row: Row, line: Line) -> bool:
    return any(trait.removeprefix(_BOTH) in line.whole for trait in row.traits if trait.startswith(_BOTH))


def _finding(ctx: Context, line: Line, row: Row) -> Finding:
    if row.effect is Effect.BLOCKS:
        remedy = f"Replace it by a library that runs on {target_vendor(ctx)}, or leave the workload where it is."
    else:
        remedy = f"Ask for the capability: {row.counterpart or 'what PyTorch answers for either vendor'}."
    reason = because(f"The code asks for {owner(row)} by {row.pattern}", row)
    return RULE.finding(row.effect, reason, remedy, place=line.place, value=line.text, evidence=[row.evidence()])


RULE = Rule(
    id="APP001",
    name="vendor-branch-in-code",
    class_="CODE",
    why="Code that asks for a vendor takes its slow path, or none, on the other; nothing in a manifest shows it.",
    fix="Ask for the capability: torch.cuda.is_available() answers for ROCm too.",
    references=("https://pytorch.org/docs/stable/notes/hip.html", "https://rocm.docs.amd.com/projects/amdsmi/"),
    reads=("source files given with the workload", "scripts carried in manifests"),
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
            "unknown",
            "kernels that may have a port",
            workload={"source_files": {"k.py": "from numba import cuda\n"}},
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
)
