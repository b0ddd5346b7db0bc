// Filter, search and sort the list of segments.

const REGEX_LIMIT = 3000; // milliseconds
const TEST_ORDER = "order in the test set";

// Expressions run in a worker, because they may take forever and must be stopped then.
const WORKER = `onmessage = ({ data: { pattern, flags, rows } }) => {
  const expression = new RegExp(pattern, flags);
  postMessage(rows.filter(([, texts]) => texts.some((text) => expression.test(text))).map(([row]) => row));
};`;

/** The rows with a text that matches the expression. Rejects with a message if it is invalid or takes too long. */
function rowsMatching(pattern, rows) {
  let flags = "iu";
  try {
    new RegExp(pattern, flags);
  } catch {
    flags = "i"; // some expressions are valid only without the u flag
    new RegExp(pattern, flags);
  }
  return new Promise((resolve, reject) => {
    const address = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    const worker = new Worker(address);
    const finish = (settle, value) => {
      clearTimeout(timer);
      worker.terminate();
      URL.revokeObjectURL(address);
      settle(value);
    };
    const timer = setTimeout(() => finish(reject, new Error("the expression takes too long, simplify it")), REGEX_LIMIT);
    worker.onmessage = ({ data }) => finish(resolve, data);
    worker.onerror = (event) => finish(reject, new Error(event.message || "this browser does not allow regular expressions"));
    worker.postMessage({ pattern, flags, rows });
  });
}

/** The texts of a row to search, by scope. */
function scopes(segments) {
  const references = (row) => segments.referenceSlots(row).map((slot) => segments.reference(row, slot));
  const outputs = (row) => Array.from({ length: segments.systems }, (_, system) => segments.output(row, system));
  const source = (row) => (segments.hasSource ? [segments.source(row)] : []);
  return [
    { name: "all texts", texts: (row) => [...source(row), ...references(row), ...outputs(row)] },
    ...(segments.hasSource ? [{ name: "source", texts: source }] : []),
    { name: "references", texts: references },
    { name: "outputs", texts: outputs },
    { name: "output of A", texts: (row, state) => [segments.output(row, state.a)] },
    ...(segments.systems > 1 ? [{ name: "output of B", texts: (row, state) => [segments.output(row, state.b)] }] : []),
  ];
}

/** The gain of B over A on a segment: negative if B is worse, null if one has no score. */
function gain(segments, row, state) {
  if (state.b === null) return null;
  const [a, b] = [state.a, state.b].map((system) => segments.score(state.metric, row, system));
  if (a === null || b === null) return null;
  return summary.metrics[state.metric].higher ? b - a : a - b;
}

/** The lowest and highest score of all systems on a segment, or null if none has a score. */
function extremes(segments, row, state) {
  const scores = summary.systems.map((_, system) => segments.score(state.metric, row, system)).filter((score) => score !== null);
  return scores.length ? [Math.min(...scores), Math.max(...scores)] : null;
}

/** The difference between the best and the worst system on a segment. */
function spread(segments, row, state) {
  const ends = extremes(segments, row, state);
  return ends && ends[1] - ends[0];
}

/** The sort orders, the default first. Each has a key for rows: small keys come first, null last. */
function orders(segments) {
  const good = (row, state, system) => {
    const score = segments.score(state.metric, row, system);
    return score === null ? null : summary.metrics[state.metric].higher ? score : -score;
  };
  const less = (value) => (value === null ? null : -value);
  const size = (value) => (value === null ? null : Math.abs(value));
  const several = segments.systems > 1;
  const positions = { name: TEST_ORDER, key: (row) => row };
  return [
    ...(several
      ? [
          { name: "largest difference of A and B", key: (row, state) => less(size(gain(segments, row, state))) },
          positions,
          { name: "largest gain of B over A", quick: true, key: (row, state) => less(gain(segments, row, state)) },
          { name: "largest loss of B against A", quick: true, key: (row, state) => gain(segments, row, state) },
          { name: "largest spread of all systems", quick: segments.systems > 2, spread: true, key: (row, state) => less(spread(segments, row, state)) },
        ]
      : [positions]),
    { name: "worst score of A", quick: !several, key: (row, state) => good(row, state, state.a) },
    ...(several ? [{ name: "worst score of B", quick: true, key: (row, state) => good(row, state, state.b) }] : []),
    { name: "longest reference", key: (row) => -segments.length(row) },
    { name: "shortest reference", key: (row) => segments.length(row) },
  ];
}

function sorted(rows, order, state) {
  const keys = new Map(rows.map((row) => [row, order.key(row, state)]));
  const compare = (one, two) => {
    const [first, second] = [keys.get(one), keys.get(two)];
    if (first === null || second === null) return (first === null) - (second === null);
    return first - second || one - two;
  };
  return [...rows].sort(compare);
}

/** The number of times a run of words occurs in others. */
function occurrences(words, wanted) {
  let count = 0;
  for (let k = 0; k + wanted.length <= words.length; k++) if (wanted.every((word, n) => words[k + n] === word)) count++;
  return count;
}

/** A test for segments where `winner` gets an n-gram of the references right more often than `loser`. */
function gramTest(segments, wanted, winner, loser) {
  return (row) => {
    const most = Math.max(0, ...segments.referenceSlots(row).map((slot) => occurrences(segments.words(row, slot), wanted)));
    if (!most) return false;
    const [more, less] = [winner, loser].map((system) => Math.min(most, occurrences(segments.words(row, segments.references + system), wanted)));
    return more > less;
  };
}
