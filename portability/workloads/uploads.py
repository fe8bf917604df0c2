"""What a form sent: manifests and application material, as texts and files, under safe names and within the limits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain, repeat
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.template.defaultfilters import filesizeformat
from django.utils.datastructures import MultiValueDict

from portability.engine.manifests.decode import to_text
from portability.engine.manifests.limits import LimitError
from portability.engine.manifests.secrets import without_credentials
from portability.engine.material.kinds import is_manifest, is_material, name_for
from portability.engine.material.notebook import as_script

DEFAULT_NAME = "manifest.yaml"
NAME_LENGTH = 120
_NOT_IN_NAMES = re.compile(r"[^\w.+@ -]|[\r\n]")
_CODING = re.compile(rb"(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")
_ENCODINGS = re.compile(r"(?:latin-?1|iso-?8859-\d+|cp\d+|windows-\d+|koi8-[ru]|euc-(?:jp|kr)|shift-?jis|gb\w+|big5)$")

Files = list[tuple[str, str]]


@dataclass(slots=True)
class Sent:
    """What was sent, in its order, and what could not be used of it. Names occur once in both lists together."""

    files: Files = field(default_factory=list)  # manifests
    material: Files = field(default_factory=list)  # application material
    errors: list[str] = field(default_factory=list)
    uploaded: bool = False  # a file was chosen, so that the page's text areas are behind


@dataclass(frozen=True, slots=True)
class _Part:
    """One half of the form: how its fields are called, how much is read of it, and as what."""

    field: str
    uploads: str
    what: str
    limit: int
    remedy: str


def read_sent(post: QueryDict, uploads: MultiValueDict[str, UploadedFile[Any]]) -> Sent:
    """The texts of the form and its uploaded files. An upload replaces a text of the same name.

    What belongs to the other half goes there: code among manifests, manifests among code.
    """
    sent = Sent()
    manifests = _read(post, uploads, _manifests(), sent)
    material = _read(post, uploads, _material(), sent)
    stay = [file for file in manifests if not is_material(*file)]
    code = [file for file in manifests if is_material(*file)]
    names = {name for name, _ in material}
    material += [file for file in code if file[0] not in names]  # again from the page, or the same file twice
    moved = [file for file in material if is_manifest(*file)]
    every = _unique([*stay, *moved, *(file for file in material if not is_manifest(*file))])
    sent.files, sent.material = every[: len(stay) + len(moved)], every[len(stay) + len(moved) :]
    size = sum(len(text.encode("utf-8", "surrogatepass")) for _, text in sent.material)
    if size > settings.MATERIAL_LIMIT_BYTES:
        sent.errors.append(_too_much(_material(), size))
    return sent


def _manifests() -> _Part:
    remedy = "Leave out what is no manifest."
    return _Part("file", "uploads", "manifests", settings.UPLOAD_LIMIT_BYTES, remedy)


def _material() -> _Part:
    remedy = "Leave out what has nothing to do with accelerators."
    limit = settings.MATERIAL_LIMIT_BYTES
    return _Part("source", "source_uploads", "files of application material", limit, remedy)


def _read(post: QueryDict, uploads: MultiValueDict[str, UploadedFile[Any]], part: _Part, sent: Sent) -> Files:
    chosen = [u for u in uploads.getlist(part.uploads) if u.name]
    sent.uploaded = sent.uploaded or bool(chosen)
    names = chain(post.getlist(f"{part.field}_name"), repeat(""))
    texts = [
        (name, text) for name, text in zip(names, post.getlist(f"{part.field}_text"), strict=False) if text.strip()
    ]
    size = sum(len(text.encode("utf-8", "surrogatepass")) for _, text in texts) + sum(u.size or 0 for u in chosen)
    if size > settings.UPLOAD_LIMIT_BYTES:
        sent.errors.append(_too_much(part, size))
        return _unique((_named(name, text, part), text) for name, text in texts)
    if len(texts) + len(chosen) > settings.DATA_UPLOAD_MAX_NUMBER_FILES:
        sent.errors.append(
            f"{len(texts) + len(chosen)} files were sent; at most {settings.DATA_UPLOAD_MAX_NUMBER_FILES} are read."
            " Join them, manifests with --- lines, or leave some out."
        )
        return []
    read: list[tuple[str, str | bytes]] = [(_named(name, text, part), text) for name, text in texts]
    new: list[tuple[str, str | bytes]] = [(safe_name(u.name or ""), u.read()) for u in chosen]
    replaced = {name for name, _ in new}
    decoded: Files = []
    for name, content in [*(f for f in read if f[0] not in replaced), *new]:
        try:
            code = part.field == "source" or is_material(name, "")  # wherever it was chosen
            decoded.append(_code(name, content) if code else (name, _plain(to_text(content))))
        except LimitError as error:
            sent.errors.append(f"{name}, line {error.line}: {error.message}. {error.remedy}")
    return _unique(decoded)


def _too_much(part: _Part, size: int) -> str:
    limit = filesizeformat(part.limit)
    return f"The {part.what} are {filesizeformat(size)} together; at most {limit} are read. {part.remedy}"


def _named(name: str, text: str, part: _Part) -> str:
    """The name a text was given, or one by what it holds."""
    if part.field == "file":
        return safe_name(name)
    return safe_name(name, name_for(text)) if name.strip() else name_for(text)


def _code(name: str, content: str | bytes) -> tuple[str, str]:
    """Python in the encoding it names; of a notebook its code alone, so that no output is ever kept."""
    try:
        text = _plain(to_text(_recoded(name, content)))
    except LimitError as error:
        what = "the file is binary, no text" if "binary" in error.message else error.message
        raise LimitError(error.line, what, "Give it as UTF-8 text, or leave it out.") from None
    if not name.lower().endswith(".ipynb"):
        return name, text
    script = as_script(text)
    if script is None:
        raise LimitError(1, "it is no notebook of format 4", "Save it with Jupyter, or give its code as a script.")
    return f"{name}.py", script


def _recoded(name: str, content: str | bytes) -> str | bytes:
    """Python whose first lines name an encoding that people used before UTF-8."""
    if isinstance(content, str) or not name.lower().endswith((".py", ".pyw")):
        return content
    found = _CODING.match(content[:1000])
    encoding = found[1].decode("ascii").lower().replace("_", "-") if found else ""
    if not _ENCODINGS.match(encoding):
        return content
    try:
        return content.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return content


def safe_name(name: str, default: str = DEFAULT_NAME) -> str:
    """The last part of a path, without credentials, markup or control characters."""
    last = re.split(r"[/\\]", name.strip())[-1]
    cleaned = _NOT_IN_NAMES.sub("_", without_credentials(last)).strip(" .")
    return cleaned[-NAME_LENGTH:] or default


def _plain(text: str) -> str:
    """One kind of line end, so that what is pasted and what is uploaded is the same content."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unique(files: Iterable[tuple[str, str]]) -> Files:
    """Names that occur twice are numbered."""
    taken: set[str] = set()
    out: Files = []
    for name, text in files:
        stem, dot, ending = name.rpartition(".")
        unique, number = name, 2
        while unique in taken:
            unique = f"{stem}-{number}{dot}{ending}" if dot and stem else f"{name}-{number}"
            number += 1
        taken.add(unique)
        out.append((unique, text))
    return out
