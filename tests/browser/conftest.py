"""A real browser against a live server: sign people in, watch for errors, ask axe."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright
from pytest_django.live_server_helper import LiveServer

from portability.accounts.models import Person

CHROMIUM = os.environ.get("PORTABILITY_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
QUIET = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE = 30_000  # milliseconds in which a page shows what is expected, on a machine that has much else to do
expect.set_options(timeout=PATIENCE)
WCAG = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests. Its driver runs an event loop, beside which Django is told to allow queries."""
    if not CHROMIUM:
        pytest.skip("no Chromium found: install one, or name it in PORTABILITY_CHROMIUM")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@dataclass
class Visit:
    """A page in the browser, and what went wrong on it so far: console errors, policy violations, exceptions."""

    page: Page
    address: str
    problems: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        """Open a path of the live server."""
        self.page.goto(self.address + path)

    def heard(self, message: ConsoleMessage) -> None:
        """Note an error or a warning of the console; an error status of the page itself is the test's business."""
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.problems.append(f"{self.page.url}: {message.text}")

    def settle(self) -> None:
        """Wait until the page is there whole. After a click that leads on, expect something of the next page first."""
        self.page.wait_for_load_state("load")
        self.page.locator("main").wait_for(state="attached")

    def axe(self) -> list[str]:
        """What axe finds against WCAG 2.2 AA and its best practices, one line each."""
        self.settle()
        violations = Axe().run(self.page, options=WCAG).response["violations"]
        return [
            f"{v['id']}: {v['help']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
            for v in violations
            for node in v["nodes"][:3]
        ]

    def overflow(self) -> int:
        """By how many pixels the page is wider than the window."""
        self.settle()
        return int(self.page.locator("html").evaluate("html => html.scrollWidth - html.clientWidth"))


Opener = Callable[..., Visit]


@pytest.fixture
def visit(chromium: Browser, live_server: LiveServer) -> Iterator[Opener]:
    """Open the live server: `visit(person, width=390, scheme="dark", javascript=False)`; None is anonymous."""
    contexts = []

    def opened(
        person: Person | None = None, *, width: int = 1280, scheme: str = "light", javascript: bool = True
    ) -> Visit:
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=javascript,
            reduced_motion="reduce",
            accept_downloads=True,
        )
        contexts.append(context)
        if person is not None:
            client = Client()
            client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
            session = client.cookies[settings.SESSION_COOKIE_NAME].value
            context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}])
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        visited = Visit(page, live_server.url)
        page.on("console", visited.heard)
        page.on("pageerror", lambda error: visited.problems.append(f"{page.url}: {error}"))
        return visited

    yield opened
    for context in contexts:
        context.close()
