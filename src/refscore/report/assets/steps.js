// Show the steps of a score: headings, paragraphs, formulas and tables.

const STEP_SIGNS = { match: "✓", partial: "~", miss: "✗" };

function stepTable(table) {
  const marked = table.rows.some((row) => row.mark);
  const head = table.columns.map((column) => make("th", { scope: "col", class: column.align }, visible(column.title)));
  const rows = table.rows.map((row) => {
    const sign = make("td", { class: "center" }, row.mark ? make("span", { role: "img", "aria-label": row.mark }, STEP_SIGNS[row.mark]) : "");
    const cells = row.cells.map((cell, index) => make("td", { class: table.columns[index].align }, visible(cell)));
    return make("tr", { class: row.mark }, ...(marked ? [sign, ...cells] : cells));
  });
  const corner = marked ? [make("th", { scope: "col" }, make("span", { class: "spoken" }, "mark"))] : [];
  return make(
    "div",
    { class: "scroll" },
    make("table", {}, make("caption", {}, visible(table.title)), make("thead", {}, make("tr", {}, ...corner, ...head)), make("tbody", {}, ...rows)),
    table.note ? make("p", { class: "note" }, visible(table.note)) : null,
  );
}

/** The nodes of an explanation. */
function stepNodes(steps) {
  const nodes = [make("h3", {}, visible(steps.title))];
  let formulas = null;
  for (const part of steps.parts) {
    if (part.kind === "formula") {
      if (!formulas) nodes.push((formulas = make("dl")));
      const value = part.value === null ? [] : [" = ", make("strong", {}, visible(part.value))];
      formulas.append(make("dt", {}, visible(part.name)), make("dd", {}, "= ", visible(part.expression), ...value));
      continue;
    }
    formulas = null;
    if (part.kind === "heading") nodes.push(make("h4", {}, visible(part.text)));
    else if (part.kind === "paragraph") nodes.push(make("p", {}, visible(part.text)));
    else nodes.push(stepTable(part));
  }
  nodes.push(make("p", {}, "Result: ", make("strong", {}, visible(steps.result))));
  return nodes;
}

/** A table of matching n-grams, for segments without steps. */
function matchNodes(segments, row, system) {
  const words = segments.words(row, segments.references + system);
  const others = segments.referenceSlots(row).map((slot) => segments.words(row, slot));
  const table = {
    title: "n-grams of this output",
    columns: ["order", "in the output", "matches", "precision"].map((title) => ({ title, align: "right" })),
    rows: matchTable(words, others).map(({ order, total, right }) => ({
      cells: [String(order), String(total), String(right), total ? `${((100 * right) / total).toFixed(1)} %` : "–"],
      mark: null,
    })),
    note: `The output has ${plural(words.length, "word")}, the references have ${others.map((other) => other.length).join(", ")}.`,
  };
  return [stepTable(table)];
}
