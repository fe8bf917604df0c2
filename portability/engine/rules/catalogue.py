"""All rules, found by walking the packages below this one: a new rule is a new file and nothing else."""

from __future__ import annotations

import hashlib
import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module

from portability import __version__
from portability.engine import facts_json
from portability.engine import rules as package
from portability.engine.rules.base import Rule
from portability.engine.vendor_rows.rows import shipped


@cache
def listed() -> tuple[Rule, ...]:
    """Every rule a reader may meet, ordered by id: those that judge, and those worked out when shown."""
    return collect(modules())


@cache
def rules() -> tuple[Rule, ...]:
    """The rules that judge, ordered by id."""
    return tuple(each for each in listed() if each.scope != "shown")


def modules() -> list[str]:
    """The names of all modules below this package."""
    return [module.name for module in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]


def collect(names: Iterable[str]) -> tuple[Rule, ...]:
    """The rules of these modules. A module is a rule's where it defines `RULE`; others there are helpers."""
    found: dict[str, Rule] = {}
    for name in names:
        rule = getattr(import_module(name), "RULE", None)
        if not isinstance(rule, Rule):
            continue
        if rule.id in found:
            raise ValueError(f"rule {rule.id} is defined twice, the second time in {name}")
        found[rule.id] = rule
    return tuple(found[id_] for id_ in sorted(found))


def rule(id_: str) -> Rule | None:
    """The rule with this id, or None."""
    return next((each for each in listed() if each.id == id_), None)


def family(rule: Rule) -> str:
    """What the rules beside this one are about, as their package says: `Rules on container images.`"""
    judges = next(each for each in (rule.at, rule.serving, rule.check) if each is not None)
    return import_module(judges.__module__.rpartition(".")[0]).__doc__ or ""


@cache
def digest() -> str:
    """A digest of versions, judging rules' ids and shipped rows: stored with assessments, to tell which are old."""
    versions = f"{__version__}\n{facts_json.EXTRACTOR_VERSION}"
    ids = "\n".join(each.id for each in rules())
    return hashlib.sha256(f"{versions}\n{ids}\n{shipped().digest}".encode()).hexdigest()
