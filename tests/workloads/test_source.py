"""Application material as pages show it: to the team, architects and administrators, and to nobody else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from portability.accounts.models import Person
from portability.workloads.actions import Entry, save_workload
from portability.workloads.contents import content
from portability.workloads.models import Workload
from portability.workloads.queries import file_address
from tests.conftest import Cast
from tests.workloads.texts import SERVING

ClientOf = Callable[[Person | None], Client]
CODE = "import torch\n\nif torch.version.cuda: warm_up(secret_sauce)\n"


@pytest.fixture
def workload(cast: Cast, shipped: None) -> Workload:
    """A workload of the search team with a program that asks for a vendor."""
    said = {"python_requirements": "fastapi\n", "source_files": {"serve.py": CODE}}
    entry = Entry(content([("serving.yaml", SERVING)], said))
    return save_workload(cast.member, entry, team=cast.search, name="chat").workload


def test_the_finding_leads_to_its_line(cast: Cast, workload: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.member)
    page = client.get(f"/workloads/{workload.pk}/").content.decode()
    address = file_address(workload.pk, 1, 2, 3, "workloads:source")
    assert f'href="{address}"' in page
    assert '<span class="hit"><i>3</i>if torch.version.cuda: warm_up(secret_sauce)</span>' in page
    shown = client.get(address.partition("#")[0]).content.decode()
    assert '<span id="L3">' in shown and "warm_up(secret_sauce)" in shown
    assert "serving.yaml</a>" in shown and "requirements.txt</a>" in shown, "the other files of the revision are near"


@pytest.mark.parametrize(
    ("name", "may"),
    [
        ("member", True),
        ("teammate", True),
        ("architect", True),
        ("administrator", True),
        ("viewer", False),
        ("outsider", False),
        ("curator", False),
    ],
)
def test_who_may_read_it(name: str, may: bool, cast: Cast, workload: Workload, client_of: ClientOf) -> None:
    client = client_of(getattr(cast, name))
    answer = client.get(file_address(workload.pk, 1, 2, page="workloads:source"))
    assert answer.status_code == (200 if may else 403)
    pages = [client.get(f"/workloads/{workload.pk}/{end}").content.decode() for end in ("", "history/")]
    assert all("serve.py" in page for page in pages), "names and places are for everyone"
    assert any("secret_sauce" in page for page in pages) is may
    assert all(('/material/2/"' in page) is may for page in pages)


def test_what_is_not_there(cast: Cast, workload: Workload, client_of: ClientOf) -> None:
    client = client_of(cast.member)
    for numbers in ((999_999, 1, 1), (workload.pk, 9, 1), (workload.pk, 1, 9)):
        assert client.get(file_address(*numbers, page="workloads:source")).status_code == 404
    assert client.post(file_address(workload.pk, 1, 1, page="workloads:source")).status_code == 405


def test_without_manifests(cast: Cast, shipped: None, client_of: ClientOf) -> None:
    entry = Entry(content([], {"model_kind": "decoder-only", "source_files": {"serve.py": CODE}}))
    pk = save_workload(cast.member, entry, team=cast.search, name="code").workload.pk
    page = client_of(cast.member).get(f"/workloads/{pk}/").content.decode()
    assert "It holds no manifests." in page and "Application material" in page
