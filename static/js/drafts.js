// Keeps what a person types: at once in the browser, a moment later on the server, and says which of the two holds it.
// An older page never overwrites a newer one: the server compares versions, open windows of one browser tell each other.

const PAUSE = 700;
const RETRY = 4000;
const BEAT = 60_000;
const windows = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("wenshu.desk");

const now = () => new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
const nameOfWindow = () => [...crypto.getRandomValues(new Uint8Array(12))].map((each) => each.toString(16).padStart(2, "0")).join("");

/** After signing in again in another window the old form's token is refused; the cookie has the new one. */
export function renewTokens() {
  const cookie = document.cookie.split("; ").find((each) => each.startsWith("csrftoken="))?.slice(10);
  if (!cookie) return false;
  for (const input of document.querySelectorAll("input[name=csrfmiddlewaretoken]")) input.value = cookie;
  return true;
}

/** Sends a form's fields. Resolves to the response, or to null when there is no connection. */
export async function send(address, fields, headers = {}) {
  const post = () => fetch(address, { method: "POST", body: fields, headers: { "X-Requested-With": "fetch", ...headers } });
  try {
    let response = await post();
    if (response.status === 403 && renewTokens()) {
      fields.set("csrfmiddlewaretoken", document.querySelector("input[name=csrfmiddlewaretoken]").value);
      response = await post();
    }
    return response;
  } catch {
    return null;
  }
}

export class Drafts {
  /** ``place`` is the line that says where the draft is; its data carry the address and the words. */
  constructor(place) {
    this.place = place;
    this.words = place.dataset;
    this.key = `wenshu.draft.${this.words.person}.${this.words.case}`;
    this.window = nameOfWindow();
    this.forms = ["marking", "reading-form"].map((id) => document.getElementById(id)).filter(Boolean);
    this.stopping = new AbortController();
    this.typed = 0;
    this.kept = 0;
    this.waiting = null;
    this.running = Promise.resolve();
    for (const input of document.querySelectorAll("input[name=window]")) input.value = this.window;
    if (this.words.at) this.say("restored", this.words.at);
    const { signal } = this.stopping;
    document.addEventListener("input", (event) => this.heard(event), { signal });
    document.addEventListener("change", (event) => this.heard(event), { signal });
    window.addEventListener("online", () => this.save(), { signal });
    windows?.addEventListener("message", ({ data }) => this.told(data), { signal });
    document.getElementById("notice-here")?.addEventListener("click", () => this.takeBack(), { signal });
    document.getElementById("notice-present")?.addEventListener("click", () => this.forget(), { signal });
    this.beat = setInterval(() => this.hold(), BEAT);
    if (this.editable) windows?.postMessage({ key: this.key, window: this.window });
    this.sendLeftBehind();
  }

  get editable() {
    return document.querySelector("#marking > fieldset:not(:disabled)") !== null;
  }

  get known() {
    return document.querySelector("#marking input[name=draft]")?.value ?? "0";
  }

  set known(version) {
    for (const input of document.querySelectorAll("input[name=draft]")) input.value = version;
  }

  /** The page gives its place to the next one. */
  stop() {
    this.stopping.abort();
    clearTimeout(this.waiting);
    clearInterval(this.beat);
    this.stopped = true;
  }

  heard(event) {
    if (!this.forms.includes(event.target.form) || event.target.type === "hidden") return;
    this.typed += 1;
    this.remember();
    this.later(PAUSE);
  }

  later(pause) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.save(), pause);
  }

  fields() {
    const all = new FormData(this.forms[0]);
    for (const [name, value] of this.forms[1] ? new FormData(this.forms[1]) : []) if (!all.has(name) || name === "new_line") all.append(name, value);
    all.delete("screen");
    return all;
  }

  remember() {
    try {
      const fields = [...this.fields()].filter(([name]) => name !== "csrfmiddlewaretoken");
      localStorage.setItem(this.key, JSON.stringify({ fields, known: this.known, at: now() }));
    } catch {
      this.say("failed", now());
    }
  }

  forget() {
    localStorage.removeItem(this.key);
    this.kept = this.typed;
  }

  /** A form that was refused came back as it was sent: it is work in progress again. */
  keepAgain() {
    this.typed += 1;
    this.remember();
    this.later(PAUSE);
  }

  /** Waits for what is on its way and starts nothing more; what is typed goes with the form itself. */
  async settle() {
    clearTimeout(this.waiting);
    await this.running;
  }

  save() {
    if (this.stopped || !this.editable || this.elsewhere !== undefined || this.kept === this.typed) return this.running;
    this.running = this.running.then(() => (this.stopped ? null : this.sendNow(this.fields(), this.typed)));
    return this.running;
  }

  /** A person who looks at the page without typing still has the answer in hand. */
  async hold() {
    if (!this.words.hold || document.hidden || !this.editable || this.frozen) return;
    const fields = new FormData();
    for (const name of ["csrfmiddlewaretoken", "version"]) fields.set(name, this.forms[0].elements[name].value);
    const response = await send(this.words.hold, fields);
    if (this.stopped || !response) return;
    if (response.status === 401) this.signedOut();
    else if (response.ok) this.held(await response.json());
  }

  held({ until, sentence }) {
    const place = document.getElementById("until");
    if (place && until) place.textContent = until;
    if (sentence) this.lost(sentence);
    else if (this.troubled && !this.frozen) this.notice();
  }

  async sendNow(fields, typed) {
    if (typed !== this.kept) this.say("saving");
    const response = await send(this.words.address, fields);
    if (this.stopped) return false;
    if (!response) return this.tryAgain("offline");
    if (response.status === 401) return this.signedOut();
    if (response.status === 409) return this.refused(await response.json());
    if (!response.ok) return this.tryAgain("failed");
    const answer = await response.json();
    this.known = answer.version;
    this.kept = typed;
    if (this.typed === typed) localStorage.removeItem(this.key);
    this.say("saved", answer.at);
    this.held(answer);
    return true;
  }

  tryAgain(word) {
    this.say(word, now());
    this.later(RETRY);
    return false;
  }

  signedOut() {
    this.say("offline", now());
    this.notice(this.words.signedOut, ["notice-sign-in"]);
    this.later(RETRY);
    return false;
  }

  refused({ code, sentence, version }) {
    if (code === "draft.elsewhere") {
      this.elsewhere = version;
      this.freeze(true);
      this.notice(sentence, ["notice-present", "notice-here"]);
    } else this.notice(sentence, ["notice-present"]);
    this.say("offline", now());
    return false;
  }

  lost(sentence) {
    this.freeze(true);
    this.notice(sentence, ["notice-present"]);
  }

  /** Another window of this browser has opened or taken back the same answer: this one is the older. */
  told(data) {
    if (data?.key !== this.key || data.window === this.window || !this.editable) return;
    clearTimeout(this.waiting);
    if (this.typed !== this.kept) this.save();
    this.running.then(() => {
      this.elsewhere = this.known;
      this.freeze(true);
      this.notice(this.words.elsewhere, ["notice-present", "notice-here"]);
    });
  }

  /** The person says that this window counts: what stands here replaces what the other one kept. */
  async takeBack() {
    this.known = this.elsewhere;
    this.elsewhere = undefined;
    this.freeze(false);
    windows?.postMessage({ key: this.key, window: this.window });
    this.typed += 1;
    this.remember();
    if (this.leftBehind) return this.sendLeftBehind();
    return this.save();
  }

  /** What an earlier page could not send any more: it goes to the server now and comes back inside the page. */
  async sendLeftBehind() {
    const text = localStorage.getItem(this.key);
    if (!text) return;
    try {
      this.leftBehind ??= JSON.parse(text);
    } catch {
      localStorage.removeItem(this.key);
      return;
    }
    const fields = new FormData();
    for (const [name, value] of this.leftBehind.fields) fields.append(name, value);
    fields.set("csrfmiddlewaretoken", document.querySelector("input[name=csrfmiddlewaretoken]").value);
    fields.set("window", this.window);
    if (this.elsewhere === undefined && this.leftBehind.tried) fields.set("draft", this.known);
    this.leftBehind.tried = true;
    const response = await send(this.words.address, fields);
    if (response?.ok) {
      localStorage.removeItem(this.key);
      location.reload();
    } else if (response?.status === 409) {
      const answer = await response.json();
      if (answer.code === "draft.elsewhere") this.refused(answer);
      else localStorage.removeItem(this.key);
    } else if (response?.status === 422) localStorage.removeItem(this.key);
  }

  freeze(on) {
    for (const form of this.forms) form.inert = on;
    for (const button of document.querySelectorAll("#accept, .desk-foot [data-do]:not([data-do=help])")) button.disabled = on;
    this.frozen = on;
  }

  say(word, time = "") {
    this.place.textContent = this.words[word].replace("{time}", time);
    this.place.dataset.state = word;
  }

  notice(sentence = "", buttons = []) {
    const notice = document.getElementById("desk-notice");
    if (!notice) return;
    this.troubled = Boolean(sentence);
    notice.querySelector("p").textContent = sentence;
    for (const button of notice.querySelectorAll(".buttons > *")) button.hidden = !buttons.includes(button.id);
    notice.hidden = !sentence;
  }
}
