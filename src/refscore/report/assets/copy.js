// Copy tables for papers and spreadsheets. A table is { columns, rows, comments }; cells are strings or { latex }.

const LATEX = {
  "\\": "\\textbackslash{}", "^": "\\textasciicircum{}", "~": "\\textasciitilde{}", "|": "\\textbar{}", "<": "\\textless{}", ">": "\\textgreater{}",
  "±": "$\\pm$", "−": "$-$", "≥": "$\\geq$", "≤": "$\\leq$", "Δ": "$\\Delta$", "↓": "$\\downarrow$", "‡": "$^{\\ddagger}$", "†": "$^{\\dagger}$",
};
const latexText = (text) => text.replace(/[\\^~|<>±−≥≤Δ↓‡†{}$&#_%]/g, (character) => LATEX[character] ?? `\\${character}`);

function latexTable({ columns, rows, comments = [] }) {
  const line = (cells) => {
    const text = cells.map((cell) => cell.latex ?? latexText(cell)).join(" & ");
    return `${/^[[*]/.test(text) ? "{}" : ""}${text} \\\\`; // LaTeX reads a bracket or star after \\ as its option
  };
  const body = [`\\begin{tabular}{l${"r".repeat(columns.length - 1)}}`, "\\toprule", line(columns), "\\midrule", ...rows.map(line), "\\bottomrule", "\\end{tabular}"];
  return [...comments.map((comment) => `% ${comment}`), ...body].join("\n") + "\n";
}

const tsvTable = ({ columns, rows }) => [columns, ...rows].map((cells) => cells.map((cell) => cell.replace(/−(?=\d)/g, "-")).join("\t")).join("\n") + "\n";

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without access to the clipboard, fall back to copying a selection.
    const area = make("textarea", { class: "spoken", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (!copied) throw new Error("the browser does not allow it");
  }
}

/** Buttons that copy a table. `forms` has a function for each format, by name. */
function copyButtons(title, forms) {
  const status = make("span", { role: "status" });
  const copy = (button, text) =>
    copyText(text).then(
      () => "Copied",
      (error) => `Not copied: ${error.message}`,
    ).then((message) => {
      button.focus();
      status.textContent = message;
      setTimeout(() => { status.textContent = ""; }, 3000);
    });
  const buttons = Object.entries(forms).map(([form, text]) =>
    make("button", { type: "button", "data-copy": form, "aria-label": `Copy as ${form}: ${title}`, onclick: (event) => copy(event.currentTarget, text()) }, `Copy as ${form}`),
  );
  return make("div", { class: "copies" }, ...buttons, status);
}

const tableCopies = (title, table) => copyButtons(title, { LaTeX: () => latexTable(table), TSV: () => tsvTable(table) });

/** Copies the scores of all systems. LaTeX marks the best, significantly better and significantly worse scores, TSV has all numbers. */
function scoreCopies() {
  const tested = summary.confidence !== null;
  const [baseline] = summary.systems;
  const best = ({ higher, scores }) => (higher ? Math.max : Math.min)(...scores);
  const mark = (metric, system) => (tested && { better: "‡", worse: "†" }[metric.verdicts[0][system]]) || "";
  const latexScore = (metric, system) => {
    const text = latexText(decimal(metric.scores[system], metric.digits) + mark(metric, system));
    return { latex: several && metric.scores[system] === best(metric) ? `\\textbf{${text}}` : text };
  };
  const numbers = (metric, system) => {
    const ends = tested ? [metric.low, metric.high].map((values) => decimal(values[system], metric.digits)) : [];
    if (!several || !tested) return [decimal(metric.scores[system], metric.digits), ...ends];
    const against = system ? [signed(metric.difference[0][system], metric.digits), metric.p[0][system].replace(/^p (= )?/, ""), metric.verdicts[0][system]] : ["", "", ""];
    return [decimal(metric.scores[system], metric.digits), ...ends, ...against];
  };
  const names = ["low", "high", ...(several ? ["difference", "p", "verdict"] : [])];
  const signatures = [...document.querySelectorAll("#scores .signatures dd")].map((element) => element.textContent);
  return copyButtons("scores", {
    LaTeX: () =>
      latexTable({
        columns: ["System", ...summary.metrics.map(({ title, higher }) => title + (higher ? "" : " ↓"))],
        rows: summary.systems.map((name, system) => [name, ...summary.metrics.map((metric) => latexScore(metric, system))]),
        comments: [...(several && tested ? [`‡/†: significantly better/worse than ${baseline} (p ≤ ${summary.alpha}${summary.holm ? ", Holm" : ""})`] : []), ...signatures],
      }),
    TSV: () =>
      tsvTable({
        columns: ["system", ...summary.metrics.flatMap(({ title }) => [title, ...(tested ? names.map((name) => `${title} ${name}`) : [])])],
        rows: summary.systems.map((name, system) => [name, ...summary.metrics.flatMap((metric) => numbers(metric, system))]),
      }),
  });
}
