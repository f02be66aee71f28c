"""The driving side: how people and programs reach the bot. Each module stands alone."""
