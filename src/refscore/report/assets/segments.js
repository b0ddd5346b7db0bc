// The segments, unpacked once and then read by row (the segment) and slot (one of its texts).

const SPACES = /[ \t\n\r\v\f]+/;

/** Unpacks the data of the page, which is gzip in base64. */
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

  /** The index of a segment's group, or null without groups. */
  group(row) {
    return this.data.groups && this.data.groups[row];
  }

  /** The address of a segment's audio, or null. */
  audio(row) {
    return this.data.audio && this.data.audio[row];
  }

  /** The number of a segment in the test set, from 1. */
  number(row) {
    return (this.data.numbers ? this.data.numbers[row] : row) + 1;
  }

  source(row) {
    return this.hasSource ? this.data.texts[row * this.width] : null;
  }

  /** A reference, or null if the segment has fewer. */
  reference(row, index) {
    return this.data.texts[row * this.width + (this.hasSource ? 1 : 0) + index];
  }

  output(row, system) {
    return this.reference(row, this.references + system);
  }

  /** The words of a reference or output with their offsets in the text. Slots of outputs follow those of references. */
  spans(row, slot) {
    const text = this.reference(row, slot);
    const cuts = this.data.cuts[row * this.cutWidth + slot];
    if (Array.isArray(cuts)) {
      // The words are not pieces of the text, so show them instead of the text.
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

  /** The slots of the references that a segment has. */
  referenceSlots(row) {
    return Array.from({ length: this.references }, (_, index) => index).filter((index) => this.reference(row, index) !== null);
  }

  /** A printed score, or null if there is none. */
  score(metric, row, system) {
    const value = this.data.scores[metric][row * this.systems + system];
    return value === null ? null : value / 10 ** summary.metrics[metric].digits;
  }

  /** The cell of an output in the chart of word order, or -1. */
  cell(row, system) {
    return this.data.cells[row * this.systems + system];
  }

  /** The number of occurrences of each word in the references, computed once. */
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
