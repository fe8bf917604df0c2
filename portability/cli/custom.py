"""Rules of one's own on the command line: `portability assess --rules FILE`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from portability.engine.errors import InputError
from portability.engine.input_files import read_mapping
from portability.engine.model import Finding, Target
from portability.engine.output.report import Unusable

Files = Sequence[tuple[str, bytes]]


class OwnRules:
    """The enabled rules of a file. One at fault says nothing of any workload. `unusable`: which, and why."""

    def __init__(self, file: str) -> None:
        try:
            from portability.engine.custom_rules.evaluation import compile_rules
            from portability.engine.custom_rules.rule import parse_rules
        except ImportError:
            raise InputError(
                file, 0, "custom rules need cel-python and jsonpath-rfc9535: install requirements/cli.txt"
            ) from None
        self._file = file
        self._compiled = compile_rules(parse_rules(read_mapping(Path(file)), file), file)
        self.unusable: list[Unusable] = []

    def findings(self, units: Sequence[Files], target: Target) -> list[list[Finding]]:
        """What they find in each of several workloads. Values are shown as they are stored: without secrets."""
        from portability.engine.custom_rules.evaluation import Fault, Outcome, evaluate
        from portability.engine.custom_rules.trees import read_trees
        from portability.engine.manifests.secrets import redact

        trees = [read_trees(redact(files).files) for files in units]
        found: list[list[Finding]] = [[] for _ in units]
        for compiled in self._compiled:
            outcomes = [evaluate(compiled, each, target) for each in trees]
            fault = next((outcome for outcome in outcomes if isinstance(outcome, Fault)), None)
            if fault is not None:
                message = f"{compiled.rule.id} was left out: {fault.why}. Let it look at less."
                self.unusable.append(Unusable(self._file, 0, message))
                continue
            for findings, outcome in zip(found, outcomes, strict=True):
                if isinstance(outcome, Outcome):
                    findings += outcome.findings
        return found


def in_document(findings: Sequence[Finding], index: int | None) -> list[Finding]:
    """Those in one document of a file; all where None is asked for."""
    return [f for f in findings if index is None or (f.place and f.place.pointer.startswith(f"{index}:"))]
