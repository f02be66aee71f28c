"""The HTTP API: JSON under `/v1`, AG-UI over SSE, MCP over streamable HTTP, health and metrics, on one port.

Needs the extra ``plugin``. Decides nothing by itself: house rules, read-backs and confirmations are the service's.
"""

from booking_bot.channels.http_api.app import create_app
from booking_bot.channels.http_api.openapi import openapi
from booking_bot.channels.http_api.server import serve

__all__ = ["create_app", "openapi", "serve"]
