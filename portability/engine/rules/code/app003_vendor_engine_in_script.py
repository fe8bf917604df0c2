"""APP003: a script carried in a manifest, outside a container's command, that calls another vendor's engine or tool."""

from __future__ import annotations

from collections.abc import Iterable

from portability.engine.model import Effect, Finding
from portability.engine.rules.base import Context, Example, Rule
from portability.engine.rules.code.sources import carried
from portability.engine.rules.command.cmd001_vendor_tool import remedy
from portability.engine.rules.command.lines import runs
from portability.engine.rules.foreign import foreign_sites, literal, owner
from portability.engine.vendor_rows.rows import Table


def check(ctx: Context) -> Iterable[Finding]:
    """One finding a line."""
    for site, row in foreign_sites(ctx, Table.TOOLS, carried(ctx), lambda site: runs(site.value)):
        reason = f"The script calls {row.pattern}, of {owner(row)}'s software"
        yield literal(RULE, site, row, reason, remedy(ctx, row))


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
    reads=("scripts carried in manifests, line by line",),
    examples=(
        Example(
            "hit",
            "an engine without counterpart",
            _CONFIG_MAP % "python3 /tensorrtllm_backend/tools/fill_template.py -i config.pbtxt max_beam_width:1",
            effect=Effect.BLOCKS,
        ),
        Example("hit", "a vendor's tool", _CONFIG_MAP % "nvidia-smi -L", effect=Effect.CHANGE),
        Example("miss", "nobody's tools", _CONFIG_MAP % "python3 serve.py --device cuda"),
        Example(
            "unknown",
            "kernels with a fork",
            _CONFIG_MAP % "vllm serve m --all2all-backend deepep_low_latency",
            effect=Effect.CONFIRM,
        ),
    ),
    check=check,
)
