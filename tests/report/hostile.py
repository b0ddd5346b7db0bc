"""Texts that try to inject markup or code."""

from refscore.report import build_report

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><script>window.broken = 1</script>",
    "<!-- <script> --> ]]> <![CDATA[",
    "<img src=x onerror=window.broken=1> <b>bold</b> &lt;i&gt; &amp;",
    "turned \u202eround\u202c and \u2066isolated\u2069",
    "half a pair \ud83d and \udc00 the other",
    "lines\u2028and\u2029paragraphs, \x00 and \x1b[31m, tab\there",
    "${alert(1)} {{7*7}} `x` \\u0041 'quotes' \"double\"",
    "עברית and العربية with 1, 2",
    "e\u0301 at the \u0301start, 👩\u200d🚀, \u200bzero width, \ufeffmark",
    "x" * 2000,
    "",
]
NAME = "<i>B</i>\u202e\"'</script>"


def hostile_report():
    """Return a report in which every external text is hostile."""
    turned = [*HOSTILE[1:], HOSTILE[0]]
    systems = {"<b>A</b>": HOSTILE, NAME: turned}
    return build_report(
        systems,
        [[text, other] for text, other in zip(HOSTILE, turned, strict=True)],
        sources=turned,
        metrics=["bleu", "chrf"],
        title="<script>alert('title')</script>",
        notes="<img src=x onerror=alert(1)>\n\n</p><script>alert(2)</script>",
    )
