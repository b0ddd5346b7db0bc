// The contents of each chart: a title, a sentence, a Vega-Lite specification, and the same numbers as a table.
// Each row of data has a `hint`, for tooltips and screen readers. Its optional `action` is an index into the chart's
// `actions`, the functions that clicks call.

const AXIS = 56; // pixels for the padding of a plot and for the labels and title of the x axis
/** A chart as wide as its card. `height` is that of the plot. The total height is fixed, so its space can be reserved. */
const wide = ({ height = 190, ...spec }) => ({ width: "container", height: height + AXIS, autosize: { type: "fit", contains: "padding" }, padding: { left: 5, top: 5, right: 20, bottom: 5 }, ...spec });
const range = ([low, high]) => (high === null ? `${low}+` : low === high ? `${low}` : `${low}–${high}`);
const hinted = { tooltip: { field: "hint" }, description: { field: "hint" } };
const axis = (title, more = {}) => ({ axis: { title, ...more } });

/** The index, letter and name of the selected systems. */
function chosen(state) {
  const pair = [{ index: state.a, letter: "A", name: summary.systems[state.a] }];
  return state.b === null ? pair : [...pair, { index: state.b, letter: "B", name: summary.systems[state.b] }];
}

function letterOf(state, system) {
  if (system === state.a) return "A";
  return system === state.b ? "B" : "other";
}

/** Colour by letter, in the colours of the page. `other` is any system that is not selected. */
const colour = (colours) => ({
  field: "letter",
  scale: { domain: ["A", "B", "other"], range: [colours.a, colours.b, colours.soft] },
  legend: null,
});
const shape = { field: "letter", scale: { domain: ["A", "B", "other"], range: ["circle", "diamond", "square"] }, legend: null };

function scoresChart(state, colours) {
  const metric = summary.metrics[state.metric];
  const tested = summary.confidence !== null;
  const values = summary.systems.map((name, system) => ({
    name,
    label: systemLabel(name),
    letter: letterOf(state, system),
    score: metric.scores[system],
    hint: `${name}\n${metric.title} ${decimal(metric.scores[system], metric.digits)}`,
    ...(tested && { low: metric.low[system], high: metric.high[system], ends: [metric.low, metric.high].map((ends) => decimal(ends[system], metric.digits)) }),
  }));
  if (tested) values.forEach((value) => { value.hint += `, interval ${value.ends.join(" to ")}`; });
  const x = { type: "quantitative", scale: { zero: false, nice: true }, ...axis(metric.title + (metric.higher ? "" : " (lower is better)")) };
  return {
    title: `${metric.title} of all systems`,
    note: tested ? `Lines are ${100 * summary.confidence} % confidence intervals.` : "A single segment has no interval.",
    spec: wide({
      height: rowsHeight(values.map(({ label }) => label)),
      data: { values },
      encoding: { y: systemAxis(), color: colour(colours), ...hinted },
      layer: [
        ...(tested ? [{ mark: { type: "rule", strokeWidth: 3, opacity: 0.55 }, encoding: { x: { field: "low", ...x }, x2: { field: "high" } } }] : []),
        { mark: { type: "point", filled: true, size: 110, opacity: 1 }, encoding: { x: { field: "score", ...x }, shape } },
      ],
    }),
    columns: ["system", metric.title, ...(tested ? ["interval"] : [])],
    rows: values.map((row) => [row.name, decimal(row.score, metric.digits), ...(tested ? [row.ends.join(" to ")] : [])]),
  };
}

const VERDICTS = {
  better: ["▲", "is better than"], worse: ["▼", "is worse than"], unclear: ["≈", "is not clearly different from"], equal: ["=", "equals"],
};

function pairsChart(state, colours, cardWidth) {
  const metric = summary.metrics[state.metric];
  const labels = summary.systems.map((name, system) => `${system + 1}. ${systemLabel(name)}`);
  const actions = [];
  const values = [];
  summary.systems.forEach((row, i) =>
    summary.systems.forEach((column, j) => {
      if (i === j) return;
      const p = metric.p[j][i];
      const difference = metric.difference[j][i];
      const better = metric.higher ? difference : -difference;
      const [sign, phrase] = VERDICTS[metric.verdicts[j][i]];
      actions.push(() => choosePair(j, i));
      values.push({
        better, sign, label: labels[i], number: String(j + 1),
        strength: sign === "▲" || sign === "▼" ? 0.55 : 0.2,
        hint: `${row} ${phrase} ${column}\n${signed(difference, metric.digits)} ${metric.title}, ${p}`,
        action: actions.length - 1,
        cells: [row, column, signed(difference, metric.digits), p.replace(/^p (= )?/, ""), metric.verdicts[j][i]],
      });
    }),
  );
  const most = Math.max(1e-9, ...values.map((value) => Math.abs(value.better)));
  const place = (domain) => ({ scale: { domain, paddingInner: 0.06 } });
  const signSize = Math.max(6, Math.min(14, (cardWidth - 200) / labels.length));
  const numbers = labels.map((_, system) => String(system + 1));
  return {
    title: `All pairs, by ${metric.title}`,
    note: `▲ the system in the row is better than the system in the column (p ≤ ${summary.alpha}), ▼ worse, ≈ could be chance. ${summary.holm ? "Only p-values of pairs with the baseline are corrected (Holm)." : "p-values are not corrected for the number of pairs."} Click a cell to select the pair as A (column) and B (row).`,
    spec: wide({
      height: Math.max(rowsHeight(labels), Math.min(36 * labels.length, 460)),
      data: { values },
      encoding: {
        y: systemAxis(place(labels)),
        x: { field: "number", type: "nominal", sort: null, ...place(numbers), ...axis(null, { ticks: false, domain: false, orient: "top", labelAngle: 0, labelOverlap: true, labelSeparation: 2 }) },
        ...hinted,
      },
      layer: [
        {
          mark: { type: "rect", cornerRadius: 3, cursor: "pointer" },
          encoding: {
            color: { field: "better", type: "quantitative", legend: null, scale: { domain: [-most, 0, most], range: [colours.bad, colours.raised, colours.good], interpolate: "rgb" } },
            opacity: { field: "strength", type: "quantitative", scale: null, legend: null },
          },
        },
        { mark: { type: "text", fontSize: signSize, color: colours.ink, cursor: "pointer" }, encoding: { text: { field: "sign" } } },
      ],
    }),
    actions,
    columns: ["system", "against", "difference", "p", "verdict"],
    rows: values.map((value) => value.cells),
    links: values.map((value) => value.action),
  };
}

function distributionChart(state, colours) {
  const metric = summary.metrics[state.metric];
  const { edges, counts } = metric.histogram;
  const pair = chosen(state);
  const actions = [];
  const values = [];
  const rows = [];
  const links = [];
  for (let bin = 0; bin + 1 < edges.length; bin++) {
    const [low, high] = [edges[bin], edges[bin + 1]];
    const first = bin === 0 && low < 0;
    const last = bin + 2 === edges.length;
    const places = Math.max(metric.digits - 2, high - low < 2 ? 2 : 0);
    const name = last && high > 100 ? `${decimal(low, 0)} and more` : `${decimal(low, places)} to ${decimal(high, places)}`;
    pair.forEach(({ index, letter, name: system }, k) => {
      const count = counts[index][bin];
      const part = (high - low) / pair.length;
      actions.push(() => showScores(state.metric, index, first ? -Infinity : low, last ? Infinity : high, `${metric.title} of ${system}: ${name}`));
      values.push({
        letter, count,
        low: low + k * part + part * 0.06,
        high: low + (k + 1) * part - part * 0.06,
        hint: `${letter} ${system}\n${metric.title} ${name}: ${plural(count, "segment")}`,
        action: actions.length - 1,
      });
    });
    rows.push([name, ...pair.map(({ index }) => grouped(counts[index][bin]))]);
    links.push(actions.length - pair.length);
  }
  return {
    title: "Segment scores",
    note: `The number of segments by ${metric.title}.`,
    spec: wide({
      data: { values },
      mark: { type: "rect", cursor: "pointer", opacity: 0.9 },
      encoding: {
        x: { field: "low", type: "quantitative", scale: { domain: [edges[0], edges.at(-1)], nice: false }, ...axis(`${metric.title} of the segment`) },
        x2: { field: "high" },
        y: { field: "count", type: "quantitative", ...axis("segments", { tickMinStep: 1 }) },
        y2: { datum: 0 },
        color: colour(colours),
        ...hinted,
      },
    }),
    actions, rows, links,
    columns: [metric.title, ...pair.map(({ letter, name }) => `${letter} ${name}`)],
  };
}

/** A bar for each bucket and selected system. */
function bucketChart(state, colours, { title, note, axes, buckets, scores, sizes, size, digits, show }) {
  const pair = chosen(state);
  const actions = [];
  const values = [];
  const links = [];
  buckets.forEach((bucket, k) => {
    if (show) {
      actions.push(() => show(bucket));
      links.push(actions.length - 1);
    }
    pair.forEach(({ index, letter, name }) => {
      if (scores[index][k] === null) return;
      values.push({
        bucket: range(bucket), letter, score: scores[index][k],
        hint: `${letter} ${name}\n${axes[0]} ${range(bucket)}: ${decimal(scores[index][k], digits)}\n${size(sizes[k])}`,
        action: show ? actions.length - 1 : null,
      });
    });
  });
  return {
    title, note, actions, links,
    spec: wide({
      data: { values },
      mark: { type: "bar", cursor: show ? "pointer" : "default", opacity: 0.9 },
      encoding: {
        x: { field: "bucket", type: "ordinal", sort: buckets.map(range), ...axis(axes[0], { labelAngle: 0, labelOverlap: true }) },
        xOffset: { field: "letter", sort: ["A", "B"] },
        y: { field: "score", type: "quantitative", ...axis(axes[1]) },
        color: colour(colours),
        ...hinted,
      },
    }),
    columns: [axes[0], ...pair.map(({ letter, name }) => `${letter} ${name}`), "size"],
    rows: buckets.map((bucket, k) => [
      range(bucket),
      ...pair.map(({ index }) => (scores[index][k] === null ? "–" : decimal(scores[index][k], digits))),
      size(sizes[k]),
    ]),
  };
}

function lengthChart(state, colours) {
  const metric = summary.metrics[state.metric];
  return bucketChart(state, colours, {
    title: `${metric.title} by length`,
    note: `${metric.title} of segments grouped by the number of words in their references.`,
    axes: ["words in the reference", metric.title],
    buckets: metric.lengths.buckets,
    scores: metric.lengths.scores,
    sizes: metric.lengths.segments,
    size: (count) => plural(count, "segment"),
    digits: metric.digits,
    show: ([low, high]) => showLengths(low, high ?? Infinity, `${range([low, high])} words in the reference`),
  });
}

function frequencyChart(state, colours) {
  const { buckets, words, f1 } = summary.frequencies;
  return bucketChart(state, colours, {
    title: "Rare and frequent words",
    note: "F1 of words, grouped by how often they occur in the references. Low bars on the left mean trouble with rare words.",
    axes: ["occurrences in the references", "F1 of words"],
    buckets, scores: f1, sizes: words, digits: 1,
    size: (count) => plural(count, "different word"),
    show: ([low, high]) => showFrequencies(low, high ?? Infinity, `a word that occurs ${range([low, high])} times in the references`),
  });
}

function precisionChart(state, colours) {
  const values = summary.systems.flatMap((name, system) =>
    summary.precisions[system].map((precision, index) => ({
      name, order: index + 1, precision,
      letter: letterOf(state, system),
      hint: `${name}\n${plural(index + 1, "word")} in a row: ${precision === null ? "–" : decimal(precision, 1)} % in a reference`,
    })),
  );
  const rank = { other: 0, B: 1, A: 2 };
  values.sort((one, two) => rank[one.letter] - rank[two.letter]);
  return {
    title: "n-gram precision",
    note: "The share of a system’s n-grams that are in a reference. A steep fall means correct words in the wrong order.",
    spec: wide({
      data: { values },
      encoding: {
        x: { field: "order", type: "ordinal", ...axis("words in a row", { labelAngle: 0 }) },
        y: { field: "precision", type: "quantitative", ...axis("precision, %") },
        color: colour(colours),
        detail: { field: "name" },
        ...hinted,
      },
      layer: [
        { mark: { type: "line", strokeWidth: 2 }, encoding: { strokeDash: { field: "letter", scale: { domain: ["A", "B", "other"], range: [[1, 0], [6, 3], [2, 2]] }, legend: null }, opacity: { condition: { test: "datum.letter == 'other'", value: 0.45 }, value: 1 } } },
        { mark: { type: "point", filled: true, size: 80 }, encoding: { shape, opacity: { condition: { test: "datum.letter == 'other'", value: 0.45 }, value: 1 } } },
      ],
    }),
    columns: ["system", ...summary.precisions[0].map((_, index) => `${index + 1}-grams, %`)],
    rows: summary.systems.map((name, system) => [name, ...summary.precisions[system].map((value) => (value === null ? "–" : decimal(value, 1)))]),
  };
}

function ratioChart(state, colours) {
  const values = summary.systems.flatMap((name, system) =>
    summary.ratios[system] === null
      ? []
      : [{ name, label: systemLabel(name), ratio: summary.ratios[system], letter: letterOf(state, system), hint: `${name}\n${decimal(summary.ratios[system], 3)} times as long as the references` }],
  );
  return {
    title: "Output length",
    note: "Words in the output per word in the reference of closest length. Below 1 is too short.",
    spec: wide({
      height: Math.max(190, rowsHeight(values.map(({ label }) => label))),
      layer: [
        { data: { values: [{ one: 1 }] }, mark: { type: "rule", strokeDash: [4, 3], color: colours.soft, aria: false }, encoding: { x: { field: "one", type: "quantitative" } } },
        {
          data: { values },
          mark: { type: "point", filled: true, size: 110, opacity: 1 },
          encoding: { y: systemAxis(), x: { field: "ratio", type: "quantitative", scale: { zero: false, padding: 20 }, ...axis("length ratio") }, color: colour(colours), shape, ...hinted },
        },
      ],
    }),
    columns: ["system", "length ratio"],
    rows: values.map((value) => [value.name, decimal(value.ratio, 3)]),
  };
}

function orderChart(state, colours, cardWidth) {
  const { correlation, precision } = summary.order;
  const rank = { A: 0, B: 1, other: 2 };
  const values = summary.systems.map((name, system) => ({
    name, letter: letterOf(state, system), correlation: correlation[system], precision: precision[system],
    hint: `${name}\nword order ${decimal(correlation[system], 3)}, words ${decimal(precision[system], 3)}`,
  }));
  const important = [...values].sort((one, two) => rank[one.letter] - rank[two.letter]);
  const padding = 25;
  const [width, height] = [Math.max(120, cardWidth - 80), 190];
  const place = (all, size) => {
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return (value) => (high > low ? padding + ((value - low) / (high - low)) * (size - 2 * padding) : size / 2);
  };
  const [x, y] = [place(precision, width), place(correlation, height)];
  const sides = labelSides(important.map((value) => ({ name: value.name, x: x(value.precision), y: height - y(value.correlation) })), width, height);
  const scale = { zero: false, padding, nice: false };
  return {
    title: "Word order and word choice",
    note: "The two factors of RIBES, averaged over segments: the rank correlation of matching words, and the share of words that match.",
    spec: wide({
      data: { values },
      encoding: {
        x: { field: "precision", type: "quantitative", scale, ...axis("words that match (precision)") },
        y: { field: "correlation", type: "quantitative", scale, ...axis("order of the words") },
        color: colour(colours),
        ...hinted,
      },
      layer: [
        { mark: { type: "point", filled: true, size: 110, opacity: 1 }, encoding: { shape } },
        ...SIDES.flatMap((side, k) => {
          const labelled = important.filter((_, index) => sides[index] === k);
          const mark = { type: "text", fontSize: 12, limit: LABEL.most, aria: false, ...side };
          return labelled.length ? [{ data: { values: labelled }, mark, encoding: { text: { field: "name" } } }] : [];
        }),
      ],
    }),
    columns: ["system", "order of the words", "words that match"],
    rows: values.map((value) => [value.name, decimal(value.correlation, 3), decimal(value.precision, 3)]),
  };
}

function orderCellsChart(state, colours) {
  const { cells } = summary.order;
  const pair = chosen(state);
  const actions = [];
  const values = [];
  cells[state.a].forEach((line, i) =>
    line.forEach((count, j) => {
      const counts = pair.map(({ index }) => cells[index][i][j]);
      if (!counts.some(Boolean)) return;
      const [tenth, next] = [i / 10, (i + 1) / 10];
      const place = `order ${tenth} to ${next}, words ${j / 10} to ${(j + 1) / 10}`;
      actions.push(() => showCell(10 * i + j, pair.map(({ index }) => index), `${pair.map(({ letter }) => letter).join(" or ")}: ${place}`));
      values.push({
        action: actions.length - 1,
        y: tenth, y2: next, x: j / 10, x2: (j + 1) / 10,
        more: counts.length === 2 ? counts[1] - counts[0] : counts[0],
        hint: `${place}\n${pair.map(({ letter, name }, k) => `${letter} ${name}: ${plural(counts[k], "segment")}`).join("\n")}`,
        cells: [`${tenth} to ${next}`, `${j / 10} to ${(j + 1) / 10}`, ...counts.map(grouped)],
      });
    }),
  );
  const most = Math.max(1, ...values.map((value) => Math.abs(value.more)));
  const place = { type: "quantitative", scale: { domain: [0, 1] } };
  return {
    title: pair.length === 2 ? "Segments by word order, B and A" : "Segments by word order",
    note: pair.length === 2 ? "Each cell has the colour of the system with more segments in it." : "The number of segments in each cell.",
    spec: wide({
      data: { values },
      mark: { type: "rect", cursor: "pointer", stroke: colours.line, strokeWidth: 0.5 },
      encoding: {
        x: { field: "x", ...place, ...axis("words that match (precision)") }, x2: { field: "x2" },
        y: { field: "y", ...place, ...axis("order of the words") }, y2: { field: "y2" },
        color: { field: "more", type: "quantitative", scale: { domain: [-most, 0, most], range: [colours.a, colours.raised, colours.b], interpolate: "rgb" }, legend: { title: null, format: "d", tickCount: 5, gradientLength: 150 } },
        ...hinted,
      },
    }),
    actions,
    columns: ["order", "words", ...pair.map(({ letter, name }) => `${letter} ${name}`)],
    rows: values.map((value) => value.cells),
    links: values.map((value) => value.action),
  };
}

function sumsChart(state, colours) {
  const metric = summary.metrics[state.metric];
  const { places, values: sums } = metric.sums;
  const pair = chosen(state);
  const actions = [];
  const values = places.map((place, k) => {
    const sum = pair.length === 2 ? sums[state.b][k] - sums[state.a][k] : sums[state.a][k];
    actions.push(() => showNear(place));
    return { place, sum, action: k, hint: `up to segment ${grouped(place)}: ${signed(sum, metric.digits)}` };
  });
  const step = Math.max(1, Math.floor(values.length / 20));
  const listed = values.filter((_, k) => k % step === 0 || k === values.length - 1);
  const name = pair.length === 2 ? `${metric.title}, B minus A` : metric.title;
  return {
    title: pair.length === 2 ? "How the difference adds up" : "How the score adds up",
    note:
      pair.length === 2
        ? "The running sum along the test set, which ends at the mean difference. A steady slope is a difference everywhere, a step a few segments. Click to see them."
        : "The running sum along the test set, which ends at the mean score. Where it is steep, segments score high. Click to see them.",
    spec: wide({
      data: { values },
      encoding: {
        x: { field: "place", type: "quantitative", ...axis("segments so far"), scale: { nice: false } },
        y: { field: "sum", type: "quantitative", ...axis(name) },
      },
      layer: [
        { mark: { type: "area", color: colours.soft, opacity: 0.18, aria: false } },
        { mark: { type: "line", color: colours.ink, strokeWidth: 1.75, aria: false } },
        { mark: { type: "point", filled: true, size: 120, opacity: 0, cursor: "pointer", aria: false }, encoding: hinted },
      ],
    }),
    actions,
    columns: ["segments so far", name],
    rows: listed.map((value) => [grouped(value.place), signed(value.sum, metric.digits)]),
    links: listed.map((value) => value.action),
  };
}

/** All charts of the page, with their sections. */
function allCharts() {
  const several = summary.systems.length > 1;
  return [
    { id: "scores", section: "verdict-charts", draw: scoresChart },
    ...(several && summary.confidence !== null ? [{ id: "pairs", section: "verdict-charts", draw: pairsChart }] : []),
    { id: "distribution", section: "difference-charts", draw: distributionChart },
    { id: "lengths", section: "difference-charts", draw: lengthChart },
    { id: "frequencies", section: "difference-charts", draw: frequencyChart },
    { id: "precisions", section: "difference-charts", draw: precisionChart },
    { id: "sums", section: "difference-charts", draw: sumsChart },
    { id: "ratios", section: "difference-charts", draw: ratioChart },
    ...(summary.order
      ? [
          { id: "order", section: "difference-charts", draw: orderChart },
          { id: "order-cells", section: "difference-charts", draw: orderCellsChart },
        ]
      : []),
  ];
}
