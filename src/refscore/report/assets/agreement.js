// The charts of agreement with people, and copies of its tables.

const LISTED = 20; // ratings in the table below a scatter plot

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
/** Values minus their mean, divided by their standard deviation. */
function standardized(values) {
  const centre = mean(values);
  const deviation = Math.sqrt(mean(values.map((value) => (value - centre) ** 2)));
  return values.map((value) => (deviation > 0 ? (value - centre) / deviation : 0));
}

/** Human scores against the scores of one metric: a point per rated output, and a large one per system. */
const scatterChart = (index) => (state, colours) => {
  const { scatter, digits, ratings, rankings } = summary.agreement;
  const metric = summary.metrics[index];
  const scores = scatter.metrics[index];
  const text = (human, score) => `people ${decimal(human, digits)}, ${metric.title} ${decimal(score, metric.digits)}`;
  const actions = [];
  const points = scatter.human.map((human, k) => {
    const [system, segment] = [scatter.systems[k], scatter.segments[k]];
    actions.push(() => showNear(segment + 1));
    return { human, score: scores[k], letter: letterOf(state, system), action: k, hint: `${summary.systems[system]}, segment ${grouped(segment + 1)}\n${text(human, scores[k])}` };
  });
  const means = summary.systems.flatMap((name, system) => {
    const [human, score] = [scatter.human_means[system], scatter.metric_means[index][system]];
    return human === null ? [] : [{ name, human, score, letter: letterOf(state, system), hint: `${name}, mean\n${text(human, score)}` }];
  });
  const rank = { other: 0, B: 1, A: 2 };
  const upwards = (one, two) => rank[one.letter] - rank[two.letter]; // A and B are drawn over the others
  const [people, own] = [standardized(scatter.human), standardized(scores)];
  const gap = (k) => Math.abs(people[k] - (metric.higher ? own[k] : -own[k]));
  const farthest = points.map((_, k) => k).sort((one, two) => gap(two) - gap(one)).slice(0, LISTED);
  const { value } = rankings.find(({ statistic, level }) => statistic === "pearson" && level === "segment").metrics.find((each) => each.metric === index);
  const scale = { zero: false };
  const drawn = points.length < ratings ? `${grouped(points.length)} of ${grouped(ratings)} rated outputs` : plural(points.length, "rated output");
  return {
    title: `${metric.title} and people`,
    note: `${value === null ? "" : `r = ${decimal(value, 3)}. `}${drawn}${metric.higher ? "" : "; lower is better, so r is that of the negated scores"}. Large points are the means of systems. Click a point to see its segment.`,
    spec: wide({
      height: 240,
      encoding: {
        x: { field: "human", type: "quantitative", scale, ...axis("human score") },
        y: { field: "score", type: "quantitative", scale, ...axis(metric.title) },
        color: colour(colours),
        shape,
      },
      layer: [
        { data: { values: [...points].sort(upwards) }, mark: { type: "point", filled: true, size: 22, opacity: 0.4, cursor: "pointer", aria: false }, encoding: { tooltip: hinted.tooltip } },
        { data: { values: [...means].sort(upwards) }, mark: { type: "point", filled: true, size: 110, opacity: 1, stroke: colours.ink, strokeWidth: 1.5 }, encoding: hinted },
      ],
    }),
    actions,
    columns: ["output", "human score", metric.title],
    rows: [
      ...means.map(({ name, human, score }) => [`${name}, mean`, decimal(human, digits), decimal(score, metric.digits)]),
      ...farthest.map((k) => [`${summary.systems[scatter.systems[k]]}, segment ${grouped(scatter.segments[k] + 1)}`, decimal(scatter.human[k], digits), decimal(scores[k], metric.digits)]),
    ],
    links: [...means.map(() => null), ...farthest],
  };
};

/** The agreement of each metric within the quarters of human scores. */
function binsChart(state, colours) {
  const { bins, digits } = summary.agreement;
  const short = (value) => decimal(value, digits).replace(/\.?0+$/, "");
  const labels = bins.map(({ low, high }) => (low === high ? short(low) : `${short(low)} to ${short(high)}`));
  const values = summary.metrics.flatMap(({ title }, index) =>
    bins.flatMap(({ values: taus, ratings }, k) =>
      taus[index] === null ? [] : [{ title, bin: labels[k], tau: taus[index], letter: index === state.metric ? "A" : "other", hint: `${title}\nhuman score ${labels[k]}: τ-b ${decimal(taus[index], 3)}\n${plural(ratings, "rating")}` }],
    ),
  );
  values.sort((one, two) => (one.letter === "A") - (two.letter === "A"));
  const undefinedNote = bins.some(({ low, high }) => low === high) ? " τ-b is undefined if all human scores of a quarter are equal." : "";
  const faint = { condition: { test: "datum.letter == 'other'", value: 0.55 }, value: 1 };
  return {
    title: "Agreement by human score",
    note: `Kendall’s τ-b among outputs in the same quarter of human scores; 0 is chance. Equal human scores share a quarter, and quarters with fewer than 10 ratings are left out.${undefinedNote} The line with circles is ${summary.metrics[state.metric].title}, the metric selected above.`,
    spec: wide({
      height: 240,
      layer: [
        { data: { values: [{ zero: 0 }] }, mark: { type: "rule", strokeDash: [4, 3], color: colours.soft, aria: false }, encoding: { y: { field: "zero", type: "quantitative" } } },
        {
          data: { values },
          encoding: {
            x: { field: "bin", type: "ordinal", sort: labels, scale: { domain: labels }, ...axis("human score", { labelAngle: 0, labelOverlap: true }) },
            y: { field: "tau", type: "quantitative", ...axis("τ-b") },
            color: colour(colours),
            detail: { field: "title" },
            opacity: faint,
            ...hinted,
          },
          layer: [
            { mark: { type: "line", strokeWidth: 2 }, encoding: { strokeDash: { field: "letter", scale: { domain: ["A", "B", "other"], range: [[1, 0], [6, 3], [2, 2]] }, legend: null } } },
            { mark: { type: "point", filled: true, size: 80 }, encoding: { shape } },
          ],
        },
      ],
    }),
    columns: ["human score", "ratings", ...summary.metrics.map(({ title }) => title)],
    rows: bins.map(({ ratings, values: taus }, k) => [labels[k], grouped(ratings), ...taus.map((tau) => (tau === null ? "–" : decimal(tau, 3)))]),
  };
}

/** How often people agree with a metric on which of two systems is better, by the size of the difference. */
function differencesChart(state, colours) {
  const metric = summary.metrics[state.metric];
  const rows = summary.agreement.differences[state.metric];
  const percent = (share) => `${decimal(100 * share, 0)} %`;
  const agreed = ({ share, pairs }) => `people agree in ${percent(share)} of ${plural(pairs, "pair")}`;
  const values = rows.map((row) => ({
    ...row,
    hint: `${metric.title} differs by at least ${row.difference}\n${agreed(row)}, interval ${percent(row.low)} to ${percent(row.high)}`,
  }));
  const difference = state.b === null ? null : Math.abs(metric.scores[state.b] - metric.scores[state.a]);
  const reached = difference === null ? undefined : rows.filter((row) => row.difference <= difference + 1e-9).at(-1);
  const selected = reached ? [{ difference, hint: `A and B differ by ${decimal(difference, metric.digits)}: people agree in ${percent(reached.share)} of the ${plural(reached.pairs, "pair")} that differ by at least ${reached.difference}` }] : [];
  const x = { field: "difference", type: "quantitative", ...axis(`difference in ${metric.title} of at least`) };
  const y = { type: "quantitative", scale: { domain: [0, 1] }, ...axis("people agree", { format: ".0%" }) };
  return {
    title: `What a difference in ${metric.title} means`,
    note: `The share of pairs of systems that people order like ${metric.title}, among pairs that differ by at least this much. The band is the 95 % interval. It is too narrow, because pairs share systems. The dashed line is chance.${selected.length ? ` The vertical line: ${selected[0].hint}.` : ""}`,
    spec: wide({
      height: 240,
      layer: [
        { data: { values: [{ half: 0.5 }] }, mark: { type: "rule", strokeDash: [4, 3], color: colours.soft, aria: false }, encoding: { y: { field: "half", type: "quantitative" } } },
        { data: { values }, mark: { type: "area", color: colours.soft, opacity: 0.22, aria: false }, encoding: { x, y: { field: "low", ...y }, y2: { field: "high" } } },
        { data: { values }, mark: { type: "line", color: colours.ink, strokeWidth: 1.75, aria: false }, encoding: { x, y: { field: "share", ...y } } },
        ...(selected.length ? [{ data: { values: selected }, mark: { type: "rule", color: colours.b, strokeWidth: 2 }, encoding: { x, ...hinted } }] : []),
        { data: { values }, mark: { type: "point", filled: true, size: 60, opacity: 1, color: colours.ink }, encoding: { x, y: { field: "share", ...y }, ...hinted } },
      ],
    }),
    columns: ["difference of at least", "pairs", "people agree", "95 % interval"],
    rows: rows.map((row) => [String(row.difference), grouped(row.pairs), percent(row.share), `${percent(row.low)} to ${percent(row.high)}`]),
  };
}

/** The charts of agreement with people; none without human scores. */
function agreementCharts() {
  if (!summary.agreement) return [];
  const section = "agreement-charts";
  return [
    ...summary.metrics.map((_, index) => ({ id: `people-${index}`, section, draw: scatterChart(index) })),
    ...(summary.agreement.bins.some(({ values }) => values.some((tau) => tau !== null)) ? [{ id: "people-bins", section, draw: binsChart }] : []),
    ...(summary.agreement.differences.length ? [{ id: "people-differences", section, draw: differencesChart }] : []),
  ];
}

/** Adds buttons that copy the tables of agreement. */
function addAgreementCopies() {
  if (!summary.agreement) return;
  const { rankings, disagreements, digits } = summary.agreement;
  const names = rankings.map(({ title, grouping }) => `${title}, ${grouping}`);
  const tested = rankings[0].metrics[0].cluster !== null;
  const cells = ({ metrics }, index) => {
    const { value, cluster } = metrics.find(({ metric }) => metric === index);
    return [value === null ? "–" : decimal(value, 4), ...(tested ? [value === null ? "–" : String(cluster)] : [])];
  };
  const people = ({ annotators }, name) => {
    const value = annotators.find((annotator) => annotator.name === name)?.value ?? null;
    return [value === null ? "–" : decimal(value, 4), ...(tested ? ["–"] : [])];
  };
  byId("agreement-copies").append(
    tableCopies("agreement with people", {
      columns: ["metric", ...names.flatMap((name) => [name, ...(tested ? [`${name}, cluster`] : [])])],
      rows: [
        ...rankings[0].metrics.map(({ metric }) => [summary.metrics[metric].title, ...rankings.flatMap((ranking) => cells(ranking, metric))]),
        ...rankings[0].annotators.map(({ name }) => [`annotator ${name}`, ...rankings.flatMap((ranking) => people(ranking, name))]),
      ],
      comments: rankings.map(({ signature }) => signature),
    }),
  );
  byId("disagreement-copies")?.append(
    tableCopies("disagreements", {
      columns: ["people prefer", "the metric prefers", "metric", "human difference", "metric difference", "size"],
      rows: disagreements.map(({ better, worse, metric, human, difference, size }) => [
        summary.systems[better], summary.systems[worse], summary.metrics[metric].title,
        signed(human, digits), signed(difference, summary.metrics[metric].digits), decimal(size, 2),
      ]),
    }),
  );
}
