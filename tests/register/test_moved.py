"""What moved: kept with the run or the save that moved it, told by team and with why, and gathered once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from unittest import mock

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from portability.accounts.models import Person
from portability.engine.model import Verdict
from portability.matrices.models import Release
from portability.register import actions, batches, moved, movements
from portability.register.judging import Judged, Judges
from portability.register.models import Assessment, Batch, Bulletin, Movement, Run
from portability.register.moved_cells import Answer
from portability.rules.custom import actions as rules
from portability.rules.models import CustomRule
from portability.targets.actions import save_target
from portability.targets.models import Target
from portability.workloads.actions import Entry, move, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Revision, Workload
from tests.conftest import Cast
from tests.matrices.keeping import LINUX, MIGRAPHX, POD, ROCM, draft, publish, redraft, target
from tests.register.generate import make_target
from tests.register.registering import SERVING, register_workload
from tests.rules.custom import enable, values, work, workload
from tests.rules.own import PRIVATE, enter

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ClientOf = Callable[[Person | None], Client]


@pytest.fixture
def few(cast: Cast) -> Target:
    """`two`, `three` and `four` run so many replicas, and nothing is found in them; `three` is of the media team."""
    made = make_target()
    workload(cast.search, "two", 2)
    workload(cast.media, "three", 3)
    workload(cast.search, "four", 4)
    return made


def block(who: Person, **more: str) -> CustomRule:
    """A rule by which workloads of more than two replicas are pinned; they need change for what is not known here."""
    return enable(who, **{"effect": "blocks", **more})


def moves(**of: object) -> list[tuple[str, str, str]]:
    """Workload, verdict before and after."""
    found = Movement.objects.filter(**of).order_by("workload__name", "pk")
    return list(found.values_list("workload__name", "before", "after"))


def only_run() -> Run:
    """The run that a test started last."""
    return Run.objects.latest("pk")


def main_part(client: Client, path: str) -> str:
    """A page without its bar."""
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode().split("<main")[1]


def test_a_run_keeps_each_verdict_that_became_another_with_why(cast: Cast, few: Target) -> None:
    block(cast.curator)
    assert moves() == [], "nothing moved until it is judged"
    work()
    run = only_run()
    assert moves(run=run) == [("four", "needs-change", "pinned"), ("three", "needs-change", "pinned")]
    told = moved.with_why(moved.worst_first(Movement.objects.filter(workload__name="three")))[0]
    assert (told.movement.team, told.movement.target, told.movement.cause) == (cast.media, few, "custom")
    assert told.cause == "custom rule ORG001 was added"
    assert told.why == moved.Why((moved.Said("ORG001", "blocks", "The second site has two nodes"),), (), ())
    before, after = told.movement.assessment_before, told.movement.assessment_after
    assert (before.verdict, after.verdict, after.current) == ("needs-change", "pinned", True)


def test_what_went_is_told_when_a_rule_is_switched_off(cast: Cast, few: Target) -> None:
    rule = block(cast.curator)
    work()
    rules.switch_off_rule(cast.curator, rule.number, rule.version, "no more")
    work()
    back = moved.with_why(Movement.objects.filter(run=only_run()).order_by("workload__name"))
    assert [(m.kind.words, [s.rule for s in m.why.went], m.why.came) for m in back] == [
        ("pinned → needs change", ["ORG001"], ()),
        ("pinned → needs change", ["ORG001"], ()),
    ]


def test_a_batch_delivered_or_done_twice_keeps_nothing_twice(cast: Cast, few: Target) -> None:
    block(cast.curator)
    work()
    before = list(Movement.objects.values())
    batch = only_run().batches.get()
    assert not batches.do_batch(batch.pk)
    Batch.objects.filter(pk=batch.pk).update(state=Batch.State.WAITING)
    Run.objects.update(state=Run.State.RUNNING)
    assert batches.do_batch(batch.pk), "done again all the same"
    assert list(Movement.objects.values()) == before and len(before) == 2


def test_an_assessment_moves_a_verdict_once_whatever_goes_wrong(cast: Cast, few: Target) -> None:
    block(cast.curator)
    work()
    first = Movement.objects.earliest("pk")
    first.pk = None
    movements.keep([first])
    assert Movement.objects.count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        first.save()


def test_what_fails_to_be_stored_keeps_no_movement_either(cast: Cast, few: Target) -> None:
    block(cast.curator)
    with mock.patch.object(batches, "_progress", side_effect=RuntimeError), pytest.raises(RuntimeError):
        batches.do_batch(only_run().batches.get().pk)
    assert moves() == []
    assert not Assessment.objects.filter(verdict="pinned").exists()


def test_an_edit_keeps_what_it_moved_without_a_run(cast: Cast, few: Target) -> None:
    two = Workload.objects.get(name="two")
    template = content([("serving.yaml", "kind: Deployment\nspec: {{ .Values.spec }}\n")], {})
    save_workload(cast.member, Entry(template), workload=two.pk, version=two.version)
    [kept] = moved.with_why(Movement.objects.all())
    assert (kept.movement.run, kept.cause) == (None, "manifests changed")
    assert kept.kind.words == "needs change → not assessed"
    assert [(said.rule, said.effect) for said in kept.why.came] == [("", "missing")]


def test_the_first_verdict_of_a_workload_is_no_move(cast: Cast, few: Target) -> None:
    assert Assessment.objects.count() == 3
    assert moves() == []


def test_a_movement_stays_with_the_team_it_happened_to(cast: Cast, few: Target, reader: Client) -> None:
    block(cast.curator)
    work()
    move(cast.administrator, Workload.objects.get(name="three").pk, cast.search.pk)
    assert [(t.name, t.all) for t in moved.by_team(Movement.objects.all())] == [("Media", 1), ("Search", 1)]
    assert "three" in main_part(reader, "/register/moved/?team=media")


def test_the_cells_that_answer_otherwise_are_told(cast: Cast, shipped: None) -> None:
    Release.objects.filter(source=ROCM).delete()
    Target.objects.update(active=False)
    target("radeon", "rx9070xt", "newest")
    part = {"part/rx9070xt/gfx": "gfx1201", "os/rx9070xt/ubuntu/24.04.4": "6.8", "driver/rx9070xt": "31.40.1"}

    def release(version: str, **frameworks: str) -> None:
        cells = {f"framework/MIGraphX/{gfx}/2.16": LINUX for gfx in frameworks}
        publish(cast.curator, draft(version, part | {"framework/PyTorch/gfx1201/2.9": LINUX} | cells))
        work()

    release("7.12.0")
    register_workload(cast.search, "classifier", text=POD, declared=MIGRAPHX)
    release("7.14.0", gfx942=LINUX)
    [pinned] = moved.with_why(Movement.objects.all())
    assert pinned.kind.words == "needs change → pinned"
    assert pinned.cause.startswith("AMD ROCm compatibility matrix 7.14.0, read 20 November 2026") or pinned.movement.run
    assert any(said.effect == "blocks" for said in pinned.why.came)
    assert any(cell.source == ROCM and cell.before != cell.after for cell in pinned.why.cells)
    run = only_run()
    assert run.subject.url == f"/matrices/releases/{Release.objects.get(source=ROCM, version='7.14.0').pk}/"


def test_a_cell_that_nothing_cited_before_is_told_with_what_its_reading_said(cast: Cast, shipped: None) -> None:
    serving = SERVING.format(image="vllm/vllm-openai:v0.23.0", resource="nvidia.com/gpu")
    register_workload(cast.search, "chat", text=serving.replace('["--model=', '["--quantization=awq", "--model='))
    published = Release.objects.get(source="vllm-quantization", state=Release.State.PUBLISHED)
    publish(cast.curator, redraft(published, {"hardware/awq/Hopper": "unsupported"}))
    work()
    [told] = [each for each in moved.with_why(Movement.objects.all()) if each.movement.target.name == "h100"]
    assert told.kind.key == "movable-to-needs-change"
    assert told.why.cells == (
        Answer("vllm-quantization", "hardware/awq/Hopper", before="supported", after="unsupported"),
    )


def test_a_run_leads_to_what_caused_it(cast: Cast, few: Target, reader: Client) -> None:
    block(cast.curator)
    assert only_run().subject.url == "/rules/ORG001/"
    assert 'href="/rules/ORG001/">The rule that caused it' in main_part(reader, f"/register/runs/{only_run().pk}/")
    save_target(cast.curator, few.name, few.version, {**few.spec, "gpus_per_node": 4})
    assert only_run().subject.url == f"/targets/{few.name}/"
    register_workload(cast.search, "private", image=PRIVATE)
    row = enter(cast.curator)
    assert only_run().subject.url == f"/rules/own/{row.pk}/"
    again = actions.cancel_run(only_run().pk, cast.curator)
    retried = actions.retry_run(again.pk, cast.curator)
    assert retried is not None and retried.subject == again.subject
    plain = actions.start_run(cause="rules", about="what is out of date", pairs=[(1, few.pk)], who=None)
    assert plain is not None and plain.subject.url == ""


def test_every_kind_of_move_has_its_rank_and_the_worst_comes_first() -> None:
    pairs = {(a, b) for a in Verdict for b in Verdict if a is not b}
    assert set(movements.RANKS) == pairs
    assert next(iter(moved.KINDS.values())).words == "movable → pinned"
    worse = [kind for kind in moved.KINDS.values() if kind.after == "pinned"]
    assert [kind.rank for kind in worse] == [0, 1, 2]


def test_the_page_of_a_run_tells_by_team_what_moved_the_worst_first(cast: Cast, few: Target, reader: Client) -> None:
    rule = block(cast.curator)
    work()
    rules.save_rule(
        cast.curator, rule.number, rule.version, values(effect="blocks", condition="value < 4"), enable=True
    )
    work()
    page = main_part(reader, f"/register/runs/{only_run().pk}/")
    assert "<b>2 verdicts</b> became others" in page
    assert ">1 needs change → pinned</a>" in page and ">1 pinned → needs change</a>" in page
    assert page.count("<h3>") == 1, "all of one team"
    assert page.index(">two</a>") < page.index(">four</a>"), "the worse first"
    two = Workload.objects.get(name="two")
    assert f'href="/workloads/{two.pk}/?target=mi300x-single"' in page
    assert '<b>Now</b> <a href="/rules/ORG001/">ORG001</a> (blocks): The second site has two nodes' in page
    assert '<b>No longer</b> <a href="/rules/ORG001/">' in page


def test_a_runs_page_is_filtered_by_team_in_its_address(cast: Cast, few: Target, reader: Client) -> None:
    block(cast.curator)
    work()
    address = f"/register/runs/{only_run().pk}/"
    everything = main_part(reader, address)
    assert "<b>2 verdicts</b> became others" in everything
    assert f"{address}?team=media" in everything and f"{address}?team=search" in everything
    of_media = main_part(reader, f"{address}?team=media")
    assert ">three</a>" in of_media and ">four</a>" not in of_media and "1–1 of 1" in of_media
    assert "Nothing moved that matches" in main_part(reader, f"{address}?move=movable-to-pinned")
    bad = main_part(reader, f"{address}?team=nobody&move=up")
    assert bad.count("Nothing is filtered.") == 2 and "1–2 of 2" in bad


def test_while_a_run_goes_on_its_page_counts_what_moved_so_far(cast: Cast, few: Target, reader: Client) -> None:
    with mock.patch.object(actions, "BATCH_SIZE", 1):
        block(cast.curator)
    run = only_run()
    address = f"/register/runs/{run.pk}/?team=media"
    assert "No verdict so far" in main_part(reader, address)
    for batch in list(run.batches.order_by("pk"))[:2]:
        batches.do_batch(batch.pk)
    fragment = reader.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<b>1 verdict</b> became another so far" in fragment
    assert f"/register/moved/?run={run.pk}" in fragment.replace("team=media&amp;", "") and "?team=media" in fragment
    assert "every 2s" in fragment


def test_nothing_moved_is_said(cast: Cast, few: Target, reader: Client) -> None:
    assert "No verdict became another yet." in main_part(reader, "/register/moved/")
    block(cast.curator, condition="value > 9")
    work()
    assert "No verdict became another." in main_part(reader, f"/register/runs/{only_run().pk}/")


def test_the_list_of_runs_says_how_many_moved(
    cast: Cast, few: Target, reader: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    block(cast.curator)
    work()
    assert f'<a href="/register/moved/?run={only_run().pk}">2 moved</a>' in main_part(reader, "/register/runs/")
    reader.get("/register/runs/")
    with CaptureQueriesContext(connection) as one:
        reader.get("/register/runs/")
    for n in range(4):
        actions.start_run(cause="rules", about=f"again {n}", pairs=[(1, few.pk)], who=None)
    with django_assert_num_queries(len(one)):
        reader.get("/register/runs/")


def test_what_moved_over_time_is_filtered_by_team_target_day_kind_and_run(
    cast: Cast, few: Target, reader: Client
) -> None:
    block(cast.curator)
    work()
    run = only_run()
    Movement.objects.filter(workload__name="three").update(at=timezone.now() - timedelta(days=40))
    page = main_part(reader, "/register/moved/")
    assert (
        "<b>2 verdicts moved.</b>" in page and f'href="/register/runs/{run.pk}/">custom rule ORG001 was added' in page
    )
    since = timezone.localdate().isoformat()
    for asked, there in {
        "team=media": {"three"},
        f"since={since}": {"four"},
        f"until={(timezone.localdate() - timedelta(days=30)).isoformat()}": {"three"},
        f"target={few.name}&run={run.pk}": {"three", "four"},
        "move=needs-change-to-pinned": {"three", "four"},
        "move=movable-to-pinned": set(),
    }.items():
        found = main_part(reader, f"/register/moved/?{asked}")
        assert {name for name in ("two", "three", "four") if f">{name}</a>" in found} == there, asked
    for nonsense in ("team=x", "target=x", "since=x", "move=x", "run=x", "run=99999"):
        wrong = main_part(reader, f"/register/moved/?{nonsense}")
        assert "Nothing is filtered." in wrong and ">four</a>" in wrong, nonsense
    with timezone.override("Asia/Tokyo"):
        for asked in ("since=0001-01-01", "until=9999-12-31", "until=9999-12-30"):
            assert ">four</a>" in main_part(reader, f"/register/moved/?{asked}")
    assert main_part(reader, "/register/").count("/register/moved/?target=mi300x-single") == 1


def test_a_page_of_what_moved_asks_no_more_for_more(
    cast: Cast, few: Target, reader: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    block(cast.curator)
    work()
    reader.get("/register/moved/")
    with CaptureQueriesContext(connection) as asked:
        reader.get("/register/moved/")
    for n in range(6):
        workload(cast.search, f"more-{n}", 2)
    block(cast.curator, name="One", condition="value > 1")
    work()
    with django_assert_num_queries(len(asked)):
        assert "more-5" in main_part(reader, "/register/moved/")


def test_bulletins_gather_what_moved_once_a_run_has_ended(cast: Cast, few: Target) -> None:
    with mock.patch.object(actions, "BATCH_SIZE", 1):
        block(cast.curator)
    run = only_run()
    first, second, third = run.batches.order_by("pk")
    batches.do_batch(second.pk)
    assert moves() == [("three", "needs-change", "pinned")]
    assert movements.gather() == [], "the run goes on"
    batches.do_batch(first.pk)
    batches.do_batch(third.pk)
    [bulletin] = movements.gather()
    assert (bulletin.run, bulletin.moved, bulletin.movements.count()) == (run, 2, 2)
    assert movements.gather() == []
    assert Bulletin.objects.count() == 1


def test_a_cancelled_run_tells_what_it_did_and_what_a_late_worker_still_does(cast: Cast, few: Target) -> None:
    with mock.patch.object(actions, "BATCH_SIZE", 1):
        block(cast.curator)
    run = only_run()
    _, second, third = run.batches.order_by("pk")
    batches.do_batch(second.pk)
    late = batches._claim(third.pk)
    assert late is not None
    judged, failures = batches._judge(late)
    with pytest.raises(PermissionDenied):
        actions.cancel_run(run.pk, cast.member)
    actions.cancel_run(run.pk, cast.curator)
    assert movements.gather() == [], "a worker is still at it"
    Batch.objects.filter(pk=third.pk).update(claimed_at=timezone.now() - timedelta(hours=1))
    [bulletin] = movements.gather()
    assert bulletin.moved == 1
    assert batches._finish(late, judged, failures), "it was only slow"
    [straggler] = movements.gather()
    assert (straggler.run, straggler.moved, straggler.pk > bulletin.pk) == (run, 1, True)


def test_a_pair_that_failed_keeps_nothing_of_the_others_from_being_told(cast: Cast, few: Target) -> None:
    block(cast.curator)
    run = only_run()
    Run.objects.update(started_at=timezone.now() - timedelta(minutes=1))
    genuine, three = Judges.judge, Workload.objects.get(name="three").pk

    def judge(self: Judges, revision: Revision, target: Target) -> Judged:
        if revision.workload_id == three:
            raise ValueError("this one is broken")
        return genuine(self, revision, target)

    with mock.patch.object(Judges, "judge", judge):
        batches.do_batch(run.batches.get().pk)
        assert movements.gather() == [], "it is tried again"
        batches.take_over()
    [bulletin] = movements.gather()
    run.refresh_from_db()
    assert (run.state, run.failed, bulletin.moved) == (Run.State.DONE, 1, 1)
    retried = actions.retry_run(run.pk, cast.curator)
    assert retried is not None
    work()
    [later] = movements.gather()
    assert (later.run, later.moved) == (retried, 1)


def test_saves_are_gathered_together_and_apart_from_runs(cast: Cast, few: Target) -> None:
    block(cast.curator)
    work()
    Movement.objects.filter(workload__name="three").update(run=None)
    assert [(b.run, b.moved) for b in movements.gather()] == [(only_run(), 1), (None, 1)]
