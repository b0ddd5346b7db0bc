// The page: charts, n-grams and segments for the selected metric and the selected systems A and B.

const summary = JSON.parse(byId("summary").textContent);
const several = summary.systems.length > 1;
const state = { metric: 0, a: 0, b: several ? 1 : null };
const view = { filters: [], query: "", regex: false, scope: 0, order: 0, rows: [] };
let plots, segments, list, detail, searchScopes, searchOrders;
let latest = 0;

function choosePair(a, b) {
  Object.assign(state, { a, b });
  update();
}

function update() {
  byId("metric").value = state.metric;
  byId("system-a").value = state.a;
  if (several) byId("system-b").value = state.b;
  plots.update({ ...state });
  drawContrast();
  if (segments) refresh();
}

/** Measures the sticky controls, so that targets of links are not hidden behind them. */
function measureBar() {
  document.documentElement.style.setProperty("--bar", `${byId("controls").offsetHeight}px`);
}

/** Puts the charts of scores beside their table, unless the table would then have to scroll. */
function placeCharts() {
  const scores = byId("scores");
  scores.classList.add("beside");
  const table = scores.querySelector(".scroll");
  scores.classList.toggle("beside", table.scrollWidth <= table.clientWidth + 1); // widths are rounded
}

/** Lists the n-grams that distinguish A and B. */
function drawContrast() {
  if (!several) return;
  const [low, high] = [Math.min(state.a, state.b), Math.max(state.a, state.b)];
  const sides = summary.contrasts[`${low}:${high}`];
  const side = (winner, loser, letter) => {
    const grams = sides[winner === low ? 0 : 1];
    const count = ([, first, second], system) => String(system === low ? first : second);
    const rows = grams.map((gram) => {
      const text = visible(gram[0].join(" "));
      const show = () => addFilter(`${letter} gets “${text}” right more often`, gramTest(segments, gram[0], winner, loser));
      return make("tr", {}, make("td", {}, make("button", { type: "button", class: "link gram", dir: "auto", onclick: show }, text)), make("td", { class: "number" }, count(gram, state.a)), make("td", { class: "number" }, count(gram, state.b)));
    });
    const title = `${summary.systems[winner]} (${letter}) more often`;
    const cells = grams.map((gram) => [visible(gram[0].join(" ")), count(gram, state.a), count(gram, state.b)]);
    const head = make("tr", {}, make("th", { scope: "col" }, "n-gram"), make("th", { scope: "col", class: "number" }, "A"), make("th", { scope: "col", class: "number" }, "B"));
    return make(
      "div", {},
      make("h3", {}, make("span", { class: `swatch ${letter.toLowerCase()}`, "aria-hidden": "true" }), ` ${title}`),
      ...(rows.length
        ? [make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)), tableCopies(title, { columns: ["n-gram", "A", "B"], rows: cells })]
        : [make("p", { class: "empty" }, "None with a difference of two or more.")]),
    );
  };
  fill(byId("contrast"), side(state.b, state.a, "B"), side(state.a, state.b, "A"));
}

/** Filters the segments by a test, and scrolls to them. */
function addFilter(label, test) {
  view.filters = [{ label, test }];
  refresh().then(() => byId("segments").scrollIntoView());
}

const showScores = (metric, system, low, high, label) =>
  addFilter(label, (row) => {
    const score = segments.score(metric, row, system);
    // The outer bins are unbounded, so the last one includes scores of exactly 100.
    return score !== null && score >= low && score < high;
  });
const showLengths = (low, high, label) => addFilter(label, (row) => segments.length(row) >= low && segments.length(row) <= high);
const showFrequencies = (low, high, label) => {
  const counts = segments.frequencies();
  addFilter(label, (row) => segments.referenceWords(row).some((word) => counts.get(word) >= low && counts.get(word) <= high));
};
const showCell = (cell, systems, label) => addFilter(label, (row) => systems.some((system) => segments.cell(row, system) === cell));

function showNear(place) {
  view.filters = [];
  view.query = byId("query").value = "";
  view.order = byId("sort").value = searchOrders.findIndex(({ name }) => name === TEST_ORDER);
  let row = 0;
  while (row + 1 < segments.size && segments.number(row) < place) row++;
  refresh().then(() => {
    list.select(row);
    byId("segments").scrollIntoView();
  });
}

/** Lists the segments that match the filters and the search, in the selected order. */
async function refresh() {
  const turn = ++latest;
  const status = byId("status");
  const all = Array.from({ length: segments.size }, (_, row) => row);
  let rows = all.filter((row) => view.filters.every(({ test }) => test(row)));
  let problem = "";
  if (view.query) {
    const { texts } = searchScopes[view.scope];
    if (view.regex) {
      try {
        status.textContent = "Searching …";
        rows = await rowsMatching(view.query, rows.map((row) => [row, texts(row, state)]));
      } catch (error) {
        problem = `The search failed: ${error.message}`;
        rows = [];
      }
      if (turn !== latest) return;
    } else {
      const wanted = view.query.toLowerCase();
      rows = rows.filter((row) => texts(row, state).some((text) => text.toLowerCase().includes(wanted)));
    }
  }
  view.rows = sorted(rows, searchOrders[view.order], state);
  status.textContent = problem || `${grouped(rows.length)} of ${plural(segments.size, "segment")}, sorted by ${searchOrders[view.order].name} (${summary.metrics[state.metric].title})`;
  status.classList.toggle("wrong", Boolean(problem));
  byId("query").setAttribute("aria-invalid", String(Boolean(problem)));
  fill(
    byId("filters"),
    ...view.filters.map((filter) =>
      make("button", { type: "button", title: "Remove this filter", onclick: () => { view.filters = view.filters.filter((other) => other !== filter); refresh(); } }, `${filter.label} ✕`),
    ),
  );
  byId("quick").querySelectorAll("button").forEach((button) => button.setAttribute("aria-pressed", String(Number(button.dataset.order) === view.order)));
  list.show(view.rows, { ...state, spread: searchOrders[view.order].spread });
  detail.show(list.chosen, { ...state });
}

function setUpControls() {
  options(byId("metric"), summary.metrics.map(({ title }) => title), state.metric);
  options(byId("system-a"), summary.systems, state.a);
  options(byId("system-b"), summary.systems, state.b);
  byId("choose-b").hidden = byId("swap").hidden = !several;
  byId("ngrams").hidden = byId("to-ngrams").hidden = !several;
  if (!several) {
    byId("to-differences").textContent = byId("differences-title").textContent = "Charts";
    byId("differences-lead").textContent = "Choose the metric in the bar above. Click a bar or point to see its segments.";
  }
  byId("metric").addEventListener("change", (event) => { state.metric = Number(event.target.value); update(); });
  byId("system-a").addEventListener("change", (event) => choosePair(Number(event.target.value), Number(event.target.value) === state.b ? state.a : state.b));
  byId("system-b").addEventListener("change", (event) => choosePair(Number(event.target.value) === state.a ? state.b : state.a, Number(event.target.value)));
  byId("swap").addEventListener("click", () => choosePair(state.b, state.a));
  byId("controls").hidden = false;
  placeCharts();
  addEventListener("resize", placeCharts);
  byId("score-copies").append(scoreCopies());
  addAgreementCopies();
  new ResizeObserver(measureBar).observe(byId("controls"));
  measureBar();
}

function setUpBrowser(data) {
  segments = new Segments(data, summary);
  searchScopes = scopes(segments);
  searchOrders = orders(segments);
  detail = new Detail(byId("detail"), segments, (by) => {
    list.step(by);
    byId("detail").querySelector(`[data-step="${by < 0 ? "previous" : "next"}"]`).focus();
  });
  list = new SegmentList(byId("list"), segments, (row) => detail.show(row, { ...state }));
  options(byId("scope"), searchScopes.map(({ name }) => name), 0);
  options(byId("sort"), searchOrders.map(({ name }) => name), 0);
  const sortBy = (order) => {
    view.order = order;
    byId("sort").value = order;
    list.chosen = null;
    refresh();
  };
  fill(
    byId("quick"),
    ...searchOrders.flatMap(({ name, quick }, index) =>
      quick ? [make("button", { type: "button", "data-order": index, onclick: () => sortBy(view.order === index ? 0 : index) }, name[0].toUpperCase() + name.slice(1))] : [],
    ),
  );
  document.querySelectorAll("[data-group]").forEach((name) => {
    const group = Number(name.dataset.group);
    const show = () => addFilter(summary.groups[group], (row) => segments.group(row) === group);
    fill(name, make("button", { type: "button", class: "link", onclick: show }, summary.groups[group]));
  });
  let waiting;
  byId("query").addEventListener("input", (event) => {
    clearTimeout(waiting);
    waiting = setTimeout(() => { view.query = event.target.value; refresh(); }, 150);
  });
  byId("regex").addEventListener("change", (event) => { view.regex = event.target.checked; refresh(); });
  byId("scope").addEventListener("change", (event) => { view.scope = Number(event.target.value); refresh(); });
  byId("sort").addEventListener("change", (event) => sortBy(Number(event.target.value)));
  byId("search").addEventListener("submit", (event) => event.preventDefault());
  byId("search").addEventListener("reset", () => {
    Object.assign(view, { filters: [], query: "", regex: false, scope: 0, order: 0 });
    list.chosen = null;
    refresh();
  });
}

setUpControls();
plots = new Plots([...allCharts(), ...agreementCharts()]);
update();
const unpacked = unpack(byId("packed").textContent).then(
  (data) => {
    setUpBrowser(data);
    byId("packed").remove();
    refresh();
  },
  (error) => {
    byId("status").textContent = `This browser cannot unpack the segments (${error.message}).`;
  },
).finally(() => {
  document.documentElement.dataset.ready = "yes";
  // The browser jumped to the target before charts and segments existed. After a reload it restores the position itself.
  const [navigation] = performance.getEntriesByType("navigation");
  if (location.hash && navigation?.type === "navigate") byId(location.hash.slice(1))?.scrollIntoView();
});
