"""The driving side: terminal, chat server, plug-in.

No channel knows another, with two exceptions: the terminal's commands start the servers, and the HTTP API mounts MCP.
"""
