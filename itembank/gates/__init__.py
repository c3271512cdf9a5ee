"""The gates of an item that need more than plain code: a model, the sandbox."""
