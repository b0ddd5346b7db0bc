"""M² by m2scorer's rules, with dictionaries and complete searches. It is slow: use it for short texts."""


def alignments(source, target, substitution):
    """Return the arcs on optimal paths from both texts' ends to their beginnings."""
    costs = {}
    for i in range(len(source) + 1):
        for j in range(len(target) + 1):
            steps = []
            if i and j:
                same = source[i - 1] == target[j - 1]
                steps.append((costs[i - 1, j - 1][0] + (0 if same else substitution), (i - 1, j - 1)))
            if i:
                steps.append((costs[i - 1, j][0] + 1, (i - 1, j)))
            if j:
                steps.append((costs[i, j - 1][0] + 1, (i, j - 1)))
            least = min((cost for cost, _ in steps), default=0)
            costs[i, j] = least, [before for cost, before in steps if cost == least]
    arcs, waiting, seen = [], [(len(source), len(target))], set()
    while waiting:
        vertex = waiting.pop()
        if vertex in seen:
            continue
        seen.add(vertex)
        for before in costs[vertex][1]:
            arcs.append((before, vertex))
            waiting.append(before)
    return arcs


def lattice(source, target, max_unchanged):
    """Return the arcs in order (some twice), with length, unchanged words and whether there are no others."""
    order = sorted(alignments(source, target, 1) + alignments(source, target, 2))
    known = {}
    for before, after in order:
        diagonal = before[0] < after[0] and before[1] < after[1]
        noop = diagonal and source[before[0]] == target[before[1]]
        known[before, after] = 1, int(noop), noop
    vertices = sorted({(0, 0), *(vertex for arc in order for vertex in arc)})
    for middle in vertices:
        for before in vertices:
            for after in vertices:
                if (before, middle) not in known or (middle, after) not in known:
                    continue
                first, second = known[before, middle], known[middle, after]
                length, unchanged = first[0] + second[0], first[1] + second[1]
                if unchanged <= max_unchanged and length < known.get((before, after), (float("inf"),))[0]:
                    known[before, after] = length, unchanged, first[2] and second[2]
                    order.append((before, after))
    for arc in order:  # the list changes while it is read, as in m2scorer
        if arc in known and known[arc][2] and known[arc][0] > 1:
            order.remove(arc)
            del known[arc]
    return vertices, order, known


def count(source, target, gold, max_unchanged=2):  # noqa: PLR0912 - one rule after the other
    """Return the numbers of correct, proposed and gold edits. An edit is (begin, end, corrections)."""
    gold = [edit for edit in gold if max(edit[:2]) <= len(source)]
    vertices, order, known = lattice(source, target, max_unchanged)

    def words(arc):
        return arc[0][0], arc[1][0], " ".join(target[arc[0][1] : arc[1][1]])

    def matches(arc, edit):
        begin, end, text = words(arc)
        return (begin, end) == edit[:2] and text in edit[2]

    weights = {arc: float(known[arc][0]) for arc in order}
    groups = {}
    for arc in sorted(order):
        groups.setdefault(words(arc)[:2], []).append(arc)
    for (begin, end), arcs in groups.items():
        own = [edit for edit in gold if edit[:2] == (begin, end)]
        if begin == end:
            weigh_insertions(arcs, own, weights, matches, -len(order))
            continue
        for arc in arcs:
            if any(matches(arc, edit) for edit in own):
                weights[arc] = -len(order)
            elif not known[arc][2]:
                weights[arc] += 0.001
    distances, last = {(0, 0): 0}, {}
    for _ in vertices[1:]:
        for arc in order:
            distance = distances.get(arc[0], float("inf")) + weights[arc]
            if distance < distances.get(arc[1], float("inf")):
                distances[arc[1]], last[arc[1]] = distance, arc
    path, vertex = [], vertices[-1]
    while vertex in last:
        path.insert(0, last[vertex])
        vertex = last[vertex][0]
    edits = [arc for arc in path if not known[arc][2]]
    correct, following = 0, 0
    for arc in edits:
        for i in range(following, len(gold)):
            if matches(arc, gold[i]):
                correct, following = correct + 1, i + 1
    return [correct, len(edits), len(gold)], [words(arc) for arc in edits]


def weigh_insertions(arcs, gold, weights, matches, least):
    """Match insertions at one place in order, from both ends in turn."""
    left, right, at, first, final = 0, len(arcs) - 1, 0, 0, len(gold) - 1
    while left <= right:
        from_left = at == left
        places = range(first, final + 1) if from_left else range(final, first - 1, -1)
        place = next((place for place in places if matches(arcs[at], gold[place])), None)
        if place is None:
            weights[arcs[at]] += 0.001
            if from_left:
                left, at = left + 1, right
            else:
                right, at = right - 1, left
        elif from_left:
            weights[arcs[at]], first, left = least, place + 1, left + 1
            while left < len(arcs) and arcs[left][0] != arcs[at][1]:
                weights[arcs[left]] += 0.001
                left += 1
            at = left
        else:
            weights[arcs[at]], final, right = least, place - 1, right - 1
            while right >= 0 and arcs[right][1] != arcs[at][0]:
                weights[arcs[right]] += 0.001
                right -= 1
            at = right


def f_score(correct, proposed, gold, beta=0.5):
    precision, recall = correct / proposed if proposed else 1.0, correct / gold if gold else 1.0
    total = beta**2 * precision + recall
    return (1 + beta**2) * precision * recall / total if total else 0.0


def row(hypothesis, references, source, *, max_unchanged=2, beta=0.5):
    """Return the counts for the best of several corrected texts."""
    found = []
    for reference in references:
        edits = count(source, reference, [], 0)[1]
        gold = [(begin, end, [text]) for begin, end, text in edits]
        correct, proposed, total = counts = count(source, hypothesis, gold, max_unchanged)[0]
        weighted = beta**2 * total + proposed
        found.append(((1 + beta**2) * correct / weighted if weighted else 1.0, correct, -weighted, counts))
    return max(found, key=lambda choice: choice[:3])[3]
