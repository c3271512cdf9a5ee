"""The judge that needs no network and no key: a local reader of neat writing, and algebra.

What the reader can do, measured on drawn pages (fonts in imitation of handwriting, see `grading/sample`): typeset and
very neat line-by-line school algebra with fractions, roots, exponents, indices and Chinese words between the formulas;
ruled paper, shading, a page a few degrees askew, on its side or upside down; crossed-out lines.

What it cannot do: ordinary handwriting (such pages end in the failure `low_confidence`, with boxes for the teacher and
no trusted line), figures, matrices, systems with braces, limits and sums with bounds, fractions inside exponents,
corrections written over the line.

How it works: `pages` finds the ink, `rows` its parts and rows, `first_look` reads stretches as plain text, `layout`
finds fractions and roots, `scripts` exponents and indices, `typeset` sets a run on one line for the `recogniser` and
pairs characters with ink, `repair` makes LaTeX of them, `lines` says how far to trust it, `reader` makes the READING
document. `ink` measures ink for the policy gate, for every judge, without the recogniser.
"""
