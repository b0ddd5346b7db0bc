"""Why two implementations print different numbers for the same text, and whose number one is."""

from refscore.differences.conventions import Convention, Conventions, conventions
from refscore.differences.finding import Finding, Match
from refscore.differences.switching import Change, Step

__all__ = ["Change", "Convention", "Conventions", "Finding", "Match", "Step", "conventions"]
