// The list of segments, and the details of the selected one. Only the visible rows of the list exist as elements.

const ROW_HEIGHT = 56;
const SHOWN_OUTPUTS = 6;
const MODES = [
  { id: "ngrams", name: "n-grams" },
  { id: "edits", name: "edits and moves" },
  { id: "plain", name: "plain" },
];

class SegmentList {
  constructor(element, segments, choose) {
    this.element = element;
    this.inner = byId("rows");
    this.segments = segments;
    this.choose = choose;
    this.rows = [];
    this.chosen = null;
    element.addEventListener("scroll", () => this.draw());
    element.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(() => this.draw()).observe(element);
  }

  show(rows, state) {
    this.rows = rows;
    this.state = state;
    this.inner.style.height = `${rows.length * ROW_HEIGHT}px`;
    if (!rows.includes(this.chosen)) this.chosen = rows[0] ?? null;
    this.reveal();
    this.draw();
  }

  /** Scrolls the selected row into view inside the list, without scrolling the page. */
  reveal() {
    const place = this.rows.indexOf(this.chosen) * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.element;
    if (place < scrollTop) this.element.scrollTop = place;
    else if (place + ROW_HEIGHT > scrollTop + clientHeight) this.element.scrollTop = place - clientHeight + ROW_HEIGHT;
  }

  select(row) {
    this.chosen = row;
    this.reveal();
    this.draw();
    this.choose(row);
  }

  step(by) {
    const place = this.rows.indexOf(this.chosen) + by;
    if (this.rows.length) this.select(this.rows[Math.max(0, Math.min(this.rows.length - 1, place))]);
  }

  onKey(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / ROW_HEIGHT) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (!(event.key in steps)) return;
    event.preventDefault();
    this.step(steps[event.key]);
  }

  draw() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / ROW_HEIGHT) - 4);
    const last = Math.min(this.rows.length, Math.ceil((this.element.scrollTop + this.element.clientHeight) / ROW_HEIGHT) + 4);
    const drawn = [];
    for (let place = first; place < last; place++) drawn.push(this.row(this.rows[place], place));
    fill(this.inner, ...drawn);
    this.element.setAttribute("aria-activedescendant", this.chosen === null ? "" : `row-${this.chosen}`);
  }

  row(row, place) {
    const { segments, state } = this;
    const { digits } = summary.metrics[state.metric];
    const score = (system) => {
      const value = segments.score(state.metric, row, system);
      return value === null ? "–" : decimal(value, digits);
    };
    const better = state.spread ? null : gain(segments, row, state);
    const ends = state.spread ? extremes(segments, row, state) : null;
    const kind = better > 0 ? "better" : better < 0 ? "worse" : "";
    const change = better === null ? "" : `${{ better: "▲ ", worse: "▼ " }[kind] ?? ""}${decimal(Math.abs(better), digits)}`;
    const scores = ends
      ? [`${decimal(ends[0], digits)} to ${decimal(ends[1], digits)}`]
      : [`A ${score(state.a)}`, ...(state.b === null ? [] : [`B ${score(state.b)}`])];
    const item = make(
      "div",
      {
        class: "row", role: "option", id: `row-${row}`, "aria-selected": String(row === this.chosen),
        "aria-posinset": place + 1, "aria-setsize": this.rows.length, onclick: () => this.select(row),
      },
      make(
        "div",
        { class: "top" },
        make("b", {}, `#${segments.number(row)}`),
        ...scores.map((text) => make("span", {}, text)),
        make("span", { class: `difference ${kind}` }, ends ? `↕ ${decimal(ends[1] - ends[0], digits)}` : change),
      ),
      make("div", { class: "snippet", dir: "auto" }, visible(segments.reference(row, 0).slice(0, 160))),
    );
    item.style.top = `${place * ROW_HEIGHT}px`;
    return item;
  }
}

class Detail {
  constructor(element, segments, step) {
    this.element = element;
    this.segments = segments;
    this.step = step;
    this.mode = "ngrams";
    this.system = null;
    this.metric = null;
    this.open = false;
  }

  show(row, state) {
    this.row = row;
    this.state = state;
    this.draw();
  }

  draw() {
    const { segments, row, state } = this;
    if (row === null) {
      fill(this.element, make("p", { class: "empty" }, "No segments match."));
      return;
    }
    const focus = this.system ?? state.b ?? state.a;
    const slots = segments.referenceSlots(row);
    const others = slots.map((slot) => segments.words(row, slot));
    const outputWords = segments.words(row, segments.references + focus);
    const order = [state.a, state.b, ...summary.systems.keys()].filter((system, k, all) => system !== null && all.indexOf(system) === k);
    fill(
      this.element,
      this.head(),
      this.legend(focus),
      segments.audio(row) && make("audio", { controls: true, preload: "none", src: segments.audio(row) }),
      segments.hasSource ? this.entry("Source", null, markedText({ text: segments.source(row), spans: [] })) : null,
      ...slots.map((slot) =>
        this.entry(
          slots.length > 1 ? `Reference ${slot + 1}` : "Reference",
          null,
          this.mode === "plain" ? markedText({ text: segments.reference(row, slot), spans: [] }) : referenceText(segments, row, slot, outputWords),
        ),
      ),
      ...order.slice(0, SHOWN_OUTPUTS).map((system) => this.output(system, others, focus)),
      this.further(order.slice(SHOWN_OUTPUTS), others, focus),
      this.explanation(focus),
    );
  }

  /** The outputs of further systems, collapsed. */
  further(systems, others, focus) {
    if (!systems.length) return null;
    const fold = make("details", { class: "entry", open: this.open }, make("summary", {}, plural(systems.length, "other system")));
    const show = () => {
      this.open = fold.open;
      if (fold.open && fold.childElementCount === 1) fold.append(...systems.map((system) => this.output(system, others, focus)));
    };
    fold.addEventListener("toggle", show);
    show();
    return fold;
  }

  head() {
    const { segments, row } = this;
    const group = segments.group(row);
    const modes = MODES.map(({ id, name }) =>
      make("button", { type: "button", "aria-pressed": String(this.mode === id), "data-mode": id, onclick: () => this.change({ mode: id }, `[data-mode="${id}"]`) }, name),
    );
    return make(
      "div",
      { class: "detail-head" },
      make("h3", {}, `Segment ${grouped(segments.number(row))}`, group === null ? null : make("span", { class: "role" }, summary.groups[group])),
      make("button", { type: "button", "data-step": "previous", onclick: () => this.step(-1) }, "‹ Previous"),
      make("button", { type: "button", "data-step": "next", onclick: () => this.step(1) }, "Next ›"),
      make("div", { class: "modes", role: "group", "aria-label": "What is marked" }, ...modes),
    );
  }

  /** Redraws with changed options, and restores the focus. */
  change(values, selector) {
    Object.assign(this, values);
    this.draw();
    this.element.querySelector(selector)?.focus();
  }

  legend(focus) {
    const word = (kind, text) => make("span", { class: `word ${kind}` }, text);
    const missing = [" In the references, ", word("absent", "dotted"), ` words are missing from the output of ${summary.systems[focus]}.`];
    if (this.mode === "ngrams") {
      const lengths = ["1 word", "2 words", "3 words", "4 or more"].flatMap((length, index) => [index ? ", " : "", word(`n${index + 1}`, length)]);
      return make(
        "p", { class: "legend" }, "A stronger colour means that the word is part of a longer match with a reference: ", ...lengths, ". ",
        word("n0", "Underlined"), " words are in no reference.", ...missing,
      );
    }
    if (this.mode === "plain") return null;
    return make(
      "p", { class: "legend" }, "The TER edits that turn an output into its closest reference: ", word("changed", "replace"), ", ", word("extra", "delete"), ", ",
      make("span", { class: "missing" }, "‸insert"), ", ", word("moved", "move"), ".", ...missing,
    );
  }

  entry(name, more, nodes) {
    return make("div", { class: "entry" }, make("h4", {}, make("span", {}, name), more), make("p", { class: "text", dir: "auto" }, ...nodes));
  }

  output(system, others, focus) {
    const { segments, row, state } = this;
    const slot = segments.references + system;
    const letter = letterOf(state, system);
    const scores = summary.metrics.map((metric, index) => {
      const value = segments.score(index, row, system);
      return `${metric.title} ${value === null ? "–" : decimal(value, metric.digits)}`;
    });
    const nodes = {
      ngrams: () => nGramText(segments, row, slot, others),
      edits: () => editedText(segments, row, system),
      plain: () => markedText({ text: segments.output(row, system), spans: [] }),
    }[this.mode]();
    const name = make("span", {}, letter === "other" ? null : make("span", { class: `swatch ${letter.toLowerCase()}`, "aria-hidden": "true" }), letter === "other" ? "" : ` ${letter} `, summary.systems[system]);
    const explain = make(
      "button",
      { type: "button", class: "link", "data-explain": system, "aria-pressed": String(system === focus), onclick: () => this.change({ system }, `[data-explain="${system}"]`) },
      system === focus ? "explained below" : "explain",
    );
    const entry = this.entry(name, make("span", { class: "scores-line" }, scores.join(" · ")), nodes);
    entry.querySelector("h4").append(explain);
    entry.dataset.system = system;
    return entry;
  }

  /** The shell command that explains a score, or null if refscore cannot read the metric's signature. */
  command(system, metric) {
    const { segments, row } = this;
    const { signature } = summary.metrics[metric];
    if (!signature) return null;
    const texts = [segments.output(row, system), ...segments.referenceSlots(row).map((slot) => segments.reference(row, slot))];
    const source = segments.hasSource ? ["--source", shellWord(segments.source(row))] : [];
    return ["refscore explain --text --signature", shellWord(signature), ...source, "--", ...texts.map(shellWord)].join(" ");
  }

  explanation(system) {
    const { segments, row } = this;
    const metric = this.metric ?? this.state.metric;
    const steps = segments.steps(row, system, metric);
    const buttons = summary.metrics.map(({ title }, index) =>
      make("button", { type: "button", "data-metric": index, "aria-pressed": String(index === metric), onclick: () => this.change({ metric: index }, `[data-metric="${index}"]`) }, title),
    );
    const command = this.command(system, metric);
    const missing = () => [
      ...matchNodes(segments, row, system),
      make("p", { class: "note" }, `This page has the steps of ${summary.metrics[metric].title} only for the segments where systems differ most.`, command && " This command prints them:"),
      command && make("pre", { class: "command", tabindex: 0 }, command),
    ];
    return make(
      "section", { class: "explain", "aria-label": "How the score is computed" },
      make("div", { class: "detail-head" }, make("h3", {}, `How the score of ${summary.systems[system]} is computed`), make("div", { class: "modes", role: "group", "aria-label": "Metric" }, ...buttons)),
      ...(steps ? stepNodes(steps) : missing()),
    );
  }
}
