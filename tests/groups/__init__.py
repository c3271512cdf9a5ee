"""Same answers together: what a group is, what marking and undoing one does, and its pages."""
