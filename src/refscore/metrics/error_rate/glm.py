"""NIST's global mapping rules (GLM), which rewrite spellings before scoring, as csrfilt and rfilter1 do."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refscore import _native
from refscore.errors import InputError, Location, SettingError, SignatureError
from refscore.settings import Digested, DigestKind, listed_strings

# The input types that csrfilt uses for references and hypotheses.
_INPUT_TYPES = {"references": "stm", "hypotheses": "ctm"}
_SECTION = re.compile(r"INPUT_DEPENDENT_APPLICATION\s*=\s*\"(.*)\"")
_HEADER = re.compile(r"\*\s*(\w+)\s*[=:]?\s*(?:\"([^\"]*)\"|'([^']*)')\s*$")
_NO = ("f", "no", "false")
_YES = ("t", "yes", "true")


@dataclass(frozen=True)
class GLMRule:
    """One rule: replace `pattern` between `before` and `after`.

    Attributes:
        pattern: The text to replace.
        replacement: The new text.
        before: The text that must precede the pattern.
        after: The text that must follow the pattern.
        sides: The sides that the rule applies to: "references", "hypotheses".

    Example:
        >>> GLM(["[uh] => [um] / [ ] __ [ ]"]).rules[0].before
        ' '
    """

    pattern: str
    replacement: str
    before: str = ""
    after: str = ""
    sides: tuple[str, ...] = ("hypotheses", "references")


class GLM(Digested):
    """NIST's rules for spellings that count as equal. Create it from lines, or with `GLM.read` from a file.

    At each position, the first rule that matches is applied, and its result is not rewritten again. Both text ends
    count as spaces. Rules with alternatives (`{a / b}`) apply only to references.

    Supported are `A => B`, `A => B / C __ D`, fields in square brackets or single quotation marks, comments (`;;`), the
    headers `CASE_SENSITIVE` and `COPY_NO_HIT = 'T'`, and sections by input type: `ctm` is for hypotheses, `stm` for
    references. Everything else raises an error with its line.

    Args:
        lines: The rule lines.

    Example:
        >>> import refscore
        >>> glm = refscore.metrics.GLM(["[gonna] => [{gonna / going to}] / [ ] __ [ ]", "cancelled => canceled"])
        >>> glm.apply("i'm gonna be cancelled", is_reference=True)
        "i'm {gonna / going to} be canceled"
        >>> metric = refscore.WER(alternatives="nist", glm=glm)
        >>> metric.segment("i'm going to be canceled", "i'm gonna be cancelled").errors
        0
    """

    def __init__(self, lines: Iterable[str], *, file: str | None = None) -> None:
        if isinstance(lines, str):
            raise SettingError("GLM() takes the lines of the rules: use GLM.read(path) for a file")
        self._lines = listed_strings("lines", lines)
        self.is_case_sensitive = True
        rules: list[GLMRule] = []
        sides: tuple[str, ...] = tuple(sorted(_INPUT_TYPES))
        for number, line in enumerate(self._lines, 1):
            location = Location("lines", segment=number - 1) if file is None else Location(file=file, line=number)
            section = _SECTION.search(line) if line.lstrip().startswith(";;") else None
            if section is not None:
                sides = _sides(section[1], location)
                continue
            content = line.partition(";;")[0].strip()
            if content.startswith("*"):
                self._read_header(content, location)
            elif content:
                rules.append(_parse_rule(content, sides, location))
        self.rules = tuple(rules)
        # Each side's rules by the first character in their pattern, in order.
        self._index = {side: defaultdict[str, list[GLMRule]](list) for side in _INPUT_TYPES}
        for rule in self.rules:
            fields = self._fold(rule.pattern), rule.replacement, self._fold(rule.before), self._fold(rule.after)
            for side in rule.sides:
                self._index[side][fields[0][0]].append(GLMRule(*fields))

    @classmethod
    def read(cls, path: str | Path) -> GLM:
        r"""Return a file's rules.

        >>> import refscore, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp(), "en.glm")
        >>> _ = path.write_text(";; test\ncolour => color\n")
        >>> refscore.metrics.GLM.read(path).apply("the colour", is_reference=False)
        'the color'
        """
        return cls(read_lines(path), file=str(path))

    def _read_header(self, content: str, location: Location) -> None:
        header = _HEADER.match(content)
        if header is None:
            raise InputError(location, f"has a header that cannot be read: {content!r}", "write * KEYWORD = 'VALUE'")
        keyword, value = header[1].upper(), (header[2] if header[2] is not None else header[3]).lower()
        if keyword == "CASE_SENSITIVE" and value in (*_YES, *_NO):
            self.is_case_sensitive = value in _YES
        elif keyword == "COPY_NO_HIT" and value not in _YES:
            raise InputError(location, "has COPY_NO_HIT = 'F', which is not supported", "set it to 'T'")
        elif keyword not in ("NAME", "DESC", "FORMAT", "MAX_NRULES", "COPY_NO_HIT"):
            raise InputError(location, f"has the unknown header {content!r}", "remove it")

    def _fold(self, text: str) -> str:
        # Character by character, so positions stay the same.
        return text if self.is_case_sensitive else "".join(low if len(low := c.lower()) == 1 else c for c in text)

    @property
    def has_alternatives(self) -> bool:
        """Whether a rule writes alternatives."""
        return any("{" in rule.replacement for rule in self.rules)

    def apply(self, text: str, *, is_reference: bool) -> str:
        """Return the text after all rules for its side. Alternatives in a reference stay marked."""
        index = self._index["references" if is_reference else "hypotheses"]
        if not index:
            return text
        if not is_reference:
            return self._rewrite(text, index)
        parts = _native.split_markup(text)
        if not any(is_mark for _, is_mark in parts):
            return self._rewrite(text, index)
        return " ".join(part if is_mark else self._rewrite(part, index) for part, is_mark in parts)

    def _rewrite(self, text: str, index: Mapping[str, list[GLMRule]]) -> str:
        padded = f" {text} "
        folded = self._fold(padded)
        output: list[str] = []
        at = 0
        while at < len(padded):
            for rule in index.get(folded[at], ()):
                end = at + len(rule.pattern)
                if (
                    folded.startswith(rule.pattern, at)
                    and folded.startswith(rule.after, end)
                    and folded.endswith(rule.before, 0, at)
                ):
                    output.append(rule.replacement)
                    at = end
                    break
            else:
                output.append(padded[at])
                at += 1
        return "".join(output).strip(" ") if text == text.strip(" ") else "".join(output)[1:-1]

    def to_bytes(self) -> bytes:
        content = [self.is_case_sensitive, [vars(rule) for rule in self.rules]]
        return json.dumps(content).encode("utf-8", "surrogatepass")

    def __reduce__(self) -> tuple[Any, ...]:
        return GLM, (self._lines,)

    def __repr__(self) -> str:
        return f"<{len(self.rules):,} rules, {self.digest}>"

    def to_data(self) -> list[str]:
        return [*self._lines]


class FileKind(DigestKind):
    """Content of a file, such as rules or words. `types` are types that the content's class takes as well."""

    values: tuple[str, ...] = ("a file", "none")

    def __init__(self, content: Any, title: str, argument: str, accepted: str, types: tuple[type, ...] = ()) -> None:
        self._content = content
        self._title = title
        self._argument = argument
        self._accepted = accepted
        self._types = types

    def check(self, name: str, value: Any) -> Any:
        if value is None or isinstance(value, self._content):
            return value
        if isinstance(value, Path):
            return self._content.read(value)
        if isinstance(value, self._types):
            return self._content(value)
        raise SettingError(f"{name} must be {self._accepted}, a pathlib.Path or None, not {value!r}")

    def read(self, text: str) -> None:
        raise SignatureError(
            f"the signature has only a digest of the {self._title} ({text}): pass {self._argument}= and compare the "
            "signatures"
        )

    def parse(self, text: str) -> Any:
        return None if text.lower() == "none" else self._content.read(text)


def read_lines(path: str | Path) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8-sig").split("\n")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is not UTF-8"
        raise InputError(Location(file=str(path)), f"cannot be read: {reason}") from None


def _sides(expression: str, location: Location) -> tuple[str, ...]:
    try:
        sides = tuple(side for side, kind in sorted(_INPUT_TYPES.items()) if re.search(expression, kind))
    except re.error:
        raise InputError(location, f"has an invalid regular expression: {expression!r}") from None
    if not sides:
        raise InputError(
            location,
            f'has INPUT_DEPENDENT_APPLICATION = "{expression}", which matches neither "ctm" nor "stm"',
            "use ctm for hypotheses and stm for references",
        )
    return sides


def _parse_rule(content: str, sides: tuple[str, ...], location: Location) -> GLMRule:
    pattern_text, arrow, rest = content.partition("=>")
    before_text = after_text = ""
    if "__" in rest:
        start, _, after_text = rest.rpartition("__")
        replacement_text, slash, before_text = _split_at_last_slash(start)
        if not slash:
            raise InputError(location, "has '__' without '/'", "write A => B / C __ D")
    else:
        replacement_text = rest
    fields = [_field(text, location) for text in (pattern_text, replacement_text, before_text, after_text)]
    pattern, replacement, before, after = fields
    if not arrow or not pattern:
        raise InputError(location, f"is not a rule: {content!r}", "write A => B, or A => B / C __ D")
    outside, depth = "", 0
    for char in replacement:
        depth += (char == "{") - (char == "}")
        outside += char if depth == 0 else ""
        if depth < 0:
            break
    if depth != 0:
        raise InputError(location, "has braces that are not paired", "write {B / C}")
    if "/" in outside and not replacement_text.strip().startswith(("[", "'")):
        raise InputError(location, "has '/' but no '__'", "write A => B / C __ D, or put B in square brackets")
    if "{" in replacement:
        if sides == ("hypotheses",):
            raise InputError(
                location,
                "has alternatives for hypotheses, which are not supported",
                "only references have alternatives",
            )
        sides = ("references",)
    return GLMRule(pattern, replacement, before, after, sides)


def _split_at_last_slash(text: str) -> tuple[str, str, str]:
    depth, at = 0, -1
    for i, char in enumerate(text):
        depth += (char in "[{") - (char in "]}")
        if char == "/" and depth == 0:
            at = i
    return (text[:at], "/", text[at + 1 :]) if at >= 0 else (text, "", "")


def _field(text: str, location: Location) -> str:
    text = text.strip()
    for opening, closing in ("[]", "''"):
        if text.startswith(opening):
            if len(text) < 2 or not text.endswith(closing):
                raise InputError(location, f"has {opening!r} without {closing!r}: {text!r}")
            return text[1:-1]
    return text
