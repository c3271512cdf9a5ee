"""Wiring only: settings, addresses, workers and servers."""
