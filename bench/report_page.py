"""Measure the time and size of reports: `python -m bench.report_page`.

Prints a row for each size: seconds to build the report and to render the page, megabytes, and, if Chromium and
Playwright are installed, seconds until the page is ready.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

from bench.data import generate, systems
from refscore.report import build_report, render_page
from refscore.report.page import vega_script

SIZES = [(16, 3000, 1), (16, 3000, 4), (10, 10_000, 1)]


def page_of(count: int, segments: int, references: int) -> tuple[str, float, float]:
    """Return a page about generated systems, and the seconds to build the report and to render it."""
    texts = [entry[0] for entry in generate(segments, 1).references]
    others = systems(texts, references - 1, 2)
    outputs = {f"system-{k + 1}": own for k, own in enumerate(systems(texts, count, 3))}
    begin = time.perf_counter()
    report = build_report(outputs, [list(entry) for entry in zip(texts, *others, strict=True)])
    built = time.perf_counter()
    page = render_page(report)
    return page, built - begin, time.perf_counter() - built


def opening(path: Path) -> float | None:
    """Return the seconds until the page is ready, the best of three, or None without a browser."""
    program = shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    if program is None:
        return None
    found = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for _ in range(3):
            page = browser.new_page(viewport={"width": 1400, "height": 900})
            begin = time.perf_counter()
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready]", state="attached")
            found.append(time.perf_counter() - begin)
            page.close()
        browser.close()
    return min(found)


def main() -> None:
    """Measure all sizes and print the table."""
    begin = time.perf_counter()
    library = vega_script()
    print(f"chart library: {time.perf_counter() - begin:.1f} s once in a process, {len(library) / 1e6:.1f} MB")
    print("systems  segments  references  build, s  page, s    MB  open, s")
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            page, build, render = page_of(*size)
            path = Path(folder) / "report.html"
            path.write_text(page, encoding="utf-8")
            opened = opening(path)
            shown = "–" if opened is None else f"{opened:.1f}"
            count, segments, references = size
            size_in_mb = len(page.encode()) / 1e6
            print(
                f"{count:7}  {segments:8}  {references:10}  {build:8.1f}  {render:7.1f}  {size_in_mb:4.1f}  {shown:>7}"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
