"""The documentation builds without warnings, and its pages load nothing from other servers."""

import importlib.util
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = ("sphinx", "furo", "myst_parser", "sphinx_copybutton", "latex2mathml")

pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in NEEDED), reason="needs refscore[docs]"
)


class Loads(HTMLParser):
    """Collect the addresses that a browser loads for a page, not links."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.formulas = 0

    def handle_starttag(self, tag, attrs):
        self.formulas += tag == "math"
        given = dict(attrs)
        if tag == "link" and given.get("rel") not in ("stylesheet", "icon", "preload", "preconnect", "manifest"):
            return
        if tag != "a":
            self.found += [given[name] for name in ("src", "srcset", "href", "data", "action") if given.get(name)]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "-d", folder / "doctrees"]
    done = subprocess.run(
        [*command, ROOT / "docs", folder / "html"],
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"},
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_pages_load_nothing_from_elsewhere(site):
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        assert loads.found
        assert [address for address in loads.found if re.match(r"(?:\w+:)?//", address)] == [], page.name
    for style in site.rglob("*.css"):
        assert re.findall(r"url\(['\"]?(?:https?:)?//", style.read_text(encoding="utf-8")) == [], style.name


def test_formulas_are_drawn_without_a_script(site):
    for name in ("bleu", "chrf", "gleu", "meteor", "nist", "ribes", "rouge", "ter", "wer"):
        loads = Loads()
        text = (site / "reference" / "metrics" / f"{name}.html").read_text(encoding="utf-8")
        loads.feed(text)
        assert loads.formulas > 0
        assert "mathjax" not in text.lower()
        assert "\\frac" not in text


def test_the_reference_has_examples(site):
    text = (site / "reference" / "api" / "metrics.html").read_text(encoding="utf-8")
    assert 'id="refscore.BLEU"' in text
    assert text.count("&gt;&gt;&gt; ") > 20
