"""A workload's page: `/workloads/<pk>/`."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from portability.accounts.models import Person
from portability.matrices.models import Release
from portability.targets.models import Target
from portability.workloads.actions import Entry, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Workload
from tests.conftest import Cast
from tests.matrices.keeping import publish, redraft
from tests.workloads.texts import SERVING

ClientOf = Callable[[Person | None], Client]


def page_of(client: Client, workload: Workload, target: str = "mi300x-single") -> str:
    answer = client.get(f"/workloads/{workload.pk}/", {"target": target})
    assert answer.status_code == 200
    return answer.content.decode()


def test_works(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    page = page_of(client_of(cast.member), saved)
    assert "Needs change" in page
    assert "As of ROCm compatibility matrix 7.14.0, read 7 August 2026" in page
    assert f'href="/workloads/{saved.pk}/revisions/1/files/1/#L13"' in page
    assert '<span class="hit"><i>13</i>          image: vllm/vllm-openai:v0.11.0</span>' in page
    assert "<i>12</i>        - name: vllm" in page, "with its neighbours"
    assert "IMG001" in page
    assert "vllm/vllm-openai-rocm" in page, "the remedy"
    assert "read 7 August 2026: <code>" in page, "evidence with its day"
    assert "Qwen/Qwen3-8B" in page
    assert "registered, revision 1" in page


def test_a_vendor_row_is_a_row_of_this_product_and_its_page_a_reference(
    cast: Cast, saved: Workload, client_of: ClientOf
) -> None:
    page = page_of(client_of(cast.member), saved)
    row = re.search(
        r'<a href="(/rules/rows/[a-z_]+/\?q=[^"]+)">Shipped row</a>, row entered [^:]+: <code>\w+/([^<]+)<', page
    )
    assert row, "its table, at its pattern"
    assert f"<code>{row[2]}</code>" in client_of(cast.member).get(html.unescape(row[1])).content.decode()
    assert re.search(r'counterpart: [^<]+</code>, <a href="https://[^"]+" rel="noreferrer">reference</a>', page)


def test_what_it_rests_on_leads_to_the_reading_that_was_used(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    page = page_of(client_of(cast.member), saved)
    used = Release.objects.get(source="rocm-compatibility-matrix", version="7.14.0")
    link = f'(<a href="/matrices/releases/{used.pk}/">as read<span class="sr">: ROCm compatibility matrix 7.14.0'
    shown, _, checked = page.partition('class="checked"')
    assert link in checked
    beside = (
        r'Rests on:<ul><li><a href="https://[^"]+" rel="noreferrer">[^<]+</a>.*?<a href="(/matrices/[^"]+)">as read'
    )
    found = re.search(beside, shown)
    assert found and client_of(cast.viewer).get(found[1]).status_code == 200, "beside the page itself"
    later = redraft(used)
    publish(cast.curator, later)
    page = page_of(client_of(cast.member), saved)
    assert link in page and f"/matrices/releases/{later.pk}/" not in page, "until it is judged by the later one"


def test_every_target_is_a_tab(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    page = page_of(client_of(cast.viewer), saved)
    for name in Target.objects.filter(active=True).values_list("name", flat=True):
        assert f'href="?target={name}"' in page
    assert 'href="?target=mi300x-single" aria-current="page"' in page


def test_a_platform_that_no_source_describes_is_said_not_to_be_judged(
    cast: Cast, saved: Workload, client_of: ClientOf
) -> None:
    assert "No source describes this vendor" in page_of(client_of(cast.viewer), saved, "h100")
    assert "No source describes this vendor" not in page_of(client_of(cast.viewer), saved)


def test_findings_about_the_target_stand_apart(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    page = page_of(client_of(cast.viewer), saved, "mi350p-jammy")
    own, _, target = page.partition("Because of the target")
    assert "IMG001" in own
    assert "PLT" in target
    assert "PLT" not in own


def test_manifest_text_is_for_the_team_architects_and_administrators(
    cast: Cast, saved: Workload, client_of: ClientOf
) -> None:
    for person in (cast.member, cast.teammate, cast.architect, cast.administrator):
        assert 'class="hit"' in page_of(client_of(person), saved)
    for person in (cast.viewer, cast.outsider, cast.curator):
        page = page_of(client_of(person), saved)
        assert 'class="hit"' not in page
        assert "/files/" not in page
        assert "serving.yaml:13" in page, "the place is given without its text"
        assert "IMG001" in page


def test_lines_of_scripts_are_manifest_text(cast: Cast, shipped: None, register_as: Any, client_of: ClientOf) -> None:
    text = SERVING.replace(
        "image:", 'command: [sh, -c, "nvidia-smi -L && curl http://inside.example/x"]\n          image:', 1
    )
    workload = register_as(cast.member, cast.search, "scripted", ("a.yaml", text))
    assert "inside.example" in page_of(client_of(cast.teammate), workload)
    for person in (cast.viewer, cast.outsider, cast.curator):
        page = page_of(client_of(person), workload)
        assert "CMD001" in page and "inside.example" not in page
        assert "Found: <code>vllm/vllm-openai" in page, "a vendor's literal is the finding itself"
        export = client_of(person).get("/register/export.csv?columns=all")
        assert "inside.example" not in b"".join(export.streaming_content).decode()  # type: ignore[attr-defined]


def test_acts_are_offered_to_whom_they_belong(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    member = page_of(client_of(cast.member), saved)
    assert all(f"/workloads/{saved.pk}/{act}/" in member for act in ("edit", "rename", "retire"))
    viewer = page_of(client_of(cast.viewer), saved)
    assert not any(f"/workloads/{saved.pk}/{act}/" in viewer for act in ("edit", "rename", "retire", "move"))
    administrator = page_of(client_of(cast.administrator), saved)
    assert f"/workloads/{saved.pk}/move/" in administrator
    assert f"/workloads/{saved.pk}/edit/" not in administrator


def test_a_target_added_later_is_not_judged_yet(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    spec = {**Target.objects.get(name="mi300x-single").spec, "name": "another"}
    Target.objects.create(name="another", vendor="amd", spec=spec)
    assert "not judged for this target yet" in page_of(client_of(cast.viewer), saved, "another")


def test_a_changed_target_makes_it_out_of_date(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    assert "out of date" not in page_of(client_of(cast.viewer), saved)
    Target.objects.filter(name="mi300x-single").update(version=2)
    assert "out of date" in page_of(client_of(cast.viewer), saved)


def test_bad_id_unknown_target_wrong_method(cast: Cast, saved: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.viewer)
    assert client.get("/workloads/999999/").status_code == 404
    assert client.get(f"/workloads/{saved.pk}/?target=nowhere").status_code == 404
    assert client.post(f"/workloads/{saved.pk}/").status_code == 405


def queries_for(client: Client, workload: Workload) -> int:
    page_of(client, workload)  # what a process keeps is kept now
    with CaptureQueriesContext(
        connection,
    ) as captured:
        page_of(client, workload)
    return len(captured)


def test_as_many_queries_for_many_findings_and_revisions(
    cast: Cast, saved: Workload, register_as: Any, client_of: ClientOf
) -> None:
    client = client_of(cast.member)
    few = queries_for(client, saved)
    assert few <= 25  # one of them: the questions that wait for the team
    files = [(f"{n}.yaml", SERVING.replace("name: chat", f"name: chat-{n}")) for n in range(30)]
    large = register_as(cast.member, cast.search, "large", *files)
    for version in range(1, 5):
        changed = [(name, text.replace("v0.11.0", f"v0.11.{version}")) for name, text in files]
        save_workload(cast.member, Entry(content(changed, {})), workload=large.pk, version=version)
    assert queries_for(client, large) == few


def test_markup_stays_text(cast: Cast, shipped: None, register_as: Any, client_of: ClientOf) -> None:
    hostile = SERVING.replace("vllm/vllm-openai:v0.11.0", "'vllm/vllm-openai:<script>alert(1)</script>'")
    workload = register_as(cast.member, cast.search, '<script>x</script>=HYPERLINK("a")', ("a.yaml", hostile))
    page = page_of(client_of(cast.member), workload)
    assert "<script>alert" not in page
    assert "<script>x" not in page
    assert "&lt;script&gt;x&lt;/script&gt;=HYPERLINK" in page
