"""Where images are named: one scalar, a repository and a tag apart, kustomize's image list, or any field at all."""

from __future__ import annotations

import re

from portability.engine.manifests.gather import Context
from portability.engine.manifests.nodes import Mapping, Node, Scalar, Sequence, is_null, line_of
from portability.engine.manifests.places import At
from portability.engine.manifests.serving.rows import custom_resources
from portability.engine.memo import remembered
from portability.engine.model import Place, Site, SiteKind

IMAGE_KEY = re.compile(r"(?:^|[a-z_-])(?:image|Image|IMAGE)(?:Name|Ref|URI|Url)?$|^modelPuller$")
# With a registry's host and a tag or digest it is an image under any name.
FULL_REFERENCE = re.compile(
    r"^(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d+)?/[\w.-]+(?:/[\w.-]+)*(?::[\w][\w.-]{0,127}|@sha256:[0-9a-f]{64})"
    r"(?:@sha256:[0-9a-f]{64})?$"
)
_REFERENCE = re.compile(r"^[\w.-]+(?::\d+)?(?:/[\w.-]+)+(?::[\w][\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$")
_WHOLE = re.compile(r"^[\w.-]+(?::\d+)?(?:/[\w.-]+)+(?::[\w][\w.-]*|@sha256:[0-9a-f]{64})$")
_FROM = re.compile(r"^FROM\s+(?:--\S+\s+)*(\S+)(?:\s+AS\s+(\S+))?", re.IGNORECASE)
# A tag that says for which hardware an image was built stands for it where the repository's name does not.
_BUILD = re.compile(r"(?:^|[._-])(?:gpu|cuda|cu\d{2,3}|rocm|hip)", re.IGNORECASE)
_TELLING = re.compile(
    r"nvidia|nvcr|cuda|rocm|amd|tensorrt|triton|openai|sglang|text-generation|ollama|pytorch|tensorflow"
)
_TAGS = ("tag", "imageTag", "version")
_ORDER = ("repository", "name", "imageName")
_NAMES = frozenset(_ORDER)
TELLING = frozenset({"repository", "runtimeVersion"})  # fields of which a mapping has one if it says an image


def variable(ctx: Context, name: str, node: Scalar, at: At) -> None:
    """An image that a variable names for somebody else to run."""
    value = node.value.strip()
    if "/" not in value or value.startswith("/") or not (":" in value or "@" in value):
        return
    if FULL_REFERENCE.match(value) or (is_key(name) and _REFERENCE.match(value)):
        _note(ctx, at, line_of(node), value, False)


def built_on(ctx: Context, lines: list[tuple[Place, str]]) -> None:
    """The images on which a carried Dockerfile builds. A stage of its own is none."""
    stages: set[str] = set()
    for place, text in lines:
        found = _FROM.match(text)
        if found and found[1].lower() not in stages and "$" not in found[1]:
            ctx.gathered.sites.append(Site(SiteKind.IMAGE, place, found[1]))
        if found and found[2]:
            stages.add(found[2].lower())


def image_scalar(ctx: Context, name: str, node: Scalar, at: At) -> bool:
    """An image as one text under a key that says so, or recognisable as one."""
    value = node.value.strip().removeprefix("docker:")
    own = name == "image"
    if is_key(name) or len(value) < len(node.value.strip()):
        if not value or " " in value or value.lower() in ("true", "false") or is_null(node) or "://" in value[:9]:
            return False
        if name.endswith("Name") and "/" not in value and ":" not in value:
            return False  # it names an entry of a table of images
    elif not (":" in value and "/" in value and FULL_REFERENCE.match(value)):
        return False
    _note(ctx, at, line_of(node), value, own)
    return True


@remembered
def is_key(name: str) -> bool:
    """Whether a field's name says that it holds an image."""
    return bool(IMAGE_KEY.search(name))


def is_owner(name: str) -> bool:
    """Whether a mapping by this name holds the parts of an image, so that even `name` is one of them."""
    return name == "image" or name.endswith("Image")


def image_mapping(ctx: Context, node: Mapping, at: At, owner_is_image: bool) -> frozenset[str]:
    """An image split over keys of one mapping. The names of the keys that were used up."""
    if _NAMES.isdisjoint(node.nodes):
        return frozenset()
    repository, image = node.nodes.get("repository"), node.nodes.get("image")
    tag = next((node.text(name) for name in _TAGS if node.text(name)), "")
    if isinstance(repository, Scalar) and isinstance(image, Scalar) and _parts(repository.value, image.value):
        value = f"{repository.value.rstrip('/')}/{image.value}"
        carrier = "repository" if _TELLING.search(repository.value) else "image"
        _note(ctx, at.entry(node, carrier), node.line_of(carrier), _join(value, node, tag), True)
        return frozenset({"repository", "image", *_TAGS})
    name = next((n for n in _ORDER if node.text(n)), "")
    if name != "repository" and not (owner_is_image and name):
        return frozenset()
    if name == "repository" and not owner_is_image and not any(n in node.nodes for n in ("tag", "imageTag", "digest")):
        return frozenset()
    base = node.text(name)
    if " " in base or "://" in base:
        return frozenset()
    registry = node.text("registry")
    value = f"{registry.rstrip('/')}/{base}" if registry else base
    tagged = next((n for n in _TAGS if node.text(n)), "")
    carrier = tagged if _BUILD.search(tag) and not _TELLING.search(base) else name  # where the vendor's word stands
    _note(ctx, at.entry(node, carrier), node.line_of(carrier), _join(value, node, tag), True)
    return frozenset({name, "registry", "digest", *_TAGS})


def _parts(repository: str, image: str) -> bool:
    """Whether the two name one image: code's repository stands beside an image that is whole in itself."""
    return bool(repository and image) and not (_WHOLE.match(image) and "." not in repository.partition("/")[0])


def in_parts(ctx: Context, node: Scalar, at: At, parts: dict[str, str]) -> bool:
    """An image by its repository, with its registry, tag and digest from somewhere else. Whether it was one."""
    if not node.value or " " in node.value or "://" in node.value or is_null(node):
        return False
    registry, tag, digest = parts["registry"].rstrip("/"), parts["tag"], parts["digest"]
    name = f"{registry}/{node.value}" if registry else node.value
    _note(ctx, at, line_of(node), f"{name}{':' + tag if tag else ''}{'@' + digest if digest else ''}", True)
    return True


def runtime_version(ctx: Context, node: Mapping, at: At, name: str) -> None:
    """A predictor's version that says for which hardware the server's image is built: it is that image's tag."""
    version, model_format = node.nodes.get("runtimeVersion"), node.mapping("modelFormat")
    if version is None:
        return
    server = custom_resources()["predictor_images"].get(model_format.text("name") if model_format else name)
    if isinstance(version, Scalar) and server and _BUILD.search(version.value):
        ctx.site(SiteKind.IMAGE, at.entry(node, "runtimeVersion"), line_of(version), f"{server}:{version.value}")


def kustomize_images(ctx: Context, node: Sequence, at: At) -> None:
    """Kustomize's image transformer: the part that is given in the name's stead, or else the tag."""
    for n, item in enumerate(node.items):
        if not isinstance(item, Mapping):
            continue
        here = at.item(node, n)
        carrier = next((k for k in ("newName", "newTag", "digest") if item.text(k)), "")
        if carrier == "newName" and _BUILD.search(item.text("newTag")) and not _TELLING.search(item.text("newName")):
            carrier = "newTag"
        if not carrier:
            continue
        scalar = item.nodes[carrier]
        assert isinstance(scalar, Scalar)
        value = _join(item.text("newName") or item.text("name"), item, item.text("newTag"))
        ctx.site(SiteKind.IMAGE, here.entry(item, carrier), line_of(scalar), value, role="kustomize")


def is_kustomize_images(node: Node) -> bool:
    """Whether a list is kustomize's: each item has a name and what stands in for it."""
    return isinstance(node, Sequence) and any(
        isinstance(item, Mapping) and ("newName" in item.nodes or "newTag" in item.nodes) for item in node.items
    )


def _join(name: str, node: Mapping, tag: str) -> str:
    digest = node.text("digest")
    return f"{name}{':' + tag if tag else ''}{'@' + digest if digest.startswith('sha') else ''}"


def _note(ctx: Context, at: At, line: int, value: str, own: bool) -> None:
    """A container's own image stands with it; one named in passing (an environment value) does not."""
    if not own:
        ctx._replace(container=None).site(SiteKind.IMAGE, at, line, value)
        return
    place = ctx.site(SiteKind.IMAGE, at, line, value)
    draft = ctx.draft
    if draft is None:
        ctx.hint("image", value, at, line)
    elif not draft.image:
        draft.image, draft.image_place = value, place
