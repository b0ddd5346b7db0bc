"""The verdict for services that run tests: GitHub's annotations, and JUnit's XML."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from refscore.gate.model import WHOLE, Check, Gate
from refscore.text_display import visible


def render_github(gate: Gate) -> str:
    r"""Return the annotations of a GitHub job: an error per failed check, and a warning per undecided one.

    The segments that lost most are notices. `gate.render("markdown")` is the summary of the job.

    Example:
        >>> from refscore.gate import Check, Gate
        >>> from refscore.gate.formats import render_github
        >>> print(render_github(Gate([Check("worse", "failed", "chrF2 is worse", "chrf", "chrF2")], "new", 100)))
        ::error title=refscore%3A significantly worse::chrF2 is worse
    """
    lines = []
    for check in gate.checks:
        if check.status != "passed":
            kind = "error" if check in gate.failures else "warning"
            lines.append(_command(kind, f"refscore: {check.question}", visible(_described(check))))
    for each in gate.lost:
        texts = {"reference": each.reference, "baseline": each.before, "new": each.output}
        body = "\n".join(f"{name}: {visible(text)}" for name, text in texts.items() if text is not None)
        title = f"segment {each.segment}: {gate.lost_by} {each.baseline:.2f} to {each.score:.2f}"
        lines.append(_command("notice", title, body or title))
    return "\n".join(lines)


def render_junit(gate: Gate) -> str:
    """Return the verdict as JUnit's XML: a test case per check. Undecided checks are skipped.

    Example:
        >>> from refscore.gate import Check, Gate
        >>> from refscore.gate.formats import render_junit
        >>> print(render_junit(Gate([Check("floor", "passed", "BLEU is 31", "bleu", "BLEU")], "new", 100)))
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites>
          <testsuite name="refscore gate" tests="1" failures="0" skipped="0" errors="0">
            <testcase classname="refscore.new" name="beyond the floor, BLEU"/>
          </testsuite>
        </testsuites>
    """
    failures = gate.failures
    skipped = [check for check in gate.checks if check.status == "undecided" and check not in failures]
    counts = {"tests": len(gate.checks), "failures": len(failures), "skipped": len(skipped), "errors": 0}
    listed = " ".join(f'{name}="{count}"' for name, count in counts.items())
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", f'  <testsuite name="refscore gate" {listed}>']
    for check in gate.checks:
        parts = [check.question, check.title, "" if check.group == WHOLE else check.group]
        name = ", ".join(filter(None, parts))
        case = f"    <testcase classname={_attribute(f'refscore.{gate.system}')} name={_attribute(name)}"
        if check in failures:
            text = "\n".join(map(escape, _failure(gate, check)))
            lines += [f"{case}>", f"      <failure message={_attribute(_described(check))}>{text}</failure>"]
            lines.append("    </testcase>")
        elif check in skipped:
            lines += [f"{case}>", f"      <skipped message={_attribute(_described(check))}/>", "    </testcase>"]
        else:
            lines.append(f"{case}/>")
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"])


def _failure(gate: Gate, check: Check) -> list[str]:
    """Return the segments that lost most by the metric of a check, or its reason."""
    if check.title != gate.lost_by or not gate.lost:
        return [visible(check.reason)]
    lines = []
    for each in gate.lost:
        scores = f"segment {each.segment}: {each.baseline:.2f} to {each.score:.2f}"
        lines.append(scores if each.output is None else f"{scores}: {visible(each.output)}")
    return lines


def _described(check: Check) -> str:
    """Return the reason with the numbers behind it."""
    numbers = {"Δ": check.show(check.difference, "+"), "p": check.show(check.p, digits=4)}
    numbers["detectable"] = check.show(check.detectable)
    known = ", ".join(f"{name} {value}" for name, value in numbers.items() if value != "–")
    return f"{check.reason} ({known})" if known else check.reason


def _attribute(text: str) -> str:
    return quoteattr(visible(text))


def _command(kind: str, title: str, body: str) -> str:
    """Return a workflow command. Its properties escape more characters than its message."""
    message = body.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    escaped = visible(title).replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return f"::{kind} title={escaped}::{message}"
