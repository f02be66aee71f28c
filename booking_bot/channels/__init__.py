"""The driving side: terminal, chat server, plug-in. Each channel is alone; none knows another."""
