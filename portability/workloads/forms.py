"""The form of a workload. What a declared fact may hold is decided by the engine's reader of workload files alone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django import forms
from django.http import QueryDict

from portability.accounts.models import Person, Team
from portability.engine.declared import parse_declared
from portability.engine.errors import InputError
from portability.engine.manifests.secrets import without_credentials
from portability.engine.model import Declared
from portability.engine.summary import merge_summary
from portability.workloads.contents import facts_of
from portability.workloads.detection import PREFILLED, detected
from portability.workloads.models import Criticality, Workload

ENGINES = (
    *("vllm", "sglang", "tgi", "triton", "tensorrt-llm", "nim", "onnxruntime", "migraphx", "pytorch", "tensorflow"),
    *("jax", "ollama", "ray-serve", "faster-whisper", "llama.cpp", "tei"),
)
MODEL_KINDS = ("decoder-only", "encoder-decoder", "pooling", "multimodal", "diffusion", "classic")
DTYPES = ("bfloat16", "float16", "float32", "fp8", "int8", "int4")
FEATURES = (
    *("lora", "prefix-caching", "chunked-prefill", "speculative-decoding", "cuda-graph", "prompt-embeds"),
    *("logprobs", "prompt-logprobs", "async-output", "multi-step", "best-of", "beam-search", "pooling"),
    *("encoder-decoder", "multimodal", "expert-parallel", "quantization=awq", "quantization=gptq", "quantization=fp8"),
    "kv-cache-dtype=fp8",
)

SUGGESTIONS = {"engines": ENGINES, "model-kinds": MODEL_KINDS, "dtypes": DTYPES, "features": FEATURES}
WRITTEN = ("name", "owner", "engine", "engine_version", "model", "model_kind", "dtype", "other_features")
_DECLARED = (*PREFILLED, "memory_gb", "parameters_b", "dtype")


def _text(label: str, length: int, help_text: str = "", suggestions: str = "", **kwargs: Any) -> forms.CharField:
    attrs = {"autocomplete": "off", "spellcheck": "false", **({"list": suggestions} if suggestions else {})}
    widget = forms.TextInput(attrs=attrs)
    return forms.CharField(label=label, max_length=length, required=False, help_text=help_text, widget=widget, **kwargs)


def _number(label: str, whole: bool, help_text: str = "") -> forms.CharField:
    """Text with a number's keyboard: the engine's reader says what is wrong with it."""
    widget = forms.TextInput(attrs={"inputmode": "numeric" if whole else "decimal", "autocomplete": "off"})
    return forms.CharField(label=label, max_length=20, required=False, help_text=help_text, widget=widget)


class WorkloadForm(forms.Form):
    """Entry and declared facts. A field that still holds what was detected (`detected_…`) declares nothing."""

    token = forms.UUIDField(widget=forms.HiddenInput, required=False)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    name = forms.CharField(max_length=120, help_text="Once in a team.", widget=forms.TextInput({"autocomplete": "off"}))
    team = forms.ModelChoiceField(Team.objects.none(), empty_label=None)
    owner = _text("Owner", 120, "Who answers for it.")
    criticality = forms.ChoiceField(choices=Criticality.choices, initial=Criticality.MEDIUM)
    vendor = forms.ChoiceField(
        label="Vendor today",
        required=False,
        choices=[("", "not known"), ("nvidia", "NVIDIA"), ("amd", "AMD"), ("other", "another"), ("none", "none")],
    )
    engine = _text("Engine", 40, suggestions="engines")
    engine_version = _text("Engine version", 40)
    model = _text("Model", 200, "As its registry names it: org/name.")
    model_kind = _text("Model kind", 40, "Many verdicts depend on it.", suggestions="model-kinds")
    gpus_per_replica = _number("GPUs per replica", whole=True)
    replicas = _number("Replicas", whole=True)
    memory_gb = _number("Memory per replica, GB", whole=False, help_text="Of the devices, where it was measured.")
    parameters_b = _number("Parameters, billions", whole=False)
    dtype = _text("Data type", 20, suggestions="dtypes")
    other_features = _text(
        "Features that no manifest shows", 600, "Separated by commas: async-output, quantization=awq.", "features"
    )

    def __init__(
        self, *args: Any, person: Person, workload: Workload | None = None, saving: bool = True, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        teams = person.teams.filter(active=True)
        if workload is None:
            self.fields["team"].queryset = teams  # type: ignore[attr-defined]
        else:  # renaming and moving are acts of their own
            del self.fields["name"], self.fields["team"]
        for name in PREFILLED:
            self.fields[f"detected_{name}"] = forms.CharField(widget=forms.HiddenInput, required=False)
        if not saving:  # a look needs no name yet
            for field in self.fields.values():
                field.required = False

    @property
    def entry_fields(self) -> list[forms.BoundField]:
        """What the register keeps of a workload, and judges nothing by."""
        return [self[name] for name in ("name", "team", "owner", "criticality", "vendor") if name in self.fields]

    @property
    def fact_fields(self) -> list[forms.BoundField]:
        """What is judged."""
        return [self[name] for name in (*_DECLARED, "other_features") if name != "vendor"]

    def declared(self, shown: frozenset[str], required: frozenset[str]) -> tuple[dict[str, Any], dict[str, str]]:
        """What the person declares, in the form of a workload file, and by field what cannot be used of it.

        `shown`: the features that the manifests show; only those and the ones named here can be required.
        """
        said: dict[str, Any] = {}
        wrong: dict[str, str] = {}
        for name in _DECLARED:
            if value := self._said(name):
                try:
                    parse_declared({name: value}, name)
                    said[name] = value
                except InputError as error:
                    wrong[name] = str(self.fields[name].label) + error.message.removeprefix(name) + "."
        names = self._other_features()
        every = [*(n for n in names if n not in shown or n in required), *sorted((required & shown) - set(names))]
        features = [{"name": name, "required": True} if name in required else name for name in every]
        return {**said, **({"features": features} if features else {})}, wrong

    def _said(self, name: str) -> str:
        value = str(self.data.get(name, "")).strip()
        untouched = name in PREFILLED and value == str(self.data.get(f"detected_{name}", "")).strip()
        return "" if untouched else value

    def _other_features(self) -> list[str]:
        names = re.split(r"[,;\n]", str(self.data.get("other_features", "")))
        wanted = [n for n in names if n.strip(" =")]
        return [f.name for f in parse_declared({"features": wanted}, "features").features]


@dataclass(frozen=True, slots=True)
class Prefilled:
    """A form's values after what was detected went into the fields that nobody wrote into."""

    data: QueryDict
    found: tuple[tuple[str, str], ...]  # field and what was detected, for the page's script


def prefill(sent: QueryDict, found: Mapping[str, str]) -> Prefilled:
    """Put what was detected into fields that are empty or still hold what was detected before.

    What a person wrote stays theirs, and declared, also where it is what was detected.
    """
    data = sent.copy()
    for name in WRITTEN:
        if name in data:
            data[name] = without_credentials(str(data[name]))
    for name in PREFILLED:
        value, before = data.get(name, "").strip(), sent.get(f"detected_{name}", "").strip()
        own = value not in ("", before)
        data[name] = value if own else found.get(name, "")
        data[f"detected_{name}"] = "" if own else found.get(name, "")
    return Prefilled(data, tuple((name, found.get(name, "")) for name in PREFILLED))


def initial_new() -> dict[str, Any]:
    """The values of an empty form."""
    return {"token": uuid4(), "criticality": Criticality.MEDIUM}


def initial_of(workload: Workload) -> dict[str, Any]:
    """The values of a workload's form: declared where someone declared it, else detected."""
    assert workload.current is not None
    facts = facts_of(workload.current)
    found = detected(facts)
    declared = workload.current.declared
    shown = {f.name for f in merge_summary(facts, Declared()).features}
    names = [n for f in declared.get("features", []) if (n := f if isinstance(f, str) else f["name"]) not in shown]
    return {
        **found,
        **{f"detected_{name}": value for name, value in found.items() if name not in declared},
        **{name: _plain(declared[name]) for name in _DECLARED if name in declared},
        "other_features": ", ".join(names),
        "owner": workload.owner,
        "criticality": workload.criticality,
        "version": workload.version,
    }


def _plain(value: Any) -> Any:
    return f"{value:g}" if isinstance(value, float) else value
