"""Pages in a real browser: the system's Chromium, controlled by Playwright."""

import re
import shutil
from contextlib import contextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")


@contextmanager
def chromium():
    """Start the browser; without one, or without Playwright, the test is skipped."""
    program = next((path for name in NAMES if (path := shutil.which(name))), None)
    if program is None:
        pytest.skip("needs Chromium: apt-get install chromium")
    import playwright.sync_api as playwright

    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield browser
        browser.close()


class Watched:
    """A page that records forbidden events: errors, messages, and external requests."""

    def __init__(self, browser, address, **options):
        self.complaints = []
        self.page = browser.new_page(**{"viewport": {"width": 1400, "height": 900}, **options})
        self.page.set_default_timeout(120_000)
        self.page.on("console", lambda message: self.complaints.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (self.complaints.append("dialog"), dialog.dismiss()))
        self.page.on("request", self._on_request)
        self.address = address
        self.page.goto(address)
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def _on_request(self, request):
        if request.url.partition("#")[0] != self.address.partition("#")[0] and not request.url.startswith("blob:"):
            self.complaints.append(f"request: {request.url}")

    def close(self):
        """Close the page and check that nothing forbidden happened."""
        self.page.close()
        assert self.complaints == []

    def rows(self):
        """Return the numbers of the first segments in the list."""
        return [int(text[1:]) for text in self.page.locator("#rows .row b").all_inner_texts()]

    def status(self, beginning):
        """Wait until the line above the list begins with this text."""
        self.page.locator("#status", has_text=re.compile(f"^{re.escape(beginning)}")).wait_for()

    def draw_all(self):
        """Scroll to every chart and wait until it is drawn."""
        for figure in self.page.locator("figure").all():
            figure.evaluate("figure => figure.scrollIntoView()")  # playwright's own waits until no chart moves it
            figure.locator(".plot[data-drawn]").wait_for()


def nameless(page):
    """Return the number of controls without a name for screen readers."""
    return page.evaluate(
        """[...document.querySelectorAll('button, select, input, textarea, a, summary, [tabindex="0"]')].filter(
            (element) => !(element.textContent.trim() || element.getAttribute('aria-label') || element.labels?.length)
        ).length"""
    )


def counted(locator, count):
    """Wait until there is this number of elements, because a page may need a moment after a click."""
    from playwright.sync_api import expect

    expect(locator).to_have_count(count, timeout=120_000)


def reads(locator, text):
    """Wait until the element has this text."""
    from playwright.sync_api import expect

    expect(locator).to_have_text(text, timeout=120_000)
