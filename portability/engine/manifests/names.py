"""What the names of fields mean: which texts, mappings and lists have to be looked at, and which say nothing.

The walk asks here for every field there is, and most say nothing; so asking costs one lookup.
"""

from __future__ import annotations

from portability.engine.manifests import commands, images, pods, resources, scheduling, settings
from portability.engine.memo import Memo

ENV_LISTS = frozenset(
    {"env", "envs", "containerEnv", "extraEnv", "extraEnvs", "environment", "env_vars", "envVars", "extraEnvVars",
     "environmentVariables", "workerEnv", "headEnv", "serverEnv", "commonEnv"}
)  # fmt: skip
SELECTORS = {
    "nodeSelector": "selector", "nodeLabels": "flavor", "nodeSelectors": "selector", "nodeSelectorLabels": "selector"
}  # fmt: skip
TAINTS = frozenset({"tolerations", "taints", "nodeTaints", "startupTaints"})
# How charts and spawners put words before these names, and write them: `extraTolerations`, `node_selector`.
_ENDINGS = {
    "nodeselector": "nodeSelector", "nodelabels": "nodeLabels", "nodeaffinity": "nodeAffinity",
    "tolerations": "tolerations", "taints": "taints", "taint": "taints", "volumemounts": "volumeMounts",
    "resourcelimits": "limits", "resourcerequests": "requests", "resourceguarantees": "requests",
    "env": "env", "envvars": "env",
}  # fmt: skip
# Nothing below these names is a place where a vendor's word binds a workload.
PROSE = frozenset(
    {"labels", "matchLabels", "labelSelector", "status", "description", "openAPIV3Schema", "podAffinity",
     "podAntiAffinity", "ownerReferences", "managedFields", "finalizers", "podLabels", "commonLabels", "selectorLabels",
     "topologySpreadConstraints", "roleRef", "subjects", "legendFormat", "title", "summary",
     "last-applied-configuration", "scaleTargetRef", "podMonitorSelector"}
)  # fmt: skip
# What nobody looks at, for whatever reason: it is not even put together. Labels that select are looked at for metrics.
UNREAD = frozenset(
    {"labels", "status", "managedFields", "ownerReferences", "ports", "valueFrom", "persistentVolumeClaim"}
)  # fmt: skip
RELABELINGS = frozenset(
    {"relabelings", "metricRelabelings", "relabel_configs", "metric_relabel_configs", "metricRelabeling",
     "relabelConfigs", "metricRelabelConfigs"}
)  # fmt: skip
VERSIONS = frozenset({"apiVersion", "apiGroup"})
# What a document without a kind has at its top where it is a chart's values, and the parts of an image there.
CHART = frozenset(
    {"replicaCount", "nameOverride", "fullnameOverride", "imagePullSecrets", "podAnnotations", "podSecurityContext",
     "serviceAccount", "autoscaling", "ingress", "servingEngineSpec", "routerSpec", "modelArtifacts"}
)  # fmt: skip
CHART_IMAGE = frozenset({"repository", "tag", "pullPolicy"})
RUNTIME_CLASSES = frozenset({"runtimeClassName", "runtimeClass", "handler"})
_PROBES = ("livenessProbe", "readinessProbe", "startupProbe", "lifecycle", "postStart", "preStop")
_AFFINITY = ("nodeAffinity", "nodeSelectorTerms", "required_node_affinity", "nodeSelectorExpressions")

# What a mapping or a list by a name is; the field's handler goes by it.
_COLLECTIONS = {
    **dict.fromkeys(PROSE, "prose"),
    **{name: name for name in ("metadata", "annotations", "images", "metric", "requirements")},
    **{name: name for name in ("accelerators", "pciId", "mig-devices", "literals", "Fields", "targets")},
    **dict.fromkeys(("parameters", "set"), "chart-values"),
    **dict.fromkeys(("matchFeatures", "matchAny"), "features"),
    **dict.fromkeys(("podAffinity", "podAntiAffinity", "topologySpreadConstraints"), "spread"),
    **dict.fromkeys(("limits", "requests"), "amounts"),
    **dict.fromkeys(("coveredResources", "resources", *resources.CAPACITY), "quotas"),
    **dict.fromkeys(ENV_LISTS, "environment"),
    **dict.fromkeys(SELECTORS, "node-selector"),
    **dict.fromkeys(_AFFINITY, "affinity"),
    **dict.fromkeys(commands.PACKAGES - {"requirements"}, "packages"),
    **dict.fromkeys(TAINTS, "taints"),
    "hostPath": "host-path",
    "volumeMounts": "mounts",
    **dict.fromkeys(("data", "binaryData"), "data"),
    **dict.fromkeys(("selector", "namespaceSelector"), "selected"),
    **dict.fromkeys(pods.CONTAINER_LISTS, "containers"),
    **dict.fromkeys(pods.SINGLE_CONTAINERS, "container"),
    **dict.fromkeys(_PROBES, "probe"),
    **dict.fromkeys(("resourceProfiles", "resource_profiles", "nodeGroups", "acceleratorProfiles"), "table"),
    **dict.fromkeys(("leaderTemplate", "workerTemplate"), "group"),
}
# A mapping with one of these fields may be an object, a pod, a container, an image, a patch.
TELLING = frozenset({"op", "kind", *pods.TELLING, *images.TELLING, *settings.telling()})


def _plain(name: str) -> str:
    """A name as Kubernetes writes it, where a chart or a spawner writes it otherwise."""
    if name in _COLLECTIONS:
        return name
    flat = name.replace("_", "").replace("-", "").lower()
    return next((known for ending, known in _ENDINGS.items() if flat.endswith(ending)), name)


plain: Memo[str, str] = Memo(_plain, 1_000)


def _collection(name: str) -> str:
    name = plain[name]
    if name in _COLLECTIONS:
        return _COLLECTIONS[name]
    if name.endswith("Annotations"):
        return "annotations"
    return "command" if commands.is_command(name) else ""


# What a mapping or a list by this name is, in a word; nothing where only its fields can say something.
collection: Memo[str, str] = Memo(_collection, 1_000)


def _parts(name: str) -> bool:
    return name in settings.PREDICTORS or images.is_owner(name)


# Whether a mapping by this name says something by what it has for fields.
parts: Memo[str, bool] = Memo(_parts, 1_000)


def _text_is_telling(name: str, parent: str) -> bool:
    return name not in PROSE and (
        name in RUNTIME_CLASSES
        or name == "hostPath"
        or resources.is_qualified(name)
        or (name == "regex" and parent in RELABELINGS)
        or commands.is_command(name)
        or commands.is_expression(name)
        or images.is_key(name)
        or resources.names_devices(name)
        or scheduling.names_hardware(name, parent)
        or settings.is_named(name, parent)
    )


def _texts_below(parent: str) -> Memo[str, bool]:
    return Memo(lambda name: _text_is_telling(name, parent), 200)


# By the name above, then by a text's own: whether the text is to be looked at. Others say something by form only.
texts: Memo[str, Memo[str, bool]] = Memo(_texts_below, 1_000)


def has_form(value: str) -> bool:
    """Whether a text has a form that may tell something whatever its name: a path, an image, lines, an expression."""
    return "/" in value or "\n" in value or "device." in value
