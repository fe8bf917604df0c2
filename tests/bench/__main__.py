"""How long it takes to read and judge manifests, next to only parsing them, and to show registers of two sizes."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable

import yaml

SERVICE = """\
apiVersion: apps/v1
kind: Deployment
metadata: {{name: serving-{n}, labels: {{app: serving-{n}, team: search}}}}
spec:
  replicas: {replicas}
  selector: {{matchLabels: {{app: serving-{n}}}}}
  template:
    metadata: {{labels: {{app: serving-{n}}}}}
    spec:
      nodeSelector: {{nvidia.com/gpu.product: NVIDIA-H100-80GB-HBM3}}
      tolerations: [{{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}}]
      containers:
        - name: vllm
          image: registry.example.org/vllm/vllm-openai:v0.{n}.0
          args: ["--model=Qwen/Qwen3-8B", "--tensor-parallel-size", "2", --enable-prefix-caching]
          env:
            - {{name: NVIDIA_VISIBLE_DEVICES, value: all}}
            - {{name: HF_TOKEN, valueFrom: {{secretKeyRef: {{name: hub, key: token}}}}}}
          ports: [{{containerPort: 8000}}]
          readinessProbe:
            httpGet: {{path: /health, port: 8000}}
          resources:
            requests: {{cpu: "4", memory: 32Gi}}
            limits: {{nvidia.com/gpu: "2"}}
          volumeMounts: [{{name: shm, mountPath: /dev/shm}}]
      volumes:
        - {{name: shm, emptyDir: {{medium: Memory, sizeLimit: 8Gi}}}}
---
apiVersion: v1
kind: Service
metadata: {{name: serving-{n}}}
spec: {{selector: {{app: serving-{n}}}, ports: [{{port: 80, targetPort: 8000}}]}}
"""


def median_seconds(act: Callable[[], object], times: int) -> float:
    """The middle of several runs, after one that warms up."""
    act()
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        act()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def bench_engine(workloads: int = 100) -> None:
    """Each workload is one file of two documents."""
    from portability.engine.assess import Judge
    from portability.engine.manifests import read_facts
    from portability.engine.matrices.shipped import knowledge
    from portability.engine.model import Declared
    from portability.engine.targets import parse_target, shipped_targets

    texts = [SERVICE.format(n=n, replicas=n % 5 + 1) for n in range(workloads)]
    judge = Judge(parse_target(shipped_targets()["mi300x-single"], "target"), knowledge())
    facts = [read_facts([("serving.yaml", text)]) for text in texts]
    parse = median_seconds(lambda: [list(yaml.load_all(t, yaml.CSafeLoader)) for t in texts], 5)
    read = median_seconds(lambda: [read_facts([("serving.yaml", t)]) for t in texts], 5)
    assess = median_seconds(lambda: [judge.assess(f, Declared()) for f in facts], 5)
    print(f"{workloads} workloads, {sum(map(len, texts)) / 1000:.0f} kB of YAML; times for one workload")
    print(f"  parse with libyaml alone   {1000 * parse / workloads:8.2f} ms")
    print(f"  read facts                 {1000 * read / workloads:8.2f} ms   {read / parse:5.1f} x parsing")
    print(f"  judge for one target       {1000 * assess / workloads:8.2f} ms   {assess / parse:5.1f} x parsing")


def bench_register() -> None:
    """The first page of a register, and the CSV of all of it, in a database that is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(DJANGO_SETTINGS_MODULE="portability.settings", PORTABILITY_DATA_DIR=folder)
        os.environ["PORTABILITY_LOG_LEVEL"] = "WARNING"
        os.environ.pop("DATABASE_URL", None)
        import django

        django.setup()
        from django.core.management import call_command
        from django.test import Client

        from portability.accounts.models import Person
        from tests.register.generate import generate

        call_command("migrate", verbosity=0)
        client = Client(headers={"host": "localhost"})
        client.force_login(Person.objects.create(username="reader"))

        def seconds(address: str, times: int) -> float:
            def ask() -> None:
                answer = client.get(address)
                size = sum(map(len, answer)) if answer.streaming else len(answer.content)
                if answer.status_code != 200 or not size:
                    raise SystemExit(f"{address} answered {answer.status_code}")

            return median_seconds(ask, times)

        generate(500)
        small = seconds("/register/", 15)
        generate(4500, first=500)
        large = seconds("/register/", 15)
        print(f"register page, 500 workloads   {1000 * small:8.1f} ms")
        print(f"register page, 5,000 workloads {1000 * large:8.1f} ms   {large / small:5.1f} x")
        print(f"CSV of 5,000 rows              {1000 * seconds('/register/export.csv', 3):8.1f} ms")


if __name__ == "__main__":
    bench_engine()
    bench_register()
