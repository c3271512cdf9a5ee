// Two answers side by side: what one image does the other does too, until they are unlocked; steps light up on both.
import { Viewer } from "./viewer.js";

const panes = [...document.querySelectorAll(".pane")].map((element) => ({ element, viewer: viewerOf(element) }));
const viewers = panes.map((pane) => pane.viewer).filter(Boolean);
const help = document.getElementById("help");
let locked = true;
let active = viewers[0];

function viewerOf(pane) {
  const stage = pane.querySelector(".stage");
  if (!stage?.querySelector(".sheet-page")) return null;
  const viewer = new Viewer(stage, pane, { remember: false });
  // Panzoom tells of a change a frame later and does not say who asked: only the image in use leads.
  viewer.mover.addEventListener("panzoomchange", () => viewer === active && follow(viewer));
  for (const kind of ["pointerdown", "focusin", "wheel"]) pane.addEventListener(kind, () => (active = viewer), { capture: true, passive: true });
  return viewer;
}

/** Where a viewer stands, in shares of its own page: pages of different sizes show the same part. */
function standing(viewer) {
  const { x, y } = viewer.panzoom.getPan();
  return { scale: viewer.panzoom.getScale(), x: x / viewer.size[0], y: y / viewer.size[1] };
}

/** The other image goes where this one went. */
function follow(leader) {
  if (!locked || !leader.size) return;
  const { scale, x, y } = standing(leader);
  for (const viewer of viewers) {
    if (viewer === leader || !viewer.size) continue;
    viewer.panzoom.zoom(scale, { force: true, silent: true });
    viewer.panzoom.pan(x * viewer.size[0], y * viewer.size[1], { force: true, silent: true });
    const now = viewer.panzoom.getPan();
    viewer.mover.style.transform = `translate(${now.x * scale}px, ${now.y * scale}px) scale(${scale})`;
  }
}

/** A tool of one image; the other follows it, also to another turn, fit or page. */
function use(viewer, action, button) {
  if (!viewer) return;
  active = viewer;
  for (const each of locked ? viewers : [viewer]) {
    if (action === "rotate" || action === "fit-width" || action === "fit-height") {
      each.set(action === "rotate" ? { turn: (viewer.view.turn + (each === viewer ? 90 : 0)) % 360 } : { fit: action });
    } else if (action === "boxes") each.do(action, button);
    else if (action === "previous" || action === "next") each.show(each === viewer ? each.at + (action === "next" ? 1 : -1) : viewer.at);
  }
  if (action === "in" || action === "out") viewer.do(action, button);
  follow(viewer);
}

/** Both images take up the part, turn and page of the active one when they are locked again. */
function lock(on) {
  locked = on;
  document.querySelector("[data-compare=lock]").setAttribute("aria-pressed", String(on));
  if (!on || !active) return;
  for (const viewer of viewers.filter((each) => each !== active)) {
    viewer.show(active.at);
    viewer.set({ turn: active.view.turn, fit: active.view.fit });
  }
  follow(active);
}

function light(row) {
  for (const { element } of panes) {
    const wanted = new Set((row?.dataset[element.dataset.place === "left" ? "linesLeft" : "linesRight"] ?? "").split(" ").filter(Boolean));
    for (const box of element.querySelectorAll("[data-line]")) box.classList.toggle("lit", wanted.has(box.dataset.line));
  }
}

function differing() {
  const rows = [...document.querySelectorAll("[data-differs]")];
  const here = rows.findIndex((row) => row === document.activeElement);
  const row = rows[(here + 1) % rows.length];
  row?.focus();
  row?.scrollIntoView({ block: "nearest" });
}

const actions = {
  lock: () => lock(!locked),
  differing,
  swap: () => document.querySelector("[data-compare-swap]").click(),
  help: () => help.showModal(),
  first: () => focus(0),
  second: () => focus(1),
};

function focus(index) {
  panes[index].element.querySelector("[tabindex='0']")?.focus();
}

const MOVES = { arrowleft: [60, 0], arrowright: [-60, 0], arrowup: [0, 60], arrowdown: [0, -60] };
const OWN = { l: "lock", d: "differing", x: "swap", "?": "help", 1: "first", 2: "second" };
const VIEWS = ["rotate", "previous", "next", "in", "out"];

document.addEventListener("click", (event) => {
  const tool = event.target.closest("[data-view]");
  if (tool) use(panes.find(({ element }) => element.contains(tool))?.viewer, tool.dataset.view, tool);
  actions[event.target.closest("[data-compare]")?.dataset.compare]?.();
});
document.addEventListener("pointerover", (event) => light(event.target.closest(".beside-row")));
document.addEventListener("focusin", (event) => light(event.target.closest(".beside-row")));

window.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || help.open) return;
  if (event.target.closest("input, select, textarea")) return;
  const key = event.key.toLowerCase();
  const move = event.target.closest(".pane .stage") ? MOVES[key] : null;
  if (move) active?.move(...move);
  else if (help.dataset.single === undefined) return;
  else if (OWN[key]) actions[OWN[key]]();
  else {
    const named = JSON.parse(help.dataset.keys)[key === "=" ? "+" : key];
    if (!VIEWS.includes(named)) return;
    use(active, named);
  }
  event.preventDefault();
});
