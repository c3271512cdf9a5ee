"""The embedded default: a broker from its wheel, and all processes of the product started and ended together."""
