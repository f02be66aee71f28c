"""Fuzz targets that run by themselves, not under pytest."""
