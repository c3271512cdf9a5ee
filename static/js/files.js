// A file field in the page's own words: the native input stays on top, transparent, so that mouse, keys, drag and drop
// and screen readers meet the real control.
for (const field of document.querySelectorAll(".file-field")) {
  const input = field.querySelector("input[type=file]");
  const name = field.querySelector(".file-name");
  const show = () => {
    const names = [...input.files].map((file) => file.name);
    name.textContent = names.length ? names.slice(0, 3).join(", ") + (names.length > 3 ? ` … (${names.length})` : "") : name.dataset.none;
  };
  field.classList.add("worded");
  field.querySelector("[data-choose]").hidden = false;
  name.hidden = false;
  input.addEventListener("change", show);
  show();
}
