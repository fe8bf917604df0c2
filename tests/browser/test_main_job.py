"""The main job, as people do it: a member registers what runs, an architect reads the register and takes it along."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page, Route, expect

from portability.register.models import Row
from portability.targets.queries import active_targets
from portability.workloads.models import ManifestFile, Workload
from tests.browser.conftest import Opener, Visit
from tests.conftest import PASSWORD, Cast
from tests.workloads.texts import SECRET, SECRET_VALUE, SERVING

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WORDS = {"movable": "Movable", "needs-change": "Needs change", "pinned": "Pinned", "not-assessed": "Not assessed"}
OWN = {
    "needs-change": SERVING,
    "movable": SERVING.replace("vllm/vllm-openai:v0.11.0", "vllm/vllm-openai-rocm:v0.23.0").replace(
        "nvidia.com/gpu", "amd.com/gpu"
    ),
    "pinned": SERVING.replace("Qwen/Qwen3-8B, --enable-lora", "openai/whisper-large-v3"),
}


def manifests() -> dict[str, tuple[str, str]]:
    """Verdict -> name and text: of the corpus one for each expected verdict, or small ones of our own."""
    corpus = os.environ.get("PORTABILITY_CORPUS")
    if not corpus:
        return {verdict: (f"own-{verdict}", text) for verdict, text in OWN.items()}
    found: dict[str, tuple[str, str]] = {}
    for entry in yaml.safe_load((Path(corpus) / "index.yaml").read_text()):
        known = entry.get("confidence") == "high" and entry["findings"] and entry.get("model_kind")
        if known and entry["expected"] in WORDS and entry["expected"] not in found:
            file = Path(corpus) / entry["file"]
            found[entry["expected"]] = (file.stem, file.read_text())
    return found


def sign_in(visit: Visit, name: str) -> None:
    """As a person does, by the form."""
    visit.go("/login/")
    visit.page.get_by_label("Name").fill(name)
    visit.page.get_by_label("Password").fill(PASSWORD)
    visit.page.get_by_role("main").get_by_role("button").first.click()
    expect(visit.page.get_by_role("button", name="Sign out")).to_be_visible()


def register(page: Page, name: str, text: str, verdict: str, look: Callable[[Page], None]) -> None:
    """Paste, look at the verdict and its reasons, and only then save."""
    page.get_by_role("link", name="Register a workload").first.click()
    page.get_by_label("Name", exact=False).first.fill(name)
    page.locator("textarea[name=file_text]").first.fill(text)
    look(page)
    target = active_targets()[0]
    answer = page.locator(f"#answer-{target.name}")
    expect(answer).to_contain_text(WORDS[verdict])
    if verdict != "movable":
        expect(page.locator("#preview .finding").first).to_contain_text("Do:")
    assert not Workload.objects.filter(name=name).exists(), "nothing is saved before Save"
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text(f"{name} is registered.")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.locator(".tabs [aria-current]")).to_contain_text(WORDS[verdict])


def take_along(visit: Visit, names: set[str], apply: Callable[[Page], None]) -> None:
    """Filter the register, and find the table's rows in the CSV."""
    page = visit.page
    visit.go("/register/")
    page.get_by_label("Team").select_option(label="Search")
    apply(page)
    expect(page.locator("table.rows tbody tr")).to_have_count(len(names))
    shown = [row.locator("td").first.inner_text().strip() for row in page.locator("table.rows tbody tr").all()]
    verdicts = [row.locator(".verdict").inner_text().strip() for row in page.locator("table.rows tbody tr").all()]
    assert set(shown) == names
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV", exact=True).click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_bytes().decode("utf-8-sig"))))
    column = next(c for c in rows[0] if c.lower() == "workload")
    verdict = next(c for c in rows[0] if c.lower() == "verdict")
    assert [row[column] for row in rows] == shown
    assert [row[verdict].lower().replace("-", " ") for row in rows] == [v.lower() for v in verdicts]


@pytest.mark.parametrize("javascript", [True, False], ids=["with-javascript", "without-javascript"])
def test_register_and_take_along(javascript: bool, cast: Cast, shipped: None, visit: Opener) -> None:
    def check(page: Page) -> None:
        if not javascript:
            page.get_by_role("button", name="Check").click()

    def apply(page: Page) -> None:
        if not javascript:
            page.get_by_role("button", name="Apply").click()

    member = visit(None, javascript=javascript)
    sign_in(member, "member")
    names = set()
    for verdict, (name, text) in manifests().items():
        register(member.page, name, text, verdict, check)
        names.add(name)
    assert set(Row.objects.filter(target=active_targets()[0]).values_list("workload__name", flat=True)) == names
    architect = visit(None, javascript=javascript)
    sign_in(architect, "architect")
    take_along(architect, names, apply)
    assert member.problems == architect.problems == []


def test_what_was_pasted_before_the_page_listened_is_previewed(cast: Cast, shipped: None, visit: Opener) -> None:
    opened = visit(cast.member)
    page = opened.page
    slow: list[Route] = []
    page.route("**/register-workload*.js", lambda route: slow.append(route))
    page.goto(f"{opened.address}/workloads/new/", wait_until="commit")
    page.locator("textarea[name=file_text]").first.fill(SERVING)
    assert page.evaluate("document.readyState") != "complete"
    slow[0].continue_()
    expect(page.locator("#answer-mi300x-single")).to_be_visible()


def test_the_preview_follows_the_typing(cast: Cast, shipped: None, visit: Opener) -> None:
    opened = visit(cast.member)
    page = opened.page
    opened.go("/workloads/new/")
    text = page.locator("textarea[name=file_text]").first
    text.fill(SERVING)
    expect(page.get_by_label("Engine", exact=False).first).to_have_value("vllm")
    page.locator("#id_model_kind").fill("encoder-decoder")
    expect(page.locator("#answer-mi300x-single")).to_contain_text("Pinned")
    text.fill(SERVING.replace("vllm/vllm-openai:v0.11.0", "lmsysorg/sglang:v0.5.0"))
    expect(page.locator("#id_engine")).to_have_value("sglang")
    expect(page.locator("#id_model_kind")).to_have_value("encoder-decoder")
    assert not (wrong := opened.axe()), "\n".join(wrong)
    assert opened.problems == []


def test_a_finding_leads_to_its_line(cast: Cast, shipped: None, visit: Opener) -> None:
    opened = visit(cast.member)
    opened.go("/workloads/new/")
    opened.page.locator("textarea[name=file_text]").first.fill("# one line more\n" + SERVING)
    opened.page.locator(".finding a.where", has_text="manifest.yaml:14").first.click()
    selected = opened.page.evaluate("getSelection().toString()")
    assert selected.strip() == "image: vllm/vllm-openai:v0.11.0"


def test_files_are_read_in_the_page(cast: Cast, shipped: None, visit: Opener, tmp_path: Path) -> None:
    for name, content in {"a.yaml": SERVING.encode(), "b.yaml": SECRET.encode(), "c.bin": b"\x00\xff\xfe"}.items():
        (tmp_path / name).write_bytes(content)
    opened = visit(cast.member)
    page = opened.page
    opened.go("/workloads/new/")
    page.locator("#uploads").set_input_files([tmp_path / "a.yaml", tmp_path / "b.yaml"])
    expect(page.locator("textarea[name=file_text]")).to_have_count(2)
    expect(page.locator("#preview")).to_contain_text("b.yaml:6, a value of a Secret")
    page.locator("input[name=harmless]").check()
    expect(page.locator("#preview")).to_contain_text("kept as harmless")
    page.locator("input[name=harmless]").uncheck()
    expect(page.locator("#preview")).to_contain_text("b.yaml:6, a value of a Secret")
    page.locator("#uploads").set_input_files([tmp_path / "c.bin"])
    expect(page.locator("#preview .errors")).to_contain_text("c.bin")
    page.locator("#uploads").set_input_files([])
    page.locator("#id_name").fill("chat")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("chat")
    assert sorted(ManifestFile.objects.values_list("name", flat=True)) == ["a.yaml", "b.yaml"]
    assert not ManifestFile.objects.filter(text__contains=SECRET_VALUE).exists()
    assert opened.problems == []


def test_a_heavy_text_waits_for_the_button(cast: Cast, shipped: None, visit: Opener) -> None:
    opened = visit(cast.member)
    page = opened.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    opened.go("/workloads/new/")
    page.locator("textarea[name=file_text]").first.fill(SERVING + f"# {'x' * 4_000}\n" * 130)
    expect(page.get_by_text("Above 500 kB")).to_be_visible()
    assert not [url for url in asked if url.endswith("/preview/")]
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#answer-mi300x-single")).to_contain_text("Needs change")


def test_what_the_preview_adds_is_accessible(cast: Cast, shipped: None, visit: Opener) -> None:
    for width, scheme in ((1280, "light"), (390, "dark")):
        opened = visit(cast.member, width=width, scheme=scheme)
        opened.go("/workloads/new/")
        opened.page.locator("textarea[name=file_text]").first.fill(SERVING + "---\n" + SECRET)
        expect(opened.page.locator("#preview .finding").first).to_be_visible()
        assert not (wrong := opened.axe()), "\n".join(wrong)
        assert opened.overflow() <= 0
