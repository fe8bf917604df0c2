"""APP001: code that asks for a vendor."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found


def _files(text: str) -> dict[str, object]:
    return {"source_files": {"serve.py": text}}


def test_one_finding_a_line_with_its_place() -> None:
    findings = found("APP001", workload=_files("import torch\n# pynvml\nif torch.version.cuda:\n    import pynvml\n"))
    assert [(f.place.file, f.place.line) for f in findings if f.place] == [("serve.py", 3), ("serve.py", 4)]


def test_either_vendor_in_one_file_is_fine() -> None:
    text = "cuda = torch.version.cuda\nhip = torch.version.hip\n"
    assert not found("APP001", workload=_files(text))
    assert not found("APP001", workload=_files(text), target=NVIDIA)


def test_a_gate_on_hip_is_foreign_to_nvidia() -> None:
    (finding,) = found("APP001", workload=_files("if torch.version.hip:\n    fast()\n"), target=NVIDIA)
    assert finding.effect is Effect.CHANGE


def test_a_script_in_a_config_map() -> None:
    text = (
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: code}\n"
        "data:\n  serve.py: |\n    import torch\n    engine(device='cuda')\n    if torch.version.cuda: fast()\n"
    )
    (finding,) = found("APP001", text)
    assert finding.place is not None
    assert finding.place.line == 8


@pytest.mark.parametrize(
    "text",
    [
        "ok = torch.cuda.is_available()\n",
        "model.cuda(); model.to('cuda:0'); x = torch.device('cuda')\n",
        "torch.backends.cudnn.benchmark = True\n",
        "import triton\nimport triton.language as tl\n",
        "import tensorrt_helpers\nfrom . import tensorrt\n",
        "print('CUDA', torch.version.cuda)\n",
        '"""Talks of nvidia-smi and pynvml."""\n',
    ],
)
def test_a_capability_passes(text: str) -> None:
    assert not found("APP001", workload=_files(text))


@pytest.mark.parametrize(
    ("text", "effect"),
    [
        ("import torch as t\nif t.version.cuda: f()\n", Effect.CHANGE),
        ("import pynvml as nv\nnv.nvmlInit()\n", Effect.CHANGE),
        ("subprocess.run(['nvidia-smi', '-L'])\n", Effect.CHANGE),
        ("os.system('trtllm-build --x')\n", Effect.BLOCKS),
        ("from tensorrt import Builder\n", Effect.BLOCKS),
        ("import nvidia.dali.fn as fn\n", Effect.BLOCKS),
        ("s = ort.InferenceSession(m, providers=['CUDAExecutionProvider'])\n", Effect.CHANGE),
        ("import cupy as cp\n", Effect.CONFIRM),
        ("import numba\n@numba.cuda.jit\ndef f(): pass\n", Effect.CONFIRM),
        ("from torch.utils.cpp_extension import CUDAExtension\n", Effect.CONFIRM),
        ("load_inline(name='x', cuda_sources=source)\n", Effect.CONFIRM),
    ],
)
def test_a_vendor_is_found_once_and_by_its_line(text: str, effect: Effect) -> None:
    (finding,) = found("APP001", workload=_files(text))
    assert finding.effect is effect
    assert not found("APP001", workload=_files(text), target=NVIDIA)


@pytest.mark.parametrize("text", ["import amdsmi\n", "subprocess.run(['rocm-smi'])\n", "import migraphx\n"])
def test_code_for_amd_only_is_foreign_to_nvidia(text: str) -> None:
    assert found("APP001", workload=_files(text), target=NVIDIA)
    assert not found("APP001", workload=_files(text))


def test_code_for_both_is_fine_and_a_comment_makes_it_none() -> None:
    either = "try:\n    import pynvml\nexcept ImportError:\n    import amdsmi\n"
    assert not found("APP001", workload=_files(either))
    assert not found("APP001", workload=_files(either), target=NVIDIA)
    assert found("APP001", workload=_files("import pynvml  # or amdsmi\n"))


@pytest.mark.parametrize(
    ("name", "text", "target", "line"),
    [
        ("k.cu", "// #include <cublas_v2.h>\n#include <cuda_runtime.h>\n", None, 2),
        ("k.hip", "#include <hip/hip_runtime.h>\n", NVIDIA, 1),
        ("CMakeLists.txt", "# find_package(CUDA)\nfind_package(CUDAToolkit)\n", None, 2),
        ("Dockerfile", "ARG BASE=nvidia/cuda:12.4.1-devel-ubuntu22.04\nFROM ${BASE} AS b\nFROM b\n", None, 2),
    ],
)
def test_other_languages(name: str, text: str, target: dict[str, str] | None, line: int) -> None:
    (finding,) = found("APP001", workload={"source_files": {name: text}}, target=target)
    assert finding.place is not None
    assert (finding.place.file, finding.place.line) == (name, line)


def test_what_could_not_be_read_is_asked_about() -> None:
    findings = found("APP001", workload=_files("import pynvml\nprint 'x'\n"))
    assert [(f.effect, f.place.line) for f in findings if f.place] == [(Effect.CHANGE, 1), (Effect.CONFIRM, 2)]
    assert "could not be read whole" in findings[1].reason
