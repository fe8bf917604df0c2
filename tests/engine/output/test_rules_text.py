"""`portability rules`: the catalogue and one rule, as a terminal shows them."""

from __future__ import annotations

import pytest

from portability.cli import main
from portability.engine.output import rules_text
from portability.engine.rules import catalogue
from portability.engine.rules.base import Rule

EVERY = catalogue.listed()


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["rules", *arguments]) == 0
    return capsys.readouterr().out


def test_the_list_has_a_line_for_every_rule_with_id_name_class_and_effects(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys).splitlines()
    assert [line.split()[:3] for line in lines] == [[rule.id, rule.name, rule.class_] for rule in EVERY]
    by_id = {line.split()[0]: line for line in lines}
    assert by_id["IMG002"].endswith("blocks, to confirm")
    assert by_id["KNO001"].endswith("note")
    at = {line.index(f"  {rule.class_} ") for line, rule in zip(lines, EVERY, strict=True)}
    assert len(at) == 1, "columns stand in line"


def test_one_rule_says_why_how_to_fix_what_it_reads_and_its_examples(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "img001")
    rule = catalogue.rule("IMG001")
    assert rule is not None
    flat = " ".join(text.split())
    for said in (rule.id, rule.name, rule.title, rule.why, rule.fix, *rule.reads, *rule.references):
        assert said in flat
    assert "hit, to change: a mirrored CUDA build with a digest" in text
    assert "Target h100" in text


def test_an_id_that_no_rule_has_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "IMG999"]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert out.err == "portability: IMG999: no rule has this id; `portability rules` lists them\n"


@pytest.mark.parametrize("rule", EVERY, ids=lambda rule: rule.id)
def test_every_rule_is_explained_whole(rule: Rule) -> None:
    text = rules_text.explanation(rule)
    assert text.endswith("\n")
    for example in rule.examples:
        for line in example.manifest.splitlines():
            assert line in text, "a manifest stands as it is written"
        assert rules_text.given(example), "an example says what it is judged with"
    prose = [line for line in text.splitlines() if line.startswith("  ") and not line.startswith("    ")]
    assert all(len(line) <= 100 for line in prose if "https://" not in line)


def test_what_an_example_leaves_to_another_rule_is_said() -> None:
    outcomes = {rule.id: [rules_text.outcome(example) for example in rule.examples] for rule in EVERY}
    assert outcomes["SRV001"][-1] == "unknown, left to SRV002, to confirm"
    assert "miss" in outcomes["SRV001"]
    assert outcomes["KNO001"][0] == "hit, note"


def test_only_what_differs_from_the_shipped_target_is_given() -> None:
    rule = catalogue.rule("SRV001")
    assert rule is not None
    on_hopper = next(example for example in rule.examples if example.target)
    assert rules_text.given(on_hopper)[-1] == rules_text.Given("Target h100")
    moved = catalogue.rule("KNO001")
    assert moved is not None
    assert rules_text.given(moved.examples[0]) == [
        rules_text.Given("Target mi300x-single"),
        rules_text.Given("On 2036-01-01"),
    ]
    assert rules_text.given(moved.examples[-1])[0] == rules_text.Given("Target mi300x-single, with", "amdgpu: 6.4.3\n")
