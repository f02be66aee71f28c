"""What is done after a turn, from the outbox: habits are learned and long talks summarised. No reply waits for it."""
