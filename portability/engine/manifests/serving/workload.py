"""Puts together what each container serves, and what custom resources, charts and programs say of the whole."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from portability.engine.manifests.gather import Draft, Gathered, Group, Hint, Setting
from portability.engine.manifests.serving import engines, models, words
from portability.engine.manifests.serving.code import said
from portability.engine.manifests.serving.features import features
from portability.engine.manifests.serving.known import HUBS, is_read
from portability.engine.manifests.serving.rows import custom_resources, hosts
from portability.engine.model import Container, Fact, Facts, Feature, Place, PodGroup, Problem, SiteKind

_ADAPTER = re.compile(r"adapter|artifact|lora|draft|tokenizer")
_PACKAGE_END = re.compile(r"[^\w.-]")
_PACKAGED = frozenset({"vllm", "sglang", "lmdeploy", "tensorrt-llm"})  # engines that are Python packages of their name
_SEES = ("multimodal", "encoder-decoder")  # what takes images may be either; what says the latter knows better
_SERVERS = frozenset({"vllm", "sglang", "tgi", "tei"})


@dataclass(slots=True)
class Served:
    """What one container, or the whole outside of any, serves as far as it is known."""

    engine: Fact | None = None
    engine_version: Fact | None = None
    model: Fact | None = None
    model_kind: Fact | None = None
    features: list[Feature] = field(default_factory=list)
    names_model: bool = False  # something here names a model, whether or not it tells which


def complete(files: tuple[str, ...], documents: int, problems: tuple[Problem, ...], gathered: Gathered) -> Facts:
    """Everything gathered, as facts."""
    _claims_by_annotation(gathered)
    whole = _whole(gathered)
    served = [_container(draft) for draft in gathered.drafts]
    hosted = whole.engine if whole.engine is not None and whole.engine.value not in hosts() else None
    for one, draft in zip(served, gathered.drafts, strict=True):
        _inherit(one, draft, whole, hosted)
    _share_with_workers(gathered.drafts, served)
    containers = tuple(_as_container(d, s) for d, s in zip(gathered.drafts, served, strict=True))
    return Facts(
        files=files,
        documents=documents,
        sites=tuple(gathered.sites),
        containers=containers,
        pod_groups=tuple(_group(group, containers) for group in gathered.groups),
        runs_something=bool(containers) or _serving_kind(gathered),
        problems=problems,
        objects=tuple(gathered.objects),
        engine=whole.engine,
        engine_version=whole.engine_version,
        model=whole.model,
        model_kind=whole.model_kind,
        features=tuple(whole.features),
    )


def _claims_by_annotation(gathered: Gathered) -> None:
    """Where an annotation names the device class, the object's main container gets its devices by a claim."""
    documents = {h.document for h in gathered.hints if h.about == "dra"}
    for draft in gathered.drafts:
        if draft.document in documents and draft.role == "main" and not draft.accelerators:
            draft.uses_dra = draft.uses_dra or draft.name == "main" or not draft.image


def _container(draft: Draft) -> Served:
    """What the image, the command, the variables and the fields of one container say."""
    one = Served()
    line = words.tokens(draft.words)
    row = engines.by_image(draft.image) if draft.image else None
    started = engines.by_command(_commands(line))
    if (
        started is not None
        and (row is None or row.hosts or not started.hosts)
        and (row is None or not _same(row.engine, started.engine))
    ):
        one.engine = Fact(started.engine, "detected", line[0].place)
    elif row is not None:
        one.engine = Fact(row.engine, "detected", draft.image_place)
    if row is not None and one.engine is not None and _same(row.engine, one.engine.value):
        version = engines.version(row, draft.image)
        if version:
            one.engine_version = Fact(version, "detected", draft.image_place)
    variables = {name: value for name, (value, _) in draft.env.items()}
    found = [(s, True) for s in words.settings(line, variables, served=row is not None and row.engine in _SERVERS)]
    found += [(s, False) for s in draft.settings]
    found += _from_variables(draft, variables)
    found = [(s, flag) for s, flag in found if is_read(s.name, flag) or s.value.startswith(HUBS)]
    if one.engine is None:
        one.engine = _engine_field([s for s, _ in found])
    one.features = features(found)
    _model(one, found, draft.image if one.engine is not None and one.engine.value == "nim" else "", draft.image_place)
    return one


def _same(left: str, right: str) -> bool:
    """`dynamo-vllm` starts vllm: the more particular name stays."""
    return left == right or left.endswith("-" + right) or left.startswith(right + "-")


def _commands(line: list[words.Token]) -> str:
    """The words of a command line that are no values, enough to know a program by."""
    return "\n".join(" ".join(t.text for t in line[:400] if not t.separates).split("\n"))


def _from_variables(draft: Draft, variables: dict[str, str]) -> list[tuple[Setting, bool]]:
    found: list[tuple[Setting, bool]] = []
    for name, (value, place) in draft.env.items():
        if value.startswith("--") or " --" in value:
            line = words.placed(words.split(value, [place]), draft.folded.get(name, []))
            found += [(s, True) for s in words.settings(line, variables)]
        elif is_read("env:" + name, False) or value.startswith(HUBS):
            found.append((Setting("env:" + name, value, place), False))
    return found


def _model(one: Served, found: list[tuple[Setting, bool]], image: str, image_place: Place | None) -> None:
    """The model by the best ranked name that carries one, and its kind by that name or by what else names it."""
    ranked: list[tuple[int, Setting]] = []
    one.model_kind = one.model_kind or _architecture([s for s, _ in found])
    for setting, is_flag in found:
        kind = models.kind_of_setting(setting.name, setting.value)
        known = is_flag or setting.name == "features"
        if kind and known and setting.name not in models.ARCHITECTURES and one.model_kind is None:
            one.model_kind = Fact(kind, "detected", setting.place)
        rank = models.rank(setting.name, is_flag)
        if (rank is None or rank >= models.LOOSE) and setting.value.startswith(HUBS):
            rank = rank if _ADAPTER.search(setting.name) else 99
        if rank is not None and setting.value:
            ranked.append((rank, setting))
    ranked.sort(key=lambda pair: pair[0])
    one.names_model = bool(ranked)
    served = next((s.value for _, s in ranked if s.name == "served-model-name"), "")
    for rank, setting in ranked:
        name = models.hub_name(setting.value) or models.at_path(setting.value, served) if rank < models.LOOSE else ""
        if name and one.model is None:
            one.model = Fact(name, "detected", setting.place)
    _quantized(one, [(s.value, s.place) for rank, s in ranked if rank < models.LOOSE])
    if one.model_kind is not None:
        return
    names = [(one.model.value, one.model.place)] if one.model is not None else [(s.value, s.place) for _, s in ranked]
    if image and image_place is not None:
        names.append((image.partition("@")[0].rpartition(":")[0] or image, image_place))
    for value, place in names:
        kind = models.kind_of(value)
        if kind:
            one.model_kind = Fact(kind, "inferred", place)
            return


def _architecture(found: list[Setting]) -> Fact | None:
    """The kind that a model's architecture is of, where it is spelled out; a runtime for several kinds tells none."""
    named = [s for s in found if s.name in models.ARCHITECTURES]
    told = [(kind, s.place) for s in named if (kind := models.kind_of_setting(s.name, s.value))]
    return Fact(told[0][0], "detected", told[0][1]) if len({kind for kind, _ in told}) == 1 else None


def _quantized(one: Served, names: list[tuple[str, Place]]) -> None:
    """Weights that are quantized by their name alone: the engine reads the method from them without a flag."""
    if any(f.name.startswith("quantization=") for f in one.features):
        return
    if one.model is not None:
        names = [(one.model.value, one.model.place or names[0][1])]
    for value, place in names[:1]:
        method = models.quantization_of(value)
        if method:
            one.features.append(Feature(f"quantization={method}", False, "inferred", place))


def _engine_field(found: list[Setting]) -> Fact | None:
    fields = custom_resources()["engine_fields"]
    for setting in found:
        if setting.name in fields:
            engine = engines.by_name(setting.value)
            if engine:
                return Fact(engine, "detected", setting.place)
    return None


def _whole(gathered: Gathered) -> Served:
    """What stands outside any container: custom resources, config maps, programs, metrics."""
    one = Served()
    drafts = {h.value for h in gathered.hints if h.about == "draft"}
    found = [
        (s, False) for s, _ in gathered.settings if s.place.resource.name not in drafts or not s.place.resource.name
    ]
    by_code: tuple[str, Place] | None = None
    kind: tuple[str, Place] | None = None
    for code in gathered.code:
        says = said(code)
        found += [(s, True) for s in says.settings]
        if says.engine is not None and (by_code is None or (by_code[0] in hosts() and says.engine[0] not in hosts())):
            by_code = says.engine
        kind = kind or says.kind
    _hints(one, gathered, found, bool(drafts))
    if by_code is not None and (one.engine is None or one.engine.value in hosts()):
        one.engine = Fact(by_code[0], "detected", by_code[1])
    if one.engine is None:
        one.engine = _engine_of_kind(gathered)
    if one.engine is None:
        metric = next((s for s, _ in found if s.name == "metric:engine"), None)
        one.engine = Fact(metric.value, "inferred", metric.place) if metric is not None else None
    one.features += [f for f in features(found) if all(f.name != known.name for known in one.features)]
    _model(one, found, "", None)
    if one.model_kind is None and kind is not None:
        one.model_kind = Fact(kind[0], "inferred", kind[1])
    return one


def _hints(one: Served, gathered: Gathered, found: list[tuple[Setting, bool]], draft: bool) -> None:
    one.engine = _engine_field([s for s, _ in found])
    if one.engine is not None:
        version = next((s for s, _ in found if s.name == "engine.version"), None)
        if version is not None and version.value[:1].isdigit():
            one.engine_version = Fact(version.value, "detected", version.place)
    frameworks = custom_resources()["frameworks"]
    for hint in gathered.hints:
        if hint.about == "feature":
            one.features.append(Feature(hint.value, False, "detected", hint.place))
        elif hint.about == "framework" and hint.value in frameworks and one.engine is None:
            one.engine = Fact(frameworks[hint.value], "detected", hint.place)
        elif hint.about == "draft" and draft and all(f.name != "speculative-decoding" for f in one.features):
            one.features.append(Feature("speculative-decoding", False, "detected", hint.place))
        elif hint.about == "image" and one.engine is None:
            row = engines.by_image(hint.value)
            if row is not None and "kustom" not in hint.place.path:
                one.engine = Fact(row.engine, "detected", hint.place)
        elif hint.about == "text":
            _package(one, hint)


def _package(one: Served, hint: Hint) -> None:
    """A package that a runtime environment installs: the engine itself, or what only one kind of model needs."""
    engine = _PACKAGE_END.split(hint.value.strip().lower(), maxsplit=1)[0].replace("_", "-")
    if engine in _PACKAGED and one.engine is None:
        one.engine = Fact(engine, "detected", hint.place)
    if one.model_kind is None and "diffusers" in hint.value:
        one.model_kind = Fact("diffusion", "inferred", hint.place)


def _engine_of_kind(gathered: Gathered) -> Fact | None:
    table = custom_resources()["kinds"]
    if all(table.keys().isdisjoint(kinds) for kinds in gathered.kinds.values()):
        return None
    for site in gathered.sites:
        if site.kind is SiteKind.KIND and site.value in table:
            return Fact(table[site.value], "inferred", site.place)
    return None


def _serving_kind(gathered: Gathered) -> bool:
    serving = custom_resources()["serving"]
    return any(kind in serving for kinds in gathered.kinds.values() for kind in kinds)


def _inherit(one: Served, draft: Draft, whole: Served, hosted: Fact | None) -> None:
    """A container that serves takes over what is said of the whole, where it says nothing itself."""
    serves = draft.gpus > 0 or draft.uses_dra or (not draft.image and draft.role in ("main", "custom"))
    known = one.engine is not None and one.engine.value not in hosts()
    if one.engine is not None and one.engine.value in hosts() and whole.engine is not None:
        # Ray, Triton or PyTorch is what the image holds; a program or a custom resource says what runs on it.
        if hosted is not None or (one.engine.value == "ray" and whole.engine.value == "ray-serve"):
            one.engine, one.engine_version = hosted or whole.engine, _embedded_version(draft, hosted)
    elif one.engine is None and serves and draft.role != "init":
        one.engine, one.engine_version = whole.engine, whole.engine_version
    if (known or serves) and draft.role != "init":
        one.model = one.model or whole.model
        if one.model_kind is None or (one.model is whole.model and one.model_kind.origin == "inferred"):
            one.model_kind = whole.model_kind or one.model_kind
        elif whole.model_kind is not None and (one.model_kind.value, whole.model_kind.value) == _SEES:
            one.model_kind = whole.model_kind


def _share_with_workers(drafts: list[Draft], served: list[Served]) -> None:
    """A worker that names no model serves the one its leader does: the only one of its object, under its engine."""
    leaders: dict[tuple[tuple[str, int], str], list[Served]] = {}
    for draft, one in zip(drafts, served, strict=True):
        if one.engine is not None and one.model_kind is not None and one.names_model:
            leaders.setdefault((draft.document, one.engine.value), []).append(one)
    for draft, one in zip(drafts, served, strict=True):
        if one.engine is None or one.names_model or one.model_kind is not None or draft.role == "init":
            continue
        found = leaders.get((draft.document, one.engine.value), [])
        if len({leader.model_kind.value for leader in found if leader.model_kind}) == 1:
            one.model_kind = found[0].model_kind
            if len({leader.model.value for leader in found if leader.model}) == 1:
                one.model = next(leader.model for leader in found if leader.model)


def _embedded_version(draft: Draft, hosted: Fact | None) -> Fact | None:
    row = engines.by_image(draft.image) if draft.image else None
    if row is None or hosted is None or row.engine != hosted.value:
        return None
    version = engines.version(row, draft.image)
    return Fact(version, "detected", draft.image_place) if version else None


def _as_container(draft: Draft, one: Served) -> Container:
    return Container(
        name=draft.name,
        role=draft.role,
        place=draft.place,
        image=draft.image,
        accelerators=dict(draft.accelerators),
        gpus=draft.gpus,
        uses_dra=draft.uses_dra,
        engine=one.engine,
        engine_version=one.engine_version,
        model=one.model,
        model_kind=one.model_kind,
        features=tuple(one.features),
        non_root=draft.non_root,
        supplemental_groups=draft.supplemental_groups,
        memory_shm=draft.memory_shm,
        docker_flags=tuple(draft.docker_flags),
    )


def _group(group: Group, containers: tuple[Container, ...]) -> PodGroup:
    """GPUs of a replica: those of the containers that run side by side, or of the neediest that runs before them."""
    own = [containers[n] for n in group.containers]
    running = sum(c.gpus for c in own if c.role not in ("init", "ephemeral"))
    most = max([running, *(c.gpus for c in own if c.role == "init")])
    return PodGroup(group.resource, group.replicas, group.place, tuple(group.containers), most)
