// The image of an answer: zoom, fit, rotate, contrast, pages. Without this file it is a plain image that scrolls.
import Panzoom from "../vendor/panzoom.js";

const GAP = 12;
const VIEWS = "wenshu.views";
const MOST_VIEWS = 300;

/** How each image was last looked at on this computer, newest last; a new image starts with the fit used last. */
const memory = {
  read() {
    try {
      return new Map(JSON.parse(localStorage.getItem(VIEWS) ?? "[]"));
    } catch {
      return new Map();
    }
  },
  write(image, view) {
    const views = this.read();
    views.delete(image);
    views.set(image, view);
    views.set("fit", view.fit);
    try {
      localStorage.setItem(VIEWS, JSON.stringify([...views].slice(-MOST_VIEWS)));
    } catch {
      // A full store only means that the image opens as a new one next time.
    }
  },
};

export class Viewer {
  /** ``root`` holds the buttons and labels of this stage alone; ``remember`` off leaves no trace of how it was looked at. */
  constructor(stage, root = document, { remember = true } = {}) {
    this.stage = stage;
    this.root = root;
    this.remember = remember;
    this.pages = [...stage.querySelectorAll(".sheet-page")];
    const known = memory.read();
    this.views = new Map(this.pages.map((page) => [page, { fit: known.get("fit") ?? "fit-width", turn: 0, contrast: false, ...known.get(page.dataset.image) }]));
    this.mover = document.createElement("div");
    this.mover.className = "mover";
    stage.prepend(this.mover);
    this.mover.append(...this.pages);
    this.panzoom = Panzoom(this.mover, {
      canvas: true, noBind: false, minScale: 0.2, maxScale: 8, step: 0.25, origin: "0 0", cursor: "grab", animate: false,
      excludeClass: "never", setTransform: (element, { x, y, scale }) => {
        element.style.transform = `translate(${x * scale}px, ${y * scale}px) scale(${scale})`;
      },
    });
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    stage.addEventListener("panzoomstart", () => stage.classList.add("dragging"));
    stage.addEventListener("panzoomend", () => stage.classList.remove("dragging"));
    this.sizes = new ResizeObserver(() => this.lay());
    this.sizes.observe(stage);
    this.show(0);
    // Panzoom puts its element to the origin once more after it was made.
    setTimeout(() => this.lay(), 20);
  }

  /** Another answer takes the place of this one. */
  stop() {
    this.sizes.disconnect();
    this.panzoom.destroy();
  }

  get page() {
    return this.pages[this.at];
  }

  get view() {
    return this.views.get(this.page);
  }

  /** Change how the present page is looked at, and remember it for this image. */
  set(changes) {
    Object.assign(this.view, changes);
    if (this.remember) memory.write(this.page.dataset.image, this.view);
    this.lay();
  }

  show(index) {
    if (!this.pages.length) return;
    this.at = Math.max(0, Math.min(index, this.pages.length - 1));
    for (const page of this.pages) page.classList.toggle("current", page === this.page);
    for (const link of this.root.querySelectorAll(".viewer-original")) {
      link.classList.toggle("current", link.dataset.page === this.page.dataset.page);
    }
    const label = this.root.querySelector(".page-number");
    if (label) label.textContent = `${this.at + 1} / ${this.pages.length}`;
    for (const button of this.root.querySelectorAll(".strip-page")) {
      if (Number(button.dataset.index) === this.at) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    this.lay();
  }

  // Sizes are those of the fitted page, so that scale 1 is always "fits".
  lay() {
    if (!this.page || !this.stage.clientWidth) return;
    const { turn, fit, contrast } = this.view;
    for (const name of ["fit-width", "fit-height"]) this.press(name, name === fit);
    this.press("contrast", contrast);
    this.stage.classList.toggle("contrast", contrast);
    const [width, height] = [Number(this.page.dataset.width), Number(this.page.dataset.height)];
    const [across, down] = turn % 180 ? [height, width] : [width, height];
    const room = [this.stage.clientWidth - 2 * GAP, this.stage.clientHeight - 2 * GAP];
    const scale = fit === "fit-width" ? room[0] / across : Math.min(room[1] / down, room[0] / across);
    const [w, h] = [width * scale, height * scale];
    this.page.style.width = `${w}px`;
    this.page.style.transform = {
      0: "", 90: `translateX(${h}px) rotate(90deg)`, 180: `translate(${w}px, ${h}px) rotate(180deg)`,
      270: `translateY(${w}px) rotate(270deg)`,
    }[turn];
    this.mover.style.width = `${across * scale}px`;
    this.mover.style.height = `${down * scale}px`;
    this.size = [across * scale, down * scale];
    this.panzoom.zoom(1, { force: true });
    this.panzoom.pan(Math.max(GAP, (this.stage.clientWidth - this.size[0]) / 2), GAP, { force: true });
  }

  wheel(event) {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) this.zoom(event.deltaY < 0 ? 1.12 : 1 / 1.12, event);
    else this.move(-event.deltaX, -event.deltaY);
  }

  move(x, y) {
    const scale = this.panzoom.getScale();
    const pan = this.panzoom.getPan();
    const keep = (value, size, room) => Math.max(Math.min(0, room - size) - 60, Math.min(value, Math.max(0, room - size) + 60));
    this.panzoom.pan(
      keep(pan.x * scale + x, this.size[0] * scale, this.stage.clientWidth) / scale,
      keep(pan.y * scale + y, this.size[1] * scale, this.stage.clientHeight) / scale,
      { force: true },
    );
  }

  zoom(factor, around) {
    const scale = this.panzoom.getScale();
    const fresh = Math.max(0.2, Math.min(8, scale * factor));
    const box = this.stage.getBoundingClientRect();
    const [x, y] = around ? [around.clientX - box.left, around.clientY - box.top] : [box.width / 2, box.height / 2];
    const pan = this.panzoom.getPan();
    this.panzoom.zoom(fresh, { force: true });
    this.panzoom.pan(pan.x + x / fresh - x / scale, pan.y + y / fresh - y / scale, { force: true });
  }

  /** Bring a line's box into sight when it is on another page or outside the stage. */
  reveal(box) {
    const index = this.pages.indexOf(box.closest(".sheet-page"));
    if (index < 0) return;
    if (index !== this.at) this.show(index);
    const inner = box.getBoundingClientRect();
    const outer = this.stage.getBoundingClientRect();
    const above = inner.top - outer.top - 24;
    const below = inner.bottom - outer.bottom + 24;
    if (above < 0) this.move(0, -above);
    else if (below > 0) this.move(0, -below);
  }

  do(action, button) {
    if (action === "fit-width" || action === "fit-height") this.set({ fit: action });
    else if (action === "in") this.zoom(1.25);
    else if (action === "out") this.zoom(0.8);
    else if (action === "rotate") this.set({ turn: (this.view.turn + 90) % 360 });
    else if (action === "contrast") this.set({ contrast: !this.view.contrast });
    else if (action === "previous") this.show(this.at - 1);
    else if (action === "next") this.show(this.at + 1);
    else if (action === "page") this.show(Number(button.dataset.index));
    else if (action === "boxes") this.press(action, !this.stage.classList.toggle("no-boxes"));
  }

  press(action, pressed) {
    this.root.querySelector(`[data-view="${action}"]`)?.setAttribute("aria-pressed", String(pressed));
  }
}
