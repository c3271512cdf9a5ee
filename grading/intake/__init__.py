"""Files in: named, bounded, decoded in a child process, re-encoded without metadata, stored under their hashes."""
