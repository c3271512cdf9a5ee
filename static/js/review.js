// The marking desk: links steps, lines and boxes, makes everything reachable from the keyboard, goes from answer to answer.
import { Drafts } from "./drafts.js";
import { hop, lookAhead } from "./hop.js";
import { typeset, typesetAll } from "./mathematics.js";
import { Viewer } from "./viewer.js";

const byId = (id) => document.getElementById(id);
let viewer = null;
let drafts = null;
let drawing = null;

/** Everything that belongs to the answer on the page; runs again for each answer that takes the place of the last. */
function mount() {
  viewer?.stop();
  drafts?.stop();
  drawing?.then((each) => each.stop());
  drawing = null;
  chosen = null;
  zeroAsked = false;
  past.length = 0;
  const stage = byId("stage");
  viewer = stage?.querySelector(".sheet-page") ? new Viewer(stage) : null;
  drafts = byId("draft-state") ? new Drafts(byId("draft-state")) : null;
  present = byId("marking") ? sheetNow() : null;
  if (byId("draw-tools") && localStorage.getItem(byId("draw-tools").dataset.kept)) startDrawing();
  const upcoming = byId("marking")?.dataset.upcoming;
  if (upcoming) setTimeout(() => lookAhead(upcoming), 30);
}

// --- marks on the image: their script comes with the first of them --------------------------------------------------

const tools = ["tick", "cross", "box", "text", "arrow", "eraser"];

function startDrawing() {
  const own = [viewer, drafts];
  drawing ??= import("./drawing.js").then(({ Drawing }) => new Drawing(...own));
  return drawing;
}

async function draw(tool) {
  if (!byId("draw-tools") || !viewer || drafts?.frozen) return;
  (await startDrawing()).choose(tool);
}

// --- steps, lines and boxes light up together ---------------------------------------------------------------------

function linesOf(element) {
  if (element.dataset.line) return [element.dataset.line];
  return (element.dataset.lines ?? "").split(" ").filter(Boolean);
}

function light(lines) {
  const wanted = new Set(lines);
  for (const element of document.querySelectorAll("[data-line], .step[data-lines]")) {
    element.classList.toggle("lit", linesOf(element).some((line) => wanted.has(line)));
  }
}

function pointedAt(event) {
  const element = event.target.closest?.("[data-line], .step[data-lines]");
  if (element) light(linesOf(element));
  return element;
}

document.addEventListener("pointerover", (event) => pointedAt(event) ?? light([]));
document.addEventListener("focusin", (event) => {
  const element = pointedAt(event);
  if (!element || element.closest("#stage")) return;
  const box = document.querySelector(".box.lit");
  if (box && viewer) viewer.reveal(box);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-line]");
  if (link) {
    event.preventDefault();
    openReading(link.dataset.line, { focus: !link.closest("#stage") });
  }
  const tool = event.target.closest("[data-view]");
  if (tool && viewer) viewer.do(tool.dataset.view, tool);
  const pen = event.target.closest("[data-draw]");
  if (pen) draw(pen.dataset.draw);
  const verb = event.target.closest("[data-do]");
  if (verb) actions[verb.dataset.do]?.();
  const fill = event.target.closest("[data-fill]");
  if (fill) {
    const input = byId(fill.dataset.for);
    input.value = fill.dataset.fill;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.focus();
  }
});

// --- the reading --------------------------------------------------------------------------------------------------

function openReading(line, { focus = true } = {}) {
  const reading = byId("reading");
  if (!reading) return;
  reading.open = true;
  const row = line ? byId(`line-${line}`) : reading;
  row?.scrollIntoView({ block: "nearest" });
  if (focus) row?.querySelector(".line-edit:not(:disabled)")?.focus();
  if (line) light([line]);
}

document.addEventListener("input", (event) => {
  if (!event.target.classList.contains("line-edit")) return;
  const preview = event.target.closest(".line-body").querySelector(".line-preview");
  let span = preview.querySelector(".math");
  if (!span) {
    span = document.createElement("span");
    span.className = "math";
    preview.replaceChildren(span);
  }
  span.dataset.live = "";
  span.dataset.latex = event.target.value;
  typeset(span);
});

// --- the sheet ----------------------------------------------------------------------------------------------------

let chosen = null;
let zeroAsked = false;
let present = null;
const past = [];

const steps = () => [...document.querySelectorAll(".step")];

function choose(number) {
  chosen = number;
  for (const step of steps()) step.classList.toggle("chosen", Number(step.dataset.step) === number);
  const step = byId(`step-${number}`);
  if (!step) return;
  step.scrollIntoView({ block: "nearest" });
  step.querySelector("input[type=radio]:checked, input[type=radio]")?.focus();
}

function setStatus(step, digit) {
  const radio = step.querySelector(`input[data-digit="${digit}"]`);
  if (!radio || radio.matches(":disabled")) return false;
  radio.checked = true;
  radio.focus();
  return true;
}

function changed() {
  byId("marking")?.dispatchEvent(new Event("change", { bubbles: true }));
}

function setAll(digit) {
  if (!byId("marking")) return;
  for (const step of steps()) setStatus(step, digit);
  changed();
}

function askZero(on) {
  zeroAsked = on;
  const question = byId("zero-question");
  if (question) question.hidden = !on;
}

const sheetNow = () => new URLSearchParams(new FormData(byId("marking"))).toString();

// Each change leaves the sheet before it behind, to come back to.
document.addEventListener("change", (event) => {
  if ((event.target.form ?? event.target) !== byId("marking")) return;
  const fresh = sheetNow();
  if (fresh === present) return;
  past.push(present);
  present = fresh;
});

async function undo() {
  askZero(false);
  if (drawing && (await drawing).tool && (await drawing).undo()) return;
  const form = byId("marking");
  if (!form || !past.length) return;
  form.dispatchEvent(new Event("htmx:abort"));
  const before = new URLSearchParams(past.pop());
  for (const name of ["csrfmiddlewaretoken", "draft", "window", "version"]) before.set(name, form.elements[name].value);
  try {
    const response = await fetch(form.getAttribute("hx-post"), { method: "POST", body: before, headers: { "HX-Request": "true", "X-Requested-With": "fetch" } });
    if (!response.ok) throw new Error(String(response.status));
    const fresh = document.createElement("template");
    fresh.innerHTML = await response.text();
    byId("sheet").replaceWith(fresh.content);
    window.htmx?.process(byId("sheet"));
    typesetAll();
    present = sheetNow();
    byId("reason").dispatchEvent(new Event("input", { bubbles: true }));
  } catch {
    past.push(before.toString());
    drafts?.notice(drafts.words.notSent);
  }
}

// A total that could not be worked out must not stand there as if it held.
function unknownTotal(event) {
  if (event.target !== byId("marking")) return;
  const total = byId("total");
  if (total) total.textContent = "…";
  if (event.detail?.ctx?.response?.status === 401) drafts?.signedOut();
}
document.addEventListener("htmx:error", unknownTotal);
document.addEventListener("htmx:response:error", unknownTotal);

const press = (id) => byId(id)?.click();

const actions = {
  full: () => setAll(1),
  zero: () => {
    setAll(6);
    askZero(true);
    byId("submit")?.focus();
  },
  undo,
  reading: () => openReading(document.querySelector(".step.chosen")?.dataset.lines.split(" ")[0] || firstDoubtful()),
  problem: () => {
    const problem = byId("problem");
    if (!problem) return;
    problem.open = true;
    problem.scrollIntoView({ block: "nearest" });
    problem.querySelector(".problem-kinds button")?.focus();
  },
  reason: () => byId("reason")?.focus(),
  help: () => byId("help")?.showModal(),
};

function firstDoubtful() {
  return document.querySelector(".box.doubtful, .reading-line")?.dataset.line;
}

// htmx puts a fresh sheet in place; the chosen step is a matter of this page alone.
document.addEventListener("htmx:after:swap", () => {
  if (chosen !== null) for (const step of steps()) step.classList.toggle("chosen", Number(step.dataset.step) === chosen);
  if (byId("marking")) present = sheetNow();
});

// --- from answer to answer ----------------------------------------------------------------------------------------

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches("#marking[data-upcoming], #accepting, [data-hop]")) return;
  event.preventDefault();
  const submitter = event.submitter?.name || event.submitter?.hasAttribute("formaction") ? event.submitter : null;
  byId("marking")?.dispatchEvent(new Event("htmx:abort"));
  await Promise.all([drafts?.settle(), drawing?.then((each) => each.settle())]);
  await hop(form, submitter, event.timeStamp, {
    leave: () => {
      // What was sent is in the page that comes back, or kept by the server: the copy here has done its work.
      drafts?.forget();
      drafts?.stop();
    },
    arrive: (saved) => {
      mount();
      if (!saved) drafts?.keepAgain();
    },
    failed: (status) => {
      delete form.dataset.sent;
      if (status === 401) drafts?.signedOut();
      else drafts?.notice(status ? drafts.words.failed.replace("{time}", "") : drafts.words.notSent);
    },
  });
});
window.addEventListener("popstate", () => location.reload());

// --- keys ---------------------------------------------------------------------------------------------------------

function typing(event) {
  const target = event.target;
  return target.closest("input:not([type=radio], [type=checkbox]), textarea, select, dialog[open]") !== null;
}

function digit(number) {
  if (chosen !== null && byId(`step-${chosen}`) && number <= 6 && number >= 1) {
    const done = setStatus(byId(`step-${chosen}`), number);
    const next = chosen;
    choose(null);
    byId(`step-${next}`)?.querySelector("input[type=radio]:checked")?.focus();
    if (done) changed();
  } else if (number >= 1) choose(number);
  else actions.zero();
}

const views = ["rotate", "previous", "next", "in", "out"];

/** What a key does for this person: the page carries their own keys, some are everybody's. */
function act(action) {
  if (views.includes(action)) viewer?.do(action);
  else if (tools.includes(action)) draw(action);
  else if (action === "accept" || action === "skip") press(action);
  else if (action === "transfer") press("pass-on");
  else if (action === "release") press("release");
  else actions[action]?.();
}

function escape(event) {
  if (byId("help")?.open) return;
  if (zeroAsked) {
    actions.undo();
    return;
  }
  if (typing(event)) event.target.blur();
  choose(null);
}

function enter(event) {
  if (typing(event) || event.target.closest("a, button, summary")) return;
  event.preventDefault();
  if (byId("submit") && !byId("submit").matches(":disabled")) press("submit");
  else press("claim");
}

/** The sign a key stands for; an input method that is switched to Chinese hides it, the key's place tells it then. */
function sign(event) {
  const code = event.key === "Process" ? /^(?:Key([A-Z])|Digit([0-9]))$/.exec(event.code) : null;
  return (code ? (code[1] ?? code[2]) : event.key).toLowerCase();
}

window.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape") return escape(event);
  if (event.key === "Enter" && !event.isComposing) return enter(event);
  const help = byId("help");
  if (typing(event) || help?.open || help?.dataset.single === undefined) return;
  const pressed = sign(event);
  const own = JSON.parse(help.dataset.keys);
  const action = own[pressed] ?? (pressed === "=" ? own["+"] : undefined);
  if (pressed.length !== 1 || drafts?.frozen && action !== undefined && !views.includes(action)) return;
  if (pressed === "?") actions.help();
  else if (pressed >= "0" && pressed <= "9") digit(Number(pressed));
  else if (action) act(action);
  else return;
  event.preventDefault();
});
mount();

if (location.hash.startsWith("#line-")) openReading(location.hash.slice(6), { focus: false });
