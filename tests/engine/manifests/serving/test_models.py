"""The kind of a model by its name. A wrong decoder-only would let a workload move that cannot."""

from __future__ import annotations

import pytest

from portability.engine.manifests.serving.models import hub_name, kind_of, quantization_of
from portability.engine.manifests.serving.rows import model_kinds


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        (
            "decoder-only",
            "meta-llama/Llama-3.1-8B-Instruct Qwen/Qwen3-8B mistralai/Mistral-7B-v0.3 deepseek-ai/DeepSeek-R1-0528 "
            "google/gemma-7b google/gemma-3-1b-it microsoft/phi-4 openai/gpt-oss-120b facebook/opt-125m "
            "tiiuae/falcon-40b "
            "RedHatAI/NVIDIA-Nemotron-3-Ultra-550B bigscience/bloom-560m meta-llama/Llama-3.2-1B-Instruct "
            "ibm/granite-3.3-8b "
            "mistralai/Mixtral-8x7B-Instruct-v0.1 google/codegemma-7b EleutherAI/gpt-j-6b "
            "Snowflake/snowflake-arctic-instruct utter-project/EuroLLM-9B-Instruct",
        ),
        (
            "encoder-decoder",
            "google/flan-t5-xl t5-small google/t5gemma-2b facebook/bart-large-cnn openai/whisper-large-v3 "
            "google/mt5-base "
            "Systran/faster-whisper-medium.en meta-llama/Llama-3.2-11B-Vision-Instruct "
            "facebook/nllb-200-distilled-600M "
            "google/ul2 google/pegasus-xsum neuralmagic/Llama-3.2-90B-Vision-Instruct-FP8-dynamic "
            "microsoft/Florence-2-large",
        ),
        (
            "pooling",
            "BAAI/bge-m3 intfloat/e5-mistral-7b-instruct Alibaba-NLP/gte-Qwen2-7B-instruct BAAI/bge-reranker-v2-m3 "
            "Qwen/Qwen3-Embedding-8B Qwen/Qwen3-Reranker-4B sentence-transformers/all-MiniLM-L6-v2 bert-base-uncased "
            "nomic-ai/nomic-embed-text-v1 google/embeddinggemma-300m FacebookAI/xlm-roberta-base "
            "ProsusAI/finbert Snowflake/snowflake-arctic-embed-l",
        ),
        (
            "multimodal",
            "rednote-hilab/dots.ocr llava-hf/llava-1.5-7b-hf "
            "Qwen/Qwen2-VL-7B-Instruct Qwen/Qwen2.5-VL-72B Qwen/Qwen2-Audio-7B "
            "google/gemma-3-4b-it "
            "OpenGVLab/InternVL2-8B mistralai/Pixtral-12B-2409 meta-llama/Llama-4-Scout-17B-16E-Instruct "
            "microsoft/Phi-3.5-vision-instruct openbmb/MiniCPM-V-2_6 allenai/Molmo-7B-D google/paligemma-3b "
            "deepseek-ai/deepseek-vl2",
        ),
        (
            "diffusion",
            "stabilityai/stable-diffusion-xl-base-1.0 black-forest-labs/FLUX.1-dev Qwen/Qwen-Image Wan-AI/Wan2.2-T2V",
        ),
        ("", "org/private-model team/assistant-v2 models/current org/opticon-13 org/philosophy /mnt/models"),
    ],
)
def test_kinds_by_name(kind: str, names: str) -> None:
    assert {name: kind_of(name) for name in names.split()} == dict.fromkeys(names.split(), kind)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("org/name", "org/name"),
        ("hf://org/name", "org/name"),
        ("hf://org/name@main", "org/name"),
        ("https://huggingface.co/org/name/tree/main", "org/name"),
        ("/models/name", ""),
        ("models/name", ""),
        ("s3://bucket/name", ""),
        ("name", ""),
        ("$MODEL/x", ""),
        ("templates/llama3.jinja", ""),
        ("a/b/c", ""),
    ],
)
def test_names_of_a_hub(value: str, name: str) -> None:
    assert hub_name(value) == name


def test_a_name_beyond_all_measure_tells_nothing() -> None:
    assert kind_of("llama-" * 20_000) == ""


def test_the_table_knows_only_kinds_the_rules_know() -> None:
    assert set(model_kinds().told) == {
        "decoder-only",
        "encoder-decoder",
        "pooling",
        "multimodal",
        "diffusion",
    }


@pytest.mark.parametrize(
    ("name", "method"),
    [
        ("org/Llama-3.1-8B-Instruct-AWQ", "awq"),
        ("/models/qwen2.5-7b-gptq-int4/", "gptq"),
        ("org/model-4bit-bnb", "bitsandbytes"),
        ("amd/Llama-3.1-70B-Instruct-FP8-KV", "fp8"),
        ("RedHatAI/Llama-3.1-8B-Instruct-quantized.w8a8", "int8"),
        ("Qwen/Qwen2-7B-Instruct-GPTQ-Int8", "gptq"),
        ("nvidia/Llama-3.3-70B-Instruct-NVFP4", "nvfp4"),
        ("RedHatAI/Llama-3.1-8B-Instruct-quantized.w4a16", "w4a16"),
        ("org/hawq-model", ""),
        ("org/model", ""),
    ],
)
def test_quantization_by_name(name: str, method: str) -> None:
    assert quantization_of(name) == method
