// Names of systems in charts: wrapped beside an axis, and beside points if there is space.

const LINE = 22; // characters per line

/** Wraps a name between words. Words longer than a line are broken after punctuation. */
function nameLines(name) {
  const parts = name.split(/(?<= )/).flatMap((word) => (word.length > LINE ? word.split(/(?<=[-_./:])/) : [word]));
  const lines = [""];
  for (const part of parts) {
    if (lines.at(-1) && (lines.at(-1) + part.trimEnd()).length > LINE) lines.push("");
    lines[lines.length - 1] += part;
  }
  return lines.map((line) => line.trim());
}

// Vega puts the first line at the middle of the row, and the others below it.
const CENTRED = { expr: "-6.5 * (length(split(datum.label, '\\n')) - 1)" };
/** The axis of systems. The field `label` has their wrapped names. */
const systemAxis = (more = {}) => ({
  field: "label", type: "nominal", sort: null, ...more,
  axis: { title: null, labelExpr: "split(datum.label, '\\n')", labelLimit: 190, labelLineHeight: 13, labelOffset: CENTRED, ticks: false, domain: false },
});
const systemLabel = (name) => nameLines(name).join("\n");
/** The total height of the rows of such an axis. */
function rowsHeight(labels) {
  const lines = Math.max(...labels.map((label) => label.split("\n").length));
  return labels.length * Math.max(labels.length > 8 ? 20 : 26, 13 * lines + 4);
}

const POINT = 7; // the radius of a point in pixels, with a small margin
const LABEL = { height: 14, character: 7, most: 130 };
const SIDES = [
  { dx: 0, dy: -10, align: "center", baseline: "bottom" },
  { dx: 0, dy: 10, align: "center", baseline: "top" },
  { dx: 11, dy: 0, align: "left", baseline: "middle" },
  { dx: -11, dy: 0, align: "right", baseline: "middle" },
  { dx: 8, dy: -8, align: "left", baseline: "bottom" },
  { dx: -8, dy: -8, align: "right", baseline: "bottom" },
  { dx: 8, dy: 8, align: "left", baseline: "top" },
  { dx: -8, dy: 8, align: "right", baseline: "top" },
];

/** The side of each point with space for its name, or null. More important points come first and get the space. */
function labelSides(points, width, height) {
  const boxes = points.map(({ x, y }) => [x - POINT, y - POINT, x + POINT, y + POINT]);
  const isFree = ([left, top, right, bottom]) =>
    left >= 0 && right <= width && top >= 0 && bottom <= height && !boxes.some((box) => left < box[2] && right > box[0] && top < box[3] && bottom > box[1]);
  return points.map(({ x, y, name }) => {
    const size = Math.min(LABEL.most, LABEL.character * name.length);
    for (const [side, { dx, dy, align, baseline }] of SIDES.entries()) {
      const left = x + dx - { center: size / 2, left: 0, right: size }[align];
      const top = y + dy - { bottom: LABEL.height, top: 0, middle: LABEL.height / 2 }[baseline];
      const box = [left, top, left + size, top + LABEL.height];
      if (isFree(box)) {
        boxes.push(box);
        return side;
      }
    }
    return null;
  });
}
