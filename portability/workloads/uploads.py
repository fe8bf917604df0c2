"""The manifests a form sent: texts and uploaded files, under names that are safe to show, within the limits."""

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

DEFAULT_NAME = "manifest.yaml"
NAME_LENGTH = 120
_NOT_IN_NAMES = re.compile(r"[^\w.+@ -]|[\r\n]")

Files = list[tuple[str, str]]


@dataclass(slots=True)
class Sent:
    """What was sent, in its order, and what could not be used of it."""

    files: Files = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    uploaded: bool = False  # a file was chosen, so that the page's text areas are behind


def read_sent(post: QueryDict, uploads: MultiValueDict[str, UploadedFile[Any]]) -> Sent:
    """The texts of the form and its uploaded files. An upload replaces a text of the same name."""
    chosen = [u for u in uploads.getlist("uploads") if u.name]
    sent = Sent(uploaded=bool(chosen))
    names = chain(post.getlist("file_name"), repeat(DEFAULT_NAME))
    texts = [(safe_name(name), text) for name, text in zip(names, post.getlist("file_text"), strict=False)]
    size = sum(len(text.encode()) for _, text in texts) + sum(u.size or 0 for u in chosen)
    if size > settings.UPLOAD_LIMIT_BYTES:
        limit = filesizeformat(settings.UPLOAD_LIMIT_BYTES)
        sent.errors.append(
            f"The manifests are {filesizeformat(size)} together; at most {limit} are read."
            " Leave out what is no manifest."
        )
        sent.files = [] if chosen and not texts else _unique((n, t) for n, t in texts if t.strip())
        return sent
    if len(texts) + len(chosen) > settings.DATA_UPLOAD_MAX_NUMBER_FILES:
        sent.errors.append(
            f"{len(texts) + len(chosen)} files were sent; at most {settings.DATA_UPLOAD_MAX_NUMBER_FILES} are read."
            " Join them with --- lines, or leave some out."
        )
        return sent
    read: list[tuple[str, str | bytes]] = [(name, text) for name, text in texts if text.strip()]
    new: list[tuple[str, str | bytes]] = [(safe_name(u.name or ""), u.read()) for u in chosen]
    replaced = {name for name, _ in new}
    decoded: Files = []
    for name, content in [*(f for f in read if f[0] not in replaced), *new]:
        try:
            decoded.append((name, _plain(to_text(content))))
        except LimitError as error:
            sent.errors.append(f"{name}, line {error.line}: {error.message}. {error.remedy}")
    sent.files = _unique(decoded)
    return sent


def safe_name(name: str) -> str:
    """The last part of a path, without credentials, markup or control characters."""
    last = re.split(r"[/\\]", name.strip())[-1]
    cleaned = _NOT_IN_NAMES.sub("_", without_credentials(last)).strip(" .")
    return cleaned[-NAME_LENGTH:] or DEFAULT_NAME


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
