"""Rules in words, for a terminal and for the pages that say the same."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import yaml

from portability.engine.model import Effect, Vendor
from portability.engine.output.terminal import Style, wrapped
from portability.engine.rules.base import Example, Rule
from portability.engine.targets import shipped_targets

_EFFECTS = {Effect.BLOCKS: "blocks", Effect.CHANGE: "to change", Effect.CONFIRM: "to confirm", Effect.NOTE: "note"}
_SCOPES = {
    "workload": "about a workload",
    "target": "about a target, for all its workloads",
    "both": "about a workload or a target",
    "shown": "worked out when shown, for a day, and never stored",
}


class Given(NamedTuple):
    """One thing an example is judged with: what it is, and its text where it has one."""

    what: str
    text: str = ""


def effects(rule: Rule) -> str:
    """`blocks, to change`, worst first."""
    return ", ".join(_EFFECTS[effect] for effect in rule.effects)


def scope(rule: Rule) -> str:
    """What the rule's findings are about."""
    return _SCOPES[rule.scope]


def outcome(example: Example) -> str:
    """`hit, to change`; `unknown, to confirm`; `unknown, left to SRV002, to confirm`; `miss`."""
    left = f"left to {example.by}" if example.by else ""
    effect = _EFFECTS[example.effect] if example.effect else ""
    return ", ".join(word for word in (example.outcome, left, effect) if word)


def given(example: Example) -> list[Given]:
    """What an example is judged with; where it gives nothing, the target that examples start from."""
    found = [Given("Manifest", example.manifest)] if example.manifest.strip() else []
    if example.workload:
        found.append(Given("The workload declares", _yaml(example.workload)))
    if example.target or not found:
        found.append(_target(example))
    if example.as_of:
        found.append(Given(f"On {example.as_of.isoformat()}"))
    return found


def _target(example: Example) -> Given:
    name = "h100" if example.target.get("vendor") == Vendor.NVIDIA else "mi300x-single"
    shipped = shipped_targets()[name]
    changes = {key: value for key, value in example.target.items() if shipped.get(key) != value}
    return Given(f"Target {name}, with", _yaml(changes)) if changes else Given(f"Target {name}")


def _yaml(values: Mapping[str, Any]) -> str:
    return yaml.safe_dump(dict(values), sort_keys=False, allow_unicode=True)


def listing(rules: Iterable[Rule]) -> str:
    """One line a rule: id, name, class and what its findings do."""
    lines = [(rule.id, rule.name, rule.class_, effects(rule)) for rule in rules]
    widths = [max(len(line[column]) for line in lines) for column in range(3)]
    return "".join(
        "  ".join((*(word.ljust(width) for word, width in zip(line, widths, strict=False)), line[3])) + "\n"
        for line in lines
    )


def explanation(rule: Rule, *, width: int = 100, colour: bool = False) -> str:
    """A rule with its reasons and its examples."""
    return "\n".join(_explained(rule, width, Style(colour))).rstrip("\n") + "\n"


def _explained(rule: Rule, width: int, style: Style) -> Iterator[str]:
    yield style(f"{rule.id}  {rule.title}", "1")
    yield f"{rule.name} · {rule.class_} · {scope(rule)} · {effects(rule)}"
    for heading, texts in (
        ("Why", [rule.why]),
        ("How to fix", [rule.fix]),
        ("Looks at", rule.reads),
        ("References", rule.references),
    ):
        yield from ("", style(heading, "1"))
        yield from _wrapped(texts, width)
    yield from ("", style("Examples", "1"))
    for example in rule.examples:
        yield from _wrapped([f"{outcome(example)}: {example.says}"], width, "    ")
        for what, text in given(example):
            yield f"    {what}"
            if text:
                yield textwrap.indent(text.strip("\n"), "      ")
        yield ""


def _wrapped(texts: Sequence[str], width: int, indent: str = "  ") -> Iterator[str]:
    """Paragraphs set in from the left; `indent` is that of every line after the first."""
    for text in texts:
        yield from wrapped(text, width, "  ", indent)
