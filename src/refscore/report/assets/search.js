// Which segments are listed, and in which order.

const REGEX_LIMIT = 3000; // milliseconds

// Runs beside the page, so that an expression that takes forever can be stopped.
const WORKER = `onmessage = ({ data: { pattern, flags, rows } }) => {
  const expression = new RegExp(pattern, flags);
  postMessage(rows.filter(([, texts]) => texts.some((text) => expression.test(text))).map(([row]) => row));
};`;

/** The rows of which a text matches the expression; fails with a message where it is wrong or takes too long. */
function rowsMatching(pattern, rows) {
  let flags = "iu";
  try {
    new RegExp(pattern, flags);
  } catch {
    flags = "i"; // older syntax
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
    const timer = setTimeout(() => finish(reject, new Error("it takes too long, make it simpler")), REGEX_LIMIT);
    worker.onmessage = ({ data }) => finish(resolve, data);
    worker.onerror = (event) => finish(reject, new Error(event.message || "regular expressions cannot be used here"));
    worker.postMessage({ pattern, flags, rows });
  });
}

/** Texts of a row that are searched, by scope. */
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

/** How far B is better than A on a segment: negative where it is worse, null where one has no score. */
function gain(segments, row, state) {
  if (state.b === null) return null;
  const [a, b] = [state.a, state.b].map((system) => segments.score(state.metric, row, system));
  if (a === null || b === null) return null;
  return summary.metrics[state.metric].higher ? b - a : a - b;
}

/** How far the systems are apart on a segment. */
function spread(segments, row, state) {
  const scores = summary.systems.map((_, system) => segments.score(state.metric, row, system)).filter((score) => score !== null);
  return scores.length ? Math.max(...scores) - Math.min(...scores) : null;
}

/** Ways to sort: a key for each row, small ones first; null last. */
function orders(segments) {
  const good = (row, state, system) => {
    const score = segments.score(state.metric, row, system);
    return score === null ? null : summary.metrics[state.metric].higher ? score : -score;
  };
  const less = (value) => (value === null ? null : -value);
  const several = segments.systems > 1;
  return [
    { name: "order in the test set", key: (row) => row },
    ...(several
      ? [
          { name: "largest gain of B over A", quick: true, key: (row, state) => less(gain(segments, row, state)) },
          { name: "largest loss of B against A", quick: true, key: (row, state) => gain(segments, row, state) },
          { name: "largest spread of all systems", quick: segments.systems > 2, key: (row, state) => less(spread(segments, row, state)) },
        ]
      : []),
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

/** How often a run of words stands in others. */
function occurrences(words, wanted) {
  let count = 0;
  for (let k = 0; k + wanted.length <= words.length; k++) if (wanted.every((word, n) => words[k + n] === word)) count++;
  return count;
}

/** Whether one system has an n-gram of the references right more often than another. */
function gramTest(segments, wanted, winner, loser) {
  return (row) => {
    const most = Math.max(0, ...segments.referenceSlots(row).map((slot) => occurrences(segments.words(row, slot), wanted)));
    if (!most) return false;
    const [more, less] = [winner, loser].map((system) => Math.min(most, occurrences(segments.words(row, segments.references + system), wanted)));
    return more > less;
  };
}
