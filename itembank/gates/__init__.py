"""The gates of an item that need more than plain code: models, the sandbox."""
