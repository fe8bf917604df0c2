"""SRV006: the version to pin against."""

from __future__ import annotations

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import found
from tests.engine.rules.manifests import vllm


@pytest.mark.parametrize(
    ("version", "fires"),
    [("0.23.0", False), ("v0.23.1", False), ("0.2.3", True), ("0.11.0", True), ("0.230", True), (None, True)],
)
def test_version(version: str | None, fires: bool) -> None:
    findings = found("SRV006", workload=vllm(engine_version=version))
    assert [f.effect for f in findings] == ([Effect.NOTE] if fires else [])
    assert all("0.23" in f.reason for f in findings)


def test_an_engine_that_no_table_names_has_no_version_to_pin() -> None:
    assert not found("SRV006", workload=vllm(engine="tgi", engine_version="3.0.0"))


def test_one_note_for_a_version_however_many_say_it() -> None:
    pod = """\
    apiVersion: v1
    kind: Pod
    spec:
      containers:
        - name: v
          image: vllm/vllm-openai-rocm:v0.11.0
          args: [--model=Qwen/Qwen3-8B]
          resources: {limits: {amd.com/gpu: 1}}
    """
    findings = found("SRV006", pod, workload={"engine": "vllm", "model_kind": "multimodal"})
    assert [f.value for f in findings] == ["0.11.0"]
