"""`python -m booking_bot`: the same as `booking-bot`."""

import sys

from booking_bot.channels.cli import main

if __name__ == "__main__":
    sys.exit(main())
