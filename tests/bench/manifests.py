"""Manifests to measure with: as varied as those of a cluster, the same for the same seed, as many as are asked for."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import islice

_TEAMS = ("search", "ads", "speech", "support", "vision", "platform", "research")
_MODELS = (
    "Qwen/Qwen3-8B", "meta-llama/Llama-3.1-70B-Instruct", "mistralai/Mistral-7B-Instruct-v0.3", "google/gemma-2-27b-it",
    "BAAI/bge-m3", "openai/whisper-large-v3", "deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", "Qwen/Qwen2.5-VL-7B-Instruct",
)  # fmt: skip
_IMAGES = (
    "vllm/vllm-openai:v0.{n}.{m}", "registry.example.org/ml/vllm-openai:0.{n}.{m}", "rocm/vllm:rocm6.{m}_vllm_0.{n}.0",
    "lmsysorg/sglang:v0.5.{n}", "ghcr.io/huggingface/text-generation-inference:3.{n}.{m}",
    "registry.example.org/team/server:1.{n}.{m}", "nvcr.io/nvidia/tritonserver:25.{n}-py3", "ollama/ollama:0.{n}.{m}",
)  # fmt: skip
_PLAIN = ("nginx:1.{n}", "redis:7.{n}", "envoyproxy/envoy:v1.{n}.{m}", "registry.example.org/web/api:2.{n}.{m}")
_VARIABLES = (
    "MAX_CONCURRENCY", "WORKERS", "OMP_NUM_THREADS", "BATCH_SIZE", "TIMEOUT_SECONDS", "CACHE_GIB", "RETRIES", "SHARDS",
)  # fmt: skip
_DEFINES = "kind: CustomResourceDefinition\n"
_PARTS = ("NVIDIA-H100-80GB-HBM3", "NVIDIA-A100-SXM4-80GB", "NVIDIA-L40S")


def texts(size: int, seed: int = 1) -> list[str]:
    """Files of one to several documents, of `size` characters in all, or a little more."""
    made, total = [], 0
    for text in _files(random.Random(seed)):
        made.append(text)
        total += len(text)
        if total >= size:
            break
    return made


def workload_files(count: int, seed: int = 1) -> list[str]:
    """So many workloads with what belongs to them, each in a file of its own, and no operator's definitions."""
    return list(islice((text for text in _files(random.Random(seed)) if _DEFINES not in text), count))


def _files(rng: random.Random) -> Iterator[str]:
    """A cluster's folder: workloads with what belongs to them, and every hundredth file an operator's definitions."""
    number = 0
    while True:
        number += 1
        name = f"{rng.choice(_TEAMS)}-{rng.choice(('chat', 'embed', 'rank', 'asr', 'vlm'))}-{number}"
        if number % 100 == 0:
            yield _definition(rng, name)
        elif rng.random() < 0.15:
            yield _values(rng, name)
        else:
            first = rng.choice(_SERVING) if rng.random() < 0.6 else _web
            beside = rng.choices(list(_BESIDE), list(_BESIDE.values()), k=rng.randint(1, 5))
            yield "---\n".join([first(rng, name), *(make(rng, name) for make in dict.fromkeys(beside))])


def _version(rng: random.Random, pattern: str) -> str:
    return pattern.format(n=rng.randint(1, 30), m=rng.randint(0, 9))


def _head(api: str, kind: str, rng: random.Random, name: str) -> str:
    return (
        f"apiVersion: {api}\nkind: {kind}\nmetadata:\n  name: {name}\n  namespace: {name.split('-')[0]}\n  labels:\n"
        f"    app.kubernetes.io/name: {name}\n    app.kubernetes.io/part-of: inference\n"
        f'    team: {rng.choice(_TEAMS)}\n    cost-centre: "{rng.randint(1000, 9999)}"\n'
    )


def _container(rng: random.Random, indent: int, gpu: bool = True) -> str:
    gpus = rng.choice((1, 1, 2, 4, 8))
    key = rng.choice(("nvidia.com/gpu", "nvidia.com/gpu", "nvidia.com/gpu", "amd.com/gpu", "nvidia.com/mig-3g.40gb"))
    image = _version(rng, rng.choice(_IMAGES if gpu else _PLAIN))
    flags = [f"--model={rng.choice(_MODELS)}", f"--tensor-parallel-size={gpus}", "--port=8000"]
    flags += rng.sample(
        ["--enable-prefix-caching", "--enable-lora", "--max-model-len=32768", "--gpu-memory-utilization=0.92",
         "--quantization=awq", "--dtype=bfloat16", "--disable-log-requests", "--kv-cache-dtype=fp8"], rng.randint(0, 4)
    )  # fmt: skip
    devices = f'    {key}: "{gpus}"\n' if gpu else ""
    lines = (
        f"- name: server\n  image: {image}\n  imagePullPolicy: IfNotPresent\n"
        + ("  args:\n" + "".join(f"    - {flag}\n" for flag in flags) if gpu else "")
        + "  ports:\n    - name: http\n      containerPort: 8000\n  env:\n"
        + f"    - name: LOG_LEVEL\n      value: {rng.choice(('info', 'debug'))}\n"
        + f'    - name: {rng.choice(_VARIABLES)}\n      value: "{rng.randint(1, 512)}"\n'
        + ("    - name: NCCL_DEBUG\n      value: WARN\n" if gpu and rng.random() < 0.4 else "")
        + "    - name: API_TOKEN\n      valueFrom:\n        secretKeyRef:\n          name: hub\n          key: token\n"
        + "  readinessProbe:\n    httpGet:\n      path: /health\n      port: http\n    initialDelaySeconds: "
        + f"{rng.randint(5, 300)}\n    periodSeconds: 10\n  resources:\n    requests:\n"
        + f'      cpu: "{rng.randint(1, 32)}"\n      memory: {rng.randint(8, 256)}Gi\n    limits:\n'
        + f"      memory: {rng.randint(8, 256)}Gi\n{'  ' + devices if devices else ''}  volumeMounts:\n"
        + "    - name: cache\n      mountPath: /root/.cache\n    - name: shm\n      mountPath: /dev/shm\n"
    )
    return "".join(" " * indent + line for line in lines.splitlines(keepends=True))


def _pod(rng: random.Random, indent: int, gpu: bool = True) -> str:
    selector = rng.random() < 0.4
    lines = (
        "terminationGracePeriodSeconds: 60\nserviceAccountName: serving\n"
        + (f"nodeSelector:\n  nvidia.com/gpu.product: {rng.choice(_PARTS)}\n" if gpu and selector else "")
        + ("tolerations:\n  - key: nvidia.com/gpu\n    operator: Exists\n    effect: NoSchedule\n" if gpu else "")
        + "securityContext:\n  runAsUser: 1000\n  fsGroup: 1000\nvolumes:\n  - name: cache\n"
        + f"    persistentVolumeClaim:\n      claimName: cache-{rng.randint(1, 999)}\n  - name: shm\n"
        + "    emptyDir:\n      medium: Memory\n      sizeLimit: 16Gi\ncontainers:\n"
    )
    return "".join(" " * indent + line for line in lines.splitlines(keepends=True)) + _container(rng, indent + 2, gpu)


def _deployment(rng: random.Random, name: str, gpu: bool = True) -> str:
    return (
        "# Rolled out by the release pipeline; edit the source, not the cluster.\n"
        + _head("apps/v1", "Deployment", rng, name)
        + f"spec:\n  replicas: {rng.randint(1, 12)}\n  selector:\n    matchLabels:\n      app: {name}\n  strategy:\n"
        + f"    type: Recreate\n  template:\n    metadata:\n      labels:\n        app: {name}\n      annotations:\n"
        + f'        checksum/config: "{rng.getrandbits(128):032x}"\n        prometheus.io/scrape: "true"\n    spec:\n'
        + _pod(rng, 6, gpu)
    )


def _web(rng: random.Random, name: str) -> str:
    return _deployment(rng, name, gpu=False)


def _leader_worker_set(rng: random.Random, name: str) -> str:
    return (
        _head("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", rng, name)
        + f"spec:\n  replicas: {rng.randint(1, 3)}\n  leaderWorkerTemplate:\n    size: {rng.randint(2, 4)}\n"
        + "    leaderTemplate:\n      spec:\n"
        + _pod(rng, 8)
        + "    workerTemplate:\n      spec:\n"
        + _pod(rng, 8)
    )


def _inference_service(rng: random.Random, name: str) -> str:
    return (
        _head("serving.kserve.io/v1beta1", "InferenceService", rng, name)
        + f"spec:\n  predictor:\n    minReplicas: {rng.randint(0, 2)}\n    maxReplicas: {rng.randint(3, 9)}\n"
        + "    model:\n      modelFormat:\n        name: huggingface\n      args:\n"
        + f"        - --model_name={name}\n        - --model_id={rng.choice(_MODELS)}\n      resources:\n"
        + '        limits:\n          cpu: "6"\n          memory: 48Gi\n'
        + f'          nvidia.com/gpu: "{rng.randint(1, 4)}"\n'
    )


def _ray_service(rng: random.Random, name: str) -> str:
    return (
        _head("ray.io/v1", "RayService", rng, name)
        + "spec:\n  serveConfigV2: |\n    applications:\n      - name: llm\n        import_path: serve_app:build\n"
        + f"        runtime_env:\n          env_vars:\n            MODEL_ID: {rng.choice(_MODELS)}\n"
        + "  rayClusterConfig:\n    headGroupSpec:\n      rayStartParams:\n        dashboard-host: 0.0.0.0\n"
        + "      template:\n        spec:\n"
        + _pod(rng, 10, gpu=False)
        + f"    workerGroupSpecs:\n      - groupName: gpu\n        replicas: {rng.randint(1, 8)}\n        template:\n"
        + "          spec:\n"
        + _pod(rng, 12)
    )


def _values(rng: random.Random, name: str) -> str:
    image = _version(rng, rng.choice(_IMAGES))
    repository, _, tag = image.rpartition(":")
    return (
        f"nameOverride: {name}\nreplicaCount: {rng.randint(1, 9)}\nimage:\n  repository: {repository}\n  tag: {tag}\n"
        f"  pullPolicy: IfNotPresent\nservice:\n  type: ClusterIP\n  port: {rng.randint(8000, 9000)}\ningress:\n"
        f"  enabled: true\n  hosts:\n    - host: {name}.example.org\n      paths:\n        - path: /\n"
        f"extraArgs:\n  - --model={rng.choice(_MODELS)}\n  - --max-model-len={rng.randint(2, 64)}000\nresources:\n"
        f"  requests:\n    cpu: {rng.randint(1, 16)}\n    memory: {rng.randint(8, 128)}Gi\n  limits:\n"
        f"    nvidia.com/gpu: {rng.randint(1, 8)}\nautoscaling:\n  enabled: false\npodAnnotations: {{}}\n"
        f"nodeSelector: {{}}\ntolerations: []\naffinity: {{}}\n"
    )


def _service(rng: random.Random, name: str) -> str:
    return (
        _head("v1", "Service", rng, name)
        + f"spec:\n  type: ClusterIP\n  selector:\n    app: {name}\n  ports:\n    - name: http\n      port: 80\n"
        + f"      targetPort: http\n    - name: metrics\n      port: {rng.randint(9000, 9999)}\n      protocol: TCP\n"
    )


def _autoscaler(rng: random.Random, name: str) -> str:
    return (
        _head("keda.sh/v1alpha1", "ScaledObject", rng, name)
        + f"spec:\n  scaleTargetRef:\n    name: {name}\n  minReplicaCount: 1\n  maxReplicaCount: {rng.randint(2, 20)}\n"
        + "  triggers:\n    - type: prometheus\n      metadata:\n        serverAddress: http://prometheus.example.org\n"
        + f'        query: avg(DCGM_FI_DEV_GPU_UTIL{{pod=~"{name}-.*"}})\n        threshold: "{rng.randint(40, 90)}"\n'
    )


def _config(rng: random.Random, name: str) -> str:
    """Variables in most, a configuration file in some, a script in a few."""
    head = _head("v1", "ConfigMap", rng, f"{name}-config") + "data:\n"
    form = rng.random()
    if form < 0.15:
        return head + (
            '  start.sh: |\n    #!/bin/bash\n    set -euo pipefail\n    echo "starting"\n'
            f"    exec vllm serve {rng.choice(_MODELS)} --port 8000 --max-num-seqs {rng.randint(16, 512)}\n"
        )
    if form < 0.4:
        return head + (
            f"  settings.yaml: |\n    server:\n      port: {rng.randint(8000, 9000)}\n      timeout: 30s\n"
            "    features:\n      - cache\n      - tracing\n"
        )
    return head + (
        f'  LOG_LEVEL: info\n  MAX_BATCH: "{rng.randint(8, 512)}"\n  CACHE_DIR: /var/cache/{name}\n'
        f"  UPSTREAM: http://{name}.example.org\n"
    )


def _rules(rng: random.Random, name: str) -> str:
    return (
        _head("monitoring.coreos.com/v1", "PrometheusRule", rng, name)
        + f"spec:\n  groups:\n    - name: {name}\n      rules:\n        - alert: SlowAnswers\n          expr: |\n"
        + f'            histogram_quantile(0.99, sum(rate(vllm:e2e_request_latency_seconds_bucket{{app="{name}"}}[5m]))'
        + f" by (le)) > {rng.randint(2, 30)}\n          for: 10m\n          labels:\n            severity: page\n"
        + "          annotations:\n            summary: Requests take longer than they should.\n"
    )


def _ingress(rng: random.Random, name: str) -> str:
    return (
        _head("networking.k8s.io/v1", "Ingress", rng, name)
        + "spec:\n  ingressClassName: nginx\n  tls:\n    - hosts:\n"
        + f"        - {name}.example.org\n      secretName: {name}-tls\n  rules:\n    - host: {name}.example.org\n"
        + "      http:\n        paths:\n          - path: /\n            pathType: Prefix\n            backend:\n"
        + f"              service:\n                name: {name}\n                port:\n                  name: http\n"
    )


def _volume(rng: random.Random, name: str) -> str:
    return (
        _head("v1", "PersistentVolumeClaim", rng, f"{name}-cache")
        + "spec:\n  accessModes:\n    - ReadWriteMany\n  storageClassName: fast\n  resources:\n    requests:\n"
        + f"      storage: {rng.randint(50, 900)}Gi\n"
    )


def _role(rng: random.Random, name: str) -> str:
    return (
        _head("rbac.authorization.k8s.io/v1", "Role", rng, name)
        + 'rules:\n  - apiGroups: [""]\n    resources: ["pods", "services", "endpoints"]\n'
        + '    verbs: ["get", "list", "watch"]\n  - apiGroups: ["apps"]\n    resources: ["deployments"]\n'
        + '    verbs: ["get"]\n'
    )


def _dashboard(rng: random.Random, name: str) -> str:
    panels = [
        {
            "id": n,
            "title": f"Panel {n}",
            "type": "timeseries",
            "gridPos": {"h": 8, "w": 12, "x": 0, "y": 8 * n},
            "targets": [{"refId": "A", "expr": f'sum(rate(requests_total{{app="{name}",code="{500 + n}"}}[5m]))'}],
        }
        for n in range(rng.randint(2, 5))
    ]
    board = json.dumps({"title": name, "schemaVersion": 39, "panels": panels}, indent=2)
    body = "".join(f"    {line}\n" for line in board.splitlines())
    return _head("v1", "ConfigMap", rng, f"{name}-board") + "data:\n  board.json: |\n" + body


def _definition(rng: random.Random, name: str) -> str:
    """A custom resource's definition, as operators bring them along: long, and nothing in it runs."""
    fields = "".join(
        f"                field{n}:\n                  description: |-\n"
        f"                    What the {n}th part of a {name} is for, and what happens where it is left out.\n"
        f"                  type: {rng.choice(('string', 'integer', 'boolean'))}\n"
        for n in range(rng.randint(100, 400))
    )
    return (
        _head("apiextensions.k8s.io/v1", "CustomResourceDefinition", rng, f"things.{name}.example.org")
        + f"spec:\n  group: {name}.example.org\n  names:\n    kind: Thing\n    plural: things\n  scope: Namespaced\n"
        + "  versions:\n    - name: v1\n      served: true\n      storage: true\n      schema:\n"
        + "        openAPIV3Schema:\n"
        + "          type: object\n          properties:\n            spec:\n              type: object\n"
        + f"              properties:\n{fields}"
    )


def _policy(rng: random.Random, name: str) -> str:
    return (
        _head("networking.k8s.io/v1", "NetworkPolicy", rng, name)
        + f"spec:\n  podSelector:\n    matchLabels:\n      app: {name}\n  policyTypes:\n    - Ingress\n  ingress:\n"
        + "    - from:\n        - namespaceSelector:\n            matchLabels:\n"
        + f"              team: {rng.choice(_TEAMS)}\n"
        + "      ports:\n        - protocol: TCP\n          port: 8000\n"
    )


_SERVING = (_deployment, _leader_worker_set, _inference_service, _ray_service)
# What stands beside a workload, and how often.
_BESIDE = {
    _service: 6, _ingress: 3, _volume: 3, _config: 3, _autoscaler: 3, _role: 2, _policy: 2, _rules: 2, _dashboard: 1,
}  # fmt: skip
