"""Create the pictures in docs/images: the report on the example data, in the system's Chromium.

    python docs/screenshots.py

Needs Chromium and `pip install 'refscore[report]' playwright`.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from refscore.cli.demo import FOLDER
from refscore.report import write_report

IMAGES = Path(__file__).parent / "images"


def lines(name: str) -> list[str]:
    """Return the lines of a file of the example data."""
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def verdict(page: Page) -> None:
    """Show the top of the page."""
    page.locator("#chart-pairs[data-drawn]").wait_for()


def segments(page: Page) -> None:
    """Show the segment with the largest loss of the worst system, with edits and moves."""
    page.select_option("#system-b", label="clover")
    page.click("button:has-text('Largest loss of B against A')")
    page.click("[data-mode='edits']")
    page.locator("#row-10").click()
    page.evaluate("document.getElementById('segments').scrollIntoView({ behavior: 'instant' })")


# The view, the colours, and the width and height of each picture.
PICTURES = {
    "report-glance": (verdict, "light", (1000, 700)),
    "report-verdict": (verdict, "light", (1400, 940)),
    "report-segments": (segments, "dark", (1400, 940)),
}


def main() -> None:
    """Write a report, open it and take the pictures."""
    program = shutil.which("chromium") or sys.exit("Chromium is not installed: apt-get install chromium")
    references = [list(entry) for entry in zip(lines("reference.a.txt"), lines("reference.b.txt"), strict=True)]
    systems = {name: lines(f"{name}.txt") for name in ("alder", "birch", "clover")}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        report = Path(folder) / "report.html"
        write_report(report, systems, references, title="Three systems on the example data")
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, (prepare, scheme, (width, height)) in PICTURES.items():
            size = {"width": width, "height": height}
            page = browser.new_page(viewport=size, color_scheme=scheme, device_scale_factor=1.4 if width == 1000 else 1)
            page.goto(report.as_uri())
            page.wait_for_selector("html[data-ready]", state="attached")
            prepare(page)
            page.wait_for_timeout(500)
            target = IMAGES / f"{name}.png"
            page.screenshot(path=target)
            print(f"{target}: {target.stat().st_size:,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
