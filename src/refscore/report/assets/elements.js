// Elements and text. Text always becomes a text node, never markup.

const byId = (id) => document.getElementById(id);

/** Makes an element. `on…` attributes are listeners, false and null attributes are omitted, children are elements or strings. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const fill = (element, ...children) => element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));

// Invisible characters: controls, format characters such as bidi overrides, lone surrogates and unusual spaces.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const NAMED = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escapeOf(character) {
  if (character in NAMED) return NAMED[character];
  const code = character.codePointAt(0);
  const digits = code.toString(16);
  if (code < 0x100) return "\\x" + digits.padStart(2, "0");
  return code < 0x10000 ? "\\u" + digits.padStart(4, "0") : "\\U" + digits.padStart(8, "0");
}

/** Whether a joiner is inside a word of a script that needs it for spelling. */
function joins(text, index) {
  const around = text.slice(Math.max(0, index - 2), index + 3);
  return /[\p{L}\p{M}\p{S}][\u200c\u200d][\p{L}\p{M}\p{S}]/u.test(around) && !/[\x00-\x7f][\u200c\u200d]|[\u200c\u200d][\x00-\x7f]/.test(around);
}

/** The pieces of a text: visible strings, and invisible characters as { escape }. */
function pieces(text) {
  const parts = [];
  let begin = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if ((character === "\u200c" || character === "\u200d") && joins(text, index)) continue;
    if (index > begin) parts.push(text.slice(begin, index));
    parts.push({ escape: escapeOf(character) });
    begin = index + character.length;
  }
  if (begin < text.length) parts.push(text.slice(begin));
  return parts;
}

/** A text with escapes for invisible characters, for places that cannot have elements. */
const visible = (text) => pieces(text).map((piece) => piece.escape ?? piece).join("");

/** A text as nodes, with framed escapes for invisible characters. */
const textNodes = (text) =>
  pieces(text).map((piece) => (piece.escape ? make("span", { class: "escape", title: "an invisible character" }, piece.escape) : piece));

/** A text as one word of a command in bash and zsh, without invisible characters. */
function shellWord(text) {
  const parts = pieces(text);
  if (parts.every((part) => !part.escape)) return `'${text.replaceAll("'", "'\\''")}'`;
  // In these quotes, \x stands for a byte and \u for a character.
  return `$'${parts.map((part) => part.escape?.replace("\\x", "\\u00") ?? part.replace(/[\\']/g, "\\$&")).join("")}'`;
}

const decimal = (value, digits) => value.toFixed(digits).replace("-", "−");
const signed = (value, digits) => (value > 0 ? "+" : "") + decimal(value, digits);
const grouped = (value) => value.toLocaleString("en");
const plural = (count, one, many = one + "s") => `${grouped(count)} ${count === 1 ? one : many}`;

function options(select, names, chosen) {
  fill(select, ...names.map((name, index) => make("option", { value: index, selected: index === chosen }, name)));
}
