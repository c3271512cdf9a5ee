"""The ground: scripts, settings, layers, services, processes and the documents that tell of them."""
