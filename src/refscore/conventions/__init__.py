"""Why two tools print different scores for the same text, and which settings give a score."""

from refscore.conventions.comparison import Convention, Conventions, Namesake, compare_conventions
from refscore.conventions.finding import Finding, Match
from refscore.conventions.scoring import Change, Step

__all__ = ["Change", "Convention", "Conventions", "Finding", "Match", "Namesake", "Step", "compare_conventions"]
