"""The driven side: databases, services and models, each alone behind a port."""
