"""Why two implementations print different numbers for the same text, and which settings give a number."""

from refscore.conventions.comparison import Convention, Conventions, compare_conventions
from refscore.conventions.finding import Finding, Match
from refscore.conventions.switching import Change, Step

__all__ = ["Change", "Convention", "Conventions", "Finding", "Match", "Step", "compare_conventions"]
