"""ENV001: variables of another vendor, by name, by value, and what is inert."""

import pytest

from portability.engine.model import Effect
from tests.engine.rules.judging import NVIDIA, found

POD = """\
apiVersion: v1
kind: Pod
metadata: {name: scorer}
spec:
  containers:
    - {name: main, image: "python:3.12", env: [{name: %s, value: "%s"}]}
"""


@pytest.mark.parametrize(
    ("name", "value", "effect"),
    [
        ("NVSHMEM_USE_IBGDA", "1", Effect.CHANGE),
        ("VLLM_ATTENTION_BACKEND", "FLASHINFER", Effect.CHANGE),
        ("VLLM_ENABLE_CUDA_COMPATIBILITY", "1", Effect.CHANGE),
        ("VLLM_ENABLE_CUDA_COMPATIBILITY", "0", Effect.NOTE),
        ("NVIDIA_VISIBLE_DEVICES", "all", Effect.CHANGE),
        ("NVIDIA_DRIVER_CAPABILITIES", "compute,utility", Effect.NOTE),
        ("UCX_TLS", "cuda", Effect.CHANGE),
        ("LD_LIBRARY_PATH", "$LD_LIBRARY_PATH:/usr/local/cuda/lib64", Effect.CHANGE),
        ("PATH", "/usr/local/cuda/bin:/usr/bin", Effect.NOTE),
        ("VLLM_ARGS", "--max-model-len 8192 --attention-backend FLASHINFER", Effect.CHANGE),
        ("GPU_RESOURCE", "nvidia.com/gpu", Effect.CHANGE),
        ("CUDA_VISIBLE_DEVICES", "0,1", Effect.NOTE),
        ("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True", Effect.NOTE),
    ],
)
def test_what_alters_behaviour_and_what_is_inert(name: str, value: str, effect: Effect) -> None:
    (finding,) = found("ENV001", POD % (name, value))
    assert finding.effect is effect


@pytest.mark.parametrize(
    ("name", "value"),
    [("NCCL_IB_HCA", "mlx5"), ("DEVICE", "cuda"), ("VLLM_ATTENTION_BACKEND", "TRITON_ATTN"), ("MODEL", "nvidia/x")],
)
def test_what_belongs_to_nobody(name: str, value: str) -> None:
    assert not found("ENV001", POD % (name, value))


def test_the_other_way_round() -> None:
    (finding,) = found("ENV001", POD % ("VLLM_ATTENTION_BACKEND", "ROCM_AITER_FA"), target=NVIDIA)
    assert finding.effect is Effect.CHANGE
    (finding,) = found("ENV001", POD % ("HSA_OVERRIDE_GFX_VERSION", "9.4.2"), target=NVIDIA)
    assert finding.effect is Effect.NOTE


def test_the_code_path_of_others_accelerators() -> None:
    for target in (None, NVIDIA):
        (finding,) = found("ENV001", POD % ("VLLM_TARGET_DEVICE", "hpu"), target=target)
        assert finding.effect is Effect.CHANGE
