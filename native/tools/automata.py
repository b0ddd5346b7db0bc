r"""Compile patterns into automata that find the longest match at a position.

The notation of a pattern:
    a       a letter matches both cases, also ſ, K (U+212A), İ and ı; other characters, including '.', match themselves
    [a-z]   one of these characters, in exactly this case; [^a-z] any other; [^] any
    \x      the character x; \t \n \v \f \r; \u00ad a code unit; \l, \d and \p a letter, digit or capital
    <name>  a named pattern
    ( | ) * + ? {2,4}

Patterns match UTF-16 code units, because the lexers that they describe do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

UNITS = 0x10000
DEAD = 0  # the state without any match
ESCAPES = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}
OTHER_CASES = {"i": "\u0130\u0131", "k": "\u212a", "s": "\u017f"}

UnitSet = frozenset[int]


class State(NamedTuple):
    """A state of an automaton: what it accepts (None if nothing), and the next state for each class of units."""

    accepts: int | None
    next: tuple[int, ...]


class Automata(NamedTuple):
    """The class of each code unit, and automata whose state 1 is the start."""

    classes: list[int]
    automata: list[list[State]]


@dataclass
class Node:
    """A node of a nondeterministic automaton: reads a unit of a set, continues at several nodes, or accepts."""

    reads: UnitSet | None = None
    next: list[int] = field(default_factory=list)
    accepts: int | None = None


class PatternReader:
    """Turn patterns into nodes. Each part is built with the node that follows it."""

    def __init__(self, alphabet: Mapping[str, UnitSet], names: Mapping[str, str]) -> None:
        self.alphabet = alphabet
        self.names = names
        self.nodes: list[Node] = []

    def add(self, node: Node) -> int:
        """Return the number of a new node."""
        self.nodes.append(node)
        return len(self.nodes) - 1

    def build(self, pattern: str, follower: int) -> int:
        """Return the first node of a pattern, which continues at `follower`."""
        parser = _Parser(pattern, self)
        build = parser.alternatives()
        if parser.at < len(pattern):
            raise parser.error("an unmatched ')'")
        return build(follower)


# Builds a part of a pattern in front of a node, and returns its first node.
Part = Callable[[int], int]


class _Parser:
    def __init__(self, pattern: str, reader: PatternReader) -> None:
        self.pattern, self.reader, self.at = pattern, reader, 0

    def error(self, problem: str) -> ValueError:
        return ValueError(f"{problem} at {self.at} in the pattern {self.pattern}")

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def take(self) -> str:
        character = self.peek()
        if not character:
            raise self.error("an unexpected end")
        self.at += 1
        return character

    def alternatives(self) -> Part:
        parts = [self.sequence()]
        while self.peek() == "|":
            self.take()
            parts.append(self.sequence())
        if len(parts) == 1:
            return parts[0]
        return lambda follower: self.reader.add(Node(next=[part(follower) for part in parts]))

    def sequence(self) -> Part:
        parts = []
        while self.peek() not in ("", "|", ")"):
            parts.append(self.repeated(self.atom()))

        def build(follower: int) -> int:
            for part in reversed(parts):
                follower = part(follower)
            return follower

        return build

    def repeated(self, part: Part) -> Part:
        sign = self.peek()
        if sign not in ("*", "+", "?", "{"):
            return part
        self.take()
        if sign in "*+":
            return lambda follower: self.loop(part, follower, may_skip=sign == "*")
        least, most = 0, 1
        if sign == "{":
            end = self.pattern.find("}", self.at)
            bounds = self.pattern[self.at : end].split(",")
            if end < 0 or len(bounds) != 2:
                raise self.error("a wrong repetition")
            least, most, self.at = int(bounds[0]), int(bounds[1]), end + 1

        def build(follower: int) -> int:
            end = follower
            for _ in range(most - least):
                follower = self.reader.add(Node(next=[part(follower), end]))
            for _ in range(least):
                follower = part(follower)
            return follower

        return build

    def loop(self, part: Part, follower: int, *, may_skip: bool) -> int:
        loop = self.reader.add(Node())
        body = part(loop)
        self.reader.nodes[loop].next = [body, follower]
        return loop if may_skip else body

    def atom(self) -> Part:
        character = self.peek()
        if character == "(":
            self.take()
            part = self.alternatives()
            if self.take() != ")":
                raise self.error("an unmatched '('")
            return part
        if character == "<":
            end = self.pattern.find(">", self.at)
            name = self.pattern[self.at + 1 : end]
            if name not in self.reader.names:
                raise self.error(f"the unknown name {name!r}")
            self.at = end + 1
            return lambda follower: self.reader.build(self.reader.names[name], follower)
        units = self.bracket() if character == "[" else self.unit_or_letter()
        return lambda follower: self.reader.add(Node(reads=units, next=[follower]))

    def bracket(self) -> UnitSet:
        self.take()
        is_complement = self.peek() == "^"
        if is_complement:
            self.take()
        units: set[int] = set()
        while self.peek() != "]":
            first = self.units()
            if self.peek() == "-" and self.pattern[self.at + 1 : self.at + 2] != "]":
                self.take()
                first = frozenset(range(min(first), max(self.units()) + 1))
            units |= first
        self.take()
        return frozenset(range(UNITS)) - units if is_complement else frozenset(units)

    def unit_or_letter(self) -> UnitSet:
        character = self.peek()
        units = self.units()
        if not (character.isascii() and character.isalpha()):
            return units
        others = character.swapcase() + OTHER_CASES.get(character.lower(), "")
        return units | frozenset(map(ord, others))

    def units(self) -> UnitSet:
        """Read one character, or a set of the alphabet."""
        character = self.take()
        if character == "\\":
            character = self.take()
            if character in self.reader.alphabet:
                return self.reader.alphabet[character]
            if character == "u":
                return frozenset([int("".join(self.take() for _ in range(4)), 16)])
            character = ESCAPES.get(character, character)
        return frozenset([ord(character)])


def classify(sets: Iterable[UnitSet]) -> tuple[list[int], dict[UnitSet, list[int]]]:
    """Return the class of each unit, and the classes of each set. Units of one class are in the same sets."""
    distinct = list(dict.fromkeys(sets))
    bounds = {0, UNITS}
    for units in distinct:
        bounds |= {unit for unit in units if unit - 1 not in units} | {
            unit + 1 for unit in units if unit + 1 not in units
        }
    numbers: dict[tuple[int, ...], int] = {}
    classes: list[int] = []
    for first, end in pairwise(sorted(bounds)):
        key = tuple(i for i, units in enumerate(distinct) if first in units)
        classes += [numbers.setdefault(key, len(numbers))] * (end - first)
    members: dict[UnitSet, list[int]] = {units: [] for units in distinct}
    for key, number in numbers.items():
        for i in key:
            members[distinct[i]].append(number)
    return classes, members


def determinize(
    nodes: Sequence[Node], start: Iterable[int], members: Mapping[UnitSet, list[int]], width: int
) -> list[State]:
    """Return the automaton whose states are the sets of nodes that are active after the same units."""

    def active_after(entered: Iterable[int]) -> frozenset[int]:
        active, pending = set(), list(entered)
        while pending:
            node = pending.pop()
            if node not in active:
                active.add(node)
                if nodes[node].reads is None:
                    pending += nodes[node].next
        return frozenset(node for node in active if nodes[node].reads is not None or nodes[node].accepts is not None)

    known = {frozenset[int](): DEAD}
    by_entered: dict[frozenset[int], int] = {}
    pending = [frozenset[int]()]

    def state_of(entered: frozenset[int]) -> int:
        if entered not in by_entered:
            active = active_after(entered)
            if active not in known:
                known[active] = len(known)
                pending.append(active)
            by_entered[entered] = known[active]
        return by_entered[entered]

    state_of(frozenset(start))
    states = []
    for active in pending:
        targets: list[set[int]] = [set() for _ in range(width)]
        for node in active:
            if (reads := nodes[node].reads) is not None:
                for number in members[reads]:
                    targets[number].update(nodes[node].next)
        accepted = (nodes[node].accepts for node in active)
        number = min((each for each in accepted if each is not None), default=None)
        states.append(State(number, tuple(state_of(frozenset(target)) for target in targets)))
    return states


def minimize(states: Sequence[State]) -> list[State]:
    """Merge the states that accept the same continuations. The order stays the order of the first of each group."""
    groups = [-1 if state.accepts is None else state.accepts for state in states]
    count = 0
    while len(set(groups)) != count:
        count = len(set(groups))
        keys = [(groups[i], *(groups[target] for target in state.next)) for i, state in enumerate(states)]
        numbers: dict[tuple[int, ...], int] = {}
        groups = [numbers.setdefault(key, len(numbers)) for key in keys]
    first = dict(reversed(list(zip(groups, states, strict=True))))
    return [State(first[i].accepts, tuple(groups[target] for target in first[i].next)) for i in range(count)]


def compile_patterns(
    alphabet: Mapping[str, UnitSet], names: Mapping[str, str], patterns: Iterable[tuple[int, str]]
) -> Automata:
    """Return automata that share their classes of units. `patterns` are pairs of an automaton and a pattern.

    An automaton accepts the number of a pattern. If several match, it accepts the smallest.
    """
    reader = PatternReader(alphabet, names)
    starts: dict[int, list[int]] = {}
    for number, (automaton, pattern) in enumerate(patterns):
        first = reader.build(pattern, reader.add(Node(accepts=number)))
        starts.setdefault(automaton, []).append(first)
    classes, members = classify(node.reads for node in reader.nodes if node.reads is not None)
    width = max(classes) + 1
    return Automata(
        classes, [minimize(determinize(reader.nodes, starts[i], members, width)) for i in range(len(starts))]
    )
