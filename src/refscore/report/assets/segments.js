// The segments: unpacked once, then read by row (a segment that is shown) and slot (which of its texts).

const SPACES = /[ \t\n\r\v\f]+/;

/** The data that are packed into the page, as gzip in base64. */
async function unpack(packed) {
  const binary = atob(packed);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

class Segments {
  constructor(data, summary) {
    this.data = data;
    this.size = summary.shown;
    this.systems = summary.systems.length;
    this.references = summary.references;
    this.hasSource = summary.source;
    this.fold = { true: (word) => word.toLowerCase(), ascii: (word) => word.replace(/[A-Z]+/g, (part) => part.toLowerCase()) }[
      summary.lowercase
    ] ?? ((word) => word);
    this.cutWidth = this.references + this.systems;
    this.width = this.cutWidth + (this.hasSource ? 1 : 0);
  }

  /** The number of a segment in the whole set, from 1. */
  number(row) {
    return (this.data.numbers ? this.data.numbers[row] : row) + 1;
  }

  source(row) {
    return this.hasSource ? this.data.texts[row * this.width] : null;
  }

  /** A reference; null where the segment has fewer. */
  reference(row, index) {
    return this.data.texts[row * this.width + (this.hasSource ? 1 : 0) + index];
  }

  output(row, system) {
    return this.reference(row, this.references + system);
  }

  /** The words of a reference or (after the references) of an output: where they begin and end in the text. */
  spans(row, slot) {
    const text = this.reference(row, slot);
    const cuts = this.data.cuts[row * this.cutWidth + slot];
    if (Array.isArray(cuts)) {
      // The words are not pieces of the text: they are shown in its place.
      let place = 0;
      const spans = cuts.map((word) => {
        const span = { begin: place, end: place + word.length, word };
        place = span.end + 1;
        return span;
      });
      return { text: cuts.join(" "), spans };
    }
    const inner = new Set(cuts ? cuts.split(" ").map(Number) : []);
    const spans = [];
    for (let place = 0; place < text.length; ) {
      if (SPACES.test(text[place])) {
        place++;
        continue;
      }
      let end = place + 1;
      while (end < text.length && !inner.has(end) && !SPACES.test(text[end])) end++;
      spans.push({ begin: place, end, word: text.slice(place, end) });
      place = end;
    }
    return { text, spans };
  }

  /** The words of a reference or output, as they are compared. */
  words(row, slot) {
    return this.spans(row, slot).spans.map((span) => this.fold(span.word));
  }

  /** The references that a segment has, as slots. */
  referenceSlots(row) {
    return Array.from({ length: this.references }, (_, index) => index).filter((index) => this.reference(row, index) !== null);
  }

  /** A printed score; null where there is none. */
  score(metric, row, system) {
    const value = this.data.scores[metric][row * this.systems + system];
    return value === null ? null : value / 10 ** summary.metrics[metric].digits;
  }

  /** The cell of word order and precision that an output is in, -1 for none. */
  cell(row, system) {
    return this.data.cells[row * this.systems + system];
  }

  /** How often each word occurs in the references; counted once. */
  frequencies() {
    if (!this.counts) {
      this.counts = new Map();
      for (let row = 0; row < this.size; row++) {
        for (const word of this.referenceWords(row)) this.counts.set(word, (this.counts.get(word) ?? 0) + 1);
      }
    }
    return this.counts;
  }

  referenceWords(row) {
    return this.referenceSlots(row).flatMap((slot) => this.words(row, slot));
  }

  length(row) {
    return this.data.lengths[row];
  }

  edits(row, system) {
    return this.data.edits[row * this.systems + system];
  }

  steps(row, system, metric) {
    return this.data.explained[`${row}:${system}:${metric}`];
  }
}
