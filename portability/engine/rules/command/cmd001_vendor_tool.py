"""CMD001: a container's command, argument, probe or hook that calls another vendor's tool."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding, Site, SiteKind
from portability.engine.rules.base import Context, Example, Ground, Rule, Said
from portability.engine.rules.code.sources import asks_both_in, imported_row, script
from portability.engine.rules.command.lines import runs
from portability.engine.rules.foreign import foreign, literal, owner, target_vendor
from portability.engine.rules.image.references import row_of
from portability.engine.vendor_rows.rows import Row, Table


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """One finding a line; a flag's value in an item of its own is judged with the flag, Python by what it imports."""
    row = _row(ground, said)
    if row is not None:
        reason = f"The command calls {row.pattern}, of {owner(row)}'s software"
        yield literal(RULE, said, row, reason, remedy(ground, row))


def weigh(ctx: Context, site: Site, finding: Finding) -> Finding | None:
    """A note for a launcher that comes and goes with an image that blocks by itself; code for either vendor is fine."""
    container, row = ctx.container(site), _row(ctx, Said.of(site))
    if row is not None and asks_both_in(row, script(ctx, site)):
        return None
    if container is None or row is None or "goes-with-image" not in row.traits:
        return finding
    image = row_of(ctx, container.image)
    blocked = image is not None and image.foreign_to(ctx.target.vendor) and image.effect is Effect.BLOCKS
    return finding._replace(effect=Effect.NOTE) if blocked else finding


def _row(ground: Ground, said: Said) -> Row | None:
    line = runs(said.value)
    called = foreign(ground, Table.TOOLS, f"{said.key} {line}" if said.key else line)
    return called or imported_row(ground, line)


def remedy(ground: Ground, row: Row) -> str:
    """What to write in its place."""
    if row.effect is Effect.BLOCKS:
        engine = f"Serve the model with an engine that runs on {target_vendor(ground)}"
        return f"{engine}, or leave the workload where it is."
    if row.effect is Effect.CONFIRM:
        return f"Confirm that the version in the image has it for {target_vendor(ground)}."
    if row.counterpart:
        return f"Use {row.counterpart} in its place, or ask the device plugin instead of a tool."
    return f"Take it out, or use what {target_vendor(ground)} has for the purpose."


_POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - name: main
      image: python:3.12
      command: ["sh", "-c", "%s"]
"""

RULE = Rule(
    id="CMD001",
    name="vendor-tool-in-command",
    class_="COMMAND",
    why="A command that calls one vendor's tool fails on the other's image: at start, in a probe or in a hook.",
    fix="Call the counterpart, or ask for the capability instead of the vendor.",
    references=("https://rocm.docs.amd.com/projects/amdsmi/", "https://nvidia.github.io/TensorRT-LLM/"),
    reads=("commands, arguments, probes and lifecycle hooks, line by line",),
    examples=(
        Example(
            "hit",
            "a module in Python on the command line",
            _POD % "python -c 'import amdsmi'",
            target={"vendor": "nvidia", "part": "h100"},
            effect=Effect.CHANGE,
        ),
        Example("hit", "a tool in one shell string", _POD % "nvidia-smi -L; sleep 30", effect=Effect.CHANGE),
        Example("hit", "an engine without counterpart", _POD % "trtllm-serve /models/chat", effect=Effect.BLOCKS),
        Example(
            "hit",
            "AMD's tool on an NVIDIA target",
            _POD % "rocm-smi --showuse",
            target={"vendor": "nvidia", "part": "h100"},
            effect=Effect.CHANGE,
        ),
        Example("miss", "a device by torch's neutral name", _POD % "python serve.py --device cuda"),
        Example("miss", "printed text", _POD % "echo 'nvidia-smi is not used'; python serve.py"),
        Example(
            "unknown",
            "kernels with a fork",
            _POD % "vllm serve m --all2all-backend deepep_low_latency",
            effect=Effect.CONFIRM,
        ),
        Example(
            "unknown",
            "a launcher that comes and goes with its image, which IMG002 judges",
            (_POD % "dynamo serve graph:Frontend").replace(
                "python:3.12", "nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.4.0"
            ),
            effect=Effect.NOTE,
        ),
    ),
    kinds=(SiteKind.COMMAND,),
    at=at,
    weigh=weigh,
)
