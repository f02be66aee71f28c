"""The pure core of the dialogue: no I/O, no clock, no randomness in here."""
