"""The report's part on errors: counts, speakers, worst segments, links to audio, and escaped text."""

import re

import pytest

import refscore
from refscore.report import Reporting, build_report, render_page
from refscore.report.errors import safe_link

REFERENCES = ["the cat sat", "<script>alert(1)</script> is fine", "a b c"]
SYSTEMS = {"<b>": ["a cat sat", "it is fine", "a b c"], "new": REFERENCES}
QUICK = Reporting(resamples=10)
OPTIONS = {"metrics": ["wer", "cer", "bleu"], "reporting": QUICK}


def test_profiles():
    report = build_report(SYSTEMS, REFERENCES, speakers=["x", "y", "x"], **OPTIONS)
    assert [profile.title for profile in report.errors] == ["WER", "CER"]
    profile = report.errors[0]
    assert [system.errors.errors for system in profile.systems] == [2, 0]
    assert profile.speakers == (("x", 2), ("y", 1))
    expected = [refscore.wer(SYSTEMS["<b>"][::2], REFERENCES[::2]).value, 1 / 3]
    assert list(profile.systems[0].by_speaker) == expected
    assert [segment.index for segment in profile.systems[0].worst] == [0, 1]
    assert build_report(SYSTEMS, REFERENCES, metrics=["bleu"], reporting=QUICK).errors == ()


def test_rates_by_length():
    lengths = [3, 3, 7, 12]
    references = [" ".join(map(str, range(length))) for length in lengths]
    hypotheses = [text.replace("2", "x") for text in references]
    report = build_report({"a": hypotheses, "b": references}, references, metrics=["wer"], reporting=QUICK)
    table = report.errors[0].by_length
    assert (table.buckets, table.segments) == (((0, 4), (5, 9), (10, 14)), (2, 1, 1))
    groups = ((0, 1), (2,), (3,))
    picked = [[(hypotheses[k], references[k]) for k in group] for group in groups]
    assert table.scores[0] == pytest.approx([refscore.wer(*zip(*pairs, strict=True)).percent for pairs in picked])
    section = render_page(report).split('<section id="errors"')[1]
    assert '<th scope="row">10–14</th><td class=number>1</td><td class=number>8.33</td>' in section


def test_page_escapes_text_and_links():
    audio = ["javascript:alert(1)", 'a"onclick="x.wav', None]
    page = render_page(build_report(SYSTEMS, REFERENCES, audio=audio, speakers=["<i>"] * 3, **OPTIONS))
    section = page.split('<section id="errors"')[1].split("</section>")[0]
    assert not re.search(r"<script|<i>|<b>|href=\"javascript|onclick=\"x", section)
    assert 'href="a%22onclick%3D%22x.wav"' in section and "&lt;script&gt;" in section
    assert '<a href="#errors">' in page


@pytest.mark.parametrize(
    ("target", "link"),
    [
        ("https://example.org/a?b=1#c", "https://example.org/a?b=1#c"),
        ("audio/a b.wav", "audio/a%20b.wav"),
        ("/data/a.wav", "/data/a.wav"),
        ("a?b#c.wav", "a%3Fb%23c.wav"),
        *((target, None) for target in ("javascript:x", "JAVASCRIPT:x", "data:text/html,x", "//host/a", "file:///a")),
        *((target, None) for target in ("", "http:a", "http://[", "c:\\a.wav", "a\nb", "vbscript:x", "\u202ea.wav")),
    ],
)
def test_links(target, link):
    assert safe_link(target) == link


def test_mistakes():
    for options in ({"speakers": ["a"]}, {"audio": "a"}, {"speakers": [None] * 3}):
        with pytest.raises(refscore.InputError, match=next(iter(options))):
            build_report(SYSTEMS, REFERENCES, **options, **OPTIONS)


def test_errors_come_first_for_error_rates():
    for metrics, first in ((["wer", "bleu"], True), (["bleu", "wer"], False)):
        page = render_page(build_report(SYSTEMS, REFERENCES, metrics=metrics, reporting=QUICK))
        assert (page.index('<section id="errors"') < page.index('<section id="differences"')) == first
        assert (page.index('href="#errors"') < page.index('href="#differences"')) == first


def test_players():
    audio = ["https://example.org/a.wav", "b.wav", "javascript:alert(1)"]
    texts = {"one": ["a cat sat", "it is fine", "a b"]}
    page = render_page(build_report(texts, REFERENCES, audio=audio, **OPTIONS))
    players = set(re.findall(r'<audio controls preload="none" src="([^"]*)"></audio>', page))
    assert players == {"https://example.org/a.wav", "b.wav"}
    assert "; media-src 'self' file: https:; " in page
    assert "it loads only the audio that you play and sends nothing" in page
    plain = render_page(build_report(SYSTEMS, REFERENCES, audio=[None] * 3, **OPTIONS))
    assert "media-src" not in plain and "it loads nothing and sends nothing" in plain
