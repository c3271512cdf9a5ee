// From one answer to the next without loading a page: the form is sent, the answer that comes back is put in place.
import { typesetAll } from "./mathematics.js";
import { send } from "./drafts.js";

const ahead = new Map();

/** Fetch and decode the images of the answers that probably come next. This reads only; nothing is claimed. */
export async function lookAhead(address) {
  if (!address) return;
  try {
    const response = await fetch(address, { headers: { "X-Requested-With": "fetch" } });
    if (!response.ok) return;
    const { images } = await response.json();
    for (const url of ahead.keys()) if (!images.includes(url)) ahead.delete(url);
    for (const url of images.filter((each) => !ahead.has(each))) {
      const image = new Image();
      image.src = url;
      ahead.set(url, image);
      image.decode().catch(() => ahead.delete(url));
    }
  } catch {
    // Without a connection there is nothing to fetch ahead; the next answer then loads as any page does.
  }
}

/** Puts a whole page that the server sent in the place of this one. */
export function show(html, address) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  if (address && address !== location.pathname + location.search) history.pushState({ desk: true }, "", address);
  document.title = fresh.title;
  document.body.className = fresh.body.className;
  document.body.setAttribute("hx-headers:inherited", fresh.body.getAttribute("hx-headers:inherited") ?? "{}");
  document.body.replaceChildren(...fresh.body.childNodes);
  window.htmx?.process(document.body);
  typesetAll();
  window.scrollTo(0, 0);
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** When the first page of the answer is painted: decoded, and two frames later. */
async function painted() {
  const image = document.querySelector(".sheet-page.current img, .sheet-page img");
  if (image) await image.decode().catch(() => null);
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}

/**
 * Send a form of the desk and go where the server says; ``began`` is when the person pressed. ``leave`` runs once the answer has come, before the page
 * changes; ``failed(status)`` when nothing came of it (0: no connection).
 */
export async function hop(form, submitter, began, { leave, arrive, failed }) {
  const fields = new FormData(form, submitter);
  const response = await send(submitter?.formAction && submitter.hasAttribute("formaction") ? submitter.formAction : form.action, fields, { "X-Desk": "1" });
  if (!response || response.status === 401 || response.status >= 500) {
    failed(response?.status ?? 0);
    return;
  }
  const address = response.headers.get("X-Location");
  if (response.redirected) {
    leave();
    location.assign(response.url);
    return;
  }
  if (response.status === 204) {
    leave();
    location.assign(address);
    return;
  }
  const html = await response.text();
  leave();
  show(html, address);
  arrive(response.ok);
  if (!response.ok) return;
  await painted();
  performance.measure("hop", { start: began, end: performance.now() });
}
