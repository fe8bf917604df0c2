"""The revisions of a workload and how its verdicts moved: `/workloads/<pk>/history/`."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from portability.accounts.models import Person
from portability.matrices.models import Release
from portability.workloads.actions import Entry, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.matrices.keeping import ROCM, publish, redraft
from tests.workloads.texts import SERVING

ClientOf = Callable[[Person | None], Client]


def revise(cast: Cast, workload: Workload, version: int, **declared: str) -> None:
    text = SERVING.replace("v0.11.0", f"v0.12.{version}")
    save_workload(
        cast.teammate, Entry(content([("serving.yaml", text)], declared)), workload=workload.pk, version=version
    )


def test_works(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    revise(cast, saved, 1, model_kind="encoder-decoder")
    page = client_of(cast.viewer).get(f"/workloads/{saved.pk}/history/").content.decode()
    assert "teammate" in page
    moved = page.partition("mi300x-single")[2].partition("mi325x")[0]
    assert moved.index("Needs change") < moved.index("Pinned") < moved.index("manifests changed, revision 2")
    assert "registered, revision 1" in moved


def test_each_step_has_its_time_and_a_verdict_that_did_not_move_stayed(
    cast: Cast, saved: Workload, client_of: ClientOf
) -> None:
    revise(cast, saved, 1)
    for path in (f"/workloads/{saved.pk}/history/", f"/workloads/{saved.pk}/?target=mi300x-single"):
        moved = client_of(cast.viewer).get(path).content.decode().partition("How the verdict")[2]
        steps = [li for li in moved.split("<li>") if "revision" in li]
        assert all(re.match(r'<time datetime="[^"]+">\d+ \w+ \d{4}, \d\d:\d\d</time>: ', li) for li in steps)
        assert re.search(r"</time>: stayed <span class=.verdict change.>Needs change</span>", moved)
        assert moved.count("stayed") < len(steps), "the first verdict did not stay: it came to be"


def test_each_step_says_on_which_reading_it_rests(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    revise(cast, saved, 1)
    publish(cast.curator, redraft(Release.objects.get(source=ROCM, version="7.14.0", state="published")))
    revise(cast, saved, 2)
    for path in (f"/workloads/{saved.pk}/history/", f"/workloads/{saved.pk}/?target=mi300x-single"):
        moved = client_of(cast.viewer).get(path).content.decode().partition("How the verdict")[2]
        of_target = moved.partition("mi300x-single")[2].partition("mi325x")[0] if "history" in path else moved
        read = re.findall(r"revision (\d), as of ROCm compatibility matrix 7.14.0, read (\d+ \w+ 2026)", of_target)
        assert read[:3] == [("3", "20 November 2026"), ("2", "7 August 2026"), ("1", "7 August 2026")]


def test_a_revision_and_its_files_never_change(saved: Workload) -> None:
    assert saved.current is not None
    file = saved.current.files.get()
    for stored in (saved.current, file):
        with pytest.raises(TypeError, match="never changes"):
            stored.save()
    file.text = "another"
    with pytest.raises(TypeError, match="never changes"):
        file.save(update_fields=["text"])


def test_files_are_linked_for_those_who_may_read_them(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    path = f"/workloads/{saved.pk}/history/"
    assert f"/workloads/{saved.pk}/revisions/1/files/1/" in client_of(cast.architect).get(path).content.decode()
    assert "/files/" not in client_of(cast.viewer).get(path).content.decode()


def test_as_many_queries_for_many_revisions(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client, path = client_of(cast.member), f"/workloads/{saved.pk}/history/"
    client.get(path)
    with CaptureQueriesContext(connection) as few:
        client.get(path)
    for version in range(1, 6):
        revise(cast, saved, version)
    with CaptureQueriesContext(connection) as many:
        client.get(path)
    assert len(many) == len(few) <= 13  # one of them: the questions that wait for the team


def test_bad_id_and_wrong_method(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    assert client_of(cast.viewer).get("/workloads/999999/history/").status_code == 404
    assert client_of(cast.viewer).post(f"/workloads/{saved.pk}/history/").status_code == 405
