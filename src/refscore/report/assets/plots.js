// Draw each chart when it comes near the screen, and again when the selection or the colours change.

const dark = matchMedia("(prefers-color-scheme: dark)");

function pageColours() {
  const style = getComputedStyle(document.documentElement);
  return Object.fromEntries(
    ["paper", "raised", "ink", "soft", "line", "grid", "a", "b", "good", "bad"].map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  );
}

function chartConfig(colours) {
  const font = getComputedStyle(document.body).fontFamily;
  return {
    background: null,
    font,
    view: { stroke: null },
    axis: {
      labelColor: colours.soft, titleColor: colours.ink, gridColor: colours.grid, domainColor: colours.line, tickColor: colours.line,
      labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal", titlePadding: 8, labelSeparation: 6, labelFlush: false,
    },
    legend: { labelColor: colours.soft, titleColor: colours.ink },
    text: { color: colours.ink },
  };
}

const tooltip = {
  show(event, text) {
    const box = byId("tooltip");
    box.textContent = text;
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect();
    box.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
    box.style.top = `${event.clientY + 18 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 18}px`;
  },
  hide() {
    byId("tooltip").hidden = true;
  },
};

function onHover(handler, event, item, value) {
  if (typeof value === "string" && value) tooltip.show(event, value);
  else tooltip.hide();
}

function numbersTable(chart) {
  const cell = (text, index, row) => {
    if (index || (chart.links?.[row] ?? null) === null) return make("td", { class: index ? "number" : null }, text);
    return make("td", {}, make("button", { type: "button", class: "link", onclick: () => chart.actions[chart.links[row]]() }, text));
  };
  const copies = tableCopies(chart.title, { columns: chart.columns, rows: chart.rows });
  const head = chart.columns.map((title, index) => make("th", { scope: "col", class: index ? "number" : null }, title));
  const rows = chart.rows.map((row, number) => make("tr", {}, ...row.map((text, index) => cell(text, index, number))));
  return [make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows))), copies];
}

class Plots {
  constructor(charts) {
    this.cards = charts.map(({ id, section, draw }) => {
      const title = make("h3");
      const note = make("p");
      const plot = make("div", { class: "plot", id: `chart-${id}` });
      const named = make("span", { class: "spoken" });
      const numbers = make("details", {}, make("summary", {}, "As numbers", named));
      const figure = make("figure", {}, make("figcaption", {}, title, note), plot, numbers);
      byId(section).append(figure);
      const card = { draw, title, note, plot, named, numbers, figure, fresh: false, near: false, view: null };
      numbers.addEventListener("toggle", () => this.fillNumbers(card));
      return card;
    });
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          const card = this.cards.find(({ figure }) => figure === entry.target);
          card.near = entry.isIntersecting;
          if (card.near) this.drawCard(card);
        }
      },
      { rootMargin: "300px" },
    );
    this.cards.forEach(({ figure }) => observer.observe(figure));
    dark.addEventListener("change", () => this.update(this.state));
    // The space for labels depends on the width.
    let width = innerWidth;
    let waiting;
    addEventListener("resize", () => {
      clearTimeout(waiting);
      if (innerWidth !== width) waiting = setTimeout(() => { width = innerWidth; this.update(this.state); }, 200);
    });
    addEventListener("beforeprint", () => this.cards.forEach((card) => this.drawCard(card)));
  }

  /** Draws the charts near the screen for a selection. The others follow when they come near. */
  update(state) {
    this.state = state;
    const colours = pageColours();
    for (const card of this.cards) {
      card.chart = card.draw(state, colours, card.plot.clientWidth);
      card.plot.style.height = `${card.chart.spec.height}px`; // so drawing it later does not move the page
      card.title.textContent = card.chart.title;
      card.named.textContent = `: ${card.chart.title}`;
      card.note.textContent = card.chart.note;
      card.fresh = false;
      this.fillNumbers(card);
      if (card.near) this.drawCard(card);
    }
  }

  fillNumbers(card) {
    if (card.numbers.open) fill(card.numbers, card.numbers.firstChild, ...numbersTable(card.chart));
  }

  async drawCard(card) {
    if (card.fresh || !card.chart) return;
    card.fresh = true;
    const { chart } = card;
    const spec = { ...chart.spec, description: `${chart.title}. ${chart.note}`, config: chartConfig(pageColours()) };
    const options = { mode: "vega-lite", ast: true, renderer: "svg", actions: false, defaultStyle: false, tooltip: onHover };
    const target = make("div");
    card.plot.append(target); // the old chart stays until the new one is ready
    target.style.width = "100%";
    const result = await vegaEmbed(target, spec, options);
    if (card.chart !== chart) {
      result.finalize();
      target.remove();
      return;
    }
    card.view?.finalize();
    card.view = result;
    fill(card.plot, target);
    card.plot.dataset.drawn = "yes";
    result.view.addEventListener("click", (event, item) => {
      const action = item?.datum?.action;
      if (typeof action === "number") {
        tooltip.hide();
        chart.actions[action]();
      }
    });
  }
}
