"""The page as text: data never becomes markup, nothing external is loaded, and scripts match the policy."""

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser
from importlib.resources import files

import pytest
import vl_convert  # noqa: F401

from refscore.report import build_report, render_page
from tests.report.example import REFERENCES, SYSTEMS
from tests.report.hostile import HOSTILE, hostile_report


class Elements(HTMLParser):
    """Collect start tags, and the text of scripts and styles."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.tags, self.contents, self.inside = [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self.contents.append((tag, dict(attrs), []))
            self.inside = self.contents[-1][2]

    def handle_endtag(self, tag):
        self.inside = None

    def handle_data(self, data):
        if self.inside is not None:
            self.inside.append(data)


@pytest.fixture(scope="module")
def page():
    return render_page(hostile_report())


def policy_of(elements):
    (meta,) = [attributes for tag, attributes in elements.tags if "http-equiv" in attributes]
    assert meta["http-equiv"] == "Content-Security-Policy"
    return dict(part.split(" ", 1) for part in meta["content"].split("; "))


def test_hostile_text_makes_no_elements(page):
    plain = render_page(build_report(SYSTEMS, REFERENCES, metrics=["bleu", "chrf"], title="x", notes="y"))
    kinds = {tag for tag, _ in Elements(plain).tags}
    # Warnings about the data are in an aside.
    assert {tag for tag, _ in Elements(page).tags} - {"aside"} <= kinds
    assert [tag for tag, _ in Elements(page).tags].count("script") == 4
    assert "<script>alert" not in page
    assert page.encode("utf-8").decode("utf-8") == page


def test_the_policy(page):
    elements = Elements(page)
    policy = policy_of(elements)
    assert policy["default-src"] == "'none'"
    assert "unsafe" not in " ".join(policy.values())
    assert "http" not in " ".join(policy.values())
    for kind in ("script", "style"):
        parts = [part for tag, attributes, part in elements.contents if tag == kind and "type" not in attributes]
        hashes = {base64.b64encode(hashlib.sha256("".join(part).encode()).digest()).decode() for part in parts}
        assert set(re.findall(r"sha256-([^']+)", policy[f"{kind}-src"])) == hashes


def test_nothing_is_referred_to(page):
    for tag, attributes in Elements(page).tags:
        assert "src" not in attributes
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        if "href" in attributes:
            assert attributes["href"].startswith("#"), tag


def test_data_are_as_they_were(page):
    contents = {attributes.get("id"): "".join(content) for _, attributes, content in Elements(page).contents}
    summary = json.loads(contents["summary"])
    assert summary["metrics"][0]["title"] == "BLEU"
    data = json.loads(gzip.decompress(base64.b64decode(contents["packed"])))
    assert set(HOSTILE) <= set(data["texts"])
    assert not re.search(r"[<>&\u2028\u2029]", contents["summary"])


def test_the_same_input_gives_the_same_page():
    assert render_page(hostile_report()) == render_page(hostile_report())


def test_labels_of_controls(page):
    elements = Elements(page).tags
    names = {attributes["id"] for tag, attributes in elements if "id" in attributes}
    for _, attributes in elements:
        if "aria-labelledby" in attributes:
            assert attributes["aria-labelledby"] in names
        if attributes.get("href", "#").startswith("#") and len(attributes.get("href", "#")) > 1:
            assert attributes["href"][1:] in names
    assert ("html", {"lang": "en"}) in elements


TEXT_COLOURS = ("ink", "soft", "good", "bad", "miss", "move", "link", "a", "b")


def luminance(colour):
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_contrast_is_enough_in_light_and_dark():
    style = (files("refscore.report") / "assets" / "style.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\}", style, re.DOTALL)[:2]
    pairs = [(text, ground) for text in TEXT_COLOURS for ground in ("paper", "raised")]
    for block in blocks:
        colours = dict(re.findall(r"--(\w+): (#\w{6});", block))
        for pair in [*pairs, ("ink", "chosen"), ("good", "chosen"), ("bad", "chosen")]:
            dark, light = sorted(luminance(colours[name]) for name in pair)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, pair
