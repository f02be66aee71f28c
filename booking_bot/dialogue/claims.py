"""What only a committed booking is ever called; no other phrase, and no title shown in one, may say it."""

from typing import Final

CLAIMS: Final = ("预订成功", "预定成功", "已为您预订", "is booked", "Booked:")
