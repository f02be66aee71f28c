"""The chat server: the page at `/`, the socket at `/ws`, health and metrics, on one port."""

from booking_bot.channels.websocket.limits import Limits
from booking_bot.channels.websocket.server import ChatServer, serve

__all__ = ["ChatServer", "Limits", "serve"]
