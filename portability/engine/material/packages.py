"""Lists of packages in the forms people have them: one requirement a word, whatever the file around it."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from portability.engine.manifests.nodes import Mapping as MapNode
from portability.engine.manifests.nodes import Scalar, line_of
from portability.engine.manifests.reader import read
from portability.engine.material.words import How, Unread, Word, pieces

_COMMENT = re.compile(r"(?:^|\s)#.*$")
_OPTION = re.compile(r"\s--?(?:hash|config-settings|global-option|install-option|build-option)\b.*$")
_LISTS = re.compile(r"^(?:-r|--requirement)(?:\s+|=)?(?P<file>[^\s=].*)$")
_INLINE = re.compile(r"(?m)^# /// script[ \t]*\n((?:#[^\n]*\n)+?)# ///[ \t]*$")
_NAME = re.compile(r"^[A-Za-z0-9][\w.-]*$")
_WORD = re.compile(r"[\w.-]")
_MISSES = 50  # lines not found in a row, after which no more are sought
_LONGEST = 20_000  # characters of one requirement that goes on over lines
_MEND = "Mend it: the tool that installs from it reads it no better."

Read = tuple[list[Word], Unread | None]


def requirements(text: str) -> Read:
    """A requirements file: comments, hashes and continued lines; options with index addresses; other files it lists."""
    words: list[Word] = []
    pending, first = "", 0
    for n, line in enumerate([*text.split("\n"), ""], 1):
        stripped = _COMMENT.sub("", line).strip()
        pending, first = (f"{pending} {stripped}", first) if pending else (stripped, n)
        if pending.endswith("\\") and len(pending) < _LONGEST:
            pending = pending[:-1].rstrip() or " "
            continue
        said = _OPTION.sub("", " " + pending.strip()).strip()
        pending = ""
        if found := _LISTS.match(said):
            words.append(Word(How.LISTS, found["file"].strip("\"' "), first))
        elif said and not said.startswith(("-c", "--constraint")):
            words += [Word(How.PACKAGE, piece, first) for piece in pieces(said)]
    return words, None


def toml(text: str) -> Read:
    """pyproject.toml, Pipfile and the lock files in TOML: packages with their versions, extras and index addresses."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        at = re.search(r"at line (\d+)", str(error))
        return [], Unread(int(at[1]) if at else 1, f"not valid TOML: {str(error)[:120]}", _MEND)
    return list(_placed(_in_toml(data), text)), None


def json_lock(text: str) -> Read:
    """Pipfile.lock."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        return [], Unread(getattr(error, "lineno", 1), "not valid JSON", _MEND)
    found = [said for part in ("default", "develop") for said in _named(_map(_map(data).get(part)))]
    found += [(url, url) for url in _urls(_map(_map(data).get("_meta")).get("sources"))]
    return list(_placed(found, text)), None


def conda(name: str, text: str) -> Read:
    """A conda environment: its packages, those of pip in it, and its channels."""
    result = read(name, text)
    root = result.documents[0].root if result.documents else None
    if result.problems or not isinstance(root, MapNode):
        line = result.problems[0].line if result.problems else 1
        return [], Unread(line, result.problems[0].message if result.problems else "it is no environment", _MEND)
    words: list[Word] = []
    for item in root.sequence("dependencies"):
        if isinstance(item, Scalar):
            plain = item.value.rpartition("::")[2].strip()
            words += [Word(How.PACKAGE, piece, line_of(item)) for piece in pieces(plain)]
        elif isinstance(item, MapNode):
            for inner in item.sequence("pip"):
                if isinstance(inner, Scalar):
                    words += [Word(w.how, w.text, line_of(inner)) for w in requirements(inner.value)[0]]
    return words, None


def setup_cfg(text: str) -> Read:
    """`install_requires` and the extras of setup.cfg."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(text)
    except configparser.Error as error:
        return [], Unread(getattr(error, "lineno", 1) or 1, "not valid: it has no sections and options", _MEND)
    listed = [parser.get("options", name, fallback="") for name in ("install_requires", "setup_requires")]
    if parser.has_section("options.extras_require"):
        listed += [value for _, value in parser.items("options.extras_require")]
    found = [line.strip() for value in listed for line in (value or "").splitlines() if line.strip()]
    return list(_placed([(said, said) for said in found], text)), None


def inline_script(text: str) -> Read:
    """The metadata that a single Python file may begin with: `# /// script`."""
    found = _INLINE.search(text, 0, 20_000)
    if found is None:
        return [], None
    shift = text.count("\n", 0, found.start(1))
    words, unread = toml("[project]\n" + "\n".join(line[2:] for line in found[1].splitlines()))
    return [Word(w.how, w.text, max(w.line - 1, 1) + shift) for w in words], unread


def _in_toml(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each requirement, with the text by which its line is found again."""
    project, tool = _map(data.get("project")), _map(data.get("tool"))
    yield from ((url, url) for url in _urls(data.get("source")))
    yield from _strings(project.get("dependencies"))
    yield from _strings(data.get("dependencies"))  # of a script's metadata
    for group in (project.get("optional-dependencies"), data.get("dependency-groups")):
        for listed in _map(group).values():
            yield from _strings(listed)
    yield from _strings(_map(data.get("build-system")).get("requires"))
    poetry, uv, pdm = _map(tool.get("poetry")), _map(tool.get("uv")), _map(tool.get("pdm"))
    yield from _named(_map(poetry.get("dependencies")))
    yield from _named(_map(poetry.get("dev-dependencies")))
    for group in _map(poetry.get("group")).values():
        yield from _named(_map(_map(group).get("dependencies")))
    yield from _strings(uv.get("dev-dependencies"))
    yield from _named(_map(uv.get("sources")))
    for listed in _map(pdm.get("dev-dependencies")).values():
        yield from _strings(listed)
    for name in ("packages", "dev-packages"):  # a Pipfile's
        if isinstance(data.get(name), Mapping):
            yield from _named(_map(data.get(name)))
    for package in _maps(data.get("package")) + _maps(data.get("packages")):  # a lock file's
        yield from _locked(package)
    for listed in (poetry.get("source"), uv.get("index"), pdm.get("source")):
        yield from ((url, url) for url in _urls(listed))
    for url in (uv.get("index-url"), *(uv.get("extra-index-url") or ())):
        if isinstance(url, str):
            yield url, url


def _named(packages: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """`name = "version"` or `name = {version, extras, url, git, index}`."""
    for name, said in packages.items():
        for one in said if isinstance(said, list) else [said]:
            about = _map(one)
            version = one if isinstance(one, str) else about.get("version", "")
            extras = ",".join(str(e) for e in about.get("extras") or ()) if about else ""
            yield f"{name}{f'[{extras}]' if extras else ''} {version}".strip(), str(name)
            for key in ("url", "git", "file", "path"):
                if isinstance(about.get(key), str):
                    yield f"{name} @ {about[key]}", about[key]


def _locked(package: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    name, version = str(package.get("name", "")), str(package.get("version", ""))
    if not _NAME.match(name):
        return
    yield f"{name}=={version}", f'name = "{name}"'
    source = _map(package.get("source"))
    for key in ("url", "registry", "git"):
        if isinstance(source.get(key), str):
            yield f"{name} @ {source[key]}", source[key]


def _strings(listed: Any) -> Iterator[tuple[str, str]]:
    if isinstance(listed, list):
        yield from ((item, item) for item in listed if isinstance(item, str))


def _urls(listed: Any) -> list[str]:
    return [str(item["url"]) for item in _maps(listed) if isinstance(item.get("url"), str)]


def _map(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _maps(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _placed(said: Iterable[tuple[str, str]], text: str) -> Iterator[Word]:
    """Each requirement at the line that states it, sought from the last one on, for they come in the file's order."""
    starts = [0, *(n + 1 for n, character in enumerate(text) if character == "\n")]
    at = missed = 0
    for requirement, sought in said:
        if missed < _MISSES:
            found = _find(text, sought, at)
            found = _find(text, sought, 0) if found < 0 else found
            missed = missed + 1 if found < 0 else 0
            at = found if found >= 0 else at
        yield from (Word(How.PACKAGE, piece, bisect_right(starts, at)) for piece in pieces(requirement))


def _find(text: str, sought: str, start: int) -> int:
    """Where a whole word stands, or -1."""
    found = text.find(sought, start)
    for _ in range(_MISSES):
        if found < 0 or not _inside_word(text, found, found + len(sought)):
            return found
        found = text.find(sought, found + 1)
    return -1


def _inside_word(text: str, start: int, end: int) -> bool:
    return bool(_WORD.match(text[start - 1 : start]) or _WORD.match(text[end : end + 1]))
