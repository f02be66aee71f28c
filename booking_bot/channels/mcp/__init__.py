"""The MCP server: tools, resources and a prompt over the booking service, on stdio or streamable HTTP.

Needs the extra ``plugin``. Decides nothing by itself: house rules, read-backs and confirmations are the service's.
"""

from booking_bot.channels.mcp.identity import UserTokens
from booking_bot.channels.mcp.server import build_server
from booking_bot.channels.mcp.stdio import serve_stdio
from booking_bot.service import openai_tools

__all__ = ["UserTokens", "build_server", "openai_tools", "serve_stdio"]
