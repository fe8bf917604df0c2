"""Rules in a file: what is read, and what is refused with which words."""

from __future__ import annotations

from typing import Any

import pytest

from portability.engine.custom_rules.rule import parse_rule, parse_rules, rule_to_json
from portability.engine.errors import InputError

GIVEN: dict[str, Any] = {
    "id": "ORG001",
    "name": "Images come from our registry",
    "path": "$..containers[*].image",
    "condition": "!value.startsWith('registry.bank.example/')",
    "effect": "change",
    "reason": "Clusters pull from our registry only.",
    "remedy": "Mirror the image.",
    "link": "https://wiki.example/registry",
    "applies_to": "amd",
    "enabled": True,
    "entered": "2026-11-30",
}


def test_a_rule_is_read_and_written_without_loss() -> None:
    assert rule_to_json(parse_rule(GIVEN, "rules.yaml")) == GIVEN


def test_what_may_be_left_out() -> None:
    given = {name: GIVEN[name] for name in ("id", "name", "path", "condition", "effect", "reason")}
    rule = parse_rule(given, "rules.yaml")
    assert (rule.applies_to, rule.enabled, rule.entered, rule.remedy, rule.link) == ("any", True, None, "", "")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"id": "IMG001"}, "must be ORG and a number"),
        ({"id": None}, "id is missing"),
        ({"reason": " "}, "reason is missing"),
        ({"reason": "x" * 401}, "at most 400"),
        ({"effect": "warn"}, "must be one of blocks, change, confirm, note"),
        ({"applies_to": "intel"}, "must be one of any, nvidia, amd"),
        ({"condition": True}, "condition must be text; put it in quotes"),
        ({"enabled": "yes"}, "enabled must be true or false"),
        ({"link": "javascript:alert(1)"}, "must start with https://"),
        ({"entered": "soon"}, "must be a day"),
        ({"severity": "high"}, "unknown field severity"),
    ],
)
def test_what_is_wrong_with_a_rule(change: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=r"^rules") as refused:
        parse_rule({**GIVEN, **change}, "rules.yaml")
    assert said in refused.value.message


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({}, "one list"),
        ({"rules": "x"}, "one list"),
        ({"rules": [], "more": 1}, "one list"),
        ({"rules": [1]}, "must be a mapping"),
        ({"rules": [GIVEN, GIVEN]}, "ORG001 is there twice"),
        ({"rules": [GIVEN] * 201}, "at most 200"),
    ],
)
def test_what_is_wrong_with_a_file(data: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_rules(data, "rules.yaml")
    assert said in refused.value.message
