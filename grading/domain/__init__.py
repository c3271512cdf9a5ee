"""The rules of marking as plain Python: readings, observations, scores and the gate. No Django here."""
