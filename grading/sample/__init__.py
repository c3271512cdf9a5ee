"""The sample assessment: made-up candidates, their rendered answers, and the truth about each of them."""
