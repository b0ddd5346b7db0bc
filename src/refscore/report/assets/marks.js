// Mark the words of an output: by the n-grams of the references, or by the edits and moves of TER.

const ORDERS = 4;
const joined = (words, begin, order) => words.slice(begin, begin + order).join("\u0000");

/** The count of each n-gram of an order. */
function counted(words, order) {
  const counts = new Map();
  for (let k = 0; k + order <= words.length; k++) {
    const gram = joined(words, k, order);
    counts.set(gram, (counts.get(gram) ?? 0) + 1);
  }
  return counts;
}

/** The length of the longest n-gram around each word that is in some other text, up to 4; 0 if none has the word. */
function matchedOrders(words, others) {
  const orders = new Array(words.length).fill(0);
  for (let order = 1; order <= ORDERS; order++) {
    const known = new Set(others.flatMap((other) => [...counted(other, order).keys()]));
    for (let k = 0; k + order <= words.length; k++) {
      if (known.has(joined(words, k, order))) orders.fill(order, k, k + order);
    }
  }
  return orders;
}

/** For each order: the number of n-grams of an output, and of those that match, clipped to the counts of a reference. */
function matchTable(words, others) {
  return Array.from({ length: ORDERS }, (_, index) => {
    const outputCounts = counted(words, index + 1);
    const most = others.map((other) => counted(other, index + 1));
    let total = 0;
    let right = 0;
    for (const [gram, count] of outputCounts) {
      total += count;
      right += Math.min(count, Math.max(0, ...most.map((counts) => counts.get(gram) ?? 0)));
    }
    return { order: index + 1, total, right };
  });
}

/** The edits of each word of an output, the words that are moved, and the reference words that are missing. */
function editsOf(packed, length) {
  const [reference, runs, moves] = packed.split(";");
  const positions = Array.from({ length }, (_, k) => k);
  const moved = new Set();
  const numbers = moves ? moves.split(",").map(Number) : [];
  for (let k = 0; k < numbers.length; k += 3) {
    const block = positions.splice(numbers[k], numbers[k + 1]);
    positions.splice(numbers[k + 2], 0, ...block);
    block.forEach((position) => moved.add(position));
  }
  const words = new Array(length);
  const missing = new Map(); // reference words by the output word before them; -1 at the beginning
  let outputIndex = 0;
  let referenceIndex = 0;
  for (const [, count, letter] of runs.matchAll(/(\d+)([=sid])/g)) {
    for (let k = 0; k < Number(count); k++) {
      if (letter === "i") {
        const after = outputIndex ? positions[outputIndex - 1] : -1;
        missing.set(after, [...(missing.get(after) ?? []), referenceIndex++]);
      } else {
        words[positions[outputIndex++]] = { letter, reference: letter === "d" ? null : referenceIndex };
        if (letter !== "d") referenceIndex++;
      }
    }
  }
  return { reference: Number(reference), words, missing, moved };
}

/** A text with its words in spans. `mark` returns the class and title of a span, `after` the nodes after a word. */
function markedText({ text, spans }, mark, after = () => []) {
  const nodes = [...after(-1)];
  let place = 0;
  spans.forEach((span, index) => {
    nodes.push(...textNodes(text.slice(place, span.begin)));
    const { kind, title } = mark(index) ?? {};
    const shown = textNodes(text.slice(span.begin, span.end));
    const touches = [spans[index - 1]?.end === span.begin && " after", spans[index + 1]?.begin === span.end && " before"];
    const beside = touches.filter(Boolean).join("");
    nodes.push(...(kind ? [make("span", { class: `word ${kind}${beside}`, title }, ...shown)] : shown), ...after(index));
    place = span.end;
  });
  nodes.push(...textNodes(text.slice(place)));
  return text ? nodes : [make("span", { class: "empty" }, "(empty)")];
}

function nGramText(segments, row, slot, others) {
  const orders = matchedOrders(segments.words(row, slot), others);
  return markedText(segments.spans(row, slot), (index) => ({
    kind: `n${orders[index]}`,
    title: orders[index] ? orders[index] === 1 ? "this word is in a reference" : `${orders[index]} consecutive words are in a reference` : "in no reference",
  }));
}

function editedText(segments, row, system) {
  const slot = segments.references + system;
  const output = segments.spans(row, slot);
  const edits = editsOf(segments.edits(row, system), output.spans.length);
  const reference = segments.spans(row, edits.reference).spans;
  const mark = (index) => {
    const { letter, reference: place } = edits.words[index];
    const kinds = [{ s: "changed", d: "extra" }[letter], edits.moved.has(index) && "moved"].filter(Boolean);
    const titles = [
      letter === "s" && `instead of “${visible(reference[place].word)}”`,
      letter === "d" && "extra word",
      edits.moved.has(index) && "moved",
    ].filter(Boolean);
    return kinds.length ? { kind: kinds.join(" "), title: titles.join(", ") } : null;
  };
  const after = (index) =>
    (edits.missing.get(index) ?? []).map((place) =>
      make("span", { class: "missing", title: "missing" }, make("span", { "aria-hidden": "true" }, "‸"), make("span", { class: "spoken" }, "missing: "), ...textNodes(reference[place].word)),
    );
  return markedText(output, mark, after);
}

/** A reference with marks on the words that an output lacks. */
function referenceText(segments, row, slot, words) {
  const left = counted(words, 1);
  const referenceWords = segments.words(row, slot);
  const absent = referenceWords.map((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
  return markedText(segments.spans(row, slot), (index) => (absent[index] ? { kind: "absent", title: "not in the selected output" } : null));
}
