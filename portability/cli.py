"""The engine on a terminal and in pipelines: `portability assess|rules`. No database, no settings, no Django."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from portability import __version__
from portability.engine.assess import Judge
from portability.engine.declared import parse_declared
from portability.engine.documents import document_indexes, facts_of_document
from portability.engine.errors import InputError
from portability.engine.input_files import MANIFEST_ENDINGS, read_mapping
from portability.engine.manifests import read_facts
from portability.engine.matrices import shipped
from portability.engine.model import Assessment, Declared, Facts, Target, Verdict
from portability.engine.output import rules_text, text
from portability.engine.output.json import report_to_json
from portability.engine.overdue import with_overdue
from portability.engine.rules import catalogue
from portability.engine.targets import parse_target, shipped_targets

DEFAULT_TARGET = "mi300x-single"
FAIL_ON = {
    "pinned": {Verdict.PINNED},
    "needs-change": {Verdict.PINNED, Verdict.NEEDS_CHANGE},
    "never": set[Verdict](),
}
NOTHING, SOMETHING, UNUSABLE = 0, 1, 2


class Unit(NamedTuple):
    """What is judged as one workload."""

    name: str
    files: tuple[str, ...]
    facts: Facts


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line. Returns the exit status: 0 fine, 1 something at or above --fail-on, 2 unusable input."""
    arguments = _parser().parse_args(argv)
    try:
        return int(arguments.run(arguments))
    except InputError as error:
        print(f"portability: {error}", file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOTHING


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="portability", description="Could this GPU workload move to another vendor?")
    parser.add_argument("--version", action="version", version=f"portability {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    assess = commands.add_parser("assess", help="judge manifests for a target")
    assess.add_argument("paths", nargs="*", metavar="PATH", help="files, directories, or - for standard input")
    assess.add_argument("--target", default=DEFAULT_TARGET, help="a shipped target's name, or a target file")
    assess.add_argument("--workload", help="a file of declared facts")
    assess.add_argument("--format", choices=["text", "json"], default="text")
    assess.add_argument("--per", choices=["file", "directory", "document"], default="file")
    assess.add_argument("--fail-on", choices=list(FAIL_ON), default="pinned")
    assess.add_argument("--as-of", type=date.fromisoformat, help="the day to judge by which sources are overdue")
    assess.set_defaults(run=_assess)
    rules = commands.add_parser("rules", help="list the rules, or explain one")
    rules.add_argument("id", nargs="?", metavar="ID", help="a rule's id, such as IMG001")
    rules.set_defaults(run=_rules)
    return parser


def _rules(arguments: argparse.Namespace) -> int:
    """Print the catalogue, or what one rule says of itself."""
    if arguments.id is None:
        sys.stdout.write(rules_text.listing(catalogue.listed()))
    elif rule := catalogue.rule(arguments.id.upper()):
        sys.stdout.write(rules_text.explanation(rule))
    else:
        raise InputError(arguments.id, 0, "no rule has this id; `portability rules` lists them")
    sys.stdout.flush()
    return NOTHING


def _assess(arguments: argparse.Namespace) -> int:
    """Read what was named, judge it, print it. An input that cannot be used is said on standard error."""
    if not arguments.paths and not arguments.workload:
        raise InputError("", 0, "name a file, a directory or - to assess, or give --workload")
    target = _target(arguments.target)
    declared = _declared(arguments.workload)
    files, unusable = _read(arguments.paths)
    units = _units(files, arguments.per, declared)
    knowledge = shipped.knowledge()
    judge = Judge(target, knowledge)
    as_of = arguments.as_of or datetime.now(UTC).astimezone().date()
    judged: list[tuple[str, Sequence[str], Assessment]] = [
        (
            unit.name,
            unit.files,
            with_overdue(
                judge.assess(unit.facts, declared or Declared(), registered=declared is not None), knowledge, as_of
            ),
        )
        for unit in units
    ]
    _print(arguments.format, target, judged)
    unusable += [str(problem) for unit in units for problem in unit.facts.problems]
    for message in dict.fromkeys(unusable):
        print(" ".join(message.split()), file=sys.stderr)
    if unusable:
        return UNUSABLE
    return SOMETHING if any(a.verdict in FAIL_ON[arguments.fail_on] for _, _, a in judged) else NOTHING


def _print(form: str, target: Target, judged: Sequence[tuple[str, Sequence[str], Assessment]]) -> None:
    if form == "json":
        json.dump(report_to_json(target, judged), sys.stdout, indent=2, ensure_ascii=False)
        sys.stdout.write("\n")
    else:
        colour = sys.stdout.isatty() and "NO_COLOR" not in os.environ
        sys.stdout.write(text.report(target, judged, colour=colour))
    sys.stdout.flush()


def _target(name: str) -> Target:
    """A shipped target by name, else a file."""
    known = shipped_targets()
    if name in known:
        return parse_target(known[name], name)
    if not Path(name).is_file():
        raise InputError(name, 0, f"no such target file, and no shipped target of this name: {', '.join(known)}")
    return parse_target(read_mapping(Path(name)), name, Path(name).parent)


def _declared(name: str | None) -> Declared | None:
    return parse_declared(read_mapping(Path(name)), name) if name else None


def _read(paths: Sequence[str]) -> tuple[list[tuple[str, bytes]], list[str]]:
    """Every file named, in order, and what could not be opened."""
    files: list[tuple[str, bytes]] = []
    unusable: list[str] = []
    for path in paths:
        if path == "-":
            files.append(("-", sys.stdin.buffer.read()))
            continue
        try:
            found = list(_manifests(Path(path)))
            if not found:
                unusable.append(f"{path}: no manifests ({', '.join(MANIFEST_ENDINGS)}) in this directory")
            files += [(str(file), file.read_bytes()) for file in found]
        except OSError as error:
            unusable.append(f"{path}: cannot be read: {error.strerror}")
    return files, unusable


def _manifests(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(p for p in path.rglob("*") if p.suffix in MANIFEST_ENDINGS and p.is_file())
    else:
        yield path


def _units(files: Sequence[tuple[str, bytes]], per: str, declared: Declared | None) -> list[Unit]:
    """The files as workloads. With declared facts everything is one workload, since only one was declared."""
    if declared is not None:
        name = declared.name or (Path(files[0][0]).stem if files else "workload")
        return [Unit(name, tuple(f for f, _ in files), read_facts(files))]
    if per == "directory":
        folders: dict[Path, list[tuple[str, bytes]]] = {}
        for name, content in files:
            folders.setdefault(Path(name).parent, []).append((name, content))
        return [
            Unit(folder.resolve().name, tuple(n for n, _ in group), read_facts(group))
            for folder, group in folders.items()
        ]
    units = [Unit(Path(name).stem, (name,), read_facts([(name, content)])) for name, content in files]
    if per == "file":
        return units
    return [
        Unit(f"{unit.name}#{index}", unit.files, facts_of_document(unit.facts, index))
        for unit in units
        for index in (document_indexes(unit.facts) or [0])
    ]


if __name__ == "__main__":
    sys.exit(main())
