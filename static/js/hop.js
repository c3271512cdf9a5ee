// From one answer to the next without loading a page: the form is sent, the answer that comes back is put in place.
// While the person looks at an answer, the next one is made ready beside it: fetched, typeset, its image decoded.
import { typesetAll } from "./mathematics.js";
import { send } from "./drafts.js";

const ahead = new Map();
let ready = null;
let looking = 0;

/** Fetch and decode the images of the answers that probably come next. This reads only; nothing is claimed. */
export async function lookAhead(address) {
  const own = ++looking;
  ready = null;
  if (!address) return;
  try {
    const response = await fetch(address, { headers: { "X-Requested-With": "fetch" } });
    if (!response.ok) return;
    const { images, page, parts } = await response.json();
    if (own !== looking) return;
    renew(parts);
    for (const url of ahead.keys()) if (!images.includes(url)) ahead.delete(url);
    for (const url of images.filter((each) => !ahead.has(each))) {
      const image = new Image();
      image.src = url;
      ahead.set(url, image);
      image.decode().catch(() => ahead.delete(url));
    }
    if (page) makeReady(page, own);
  } catch {
    // Without a connection there is nothing to fetch ahead; the next answer then loads as any page does.
  }
}

/** Puts what other answers' marks changed meanwhile into the present page; what is the same stays as it is, with its focus. */
function renew(parts) {
  const fresh = document.createElement("template");
  for (const [id, html] of Object.entries(parts)) {
    const place = document.getElementById(id);
    fresh.innerHTML = html;
    if (place && place.innerHTML !== fresh.innerHTML) place.replaceChildren(fresh.content);
  }
}

/** The page of the next answer, read and typeset but not shown; in pieces, so that no key has to wait for it. */
async function makeReady({ case: name, stamp, html }, own) {
  const pause = () => new Promise((done) => (window.requestIdleCallback ?? setTimeout)(done));
  await pause();
  const fresh = new DOMParser().parseFromString(html, "text/html");
  const body = document.adoptNode(fresh.body);
  await pause();
  typesetAll(body);
  await body.querySelector(".sheet-page img")?.decode().catch(() => null);
  if (own === looking) ready = { name, stamp, title: fresh.title, body };
}

/** Puts what only the claim decides into a page that was made ready. */
function complete(body, { fields, parts, messages }) {
  for (const [name, value] of Object.entries(fields)) {
    for (const input of body.querySelectorAll(`input[name="${name}"]`)) input.value = value;
  }
  for (const [id, html] of Object.entries(parts)) body.querySelector(`#${id}`).innerHTML = html;
  body.querySelector("#main").insertAdjacentHTML("afterbegin", messages);
  body.setAttribute("hx-headers:inherited", JSON.stringify({ "X-CSRFToken": fields.csrfmiddlewaretoken }));
}

/** Puts the body of another page in the place of this one's. */
function put({ title, body }, address) {
  if (address && address !== location.pathname + location.search) history.pushState({ desk: true }, "", address);
  document.title = title;
  document.body.className = body.className;
  document.body.setAttribute("hx-headers:inherited", body.getAttribute("hx-headers:inherited") ?? "{}");
  document.body.replaceChildren(...body.childNodes);
  const sheet = document.getElementById("marking");
  if (sheet) window.htmx?.process(sheet);
}

/** When the first page of the answer is painted: decoded, and two frames later. */
async function painted(began, marks) {
  const image = document.querySelector(".sheet-page.current img, .sheet-page img");
  if (image) await image.decode().catch(() => null);
  marks.decoded = performance.now();
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  performance.measure("hop", { start: began, end: performance.now(), detail: marks });
}

/**
 * Send a form of the desk and go where the server says; ``began`` is when the person pressed. ``leave`` runs once the answer has come, before the page
 * changes; ``failed(status)`` when nothing came of it (0: no connection).
 */
export async function hop(form, submitter, began, { leave, arrive, failed }) {
  const marks = { sent: performance.now() };
  const fields = new FormData(form, submitter);
  const waiting = ready;
  const headers = { "X-Desk": "1", ...(waiting && { "X-Prepared": `${waiting.name}.${waiting.stamp}` }) };
  const response = await send(submitter?.formAction && submitter.hasAttribute("formaction") ? submitter.formAction : form.action, fields, headers);
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
  marks.ready = waiting !== null && response.headers.get("X-Prepared") === waiting.name;
  const answer = marks.ready ? await response.json() : await response.text();
  marks.answered = performance.now();
  let page = waiting;
  if (marks.ready) complete(page.body, answer);
  else {
    const fresh = new DOMParser().parseFromString(answer, "text/html");
    page = { title: fresh.title, body: document.adoptNode(fresh.body) };
    typesetAll(page.body);
  }
  marks.made = performance.now();
  leave();
  put(page, address);
  arrive(response.ok);
  // Last of all: scrolling and focusing make the browser lay out the page, and the viewer has just set its sizes.
  window.scrollTo(0, 0);
  document.getElementById("main")?.focus({ preventScroll: true });
  marks.placed = performance.now();
  if (response.ok) await painted(began, marks);
}
