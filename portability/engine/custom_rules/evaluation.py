"""Custom rules on manifests: what a rule says about them, or why it may not go on."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from portability.engine.custom_rules.bounds import MAX_MATCHES, MAX_SECONDS, MAX_STEPS, Exceeded, Meter
from portability.engine.custom_rules.conditions import Condition, NotBoolean, Unanswered, converted
from portability.engine.custom_rules.paths import Path
from portability.engine.custom_rules.rule import CLASS, SOURCE, CustomRule
from portability.engine.custom_rules.trees import DocumentTree, Location, Places, objects_in
from portability.engine.errors import InputError
from portability.engine.model import Evidence, Finding, Place, Target
from portability.engine.targets import target_to_json

_NO_TEXT = re.compile(r"-?\d{1,9}(?:\.\d{1,9})?|true|false|null")
VALUE_LENGTH = 200  # characters of a value that a finding repeats


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a rule says of one workload for one target.

    `unanswered`: on how many values the condition could not be told, by why. It does not hold there: a field that is
    absent is no reason to switch a rule off, and none for a finding.
    """

    findings: tuple[Finding, ...] = ()
    looked: int = 0  # values the path led to
    unanswered: Mapping[str, int] = field(default_factory=dict)
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a rule must be switched off: never a verdict."""

    why: str


class Compiled:
    """A rule that was understood. Not for two threads at once."""

    def __init__(self, rule: CustomRule, path: Path, condition: Condition) -> None:
        self.rule = rule
        self.path = path
        self.condition = condition


def compile_rule(rule: CustomRule) -> Compiled:
    """Understand a rule's path and condition. Raises InputError, whose `file` is `path` or `condition`."""
    return Compiled(rule, Path(rule.path), Condition(rule.condition))


def compile_rules(rules: Sequence[CustomRule], where: str) -> list[Compiled]:
    """The enabled rules of a file, understood. Raises InputError, naming the rule."""
    compiled = []
    for rule in rules:
        try:
            found = compile_rule(rule)
        except InputError as error:
            raise InputError(where, 0, f"{rule.id}, {error.file}: {error.message}") from None
        if rule.enabled:
            compiled.append(found)
    return compiled


def evaluate(
    compiled: Compiled,
    trees: Sequence[DocumentTree],
    target: Target,
    *,
    steps: int = MAX_STEPS,
    seconds: float = MAX_SECONDS,
) -> Outcome | Fault:
    """What a rule says of one workload's documents for a target. Never raises for what a rule or a manifest holds."""
    rule = compiled.rule
    if not rule.applies(target):
        return Outcome()
    meter = Meter(steps, seconds)
    findings: list[Finding] = []
    unanswered: Counter[str] = Counter()
    looked = 0
    try:
        for places, location, value, variables in _matches(compiled, trees, target, meter):
            looked += 1
            if looked > MAX_MATCHES:
                raise Exceeded(f"its path leads to more than {MAX_MATCHES:,} values")
            try:
                holds = compiled.condition.holds(variables, meter)
            except Unanswered as error:
                unanswered[str(error)] += 1
                continue
            if holds:
                findings.append(_finding(rule, places.of(location), value))
    except (Exceeded, NotBoolean) as error:
        return Fault(str(error))
    except (RecursionError, MemoryError):
        return Fault("it goes too deep")
    except Exception as error:  # whatever a library raises on what a rule asks of it: the rule is at fault, no verdict
        return Fault(f"it cannot be evaluated: {type(error).__name__}")
    return Outcome(tuple(findings), looked, dict(unanswered), meter.used)


def _matches(
    compiled: Compiled, trees: Sequence[DocumentTree], target: Target, meter: Meter
) -> Iterator[tuple[Places, Location, Any, Mapping[str, Any]]]:
    """Each value that the path leads to, with what the condition may ask about, as far as it does."""
    names = compiled.condition.names
    common = {"target": converted(target_to_json(target), meter)} if "target" in names else {}
    for tree in trees:
        places = Places(tree)
        for at, root in objects_in(tree.value):
            document: dict[str, Any] | None = None
            for location, value in compiled.path.find(root, meter):
                if document is None:
                    document = {"document": converted(root, meter)} if "document" in names else {}
                own = {"value": converted(value, meter)} if "value" in names else {}
                yield places, (*at, *location), value, {**common, **document, **own}


def _finding(rule: CustomRule, place: Place, value: Any) -> Finding:
    return Finding(
        rule=rule.id,
        class_=CLASS,
        effect=rule.effect,
        reason=rule.reason,
        remedy=rule.remedy,
        place=place,
        value=value_in_words(value),
        evidence=(
            Evidence(
                source=SOURCE,
                version="",
                read=rule.entered,
                cell=rule.id,
                value=f"{rule.path} where {' '.join(rule.condition.split())}",
                link=rule.link,
            ),
        ),
    )


def value_in_words(value: Any) -> str:
    """A value as one short line."""
    if isinstance(value, str):
        text = " ".join(value.split())
    else:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
        if isinstance(value, dict | list):
            text = f"{text[0]} {text[1:-1]} {text[-1]}"
    return text if len(text) <= VALUE_LENGTH else text[: VALUE_LENGTH - 1] + "…"


def told_to_all(pointer: str, value: str) -> bool:
    """Whether a finding's value may be shown to those who may not read the manifest it stands in.

    A rule may lead to any text, so that only what is no text is told, and which image: those stand in verdicts anyway.
    """
    return bool(_NO_TEXT.fullmatch(value)) or (pointer.endswith("/image") and len(value.split()) == 1)
