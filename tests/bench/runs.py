"""Re-evaluation on PostgreSQL: a full run next to its parts, one worker next to two, and one cell that differs."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from itertools import islice

from tests.bench.filling import fill, mix
from tests.bench.served import seconds_until_done, served, settle, workers

WORKLOADS = 10_000
TARGETS = ("mi300x-single", "mi300x-cpx-mixed", "mi350p-jammy")
WANTED_SHARE = 0.0075  # of the assessments that consult the cell that is to differ
_AT_ONCE = 500

Pair = tuple[int, int]  # revision id, target id


def bench_runs() -> None:
    """Print what runs cost, as ratios to what they cannot do without, and how many assessments one cell touches."""
    with served() as database:
        from portability.accounts.models import Person
        from portability.matrices.actions import load_shipped
        from portability.targets.actions import load_shipped_targets
        from portability.targets.models import Target

        load_shipped()
        load_shipped_targets()
        Target.objects.exclude(name__in=TARGETS).update(active=False)
        curator = Person.objects.create(username="curator", curator=True)
        began = time.perf_counter()
        fill(WORKLOADS)
        pairs = WORKLOADS * len(TARGETS)
        print(f"{WORKLOADS:,} workloads x {len(TARGETS)} targets on {database}, {os.cpu_count()} processors")
        print(f"  filled with generated workloads in {time.perf_counter() - began:.0f} s")
        with workers(2):
            print(f"  {'judged for the first time, two workers':45} {_full_run(pairs):8.2f} s")
        for line in mix():
            print(f"  {line}")
        with workers(1):
            one = _full_run(pairs)
            incremental = _one_cell(curator)
            _same_value(curator)
        with workers(2):
            two = _full_run(pairs)
        engine, writing = _engine_alone(), _writing_alone()
    _print(pairs, one, two, engine, writing)
    allowed = 0.03 * one + 1
    print(
        f"  {'publishing one cell, and the run of it':45} {incremental:8.2f} s  {incremental / one:6.1%} of a full run"
    )
    print(f"  {'  3% of a full run, and a second':45} {allowed:8.2f} s  {incremental / allowed:6.2f} x that")


def _print(pairs: int, one: float, two: float, engine: float, writing: float) -> None:
    parts = engine + writing
    for name, seconds in (("engine alone", engine), ("writing alone", writing), ("both", parts)):
        print(f"  {name:45} {seconds:8.2f} s  {pairs / seconds:9,.0f} a second")
    print(f"  {'a full run, one worker':45} {one:8.2f} s  {one / parts:6.2f} x both")
    print(f"  {'a full run, two workers':45} {two:8.2f} s  {two / one:6.2f} x one worker")


def _full_run(pairs: int) -> float:
    """Seconds from asking for it to its end, where every target is another than what was judged."""
    from django.db.models import F

    from portability.register.actions import reassess_outdated
    from portability.register.models import Assessment
    from portability.targets.models import Target

    Target.objects.filter(active=True).update(version=F("version") + 1)
    before = _assessments()
    settle()
    began = time.perf_counter()
    run = reassess_outdated(None)
    assert run is not None and run.total == pairs
    seconds = seconds_until_done(run.pk, began)
    after = _assessments()
    assert len(after) == pairs == Assessment.objects.filter(current=True).count()
    assert not set(before.values()) & set(after.values()), "every assessment is another"
    return seconds


def _engine_alone() -> float:
    """Judging what the run judged, by the same facts in their JSON text, in this process and without a database."""
    from portability.engine.assess import Judge
    from portability.engine.declared import parse_declared
    from portability.engine.facts_json import facts_from_json
    from portability.matrices.queries import knowledge
    from portability.targets.models import Target
    from portability.targets.queries import engine_target
    from portability.workloads.models import Revision

    texts = [
        (json.dumps(facts), json.dumps(declared))
        for facts, declared in Revision.objects.order_by("pk").values_list("facts", "declared").iterator()
    ]
    published = knowledge()
    judges = [Judge(engine_target(target), published) for target in Target.objects.filter(active=True)]
    began = time.perf_counter()
    for facts_text, declared_text in texts:
        facts, declared = facts_from_json(json.loads(facts_text)), parse_declared(json.loads(declared_text), "")
        for judge in judges:
            judge.assess(facts, declared)
    return time.perf_counter() - began


def _writing_alone() -> float:
    """Writing in bulk what the run wrote, into tables without it. The last thing that is done: the rows are deleted."""
    from django.db import transaction

    from portability.register.models import Assessment, Row

    rows = list(Row.objects.order_by("pk"))
    Row.objects.all().delete()
    Assessment.objects.update(current=False)
    settle()
    seconds = 0.0
    waiting = iter(rows)
    while some := list(islice(waiting, _AT_ONCE)):
        written = Assessment.objects.in_bulk([row.assessment_id for row in some])
        for assessment in written.values():
            assessment.pk, assessment.current = None, True
            assessment._state.adding = True
        for row in some:
            row.pk = None
            row._state.adding = True
        began = time.perf_counter()
        with transaction.atomic():
            Assessment.objects.bulk_create([written[row.assessment_id] for row in some])
            for row in some:
                row.assessment = written[row.assessment_id]
            Row.objects.bulk_create(some)
        seconds += time.perf_counter() - began
    return seconds


def _one_cell(curator: object) -> float:
    """Publish a reading that differs in one cell from the one in force. Exactly what consulted it is judged again."""
    from portability.matrices.models import Release

    release, key, consulted = _chosen_cell()
    stored = Release.objects.get(source=release[0], version=release[1], state=Release.State.PUBLISHED)
    cell = stored.cells.get(key=key)
    before = _assessments()
    seconds, total = _publish(curator, stored, key, "unsupported" if cell.value != "unsupported" else "supported")
    after = _assessments()
    again = {pair for pair, pk in after.items() if before[pair] != pk}
    assert again == consulted, (len(again), len(consulted))
    assert total == len(consulted)
    print(f"  one cell differs: {release[0]} {release[1]} {key}".rstrip())
    print(f"  {len(consulted):,} of {len(before):,} assessments consulted it ({len(consulted) / len(before):.2%}),")
    print(f"  {len(again):,} were judged again: those, and no other")
    return seconds


def _same_value(curator: object) -> None:
    """Publish a reading of another day that says the same. Nothing is judged again."""
    from portability.matrices.models import Release

    stored = Release.objects.filter(state=Release.State.PUBLISHED).exclude(version="").order_by("pk")[0]
    before = _assessments()
    key, value = stored.cells.values_list("key", "value")[0]
    seconds, total = _publish(curator, stored, key, value)
    assert total == 0 and _assessments() == before
    print(f"  no cell differs: nothing was judged again, {seconds:.2f} s")


def _publish(curator: object, stored: object, key: str, value: str) -> tuple[float, int]:
    """Seconds to publish with this cell, its run included, and how many assessments that was."""
    from portability.accounts.models import Person
    from portability.matrices.actions import CellValues, enter_cell, publish
    from portability.matrices.effects import would_move
    from portability.matrices.models import Release

    assert isinstance(curator, Person) and isinstance(stored, Release)
    draft = enter_cell(curator, stored.pk, CellValues(key, value, "measured", "https://example.org/"))
    began = time.perf_counter()
    moves = would_move(draft)
    print(f"  {'what it would move, worked out for the page':45} {time.perf_counter() - began:8.2f} s")
    settle()
    began = time.perf_counter()
    published = publish(curator, draft.pk, digest=draft.digest, instead_of=stored.pk, gone_through=True)
    if published.run is None:
        assert moves.stale == 0
        return time.perf_counter() - began, 0
    print(f"  {'publishing alone':45} {time.perf_counter() - began:8.2f} s")
    assert moves.stale == published.run.total
    return seconds_until_done(published.run.pk, began), published.run.total


def _assessments() -> dict[Pair, int]:
    """The id of the current assessment of each revision and target."""
    from portability.register.models import Assessment

    found = Assessment.objects.filter(current=True).values_list("revision_id", "target_id", "pk")
    return {(revision, target): pk for revision, target, pk in found.iterator()}


def _chosen_cell() -> tuple[tuple[str, str], str, set[Pair]]:
    """A published cell that about the wanted share consulted, and the pairs that did: counted here, key by key."""
    from portability.matrices.queries import knowledge
    from portability.register.models import Assessment, ConsultedSet

    published = knowledge()
    named: dict[tuple[str, str, str], set[int]] = {}  # of each cell the sets that name it, itself or with others
    for pk, keys in ConsultedSet.objects.values_list("pk", "keys"):
        for source, version, asked in keys:
            release = published.release(source, version)
            for key in release.cells if release else ():
                if key == asked or (asked.endswith("/*") and key.startswith(asked[:-1])):
                    named.setdefault((source, release.version if release else "", key), set()).add(pk)
    current = Assessment.objects.filter(current=True)
    by_set = Counter(current.values_list("consulted_id", flat=True))
    total = sum(by_set.values())
    share = {cell: sum(by_set[pk] for pk in sets) / total for cell, sets in named.items()}
    source, version, key = min(sorted(share), key=lambda cell: abs(share[cell] - WANTED_SHARE) if share[cell] else 1)
    sets = named[source, version, key]
    pairs = set(current.filter(consulted__in=sets).values_list("revision_id", "target_id"))
    return (source, version), key, pairs
