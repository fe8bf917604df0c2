"""The form of a target. What a field may hold is decided by the engine's reader of target files alone."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import yaml
from django import forms
from django.core.validators import RegexValidator

from portability.engine.errors import InputError
from portability.engine.input_files import parse
from portability.engine.model import Target as EngineTarget
from portability.engine.targets import parse_target
from portability.workloads.contents import storable

NAMED_BY_ADDRESSES = frozenset({"new"})
_YES_NO_UNKNOWN = (("", "not known"), ("true", "on"), ("false", "off"))
_TEXT_LIMIT = 64 * 1024  # a DeviceConfig is a few kB


def _version(label: str, help_text: str = "", newest: bool = False) -> forms.CharField:
    """A version as people write it; what is none would be looked up, and never found."""
    pattern = r"\A(?:v?[0-9][^<>{}]*" + ("|newest" if newest else "") + r")\Z"
    said = "A version starts with a digit: 24.04.4." + (" Or write “newest”." if newest else "")
    validator = RegexValidator(re.compile(pattern), said)
    return forms.CharField(label=label, max_length=40, required=False, help_text=help_text, validators=[validator])


class YamlField(forms.CharField):
    """A small piece of YAML: a mapping or a list. Empty means that nothing is said."""

    widget = forms.Textarea

    def __init__(self, example: str, rows: int = 3, **kwargs: Any) -> None:
        kwargs.setdefault("required", False)
        attrs = {"rows": rows, "spellcheck": "false", "placeholder": example, "class": "few" if rows < 5 else ""}
        super().__init__(widget=forms.Textarea(attrs=attrs), max_length=_TEXT_LIMIT, **kwargs)

    def prepare_value(self, value: Any) -> Any:
        """Stored values as YAML; what was typed as it was typed."""
        if value is None or isinstance(value, str):
            return value
        return yaml.safe_dump(value, sort_keys=False, default_flow_style=False).rstrip() if value else ""

    def clean(self, value: Any) -> Any:
        """The parsed value, or an error that says where the YAML breaks."""
        text = super().clean(value)
        if not text.strip():
            return None
        try:
            parsed = parse(text, "")
        except InputError as error:
            where = f"line {error.line}: " if error.line else ""
            example = self.widget.attrs["placeholder"]
            raise forms.ValidationError(f"{where}{error.message}. Write it like: {example}") from None
        try:
            return storable(json.loads(json.dumps(parsed, default=str, allow_nan=False)))
        except (TypeError, ValueError):
            raise forms.ValidationError("Only plain keys, texts and numbers can be kept.") from None


class TargetForm(forms.Form):
    """All fields of a target file. `version` is the version the person started from."""

    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    name = forms.SlugField(max_length=60, help_text="Lower-case words joined by hyphens. It stays for good.")
    vendor = forms.ChoiceField(choices=[("amd", "AMD"), ("nvidia", "NVIDIA")])
    part = forms.CharField(max_length=40, help_text="The exact part, never a series: mi300x, mi350p, h100.")
    gpus_per_node = forms.IntegerField(label="GPUs per node", min_value=1, max_value=1024, required=False)
    os_family = forms.ChoiceField(
        label="OS family",
        required=False,
        choices=[
            ("", "not known"),
            ("ubuntu", "Ubuntu"),
            ("rhel", "RHEL"),
            ("rhcos", "RHCOS (OpenShift)"),
            ("debian", "Debian"),
            ("oracle-linux", "Oracle Linux"),
            ("rocky-linux", "Rocky Linux"),
            ("sles", "SLES"),
        ],
    )
    os_version = _version("OS version", "As precise as you know it: 24.04.4.")
    os_kernel = _version("Kernel", "For example 6.8.")
    rocm = _version("ROCm", "A version, or “newest” to follow the newest one read.", newest=True)
    amdgpu = _version("amdgpu driver")
    cuda = _version("CUDA")
    driver = _version("NVIDIA driver")
    kubernetes = _version("Kubernetes")
    openshift = _version("OpenShift")
    operator = _version("GPU operator")
    driver_managed = forms.BooleanField(label="The operator manages the driver", required=False)
    resource_naming = forms.ChoiceField(choices=[("single", "single"), ("mixed", "mixed")])
    allocation = forms.ChoiceField(choices=[("device-plugin", "device plugin"), ("dra", "DRA")])
    metrics_exporter = forms.ChoiceField(choices=_YES_NO_UNKNOWN, required=False)
    device_memory_gb = forms.FloatField(
        label="Memory of a visible device, GB", min_value=0, required=False, help_text="Only where observed on a node."
    )
    partitions = YamlField("cpx_nps4: 8", help_text="GPUs of a node by partition style; empty: unpartitioned.")
    advertises = YamlField(
        "amd.com/gpu: 64", help_text="What a real node offers; it beats what naming and partitions imply."
    )
    node_labels = YamlField("amd.com/gpu.family: AI", help_text="As observed on a node.")
    taints = YamlField("- amd.com/gpu", help_text="Keys of taints, one a line.")
    feature_gates = YamlField("- DynamicResourceAllocation", help_text="One a line.")
    device_config = YamlField(
        "apiVersion: amd.com/v1alpha1",
        rows=10,
        label="DeviceConfig",
        help_text="The operator's DeviceConfig as YAML; judged with the target.",
    )

    def __init__(self, *args: Any, fixed_name: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fixed_name = fixed_name
        if fixed_name:
            del self.fields["name"]

    def clean_name(self) -> str:
        """A name that is no word of an address."""
        name = str(self.cleaned_data["name"])
        if name in NAMED_BY_ADDRESSES:
            raise forms.ValidationError("This word is taken by an address. Choose another name.")
        return name

    def clean(self) -> dict[str, Any]:
        """Read the whole as a target file; a complaint goes to the field it names."""
        if not self.errors:
            try:
                parse_target(self.spec, "")
            except InputError as error:
                name = self._field_of(error)
                self.add_error(name, self._advice(name, error.message))
        return self.cleaned_data

    @property
    def spec(self) -> dict[str, Any]:
        """The target in the form of a target file, without what was left empty."""
        data = self.cleaned_data
        exporter = {"true": True, "false": False}.get(data["metrics_exporter"])
        system = {"family": data["os_family"], "version": data["os_version"], "kernel": data["os_kernel"]}
        plain = {key: data[key] for key in _PLAIN}
        spec = {"name": self.fixed_name or data["name"], **plain, "os": _said(system), "metrics_exporter": exporter}
        return _said(spec)

    @property
    def groups(self) -> list[Group]:
        """The fields in the order a reader thinks of them."""
        return [Group(title, [self[name] for name in names.split() if name in self.fields]) for title, names in _GROUPS]

    def _advice(self, name: str | None, message: str) -> str:
        """The complaint as a sentence; of a wrong shape, how to write it instead of what YAML calls it."""
        field = self.fields.get(name or "")
        if isinstance(field, YamlField) and re.search("must be a (mapping|list)", message):
            return f"Write one a line, as {field.widget.attrs['placeholder']}."
        return _sentence(message)

    def _field_of(self, error: InputError) -> str | None:
        """The form's field for a complaint, which starts with the key it is about: `os.version must be text`."""
        key = re.split(r"[\s:]", error.message, maxsplit=1)[0]
        for name in (key.replace(".", "_"), key.split(".")[0]):
            if name in self.fields:
                return name
        return None


@dataclass(frozen=True, slots=True)
class Group:
    """Fields under one heading."""

    title: str
    fields: list[forms.BoundField]


_GROUPS = (
    ("What it is", "name vendor part gpus_per_node"),
    ("Operating system", "os_family os_version os_kernel"),
    ("Runtime and driver", "rocm amdgpu cuda driver driver_managed"),
    ("Cluster", "kubernetes openshift operator allocation feature_gates metrics_exporter"),
    ("What nodes offer", "resource_naming partitions"),
    ("Observed on a real node", "advertises device_memory_gb node_labels taints"),
    ("Operator’s configuration", "device_config"),
)
_PLAIN = (
    "vendor",
    "part",
    "gpus_per_node",
    "rocm",
    "amdgpu",
    "cuda",
    "driver",
    "kubernetes",
    "openshift",
    "operator",
    "driver_managed",
    "resource_naming",
    "allocation",
    "device_memory_gb",
    "partitions",
    "advertises",
    "node_labels",
    "taints",
    "feature_gates",
    "device_config",
)


def initial_from(spec: EngineTarget) -> Mapping[str, Any]:
    """A target as the form's first values."""
    exporter = {True: "true", False: "false", None: ""}[spec.metrics_exporter]
    system = {f"os_{key}": getattr(spec.os, key) for key in ("family", "version", "kernel")} if spec.os else {}
    plain = {key: getattr(spec, key) for key in _PLAIN}
    tuples = {key: list(value) for key, value in plain.items() if isinstance(value, tuple)}
    return {"name": spec.name, **plain, **tuples, **system, "metrics_exporter": exporter}


def _said(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if value not in (None, "", {}, [])}


def _sentence(message: str) -> str:
    text = message.strip()
    return text[:1].upper() + text[1:]
