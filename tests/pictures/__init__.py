"""Pictures of every screen for the documentation, of a marking room in which each kind of case occurs."""
