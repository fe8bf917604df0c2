"""APP003: engines and tools of one vendor in carried scripts."""

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found

MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: scripts}
data:
  run.sh: |
    #!/bin/bash
    set -e
    # trtllm-build is not used
    echo "trtllm-build"
    %s
"""


def test_an_engine_blocks_and_a_tool_changes() -> None:
    (engine,) = found("APP003", MAP % "trtllm-build --checkpoint_dir /m")
    (tool,) = found("APP003", MAP % "dcgmi discovery -l")
    assert (engine.effect, tool.effect) == (Effect.BLOCKS, Effect.CHANGE)
    assert engine.place is not None
    assert engine.place.line == 10


def test_a_path_that_is_only_named_after_one_is_fine() -> None:
    assert not found("APP003", MAP % "mkdir -p /data/trt_engine/model")


def test_at_home_it_is_fine() -> None:
    assert not found("APP003", MAP % "trtllm-build", target=NVIDIA)


def test_prompts_are_prose() -> None:
    for name in ("system_prompt", "prompt.txt", "chat-prompt.j2"):
        assert not found("APP003", (MAP % "Explain what nvidia-smi shows.").replace("run.sh", name))
    assert found("APP003", (MAP % "nvidia-smi -L").replace("run.sh", "prompt.sh"))


def test_scripts_and_dockerfiles_that_were_given() -> None:
    files = {
        "start.sh": "# nvidia-smi\nnvidia-smi -L\n",
        "Dockerfile": 'FROM python:3.12\nRUN apt-get update \\\n && nvcc --version\nCMD ["trtllm-serve", "m"]\n',
        "serve.py": "x = 1\n",
    }
    findings = found("APP003", workload={"source_files": files})
    assert [(f.effect, f.place.file, f.place.line) for f in findings if f.place] == [
        (Effect.BLOCKS, "Dockerfile", 4),
        (Effect.CHANGE, "Dockerfile", 3),
        (Effect.CHANGE, "start.sh", 2),
    ]


def test_a_script_for_either_vendor_is_fine() -> None:
    text = "if command -v rocm-smi; then rocm-smi; else nvidia-smi; fi\n"
    assert not found("APP003", workload={"source_files": {"start.sh": text}})
    assert not found("APP003", workload={"source_files": {"start.sh": text}}, target=NVIDIA)


PROGRAM = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: programs}
data:
  main.py: |
    #!/usr/bin/env python3
    \'\'\'On the host, nvidia-smi shows the load.\'\'\'
    import subprocess

    def look(
        where,
    ) -> int:
        \"\"\"Not what nvidia-smi does.

        As nvidia-smi would.
        \"\"\"
        return subprocess.call(
            \"\"\"
            nvidia-smi -L
            \"\"\", shell=True)

    TEXT = \"\"\"
    nvidia-smi -q
    \"\"\"
"""


def test_what_explains_a_program_calls_nothing() -> None:
    assert [f.place.line for f in found("APP003", PROGRAM) if f.place] == [19, 23]
