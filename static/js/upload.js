// Sending many images: says how much was chosen and how far sending is. Without this script the form sends all the same.
const form = document.getElementById("upload-form");
const byId = (id) => document.getElementById(id);
const input = form?.querySelector("input[type=file]");
const mostFiles = Number(form?.dataset.mostFiles);

function tooMany() {
  return input.files.length > mostFiles;
}

function showChosen() {
  const files = [...input.files];
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  byId("chosen").hidden = files.length === 0;
  byId("chosen").querySelector("[data-count]").textContent = String(files.length);
  byId("chosen").querySelector("[data-size]").textContent = (bytes / 2 ** 20).toFixed(1);
  byId("too-much").hidden = !tooMany();
}

function showShare(share) {
  byId("sent-share").value = share;
  byId("sending").querySelector("[data-share]").textContent = `${share} %`;
}

function sending(on) {
  byId("sending").hidden = !on;
  form.querySelector("button[type=submit]").disabled = on;
  if (!on) delete form.dataset.sent;
}

const connectionWords = byId("broken")?.textContent;

function failed(words = connectionWords) {
  sending(false);
  byId("broken").textContent = words;
  byId("broken").hidden = false;
}

function reasonIn(page) {
  const refusal = new DOMParser().parseFromString(page, "text/html").querySelector("#upload-error, .refusal p:not(.figure)");
  return refusal?.textContent.trim() || connectionWords;
}

function send() {
  const request = new XMLHttpRequest();
  request.open("POST", form.action || location.href);
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) showShare(Math.floor((event.loaded * 100) / event.total));
  });
  request.addEventListener("load", () => {
    // A delivery was made and the browser followed to its page; anything else is a page with the reason.
    if (request.status === 200 && request.responseURL !== location.href) location.assign(request.responseURL);
    else failed(reasonIn(request.responseText));
  });
  request.addEventListener("error", () => failed());
  request.addEventListener("abort", () => failed());
  byId("broken").hidden = true;
  sending(true);
  showShare(0);
  request.send(new FormData(form));
}

if (form && input) {
  input.addEventListener("change", showChosen);
  form.addEventListener("submit", (event) => {
    if (input.files.length === 0) return;
    event.preventDefault();
    if (!tooMany()) send();
  });
  for (const kind of ["dragover", "dragleave", "drop"]) {
    form.addEventListener(kind, (event) => {
      event.preventDefault();
      form.classList.toggle("over", kind === "dragover");
      if (kind !== "drop" || event.dataTransfer.files.length === 0) return;
      input.files = event.dataTransfer.files;
      showChosen();
    });
  }
  showChosen();
}
