// On a served page: ask the server regularly whether the files have changed, and reload the page if so. The selected
// options survive the reload.

const STORAGE_KEY = "refscore: choices";
const EVERY = 1000; // milliseconds
const CONTROLS = ["metric", "system-a", "system-b", "scope", "sort", "regex", "query"];
const notice = make("p", { class: "note live", role: "status", hidden: true });

function say(text) {
  if (notice.textContent !== text) notice.textContent = text;
  notice.hidden = !text;
}

function keepChoices() {
  const values = CONTROLS.map((id) => (id === "regex" ? byId(id).checked : byId(id).value));
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ values, chosen: list?.chosen ?? null }));
}

function restoreChoices() {
  const stored = JSON.parse(sessionStorage.getItem(STORAGE_KEY));
  sessionStorage.removeItem(STORAGE_KEY);
  if (!stored || !segments) return;
  CONTROLS.forEach((id, index) => {
    const control = byId(id);
    const value = stored.values[index];
    if (control.tagName === "SELECT" && ![...control.options].some((option) => option.value === value)) return;
    if (id === "regex") control.checked = value;
    else control.value = value;
    control.dispatchEvent(new Event(id === "query" ? "input" : "change"));
  });
  if (stored.chosen !== null && stored.chosen < segments.size) {
    list.chosen = stored.chosen;
    refresh();
  }
}

async function ask() {
  try {
    const answer = await fetch("/state", { cache: "no-store" });
    const { version, problem } = await answer.json();
    if (version !== summary.live) {
      keepChoices();
      location.reload();
      return;
    }
    say(problem ? `This page is out of date: the files have changed, but could not be read. ${problem}` : "");
  } catch {
    say("refscore serve has stopped. This page no longer updates.");
  }
  setTimeout(ask, EVERY);
}

document.querySelector("nav").append(make("a", { href: "/form" }, "Score your own text"));
document.querySelector("header").append(notice);
unpacked.then(restoreChoices).then(() => setTimeout(ask, EVERY));
