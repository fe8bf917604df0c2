"""APP002: packages of one vendor."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found


@pytest.mark.parametrize(
    ("line", "effect"),
    [
        ("tensorrt==10.9", Effect.BLOCKS),
        ("nvidia-dali-cuda120", Effect.BLOCKS),
        ("Nvidia_ML.py>=12", Effect.CHANGE),
        ("cupy-cuda12x", Effect.CHANGE),
        ("torch==2.9.0+cu128", Effect.CHANGE),
        ("jax[cuda12]==0.6.0", Effect.CHANGE),
        ("--extra-index-url https://download.pytorch.org/whl/cu128", Effect.CHANGE),
        ("flash-attn", Effect.CONFIRM),
        ("bitsandbytes>=0.45", Effect.CONFIRM),
    ],
)
def test_requirements(line: str, effect: Effect) -> None:
    (finding,) = found("APP002", workload={"python_requirements": f"# a comment\n{line}\nfastapi\n"})
    assert finding.effect is effect
    assert finding.place is not None
    assert finding.place.line == 2


@pytest.mark.parametrize("line", ["torch==2.11.0", "tritonclient[grpc]", "torch==2.9.0+rocm7.0", "nvidia"])
def test_nobodys_or_the_targets(line: str) -> None:
    assert not found("APP002", workload={"python_requirements": line})


def test_an_install_in_a_command_is_found_and_its_options_are_not() -> None:
    pod = (
        "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n  containers:\n  - name: x\n    image: python:3.12\n"
        "    command: [sh, -c, 'uv pip install -q fastapi \"onnxruntime-gpu>=1.20\" && python tensorrt.py']\n"
    )
    (finding,) = found("APP002", pod)
    assert "onnxruntime-rocm" in finding.remedy


@pytest.mark.parametrize(
    ("line", "effect"),
    [
        ("https://download.pytorch.org/whl/cu121/torch-2.4.0%2Bcu121-cp310-cp310-linux_x86_64.whl", Effect.CHANGE),
        ("./wheels/torch-2.4.0+cu121-cp310-cp310-linux_x86_64.whl", Effect.CHANGE),
        ("torch @ https://example.com/torch-2.4.0+cu121-cp310-cp310-linux_x86_64.whl", Effect.CHANGE),
        ("flash-attn @ git+https://github.com/Dao-AILab/flash-attention@v2.6", Effect.CONFIRM),
        ("-e git+https://github.com/NVIDIA/apex#egg=apex", Effect.CONFIRM),
        ("--index-url=https://download.pytorch.org/whl/cu124", Effect.CHANGE),
        ("onnxruntime-gpu; python_version >= '3.8' and sys_platform == 'linux'", Effect.CHANGE),
        ("-r base.txt", Effect.CONFIRM),
    ],
)
def test_other_forms(line: str, effect: Effect) -> None:
    (finding,) = found("APP002", workload={"python_requirements": line})
    assert finding.effect is effect


@pytest.mark.parametrize(
    "line",
    [
        "onnxruntime-gpu; sys_platform == 'win32'",
        'onnxruntime-gpu; platform_system == "Darwin"',
        "vllm @ git+https://github.com/vllm-project/vllm",
        "uvicorn[standard]",
        "# tensorrt",
        "x==1 --hash=sha256:tensorrt",
    ],
)
def test_what_is_not_installed_there_or_is_nobodys(line: str) -> None:
    assert not found("APP002", workload={"python_requirements": line})


def test_a_list_that_was_given_too_is_no_question() -> None:
    files = {"requirements.txt": "-r deps/base.txt\n", "base.txt": "# none\ntensorrt\n"}
    (finding,) = found("APP002", workload={"source_files": files})
    assert finding.place is not None
    assert (finding.effect, finding.place.file, finding.place.line) == (Effect.BLOCKS, "base.txt", 2)


@pytest.mark.parametrize(
    "line", ["amdsmi", "torch==2.9.0+rocm7.0", "--extra-index-url https://download.pytorch.org/whl/rocm6.4"]
)
def test_amd_s_are_foreign_to_nvidia(line: str) -> None:
    assert found("APP002", workload={"python_requirements": line}, target=NVIDIA)


def test_a_conda_environment_and_a_broken_list() -> None:
    text = "dependencies:\n  - pytorch-cuda=12.1\n  - pytorch=2.1=py3.10_cuda12.1_cudnn8\n"
    findings = found("APP002", workload={"source_files": {"environment.yml": text}})
    assert [f.place.line for f in findings if f.place] == [2, 3]
    (broken,) = found("APP002", workload={"source_files": {"pyproject.toml": "[project\n"}})
    assert broken.effect is Effect.CONFIRM


def test_what_an_installation_goes_on_with_over_more_lines() -> None:
    config_map = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  run.sh: |\n"
        "    uv pip install \\\n      --extra-index-url https://download.pytorch.org/whl/cu128 \\\n"
        "      fastapi tensorrt\n"
        "    echo tensorrt \\\n      tensorrt\n"
    )
    assert {(f.place.line, f.effect) for f in found("APP002", config_map) if f.place} == {
        (7, Effect.CHANGE),
        (8, Effect.BLOCKS),
    }
