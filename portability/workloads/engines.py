"""The engines that workloads are served by."""

from __future__ import annotations

from django.db import connection

NAMES = {
    "comfyui": "ComfyUI",
    "deepspeed-mii": "DeepSpeed-MII",
    "dynamo-sglang": "Dynamo with SGLang",
    "dynamo-vllm": "Dynamo with vLLM",
    "faster-whisper": "faster-whisper",
    "infinity": "Infinity",
    "jax": "JAX",
    "llama.cpp": "llama.cpp",
    "lmdeploy": "LMDeploy",
    "migraphx": "MIGraphX",
    "mlc-llm": "MLC LLM",
    "nemo": "NeMo",
    "nemo-rl": "NeMo RL",
    "nim": "NIM",
    "ollama": "Ollama",
    "onnxruntime": "ONNX Runtime",
    "pytorch": "PyTorch",
    "ray": "Ray",
    "ray-serve": "Ray Serve",
    "sglang": "SGLang",
    "tei": "TEI",
    "tensorflow": "TensorFlow",
    "tensorflow-serving": "TensorFlow Serving",
    "tensorrt-llm": "TensorRT-LLM",
    "tgi": "TGI",
    "torchserve": "TorchServe",
    "triton": "Triton",
    "vllm": "vLLM",
    "vllm-ascend": "vLLM Ascend",
}

# Goes from each engine to the next by the index: as many steps as there are engines, not workloads.
_EACH = """
WITH RECURSIVE each(engine) AS (
    SELECT min(engine) FROM workloads_workload WHERE engine > ''
    UNION ALL
    SELECT (SELECT min(engine) FROM workloads_workload WHERE engine > each.engine) FROM each WHERE each.engine > ''
)
SELECT engine FROM each WHERE engine > '' ORDER BY engine
"""


def engines() -> list[str]:
    """Each once, in order; retired workloads' too."""
    with connection.cursor() as cursor:
        cursor.execute(_EACH)
        return [engine for (engine,) in cursor.fetchall()]


def engine_name(engine: str) -> str:
    """An engine as people write it; one that nobody here knows, as it was declared."""
    return NAMES.get(engine, engine)
