"""The parts of worked steps, by kind and name."""

from refscore.steps import Formula, Heading, Paragraph
from refscore.tables import Table


def formulas(steps):
    """Return the formulas by name; a later formula replaces an earlier one."""
    return {part.name: part for part in steps.parts if isinstance(part, Formula)}


def tables(steps):
    return {part.title: part for part in steps.parts if isinstance(part, Table)}


def paragraphs(steps):
    return [part.text for part in steps.parts if isinstance(part, Paragraph)]


def sentences(steps):
    return " ".join(paragraphs(steps))


def headings(steps):
    return [part.text for part in steps.parts if isinstance(part, Heading)]
