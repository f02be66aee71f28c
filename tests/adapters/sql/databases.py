"""Real databases for the tests: a file, and schemas of their own on the two servers where these answer."""

from __future__ import annotations

import socket
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, delete, text

from booking_bot.adapters.sql import schema

ENGINES = ("sqlite", "postgresql", "mariadb")
_SERVERS = {
    "postgresql": ("postgresql+psycopg://postgres@127.0.0.1:5432/", "test", 5432),
    "mariadb": ("mariadb+pymysql://root@127.0.0.1:3306/", "test", 3306),
}


def emptied(url: str) -> None:
    """Take every row out, as if the tables had just been made."""
    engine = create_engine(url)
    with engine.begin() as connection:
        for table in reversed(schema.METADATA.sorted_tables):
            if table.name != "schema_version":
                connection.execute(delete(table))
    engine.dispose()


@contextmanager
def database(engine: str, folder: Path) -> Iterator[str]:
    """Give the URL of an empty database of this kind, and drop it afterwards; skip where no server answers."""
    if engine == "sqlite":
        yield f"sqlite:///{folder / 'bookings.db'}"
        return
    base, default, port = _SERVERS[engine]
    try:
        socket.create_connection(("127.0.0.1", port), timeout=2).close()
    except OSError:
        pytest.skip(f"no {engine} server answers on 127.0.0.1:{port}")
    name = f"bookings_{uuid.uuid4().hex[:12]}"
    admin = create_engine(base + default, isolation_level="AUTOCOMMIT")
    try:
        with admin.connect() as connection:
            connection.execute(text(f"CREATE SCHEMA {name}"))
        # A schema is a database to MariaDB; PostgreSQL makes one far faster than a database.
        yield base + (f"{default}?options=-csearch_path%3D{name}" if engine == "postgresql" else name)
        with admin.connect() as connection:
            connection.execute(text(f"DROP SCHEMA {name}" + (" CASCADE" if engine == "postgresql" else "")))
    finally:
        admin.dispose()
