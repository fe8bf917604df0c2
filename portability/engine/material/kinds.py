"""What a file of application material is, by its name and, where that does not tell, by what it holds."""

from __future__ import annotations

import re
from enum import StrEnum


class Kind(StrEnum):
    """How a file is read."""

    PYTHON = "python"
    NOTEBOOK = "notebook"
    REQUIREMENTS = "requirements"
    TOML_PACKAGES = "toml-packages"  # pyproject.toml, Pipfile, uv.lock, poetry.lock, pylock.toml
    JSON_LOCK = "json-lock"  # Pipfile.lock
    CONDA = "conda"
    SETUP_CFG = "setup-cfg"
    DOCKERFILE = "dockerfile"
    SHELL = "shell"
    C = "c"  # C, C++, CUDA and HIP
    PROSE = "prose"
    OTHER = "other"


_ENDINGS = {
    **dict.fromkeys(("py", "pyi", "pyw", "pyx"), Kind.PYTHON),
    "ipynb": Kind.NOTEBOOK,
    **dict.fromkeys(("sh", "bash", "zsh", "ksh", "mk"), Kind.SHELL),
    **dict.fromkeys(("c", "cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "cu", "cuh", "hip", "inl"), Kind.C),
    **dict.fromkeys(("md", "rst", "adoc", "html", "htm"), Kind.PROSE),
}
_OTHER_CODE = frozenset(
    {"go", "rs", "java", "kt", "js", "ts", "mjs", "lua", "jl", "rb", "pl", "scala", "cs", "cmake", "r"}
)
_TOML_NAMES = re.compile(r"(?:pyproject\.toml|pipfile|(?:uv|poetry|pdm)\.lock|pylock(?:\.[\w-]+)?\.toml)$")
_REQUIREMENTS = re.compile(r"(?:require|constraint)[^/]*\.(?:txt|in|pip)$")
_REQUIREMENT = re.compile(r"(?:--?[a-z]|[A-Za-z0-9][\w.-]*[ \t]*(?:\[[^\]]*\])?[ \t]*(?:$|[=<>~!@;#]))")
_DOCKERFILE = re.compile(r"(?:^|[._-])(?:dockerfile|containerfile)(?:[._-][\w.-]+)?$")
_CONDA_NAME = re.compile(r"(?:environment|conda|env)[\w.-]*\.ya?ml$")
_CONDA = re.compile(r"(?m)^dependencies[ \t]*:")
_KUBERNETES = re.compile(r"(?m)^(?:[ \t]*-[ \t]+)?[\"']?(?:apiVersion|kind)[\"']?[ \t]*:")
_PYTHON_FIRST = re.compile(r"#!.*\bpython")
_SHELL_FIRST = re.compile(r"#!.*\b(?:ba|z|k|da)?sh\b")


def kind_of(name: str, text: str) -> Kind:
    """What a file is. A name that tells nothing is looked up in its first line."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
    by_name = _by_name(last)
    if by_name is not None:
        return by_name
    if last.endswith((".yaml", ".yml")) and is_conda(last, text):
        return Kind.CONDA
    if last.endswith((".txt", ".in")) and _is_requirements(text):
        return Kind.REQUIREMENTS
    first = text[:200].partition("\n")[0]
    if _PYTHON_FIRST.match(first):
        return Kind.PYTHON
    return Kind.SHELL if _SHELL_FIRST.match(first) else Kind.OTHER


def name_for(text: str) -> str:
    """A name for what was pasted without one."""
    if _is_requirements(text):
        return "requirements.txt"
    said = next((line for line in map(str.strip, text[:5_000].split("\n")) if line and not line.startswith("#")), "")
    if re.match(r"(?:FROM\s+\S+|ARG\s+\w+)", said) and re.search(r"(?m)^FROM\s", text):
        return "Dockerfile"
    return "start.sh" if _SHELL_FIRST.match(text[:200]) else "code.py"


def is_program(name: str, text: str) -> bool:
    """Whether a file is written in a language whose names are no values: `token = read()` sets none."""
    kind = kind_of(name, text)
    ending = name.lower().rpartition(".")[2]
    return kind in (Kind.PYTHON, Kind.NOTEBOOK, Kind.C) or (kind is Kind.OTHER and ending in _OTHER_CODE)


def is_material(name: str, text: str) -> bool:
    """Whether a file among manifests is application material by its name: code, a script or a list of packages."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1].lower()
    by_name = _by_name(last)
    if by_name is not None:
        return by_name is not Kind.PROSE
    return last.rpartition(".")[2] in _OTHER_CODE or last in ("makefile", "cmakelists.txt") or is_conda(last, text)


def is_manifest(name: str, text: str) -> bool:
    """Whether a file among application material is a Kubernetes manifest; one without an ending may be."""
    may_be = "." not in name or name.lower().endswith((".yaml", ".yml", ".json"))
    return may_be and len(set(_KUBERNETES.findall(text))) > 1


def is_conda(name: str, text: str) -> bool:
    """Whether a YAML file lists the packages of a conda environment."""
    return bool(_CONDA_NAME.search(name.lower()) and _CONDA.search(text)) and not _KUBERNETES.search(text)


def _is_requirements(text: str) -> bool:
    """Whether each line of a text is a requirement or an option, as in `requirements/base.txt`."""
    said = [line for line in map(str.strip, text[:20_000].split("\n")) if line and not line.startswith("#")]
    return bool(said) and all(map(_REQUIREMENT.match, said[:200]))


def _by_name(last: str) -> Kind | None:
    if _TOML_NAMES.search(last):
        return Kind.TOML_PACKAGES
    if last == "pipfile.lock":
        return Kind.JSON_LOCK
    if last == "setup.cfg":
        return Kind.SETUP_CFG
    if _REQUIREMENTS.search(last):
        return Kind.REQUIREMENTS
    if _DOCKERFILE.search(last):
        return Kind.DOCKERFILE
    if last in ("makefile", "gnumakefile"):
        return Kind.SHELL
    return _ENDINGS.get(last.rpartition(".")[2]) if "." in last else None
