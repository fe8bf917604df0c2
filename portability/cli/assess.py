"""`portability assess`: manifests and declared facts judged for a target."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, NamedTuple

from portability.cli.inputs import address, read_inputs, shown
from portability.cli.printing import colour, print_data, print_text, width
from portability.cli.status import NOTHING, SOMETHING, UNUSABLE
from portability.engine.errors import InputError
from portability.engine.manifests.collector import collector_resting
from portability.engine.model import Declared, Facts, Finding, Target, Verdict
from portability.engine.output.report import Judged, Report, Source, Unusable

DEFAULT_TARGET = "mi300x-single"
FORMATS = ("text", "json", "sarif", "csv")
FAIL_ON = {
    "pinned": {Verdict.PINNED},
    "needs-change": {Verdict.PINNED, Verdict.NEEDS_CHANGE},
    "never": set[Verdict](),
}


class Unit(NamedTuple):
    """What is judged as one workload."""

    name: str
    files: tuple[str, ...]
    facts: Facts
    document: int | None = None  # of its file, where one document is a workload


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser("assess", help="judge manifests for a target")
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files, directories, or - for standard input")
    parser.add_argument("--target", default=DEFAULT_TARGET, help="a shipped target's name, or a target file")
    parser.add_argument("--workload", help="a file of declared facts")
    parser.add_argument("--rules", help="a file of the organisation's own rules, as the application exports it")
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_argument("--per", choices=["file", "directory", "document"], default="file")
    parser.add_argument("--fail-on", choices=list(FAIL_ON), default="pinned")
    parser.add_argument("--as-of", type=date.fromisoformat, help="the day to judge by which sources are overdue")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read what was named, judge it, print it. An input that cannot be used is said on standard error."""
    if not arguments.paths and not arguments.workload:
        raise InputError("", 0, "name a file, a directory or - to assess, or give --workload")
    target, target_file = _target(arguments.target)
    declared = _declared(arguments.workload)
    sources, unopened = read_inputs(arguments.paths)
    with collector_resting():
        units = _units(sources, arguments.per, declared)
        besides, faults = _own_findings(arguments.rules, units, sources, target)
        judged = _judge(units, target, declared, arguments.as_of or datetime.now(UTC).astimezone().date(), besides)
    partly = [Unusable(p.file, p.line, f"{p.message}. {p.remedy}") for unit in units for p in unit.facts.problems]
    unusable = list(dict.fromkeys([*unopened, *partly, *faults]))
    some = any(each.assessment.verdict in FAIL_ON[arguments.fail_on] for each in judged)
    status = UNUSABLE if unusable else SOMETHING if some else NOTHING
    for name in filter(None, (target_file, arguments.workload)):
        sources.setdefault(shown(name), Source(address(name), b""))
    for problem in unusable:
        print(problem, file=sys.stderr)
    _print(
        arguments.format,
        Report(target, judged, unusable, status, sources, shown(target_file), shown(arguments.workload or "")),
    )
    return status


def _own_findings(
    file: str | None, units: list[Unit], sources: Mapping[str, Source], target: Target
) -> tuple[list[list[Finding]], list[Unusable]]:
    """What the rules of a file find in each unit, and which of them are at fault."""
    if not file:
        return [[] for _ in units], []
    from portability.cli.custom import OwnRules, in_document

    rules = OwnRules(file)
    found = rules.findings([[(name, sources[name].content) for name in unit.files] for unit in units], target)
    return [in_document(each, unit.document) for each, unit in zip(found, units, strict=True)], rules.unusable


def _judge(
    units: list[Unit], target: Target, declared: Declared | None, as_of: date, besides: list[list[Finding]]
) -> list[Judged]:
    from portability.engine.assess import Judge
    from portability.engine.matrices import shipped
    from portability.engine.overdue import with_overdue

    knowledge = shipped.knowledge()
    judge = Judge(target, knowledge)
    return [
        Judged(
            unit.name,
            unit.files,
            with_overdue(
                judge.assess(unit.facts, declared or Declared(), registered=declared is not None, besides=own),
                knowledge,
                as_of,
            ),
            declared is None and not unit.facts.runs_something,
        )
        for unit, own in zip(units, besides, strict=True)
    ]


def _print(form: str, report: Report) -> None:
    """In the format asked for; each is imported only where it is written."""
    if form == "text":
        from portability.engine.output.text import text

        print_text(text(report, colour=colour(), width=width()))
    elif form == "csv":
        from portability.engine.output.csv import csv_lines

        print_data(csv_lines(report))
    else:
        import json

        from portability.engine.output.json import report_to_json
        from portability.engine.output.sarif import report_to_sarif

        answer = report_to_json(report) if form == "json" else report_to_sarif(report)
        print_data([json.dumps(answer, indent=2, ensure_ascii=False), "\n"])


def _target(name: str) -> tuple[Target, str]:
    """A shipped target by name, else a file, whose path then comes with it."""
    from portability.engine.input_files import read_mapping
    from portability.engine.targets import parse_target, shipped_targets

    known = shipped_targets()
    if name in known:
        return parse_target(known[name], name), ""
    if not os.path.isfile(name):
        raise InputError(name, 0, f"no such target file, and no shipped target of this name: {', '.join(known)}")
    return parse_target(read_mapping(Path(name)), name, Path(name).parent), name


def _declared(name: str | None) -> Declared | None:
    from portability.engine.declared import parse_declared
    from portability.engine.input_files import read_mapping

    return parse_declared(read_mapping(Path(name)), name) if name else None


def _units(sources: Mapping[str, Source], per: str, declared: Declared | None) -> list[Unit]:
    """The files as workloads. With declared facts everything is one workload, since only one was declared."""
    from portability.engine.documents import document_indexes, facts_of_document
    from portability.engine.manifests import read_facts

    files = [(name, source.content) for name, source in sources.items()]
    if declared is not None:
        name = declared.name or (Path(files[0][0]).stem if files else "workload")
        return [Unit(name, tuple(f for f, _ in files), read_facts(files))]
    if per == "directory":
        folders: dict[Path, list[tuple[str, bytes]]] = {}
        for name, content in files:
            folders.setdefault(Path(name).parent, []).append((name, content))
        return [
            Unit(os.path.basename(os.path.abspath(folder)), tuple(n for n, _ in group), read_facts(group))
            for folder, group in folders.items()
        ]
    units = [Unit(Path(name).stem, (name,), read_facts([(name, content)])) for name, content in files]
    if per == "file":
        return units
    return [
        Unit(f"{unit.name}#{index}", unit.files, facts_of_document(unit.facts, index), index)
        for unit in units
        for index in (document_indexes(unit.facts) or [0])
    ]
