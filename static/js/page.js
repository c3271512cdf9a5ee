// What every page does: typeset formulas, also in parts that htmx swaps in.
import { typesetAll } from "./mathematics.js";

document.documentElement.classList.add("js");
typesetAll();
document.addEventListener("htmx:after:swap", () => typesetAll());

// A form is sent once: a second press while the first is on its way does nothing.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) event.preventDefault();
  else form.dataset.sent = "yes";
});
window.addEventListener("pageshow", () => {
  for (const form of document.forms) delete form.dataset.sent;
});
