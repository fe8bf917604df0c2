"""What is known of an image by its reference: mirrors, ports, digests and split names included."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from portability.engine.memo import remembered
from portability.engine.model import Container, SiteKind
from portability.engine.rules.base import Context, Ground
from portability.engine.rules.foreign import is_zero
from portability.engine.vendor_rows.rows import Row, Table

# A mirror's own directories say nothing of what it mirrors: `nvidia-cache/library/nginx` is nginx.
_MIRROR = re.compile(r"^(?:.*/)?(?:library|[^/]*(?:mirrors?|cache|proxy))/")


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference taken apart. A placeholder such as `$(vllm-image)` is all repository."""

    host: str
    repository: str
    tag: str
    digest: str

    @property
    def text(self) -> str:
        """Repository and tag, as rows of images are matched."""
        return f"{self.repository}:{self.tag}" if self.tag else self.repository


@remembered
def parse(reference: str) -> Reference:
    """Take a reference apart: host with port, repository, tag, digest."""
    name, _, digest = reference.strip().partition("@")
    for scheme in ("docker://", "oci://", "https://", "http://"):
        name = name.removeprefix(scheme)
    head, slash, rest = name.partition("/")
    host = ""
    if slash and ("." in head or ":" in head or head == "localhost"):
        host, name = head, rest
    repository, colon, tag = name.rpartition(":")
    if not colon or "/" in tag:
        repository, tag = name, ""
    return Reference(host, repository, tag, digest)


@remembered
def _behind_mirror(reference: str) -> Reference:
    image = parse(reference)
    named = _MIRROR.sub("", image.repository)
    return image if named == image.repository else replace(image, repository=named)


def matched_as(reference: str) -> str:
    """The text of a reference that rows of images are matched with: no host, no mirror's directory, no digest."""
    return _behind_mirror(reference).text


def repository(reference: str) -> str:
    """The name of an image without its tag, as a row would name it whatever its version."""
    return _behind_mirror(reference).repository


def row_of(ground: Ground, reference: str) -> Row | None:
    """The row that tells which vendor an image is built for (`none` for plain ones), or None where none does."""
    image = _behind_mirror(reference)
    return (
        ground.rows.find(Table.IMAGES, image.text)
        or ground.rows.find(Table.REGISTRIES, image.host)
        or ground.rows.find(Table.PLAIN_IMAGES, image.repository)
    )


def asks_for_the_targets(ctx: Context, container: Container) -> bool:
    """Whether every accelerator it asks for by name is of the target's vendor, and there is one."""
    asked = [name for name, quantity in container.accelerators.items() if not is_zero(quantity)]
    rows = [row for row in (ctx.rows.find(Table.RESOURCES, name) for name in asked) if row is not None]
    if not rows and container.uses_dra:
        named = (ctx.rows.find(Table.DEVICE_CLASSES, site.value) for site in ctx.sites(SiteKind.DEVICE_CLASS))
        rows = [row for row in named if row is not None]
    return bool(rows) and all(row.vendor is ctx.target.vendor for row in rows)
