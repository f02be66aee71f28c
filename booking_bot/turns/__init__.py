"""One turn from message to commit: what goes in and out, contexts between turns, and the work itself."""
