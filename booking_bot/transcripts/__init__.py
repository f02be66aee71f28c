"""Conversations as files: what is said, what must be seen, what must stand in the database at the end.

The format is in `model`, running in `runner`, comparing in `diff`, what holds whatever a file says in `invariants`.
Importing this package imports nothing else: the pytest plugin is loaded by every pytest run of its users.
"""
