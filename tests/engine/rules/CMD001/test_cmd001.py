"""CMD001: other vendors' tools in commands, probes and hooks."""

from typing import Any

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - name: main
      image: %s
      command: ["sh", "-c"]
      args:
        - |
          # nvidia-smi
          echo "nvidia-smi works"
          %s
      livenessProbe: {exec: {command: [rocm-smi]}}
      lifecycle: {postStart: {exec: {command: ["sh", "-c", "nvidia-smi -pm 1"]}}}
"""


def test_each_line_that_runs_one() -> None:
    findings = found("CMD001", POD % ("python:3.12", "nvidia-smi && python serve.py"))
    assert [f.place.line for f in findings if f.place] == [13, 15]
    assert all("amd-smi" in f.remedy for f in findings)


def test_an_engine_without_counterpart_blocks() -> None:
    effects = {f.place.line: f.effect for f in found("CMD001", POD % ("python:3.12", "trtllm-serve /m")) if f.place}
    assert effects == {13: Effect.BLOCKS, 15: Effect.CHANGE}


def test_a_launcher_goes_with_the_image_that_blocks() -> None:
    launch = "python3 -m dynamo.vllm --model m"
    alone = found("CMD001", POD % ("registry.example/team/serve:1", launch))
    within = found("CMD001", POD % ("nvcr.io/nvidia/ai-dynamo/vllm-runtime:0.5.0", launch))
    assert [f.effect for f in alone] == [Effect.BLOCKS, Effect.CHANGE]
    assert {f.place.line: f.effect for f in within if f.place} == {13: Effect.NOTE, 15: Effect.CHANGE}


def test_a_package_that_is_installed_is_another_rules() -> None:
    findings = found("CMD001", POD % ("python:3.12", "pip install tensorrt_llm && python serve.py"))
    assert [f.place.line for f in findings if f.place] == [15]


def test_the_other_way_round() -> None:
    findings = found("CMD001", POD % ("python:3.12", "python serve.py"), target=NVIDIA)
    assert [f.place.line for f in findings if f.place] == [14]


def test_a_program_in_one_string() -> None:
    assert found("CMD001", POD % ("python:3.12", "python -c 'import pynvml; pynvml.nvmlInit()'"))
    blocks = found("CMD001", POD % ("python:3.12", "python -c 'import tensorrt as trt'"))
    assert Effect.BLOCKS in [f.effect for f in blocks]


FLAGS = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - name: main
      image: python:3.12
      command: [python, serve.py]
      args:
        - --attention-backend
        - trtllm_mla
        - --device
        - cuda
        - --name
        - trtllm_mla
        - --attention-backend=fa3
"""


def test_a_flags_value_in_an_item_of_its_own_is_judged_with_the_flag() -> None:
    effects = {f.place.line: f.effect for f in found("CMD001", FLAGS) if f.place}
    assert effects == {11: Effect.CHANGE, 15: Effect.BLOCKS, 16: Effect.CHANGE}


@pytest.mark.parametrize("line", ["vllm serve org/m --device hpu", "source /opt/intel/oneapi/setvars.sh"])
def test_tools_and_flags_for_accelerators_of_others(line: str) -> None:
    for target in (None, NVIDIA):
        places = [f.place.line for f in found("CMD001", POD % ("python:3.12", line), target=target) if f.place]
        assert 13 in places


PYTHON = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - name: main
      image: python:3.12
      command: [python, -c]
      args:
        - |
          import torch; import %s
          %s
"""


@pytest.mark.parametrize(
    ("module", "effect", "target"),
    [
        ("flashinfer", Effect.CHANGE, None),
        ("flash_attn", Effect.CONFIRM, None),
        ("habana_frameworks.torch", Effect.CHANGE, None),
        ("amdsmi", Effect.CHANGE, NVIDIA),
    ],
)
def test_modules_that_python_on_a_command_line_imports(module: str, effect: Effect, target: Any) -> None:
    (finding,) = found("CMD001", PYTHON % (module, "print(1)"), target=target)
    assert finding.place is not None
    assert (finding.effect, finding.place.line) == (effect, 11)
    within = POD % ("python:3.12", f"python3 -c 'import {module}'")
    assert 13 in [f.place.line for f in found("CMD001", within, target=target) if f.place]


def test_python_that_imports_either_vendors_module_is_fine() -> None:
    assert found("CMD001", PYTHON % ("amdsmi", "import pynvml"), target=NVIDIA) == []
    assert found("CMD001", PYTHON % ("torch", "import os"), target=NVIDIA) == []
