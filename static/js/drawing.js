// Marks on the image of an answer: tick, cross, box, words, arrow, eraser; by pointer, by touch, or by keys alone.
// What is drawn is kept in the browser at once and on the server a moment later; each mark has a key, so that sending it
// twice is one mark. Places are shares of the page as stored: the numbers are those of grading/domain/annotation_shapes.py.
import { send } from "./drafts.js";

const SIGN = 0.032;
const STROKE = 0.0034;
const TEXT = 0.022;
const LEADING = 1.3;
const HEAD = 0.02;
const LAST_START = 0.75;
const NARROW = 0.62;
const TICK = [[[-0.5, 0.05], [-0.15, 0.42], [0.55, -0.5]]];
const CROSS = [[[-0.42, -0.42], [0.42, 0.42]], [[0.42, -0.42], [-0.42, 0.42]]];
const LEAST = 0.012;
const STEP = 0.005;
const LONG_STEP = 0.05;
const RETRY = 4000;
const MOST_AT_ONCE = 60;
const SVG = "http://www.w3.org/2000/svg";
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const newKey = () => [...crypto.getRandomValues(new Uint8Array(8))].map((each) => each.toString(16).padStart(2, "0")).join("");
const round = (value) => Math.round(Math.max(0, Math.min(1, value)) * 10000) / 10000;
const widthOf = (character) => (character >= "\u1100" ? 1 : NARROW);
const long = (line) => [...line].reduce((sum, each) => sum + widthOf(each), 0);

function wrapped(words, room) {
  const lines = [];
  let line = "";
  for (const character of words) {
    if (line && long(line) + widthOf(character) > room) {
      const cut = line.lastIndexOf(" ");
      const near = cut > line.length * 0.6;
      lines.push(near ? line.slice(0, cut) : line);
      line = near ? line.slice(cut + 1) : "";
    }
    if (character !== " " || line) line += character;
  }
  return line ? [...lines, line] : lines;
}

function strokes({ kind, at, to }, width, height) {
  const [x, y] = [at[0] * width, at[1] * height];
  const around = (signs) => signs.map((points) => points.map(([dx, dy]) => [x + dx * SIGN * width, y + dy * SIGN * width]));
  if (kind === "tick") return around(TICK);
  if (kind === "cross") return around(CROSS);
  const [right, bottom] = [to[0] * width, to[1] * height];
  if (kind === "box") return [[[x, y], [right, y], [right, bottom], [x, bottom], [x, y]]];
  const length = Math.hypot(right - x, bottom - y) || 1;
  const [ux, uy] = [(right - x) / length, (bottom - y) / length];
  const size = HEAD * width;
  const [bx, by] = [right - ux * size, bottom - uy * size];
  const wing = size * 0.55;
  return [[[x, y], [right, bottom]], [[bx - uy * wing, by + ux * wing], [right, bottom], [bx + uy * wing, by - ux * wing]]];
}

const pathOf = (lines) => lines.map((points) => `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join(" L")}`).join(" ");

function element(name, attributes, text) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function paths(d, width) {
  return [element("path", { class: "halo", d, "stroke-width": width }), element("path", { d, "stroke-width": width })];
}

/** The elements of one mark on a page of that size. */
function drawn(mark, width, height) {
  if (mark.kind !== "text") return paths(pathOf(strokes(mark, width, height)), (STROKE * width).toFixed(2));
  const size = TEXT * width;
  const start = Math.min(mark.at[0] * width, LAST_START * width);
  return wrapped(mark.text, (width - start) / size - 0.5).map((line, number) => element("text", {
    x: start.toFixed(1), y: (mark.at[1] * height + size * (1 + LEADING * number)).toFixed(1), "font-size": size.toFixed(1),
  }, line));
}

export class Drawing {
  /** ``viewer`` turns and moves the pages, ``drafts`` says where the work is kept. */
  constructor(viewer, drafts) {
    this.viewer = viewer;
    this.drafts = drafts;
    this.bar = document.getElementById("draw-tools");
    this.words = this.bar.dataset;
    this.input = document.getElementById("draw-words");
    this.stage = viewer.stage;
    this.tool = null;
    this.start = null;
    this.past = [];
    this.running = Promise.resolve();
    this.pending = this.leftBehind();
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    this.stage.addEventListener("pointerdown", (event) => this.down(event), { capture: true, signal });
    this.stage.addEventListener("pointermove", (event) => this.move(event), { capture: true, signal });
    this.stage.addEventListener("pointerup", (event) => this.up(event), { capture: true, signal });
    this.stage.addEventListener("pointercancel", () => this.forgetStart(), { signal });
    this.stage.addEventListener("click", (event) => this.tool && this.swallow(event), { capture: true, signal });
    window.addEventListener("keydown", (event) => this.key(event), { capture: true, signal });
    window.addEventListener("online", () => this.save(), { signal });
    for (const each of this.pending) this.show(each);
    if (this.pending.length) this.save();
  }

  stop() {
    this.stopping.abort();
    clearTimeout(this.waiting);
    this.stopped = true;
  }

  // --- tools ------------------------------------------------------------------------------------------------------

  choose(tool) {
    if (tool === "undo") this.undo();
    else if (tool === "open") this.open(this.bar.hidden);
    else this.take(tool === this.tool ? null : tool);
  }

  open(on) {
    this.bar.hidden = !on;
    document.querySelector("[data-draw=open]").setAttribute("aria-expanded", String(on));
    this.take(null);
    if (on) this.bar.querySelector("[data-draw=tick]").focus();
  }

  take(tool) {
    this.tool = tool;
    this.forgetStart();
    if (tool) this.bar.hidden = false;
    document.querySelector("[data-draw=open]").setAttribute("aria-expanded", String(!this.bar.hidden));
    for (const button of this.bar.querySelectorAll("[aria-pressed]")) button.setAttribute("aria-pressed", String(button.dataset.draw === tool));
    this.stage.classList.toggle("drawing", tool !== null);
    this.input.hidden = tool !== "text";
    this.cross = tool ? this.middle() : null;
    this.aim();
    this.tell(tool === "text" ? this.words.write : tool === "eraser" ? this.words.erase : tool ? this.words.place : "");
    if (tool === "text") this.input.focus();
    else if (tool) this.stage.focus({ preventScroll: true });
  }

  tell(sentence) {
    document.getElementById("draw-state").textContent = sentence;
  }

  // --- places -----------------------------------------------------------------------------------------------------

  get size() {
    const { width, height } = this.viewer.page.dataset;
    return [Number(width), Number(height)];
  }

  /** A place of the screen as shares of the page as it is stored, whichever way it is turned; may lie off the page. */
  shares(clientX, clientY) {
    const box = this.viewer.page.querySelector("img").getBoundingClientRect();
    const [u, v] = [(clientX - box.left) / box.width, (clientY - box.top) / box.height];
    return { 0: [u, v], 90: [v, 1 - u], 180: [1 - u, 1 - v], 270: [1 - v, u] }[this.viewer.view.turn];
  }

  /** The middle of what is seen of the page. */
  middle() {
    const page = this.viewer.page.querySelector("img").getBoundingClientRect();
    const stage = this.stage.getBoundingClientRect();
    const between = (low, high, from, to) => (Math.max(low, from) + Math.min(high, to)) / 2;
    return this.shares(between(page.left, page.right, stage.left, stage.right), between(page.top, page.bottom, stage.top, stage.bottom)).map(round);
  }

  onPage([x, y]) {
    return x >= 0 && x <= 1 && y >= 0 && y <= 1;
  }

  // --- pointer and touch ------------------------------------------------------------------------------------------

  swallow(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  down(event) {
    if (!this.tool || event.button !== 0 || !event.isPrimary || this.drafts?.frozen) return;
    const place = this.shares(event.clientX, event.clientY);
    if (!this.onPage(place)) return;
    this.swallow(event);
    this.stage.setPointerCapture(event.pointerId);
    this.cross = place.map(round);
    if (this.tool === "box" || this.tool === "arrow") this.start = this.cross;
    this.byPointer = true;
    this.aim(event);
  }

  move(event) {
    if (!this.tool) return;
    if (this.byPointer) this.swallow(event);
    else if (event.buttons) return;
    const place = this.shares(event.clientX, event.clientY);
    if (!this.byPointer && (this.start || !this.onPage(place))) return;
    this.cross = place.map(round);
    this.aim(event);
  }

  up(event) {
    if (!this.tool || !this.byPointer) return;
    this.swallow(event);
    this.byPointer = false;
    if (this.tool === "text") {
      this.anchor = this.cross;
      if (this.input.value.trim()) this.write();
      else this.input.focus();
    } else this.place();
  }

  // --- keys -------------------------------------------------------------------------------------------------------

  key(event) {
    if (!this.tool || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
    const writing = event.target === this.input;
    if (event.key === "Escape") {
      if (this.start) this.forgetStart();
      else this.take(null);
    } else if (writing) {
      if (event.key !== "Enter") return;
      if (this.anchor) this.write();
      else if (this.input.value.trim()) this.stage.focus({ preventScroll: true });
    } else if (event.target.closest?.("input, textarea, select, button, a, summary")) return;
    else if (event.key in ARROWS) this.step(ARROWS[event.key], event.shiftKey ? LONG_STEP : STEP);
    else if (event.key === "Enter") this.enter();
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** Moves the cross hairs as seen on the screen, and the page along where they would leave the stage. */
  step([across, down], far) {
    const [width, height] = this.size;
    const [u, v] = [across * far, down * far];
    const [dx, dy] = { 0: [u, v], 90: [v, -u], 180: [-u, -v], 270: [-v, u] }[this.viewer.view.turn];
    this.cross ??= this.middle();
    this.cross = [round(this.cross[0] + dx), round(this.cross[1] + (dy * width) / height)];
    this.aim();
    const inner = this.hairs.getBoundingClientRect();
    const outer = this.stage.getBoundingClientRect();
    this.viewer.move(Math.max(0, outer.left - inner.left) + Math.min(0, outer.right - inner.right), Math.max(0, outer.top - inner.top) + Math.min(0, outer.bottom - inner.bottom));
  }

  enter() {
    this.cross ??= this.middle();
    if ((this.tool === "box" || this.tool === "arrow") && !this.start) {
      this.start = this.cross;
      this.tell(this.words.second);
      this.aim();
    } else if (this.tool === "text") {
      this.anchor = this.cross;
      if (this.input.value.trim()) this.write();
      else this.input.focus();
    } else this.place();
  }

  // --- what is done -----------------------------------------------------------------------------------------------

  forgetStart() {
    this.start = null;
    this.anchor = null;
    this.byPointer = false;
    if (this.tool) this.aim();
  }

  place() {
    if (this.tool === "eraser") return this.erase();
    const mark = { kind: this.tool, at: this.cross };
    if (this.start) {
      Object.assign(mark, { at: this.start, to: this.cross });
      const [across, down] = [Math.abs(mark.at[0] - mark.to[0]), Math.abs(mark.at[1] - mark.to[1])];
      // As the server keeps a box: from its upper left corner.
      if (this.tool === "box") [mark.at, mark.to] = [Math.min, Math.max].map((pick) => [0, 1].map((axis) => pick(this.start[axis], this.cross[axis])));
      if (this.tool === "box" ? Math.min(across, down) < LEAST : Math.max(across, down) < LEAST) return this.forgetStart();
    } else if (this.tool === "box" || this.tool === "arrow") return;
    this.start = null;
    this.change(this.drawChange(mark, this.viewer.page));
    this.tell(this.words.place);
  }

  write() {
    const text = this.input.value.trim().replace(/\s+/g, " ");
    if (!text) return;
    this.change(this.drawChange({ kind: "text", at: this.anchor, text }, this.viewer.page));
    this.input.value = "";
    this.anchor = null;
    this.stage.focus({ preventScroll: true });
  }

  erase() {
    const target = this.viewer.page.querySelector(".mark-drawn.aimed-at");
    if (!target) this.tell(this.words.none);
    else this.change({ do: "erase", key: target.dataset.key, was: JSON.parse(target.dataset.mark), on: this.viewer.page.id });
  }

  drawChange(mark, page) {
    return { do: "draw", key: newKey(), page: page.dataset.image, image: page.dataset.stored, on: page.id, ...mark };
  }

  /** The last change of this page, taken back; whether there was one. */
  undo() {
    const last = this.past.pop();
    if (!last) return false;
    const page = document.getElementById(last.on);
    if (last.do === "draw") this.change({ do: "erase", key: last.key, was: last, on: last.on }, false);
    else {
      const { kind, at, to, text } = last.was;
      this.change(this.drawChange({ kind, at, ...(to && { to }), ...(text && { text }) }, page), false);
    }
    return true;
  }

  change(change, remembered = true) {
    if (this.drafts?.frozen) return;
    if (remembered) this.past.push(change);
    this.pending.push(change);
    this.show(change);
    this.keep();
    this.save();
  }

  // --- on the screen ----------------------------------------------------------------------------------------------

  show(change) {
    const page = document.getElementById(change.on);
    const old = document.querySelector(`.mark-drawn[data-key="${change.key}"]`);
    if (change.do === "erase" || !page) old?.remove();
    else if (!old) {
      const { kind, at, to, text } = change;
      const [width, height] = [Number(page.dataset.width), Number(page.dataset.height)];
      const group = element("g", { class: "mark-drawn waiting", role: "img", "aria-label": text ? `${this.words[kind]}: ${text}` : this.words[kind] });
      group.dataset.key = change.key;
      group.dataset.mark = JSON.stringify({ kind, at, to, text });
      group.append(...drawn({ kind, at, to, text }, width, height));
      page.querySelector(".drawn").append(group);
    }
    this.aim();
  }

  /** The cross hairs, the box or arrow that is being drawn, and the mark that the eraser would take. */
  aim(event) {
    this.hairs?.remove();
    for (const each of document.querySelectorAll(".aimed-at")) each.classList.remove("aimed-at");
    if (!this.tool || !this.cross) return;
    const [width, height] = this.size;
    const [x, y] = [this.cross[0] * width, this.cross[1] * height];
    const arm = width * 0.02;
    this.hairs = element("g", { class: "crosshair", "aria-hidden": "true" });
    if (event?.pointerType !== "touch" || !this.byPointer) this.hairs.append(...paths(pathOf([[[x - arm, y], [x + arm, y]], [[x, y - arm], [x, y + arm]]]), (STROKE * width * 0.6).toFixed(2)));
    const layer = this.viewer.page.querySelector(".drawn");
    layer.append(this.hairs);
    if (this.start) this.hairs.append(...drawn({ kind: this.tool, at: this.start, to: this.cross }, width, height));
    if (this.tool === "eraser") this.under(layer)?.classList.add("aimed-at");
  }

  /** One's own mark at the cross hairs: of those whose bounds hold it, with some room around, the smallest. */
  under(layer) {
    const [width, height] = this.size;
    const [x, y] = [this.cross[0] * width, this.cross[1] * height];
    const room = width * 0.012;
    const near = [...layer.querySelectorAll(".mark-drawn[data-key]")].map((each) => ({ each, box: each.getBBox() }))
      .filter(({ box }) => x > box.x - room && x < box.x + box.width + room && y > box.y - room && y < box.y + box.height + room);
    near.sort((one, other) => one.box.width * one.box.height - other.box.width * other.box.height);
    return near[0]?.each;
  }

  // --- kept -------------------------------------------------------------------------------------------------------

  leftBehind() {
    try {
      return JSON.parse(localStorage.getItem(this.words.kept)) ?? [];
    } catch {
      return [];
    }
  }

  keep() {
    try {
      if (this.pending.length) localStorage.setItem(this.words.kept, JSON.stringify(this.pending));
      else localStorage.removeItem(this.words.kept);
    } catch {
      // The copy on the server is on its way; only the one here is missing.
    }
  }

  /** Resolves when everything is on the server, or when it cannot be brought there now. */
  async settle() {
    clearTimeout(this.waiting);
    await this.save();
  }

  save() {
    this.running = this.running.then(() => this.sendAll());
    return this.running;
  }

  later(word) {
    this.drafts?.say(word, new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false }));
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.save(), RETRY);
    return false;
  }

  async sendAll() {
    while (this.pending.length && !this.stopped && !this.lost) if (!(await this.sendSome())) return;
  }

  async sendSome() {
    const batch = this.pending.slice(0, MOST_AT_ONCE);
    const form = document.getElementById("marking");
    const fields = new FormData();
    for (const name of ["csrfmiddlewaretoken", "version", "screen"]) fields.set(name, form.elements[name]?.value ?? "");
    fields.set("changes", JSON.stringify(batch.map(({ was, on, ...sent }) => sent)));
    this.drafts?.say("saving");
    const response = await send(this.words.address, fields);
    if (!response) return this.later("offline");
    if (response.status === 401) {
      this.drafts?.signedOut();
      return this.later("offline");
    }
    if (response.status !== 422 && response.status !== 409 && !response.ok) return this.later("failed");
    const answer = await response.json();
    if (response.status === 409) {
      this.lost = true;
      this.drafts?.lost(answer.sentence);
      return false;
    }
    if (response.status === 422) this.refused(batch, answer);
    else this.stored(batch, answer);
    return true;
  }

  /** What the server cannot take is given up, and said; the rest is sent again. */
  refused(batch, { number, sentence }) {
    const bad = batch[number ?? 0];
    this.pending = this.pending.filter((each) => each !== bad);
    this.past = this.past.filter((each) => each !== bad);
    if (bad.do === "draw") document.querySelector(`.mark-drawn[data-key="${bad.key}"]`)?.remove();
    this.keep();
    this.tell(sentence);
    this.bar.hidden = false;
  }

  stored(batch, { at, until, version, screen }) {
    this.pending = this.pending.slice(batch.length);
    this.keep();
    for (const { key } of batch) document.querySelector(`.mark-drawn[data-key="${key}"]`)?.classList.remove("waiting");
    for (const [name, value] of Object.entries({ version, screen })) {
      if (value) for (const input of document.querySelectorAll(`input[name=${name}]`)) input.value = value;
    }
    this.drafts?.say("saved", at);
    const place = document.getElementById("until");
    if (place && until) place.textContent = until;
  }
}
