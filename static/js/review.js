// The marking desk: links steps, lines and boxes, and makes everything reachable from the keyboard.
import { tinykeys } from "../vendor/tinykeys.js";
import { typeset } from "./mathematics.js";
import { Viewer } from "./viewer.js";

const byId = (id) => document.getElementById(id);
const stage = byId("stage");
const viewer = stage?.querySelector(".sheet-page") ? new Viewer(stage) : null;
const form = byId("marking");

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
  if (tool && viewer) viewer.do(tool.dataset.view);
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
  form?.dispatchEvent(new Event("change", { bubbles: true }));
}

function setAll(digit) {
  if (!form) return;
  for (const step of steps()) setStatus(step, digit);
  changed();
}

function askZero(on) {
  zeroAsked = on;
  const question = byId("zero-question");
  if (question) question.hidden = !on;
}

const press = (id) => byId(id)?.click();

const actions = {
  full: () => setAll(1),
  zero: () => {
    setAll(6);
    askZero(true);
    byId("submit")?.focus();
  },
  reading: () => openReading(document.querySelector(".step.chosen")?.dataset.lines.split(" ")[0] || firstDoubtful()),
  help: () => byId("help")?.showModal(),
};

function firstDoubtful() {
  return document.querySelector(".box.doubtful, .reading-line")?.dataset.line;
}

// htmx puts a fresh sheet in place; the chosen step is a matter of this page alone.
document.addEventListener("htmx:after:swap", () => {
  if (chosen !== null) for (const step of steps()) step.classList.toggle("chosen", Number(step.dataset.step) === chosen);
});

// --- keys ---------------------------------------------------------------------------------------------------------

function typing(event) {
  const target = event.target;
  return target.closest("input:not([type=radio], [type=checkbox]), textarea, select, dialog[open]") !== null;
}

function key(run) {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || typing(event) || byId("help")?.open) return;
    event.preventDefault();
    run(event);
  };
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

const keys = {
  f: key(() => actions.full()),
  a: key(() => press("accept")),
  e: key(() => actions.reading()),
  s: key(() => press("skip")),
  u: key(() => press("undo")),
  r: key(() => viewer?.do("rotate")),
  "[": key(() => viewer?.do("previous")),
  "]": key(() => viewer?.do("next")),
  "+": key(() => viewer?.do("in")),
  "=": key(() => viewer?.do("in")),
  "-": key(() => viewer?.do("out")),
  "Shift++": key(() => viewer?.do("in")),
  "Shift+?": key(() => actions.help()),
  "?": key(() => actions.help()),
  Escape: (event) => {
    if (byId("help")?.open) return;
    if (zeroAsked) {
      askZero(false);
      press("undo");
      return;
    }
    if (typing(event)) event.target.blur();
    choose(null);
  },
  Enter: (event) => {
    if (typing(event) || event.target.closest("a, button, summary")) return;
    event.preventDefault();
    if (byId("submit") && !byId("submit").matches(":disabled")) press("submit");
    else press("claim");
  },
};
for (let number = 0; number <= 9; number += 1) keys[String(number)] = key(() => digit(number));
tinykeys(window, keys);

if (location.hash.startsWith("#line-")) openReading(location.hash.slice(6), { focus: false });
