"""What custom resources, charts, config maps and programs say of the whole."""

from __future__ import annotations

from portability.engine.model import Declared, Summary
from portability.engine.summary import merge_summary
from tests.engine.manifests.reading import facts


def shown(text: str) -> tuple[str | None, str | None, str | None, list[str]]:
    s: Summary = merge_summary(facts(text), Declared())
    return (
        s.engine.value if s.engine else None,
        s.model.value if s.model else None,
        s.model_kind.value if s.model_kind else None,
        [f.name for f in s.features],
    )


def test_a_model_resource() -> None:
    text = """\
    apiVersion: kubeai.org/v1
    kind: Model
    spec:
      url: hf://org/llama-70b
      engine: VLLM
      args: [--kv-cache-dtype=fp8, --enable-chunked-prefill=false]
      resourceProfile: x-gpu:1
    """
    assert shown(text) == ("vllm", "org/llama-70b", "decoder-only", ["kv-cache-dtype=fp8", "chunked-prefill=false"])


def test_an_inference_service_of_a_model() -> None:
    text = """\
    apiVersion: serving.kserve.io/v1alpha1
    kind: LLMInferenceService
    spec:
      model: {uri: "hf://org/qwen-7b", name: org/qwen-7b}
      parallelism: {tensor: 2, data: 4, expert: true}
      template: {containers: [{name: main, resources: {limits: {x.io/gpu: 2}}}]}
      prefill: {template: {containers: [{name: main, resources: {limits: {x.io/gpu: 2}}}]}}
    """
    engine, model, kind, features = shown(text)
    assert (engine, model, kind) == ("vllm", "org/qwen-7b", "decoder-only")
    assert set(features) == {"tensor-parallel=2", "data-parallel=4", "expert-parallel", "disaggregated-prefill"}
    first = facts(text).containers[0]
    assert first.engine is not None and first.engine.value == "vllm"
    assert first.model_kind is not None and first.model_kind.value == "decoder-only"


def test_a_predictors_framework() -> None:
    text = "apiVersion: serving.kserve.io/v1beta1\nkind: InferenceService\nspec: {predictor: {onnx: {storageUri: 'gs://b/m'}}}\n"
    assert shown(text)[0] == "onnxruntime"


def test_charts_of_engines() -> None:
    text = """\
    servingEngineSpec:
      modelSpec:
      - name: m
        repository: vllm/vllm-openai
        tag: v0.8.5
        modelURL: org/qwen-7b
        requestGPU: 2
        vllmConfig: {tensorParallelSize: 2, enablePrefixCaching: true, extraArgs: ["--enforce-eager"]}
    """
    assert shown(text) == (
        "vllm",
        "org/qwen-7b",
        "decoder-only",
        ["enforce-eager", "tensor-parallel=2", "prefix-caching"],
    )


def test_a_program_in_a_config_map_says_what_runs_on_a_ray_image() -> None:
    text = """\
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: code}
    data:
      serve.py: |
        from ray import serve
        from vllm import LLM
        llm = LLM(model=os.environ.get("MODEL_ID", "org/llama-8b"),
                  tensor_parallel_size=2, enable_prefix_caching=True)
    ---
    apiVersion: ray.io/v1
    kind: RayService
    metadata: {name: r}
    spec:
      serveConfigV2: |
        applications:
        - import_path: serve:app
          runtime_env: {env_vars: {MODEL_ID: org/llama-8b}}
      rayClusterConfig:
        workerGroupSpecs:
        - groupName: g
          template:
            spec: {containers: [{name: w, image: "rayproject/ray:2.41.0", resources: {limits: {x.io/gpu: 2}}}]}
    """
    assert shown(text) == ("vllm", "org/llama-8b", "decoder-only", ["tensor-parallel=2", "prefix-caching"])
    worker = facts(text).containers[0]
    assert worker.engine is not None and worker.engine.value == "vllm"
    assert worker.engine_version is None


def test_the_draft_of_two_models_is_not_the_one_served() -> None:
    text = """\
    apiVersion: llmaz.io/v1alpha1
    kind: OpenModel
    metadata: {name: small}
    spec: {source: {modelHub: {modelID: org/opt-125m}}}
    ---
    apiVersion: llmaz.io/v1alpha1
    kind: OpenModel
    metadata: {name: large}
    spec: {source: {modelHub: {modelID: org/opt-6.7b}}}
    ---
    apiVersion: inference.llmaz.io/v1alpha1
    kind: Playground
    metadata: {name: p}
    spec: {modelClaims: {models: [{name: large, role: main}, {name: small, role: draft}]}}
    """
    assert shown(text) == ("vllm", "org/opt-6.7b", "decoder-only", ["speculative-decoding"])


def test_a_metric_names_the_engine_it_comes_from() -> None:
    text = """\
    apiVersion: keda.sh/v1alpha1
    kind: ScaledObject
    spec: {triggers: [{type: prometheus, metadata: {query: "vllm:num_requests_waiting"}}]}
    """
    found = facts(text)
    assert found.engine is not None
    assert (found.engine.value, found.engine.origin) == ("vllm", "inferred")


def test_what_a_feature_is_both_on_and_off_counts_as_on() -> None:
    text = """\
    apiVersion: v1
    kind: Pod
    spec:
      containers:
      - name: a
        image: vllm/vllm-openai:v1
        args: [--no-enable-prefix-caching, --enable-prefix-caching]
    """
    assert shown(text)[3] == ["prefix-caching"]


def test_a_worker_serves_what_its_leader_serves() -> None:
    text = """\
    apiVersion: leaderworkerset.x-k8s.io/v1
    kind: LeaderWorkerSet
    spec:
      replicas: 1
      leaderWorkerTemplate:
        size: 2
        leaderTemplate:
          spec:
            containers:
            - {name: leader, image: "x/vllm:v1.0.0", args: [--model=org/llama], resources: {limits: {x.io/gpu: 8}}}
        workerTemplate:
          spec:
            containers:
            - {name: worker, image: "x/vllm:v1.0.0", args: [start], resources: {limits: {x.io/gpu: 8}}}
    """
    leader, worker = facts(text).containers
    assert worker.model == leader.model and worker.model_kind == leader.model_kind is not None


def test_a_container_with_a_model_of_its_own_takes_over_no_other() -> None:
    text = """\
    apiVersion: v1
    kind: Pod
    spec:
      containers:
      - {name: a, image: "x/vllm:v1.0.0", args: [--model=org/llama]}
      - {name: b, image: "x/vllm:v1.0.0", args: [--model=/models/current]}
    """
    assert facts(text).containers[1].model_kind is None


def test_an_adapter_is_lora_and_not_the_model() -> None:
    text = """\
    apiVersion: kubeai.org/v1
    kind: Model
    spec:
      url: hf://org/llama
      engine: VLLM
      adapters: [{name: a, url: "hf://org/adapter"}]
    """
    assert shown(text) == ("vllm", "org/llama", "decoder-only", ["lora"])


def test_a_field_says_by_being_there_that_a_feature_is_in_use() -> None:
    text = """\
    apiVersion: serving.kserve.io/v1alpha2
    kind: LLMInferenceService
    spec:
      model: {uri: hf://org/llama}
      kvCacheOffloading: {cpu: {size: 10Gi}}
      speculativeDecoding: {method: ngram}
    """
    assert shown(text)[3] == ["kv-cache-offload", "speculative-decoding"]
    assert shown(text.replace("{method: ngram}", "{}"))[3] == ["kv-cache-offload"]
    adapters = "{uri: hf://org/llama, lora: {adapters: [{name: sql, uri: hf://org/sql}]}}"
    with_adapters = shown(text.replace("{uri: hf://org/llama}", adapters))
    assert with_adapters[1] == "org/llama"
    assert "lora" in with_adapters[3]


def test_an_engine_named_as_the_runtime() -> None:
    text = """\
    apiVersion: serving.kserve.io/v1alpha2
    kind: LLMInferenceService
    spec: {runtime: sglang, model: {uri: hf://org/llama}}
    """
    assert shown(text)[0] == "sglang"


def test_quantized_weights_need_no_flag_to_say_so() -> None:
    pod = """\
    apiVersion: v1
    kind: Pod
    spec:
      containers:
      - {name: v, image: "vllm/vllm-openai:v1.0.0", args: [--model=org/llama-7b-AWQ%s]}
    """
    assert shown(pod % "")[3] == ["quantization=awq"]
    assert shown(pod % ", --quantization=awq_marlin")[3] == ["quantization=awq_marlin"]


def test_profiles_are_not_of_the_image_beside_them() -> None:
    text = """\
    image: {repository: org/manager, tag: v1}
    resourceProfiles: {gpu: {limits: {nvidia.com/gpu: 1}}}
    """
    assert [c.gpus for c in facts(text).containers] == [0]


def test_a_kind_without_an_engine_is_a_fact_too() -> None:
    pod = """\
    apiVersion: v1
    kind: Pod
    spec:
      containers:
      - {name: x, image: "org/app:1", args: [--model_path, /models/CogVideoX-2b]}
    """
    assert shown(pod)[:3] == (None, None, "diffusion")


def test_features_in_folded_text_stand_on_their_own_line() -> None:
    pod = """\
    apiVersion: v1
    kind: Pod
    spec:
      containers:
      - name: v
        image: vllm/vllm-openai:v1.0.0
        command: [bash, -c]
        args:
        - >-
          vllm serve org/llama-8b
          --tensor-parallel-size 2
          --quantization awq
        env:
        - name: EXTRA_ARGS
          value: >-
            --enable-lora
            --kv-cache-dtype fp8
    """
    (container,) = facts(pod).containers
    assert [(f.name, f.place.line) for f in container.features if f.place] == [
        ("tensor-parallel=2", 11),
        ("quantization=awq", 12),
        ("lora", 16),
        ("kv-cache-dtype=fp8", 17),
    ]


def test_a_chart_by_its_name() -> None:
    text = """\
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    spec:
      chart: {spec: {chart: ollama}}
      values: {resources: {limits: {x.io/gpu: 1}}}
    """
    assert shown(text)[0] == "ollama"


def test_a_serving_runtime_by_how_its_name_begins() -> None:
    text = """\
    apiVersion: serving.kserve.io/v1beta1
    kind: InferenceService
    spec:
      predictor:
        model: {modelFormat: {name: nvidia-nim-llama3-8b}, runtime: nvidia-nim-llama3-8b-1.0.0}
    """
    assert shown(text)[:3] == ("nim", None, "decoder-only")


def test_frameworks_of_older_inference_services() -> None:
    text = """\
    apiVersion: serving.kubeflow.org/v1alpha2
    kind: InferenceService
    spec: {default: {predictor: {onnx: {storageUri: "gs://models/x"}}}}
    """
    assert shown(text)[0] == "onnxruntime"
    assert shown(text.replace("predictor: {onnx: {", "onnx: {a: {").replace("InferenceService", "KFService"))[0] == (
        "onnxruntime"
    )


def test_an_engine_that_a_runtime_environment_installs() -> None:
    text = """\
    apiVersion: ray.io/v1
    kind: RayService
    spec:
      serveConfigV2: |
        applications:
          - import_path: serve:model
            runtime_env: {pip: [%s]}
      rayClusterConfig:
        workerGroupSpecs:
          - template: {spec: {containers: [{name: w, image: "rayproject/ray:2", resources: {limits: {x.io/gpu: 1}}}]}}
    """
    assert shown(text % "requests, 'vllm==0.5.4'")[0] == "vllm"
    assert shown(text % "requests, 'vllm-tools==1'")[0] == "ray-serve"


def test_a_model_at_a_path_that_ends_in_the_name_it_is_served_under() -> None:
    text = """\
    apiVersion: v1
    kind: Pod
    spec:
      containers:
        - name: a
          command: [vllm, serve]
          args: [/models/org/llama-8b, --served-model-name, %s]
    """
    assert shown(text % "org/llama-8b")[1] == "org/llama-8b"
    assert shown(text % "llama-8b")[1] is None


def test_adapters_of_a_workspace() -> None:
    text = """\
    apiVersion: kaito.sh/v1beta1
    kind: Workspace
    inference: {preset: {name: phi-3-mini}, adapters: [{source: {name: a}}]}
    """
    assert shown(text) == ("vllm", None, "decoder-only", ["lora"])
