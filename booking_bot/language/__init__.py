"""Reading what people type and writing what the bot says, one folder a language. Pure."""
