"""What differs between what is saved now and what was sent."""

from __future__ import annotations

from portability.workloads.differences import of_facts, of_files


def test_files_that_were_added_removed_or_changed() -> None:
    theirs = {"same.yaml": "a", "changed.yaml": "a\nb", "gone.yaml": "x"}
    mine = {"same.yaml": "a", "changed.yaml": "a\nc", "new.yaml": "y"}
    found = {d.file: [line for line in d.lines or [] if line[0] in "+-"] for d in of_files(theirs, mine)}
    assert found == {"changed.yaml": ["-b", "+c"], "gone.yaml": ["-x", "+"], "new.yaml": ["-", "+y"]}


def test_files_too_long_to_compare_are_named_all_the_same() -> None:
    (found,) = of_files({"long.yaml": "a\n" * 100_001}, {"long.yaml": "a"})
    assert (found.file, found.lines) == ("long.yaml", None)


def test_facts_that_differ() -> None:
    theirs = {"owner": "ann", "model_kind": "pooling", "features": ["lora"]}
    mine = {"owner": "ann", "features": [{"name": "lora", "required": True}], "replicas": 2}
    assert of_facts(theirs, mine) == [
        ("model kind", "pooling", ""),
        ("features", '["lora"]', '[{"name": "lora", "required": true}]'),
        ("replicas", "", "2"),
    ]
