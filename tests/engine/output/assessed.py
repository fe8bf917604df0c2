"""Manifests and calls that the tests of the output formats share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from portability.cli import main

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: chat, namespace: serving}
spec:
  containers:
    - name: vllm
      image: vllm/vllm-openai:v0.23.0
      args: [--model=Qwen/Qwen3-8B]
      resources: {limits: {nvidia.com/gpu: 1}}
"""
PINNED = """\
apiVersion: v1
kind: Pod
metadata: {name: fast}
spec:
  containers:
    - {name: trt, image: "nvcr.io/nvidia/tritonserver:25.01-trtllm-python-py3"}
    - name: again
      image: registry.example/tensorrt-llm:1.1.0
      command: [sh, -c, "nvidia-smi\\nnvidia-smi -L\\n"]
"""
SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: door}\n"
BROKEN = "kind: Pod\nspec: {{ .Values.spec }}\n"
# A target whose operating system and driver are not listed: findings about the target that count.
OLD_TARGET = """\
name: old
vendor: amd
part: mi300x
os: {family: ubuntu, version: "18.04", kernel: "4.15"}
rocm: 7.14.0
amdgpu: 1.2.3
kubernetes: "1.20"
operator: 1.5.1
"""


def folder(tmp_path: Path) -> Path:
    """A repository with one manifest of each kind."""
    for name, text in (
        ("apps/pod.yaml", POD),
        ("apps/fast one.yaml", PINNED),
        ("apps/door.yml", SERVICE),
        ("apps/broken.yaml", BROKEN),
        ("targets/old.yaml", OLD_TARGET),
    ):
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit status and standard output of `portability assess`."""
    status = main(["assess", *arguments])
    return status, capsys.readouterr().out


def sarif(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit status and the one run of `--format sarif`."""
    status, out = printed(capsys, *arguments, "--format", "sarif")
    (run,) = json.loads(out)["runs"]
    return status, run
