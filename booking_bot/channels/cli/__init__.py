"""The command line `booking-bot`."""

from booking_bot.channels.cli.main import main

__all__ = ["main"]
