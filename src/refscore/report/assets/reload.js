// A page that is served: it asks now and then whether its files have changed, and comes anew when they have, with the
// same choices. Its server is the only place that it asks.

const KEPT = "refscore: choices";
const EVERY = 1000; // milliseconds
const CONTROLS = ["metric", "system-a", "system-b", "scope", "sort", "regex", "query"];
const notice = make("p", { class: "note live", role: "status", hidden: true });

function say(text) {
  if (notice.textContent !== text) notice.textContent = text;
  notice.hidden = !text;
}

function keepChoices() {
  const values = CONTROLS.map((id) => (id === "regex" ? byId(id).checked : byId(id).value));
  sessionStorage.setItem(KEPT, JSON.stringify({ values, chosen: list?.chosen ?? null }));
}

function restoreChoices() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT));
  sessionStorage.removeItem(KEPT);
  if (!kept || !segments) return;
  CONTROLS.forEach((id, index) => {
    const control = byId(id);
    const value = kept.values[index];
    if (control.tagName === "SELECT" && ![...control.options].some((option) => option.value === value)) return;
    if (id === "regex") control.checked = value;
    else control.value = value;
    control.dispatchEvent(new Event(id === "query" ? "input" : "change"));
  });
  if (kept.chosen !== null && kept.chosen < segments.size) {
    list.chosen = kept.chosen;
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
    say(problem ? `The files have changed, and this page is of what they were before: ${problem}` : "");
  } catch {
    say("refscore serve has ended: this page shows what it showed last.");
  }
  setTimeout(ask, EVERY);
}

document.querySelector("nav").append(make("a", { href: "/form" }, "Score your own text"));
document.querySelector("header").append(notice);
unpacked.then(restoreChoices).then(() => setTimeout(ask, EVERY));
