// Typesets the spans that the server marked as formulas, and only those: a dollar sign in plain text is a dollar sign.

const OPTIONS = { throwOnError: true, strict: "ignore", trust: false, maxExpand: 1000, maxSize: 20, output: "htmlAndMathml" };

/** Typeset one span; where KaTeX cannot, the readable text stays. */
export function typeset(span) {
  const source = span.dataset.latex ?? "";
  if (span.dataset.typeset === source || typeof window.katex === "undefined") return;
  const readable = span.dataset.readable ?? span.textContent;
  span.dataset.readable = readable;
  try {
    window.katex.render(source, span, OPTIONS);
    span.classList.remove("unreadable-math");
  } catch {
    span.textContent = span.dataset.live === undefined ? readable : source;
    span.classList.add("unreadable-math");
  }
  span.dataset.typeset = source;
}

export function typesetAll(root = document) {
  for (const span of root.querySelectorAll(".math[data-latex]")) typeset(span);
}
