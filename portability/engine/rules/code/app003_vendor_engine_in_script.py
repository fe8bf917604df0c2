"""APP003: a script, given or carried in a manifest, that calls another vendor's engine or tool."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.material.words import How
from portability.engine.model import Effect, Finding, Site, SiteKind
from portability.engine.rules.base import Context, Example, Ground, Rule, Said
from portability.engine.rules.code.sources import PACKAGES, asks_both, code_row, given, is_prose, place_in
from portability.engine.rules.command.cmd001_vendor_tool import remedy
from portability.engine.rules.command.lines import runs
from portability.engine.rules.foreign import because, foreign, literal, owner
from portability.engine.vendor_rows.rows import Table

_REASON = "The script calls {}, of {}'s software"


def at(ground: Ground, said: Said) -> Iterable[Finding]:
    """A line of a script that a manifest carries."""
    row = None if said.role == PACKAGES else foreign(ground, Table.TOOLS, runs(said.value))
    if row is not None:
        yield literal(RULE, said, row, _REASON.format(row.pattern, owner(row)), remedy(ground, row))


def weigh(_ctx: Context, site: Site, finding: Finding) -> Finding | None:
    """Documentation runs nothing."""
    return None if is_prose(site) else finding


def check(ctx: Context) -> Iterable[Finding]:
    """Scripts and Dockerfiles that the team gave. One that asks for either vendor's tool is fine."""
    for material in given(ctx):
        for word in material.words:
            if word.how is not How.COMMAND:
                continue
            row = foreign(ctx, Table.TOOLS, runs(word.text))
            asked = code_row(ctx, runs(word.text))
            if row is None or (asked is not None and asks_both(asked, material)):
                continue
            reason = because(_REASON.format(row.pattern, owner(row)), row)
            place, evidence = place_in(material, word.line), [row.evidence()]
            yield RULE.finding(row.effect, reason, remedy(ctx, row), place=place, value=word.text, evidence=evidence)


_CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: scripts}
data:
  start.sh: |
    #!/bin/sh
    # starts the server
    %s
"""

RULE = Rule(
    id="APP003",
    name="vendor-engine-in-script",
    class_="CODE",
    why="Scripts in config maps run as surely as commands, and bind a workload just as much.",
    fix="Call the counterpart; where the engine has none, stage and serve the original weights with another.",
    references=("https://rocm.docs.amd.com/projects/amdsmi/", "https://nvidia.github.io/TensorRT-LLM/"),
    reads=("scripts carried in manifests, line by line", "scripts and Dockerfiles given with the workload"),
    examples=(
        Example(
            "hit",
            "an engine without counterpart",
            _CONFIG_MAP % "python3 /tensorrtllm_backend/tools/fill_template.py -i config.pbtxt max_beam_width:1",
            effect=Effect.BLOCKS,
        ),
        Example("hit", "a vendor's tool", _CONFIG_MAP % "nvidia-smi -L", effect=Effect.CHANGE),
        Example(
            "hit",
            "a tool in a Dockerfile",
            workload={"source_files": {"Dockerfile": "FROM python:3.12\nRUN nvidia-smi -L\n"}},
            effect=Effect.CHANGE,
        ),
        Example("miss", "nobody's tools", _CONFIG_MAP % "python3 serve.py --device cuda"),
        Example(
            "unknown",
            "kernels with a fork",
            _CONFIG_MAP % "vllm serve m --all2all-backend deepep_low_latency",
            effect=Effect.CONFIRM,
        ),
        Example(
            "unknown", "a setting that HIP reads too", _CONFIG_MAP % "export CUDA_VISIBLE_DEVICES=0", effect=Effect.NOTE
        ),
    ),
    kinds=(SiteKind.SCRIPT,),
    at=at,
    weigh=weigh,
    check=check,
)
