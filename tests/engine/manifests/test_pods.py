"""Pods are found wherever a kind hides them, with what they ask for and how often they run."""

from __future__ import annotations

import pytest

from tests.engine.manifests.reading import facts

SPEC = "{containers: [{name: c, image: 'a/b:1', resources: {limits: {x.io/gpu: 2}}}]}"


@pytest.mark.parametrize(
    ("kind", "body", "replicas"),
    [
        ("Pod", f"spec: {SPEC}", None),
        ("Deployment", f"spec: {{replicas: 3, template: {{spec: {SPEC}}}}}", 3),
        ("Job", f"spec: {{parallelism: 4, template: {{spec: {SPEC}}}}}", 4),
        ("CronJob", f"spec: {{jobTemplate: {{spec: {{template: {{spec: {SPEC}}}}}}}}}", None),
        (
            "JobSet",
            f"spec: {{replicatedJobs: [{{name: r, replicas: 2, template: {{spec: {{template: {{spec: {SPEC}}}}}}}}}]}}",
            2,
        ),
        ("RayCluster", f"spec: {{workerGroupSpecs: [{{groupName: g, replicas: 5, template: {{spec: {SPEC}}}}}]}}", 5),
        (
            "LeaderWorkerSet",
            f"spec: {{replicas: 2, leaderWorkerTemplate: {{size: 4, workerTemplate: {{spec: {SPEC}}}}}}}",
            8,
        ),
        ("PyTorchJob", f"spec: {{pytorchReplicaSpecs: {{Worker: {{replicas: 6, template: {{spec: {SPEC}}}}}}}}}", 6),
        ("LLMInferenceService", f"spec: {{replicas: 2, template: {SPEC}}}", 2),
        ("NobodyKnowsThisKind", f"spec: {{deep: {{er: [{{replicas: 7, pod: {SPEC}}}]}}}}", 7),
    ],
)
def test_pods_hide_in_any_kind(kind: str, body: str, replicas: int | None) -> None:
    found = facts(f"apiVersion: x/v1\nkind: {kind}\nmetadata: {{name: n}}\n{body}\n")
    assert [(c.name, c.image, dict(c.accelerators), c.gpus) for c in found.containers] == [
        ("c", "a/b:1", {"x.io/gpu": "2"}, 2)
    ]
    assert [(g.replicas, g.gpus_per_replica) for g in found.pod_groups] == [(replicas, 2)]
    assert found.runs_something


def test_roles_of_containers() -> None:
    found = facts(
        """\
        kind: Pod
        apiVersion: v1
        spec:
          containers: [{name: a}]
          initContainers: [{name: b}, {name: c, restartPolicy: Always}]
          ephemeralContainers: [{name: d}]
        """
    )
    assert [(c.name, c.role) for c in found.containers] == [
        ("a", "main"),
        ("b", "init"),
        ("c", "sidecar"),
        ("d", "ephemeral"),
    ]


def test_what_the_pod_gives_its_containers() -> None:
    found = facts(
        """\
        kind: Pod
        apiVersion: v1
        spec:
          hostIPC: true
          securityContext: {runAsUser: 1000, supplementalGroups: [44], seccompProfile: {type: Unconfined}}
          containers:
          - name: a
            securityContext: {privileged: true, capabilities: {add: [SYS_PTRACE]}}
            volumeMounts: [{name: shm, mountPath: /dev/shm}]
            resources: {claims: [{name: g}]}
          - name: b
          volumes: [{name: shm, emptyDir: {medium: Memory}}]
        """
    )
    a, b = found.containers
    assert a.non_root and a.supplemental_groups and a.memory_shm and a.uses_dra
    assert set(a.docker_flags) == {"privileged", "SYS_PTRACE", "unconfined seccomp", "hostIPC"}
    assert b.non_root and not b.memory_shm and "privileged" not in b.docker_flags


def test_network_devices_are_no_gpus() -> None:
    found = facts(
        "kind: Pod\napiVersion: v1\nspec: {containers: [{name: a, resources: {limits: {rdma/hca: 1, x.io/gpu: 0}}}]}\n"
    )
    assert found.containers[0].gpus == 0
    assert dict(found.containers[0].accelerators) == {"x.io/gpu": "0"}


def test_a_custom_resource_and_a_chart_make_containers() -> None:
    model = facts(
        "apiVersion: kubeai.org/v1\nkind: Model\nspec: {url: 'hf://a/b', engine: VLLM, resourceProfile: 'some-gpu:2'}\n"
    )
    assert [(c.role, c.gpus) for c in model.containers] == [("custom", 2)]
    values = facts("engine:\n  models:\n  - {name: m, repository: a/b, tag: v1, modelURL: o/n, requestGPU: 3}\n")
    assert [(c.name, c.image, c.gpus) for c in values.containers] == [("m", "a/b:v1", 3)]


def test_nothing_that_runs() -> None:
    found = facts("apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {ports: [{port: 80}]}\n")
    assert not found.runs_something and found.containers == () and found.pod_groups == ()


def test_devices_that_an_annotation_claims() -> None:
    found = facts(
        """\
        apiVersion: serving.kserve.io/v1alpha1
        kind: LLMInferenceService
        metadata: {annotations: {serving.kserve.io/exp-dra-device-class: gpu.example.com}}
        spec: {template: {containers: [{name: sidecar, image: "busybox:1"}, {name: main}]}}
        """
    )
    assert [(c.name, c.uses_dra) for c in found.containers] == [("sidecar", False), ("main", True)]
