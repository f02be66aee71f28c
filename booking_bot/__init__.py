"""A meeting-room booking bot on an explicit state machine, in Chinese and English."""
