// The contact sheet: says how many answers get the mark as some are left out.
const count = document.getElementById("chosen-count");

function recount() {
  const out = document.querySelectorAll("input[name=without]:checked").length;
  count.textContent = String(Number(count.dataset.all) - out);
}

document.addEventListener("change", (event) => {
  if (event.target.name === "without") recount();
});
window.addEventListener("pageshow", recount);
recount();
