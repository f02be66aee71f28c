"""Opens engines on the three databases with the settings the store relies on. Knows no tables."""

from __future__ import annotations

import re
from typing import Any, Final, Literal, get_args

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlalchemy.pool import StaticPool

from booking_bot.errors import ConfigurationError

Synchronous = Literal["FULL", "NORMAL", "OFF"]
"""How sure SQLite makes a commit: FULL survives a power cut, NORMAL may lose the last commits then, OFF more."""

LEGAL_URLS: Final = "sqlite:///FILE, postgresql://USER@HOST/DATABASE, mariadb://USER@HOST/DATABASE"
BUSY_TIMEOUT_MS: Final = 10_000
"""How long a write waits for another process's write before it counts as busy: far above any commit."""
BEGIN_WRITING: Final = "BEGIN IMMEDIATE"
"""How SQLite's one writer begins: it takes the write lock at once."""
READERS: Final = 4
"""Read connections and threads on the server databases: cold resumes are rare."""
_DRIVERS: Final = {
    "postgresql": "postgresql+psycopg",
    "postgres": "postgresql+psycopg",
    "mysql": "mysql+pymysql",
    "mariadb": "mariadb+pymysql",
    "sqlite": "sqlite+pysqlite",
}
_CONNECT_TIMEOUT_S: Final = 5


def database_url(text: str) -> URL:
    """Read a database URL and choose the driver where it names none.

    Raises:
        ConfigurationError: the text is no URL, or of a database this store does not know.
    """
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as exc:
        masked = re.sub(r".*@", "***@", text)
        raise ConfigurationError(f"--db {masked!r}: this is not a database URL; legal are {LEGAL_URLS}") from exc
    driver = _DRIVERS.get(url.drivername, url.drivername)
    if driver not in _DRIVERS.values():
        raise ConfigurationError(f"--db {shown(url)}: {url.drivername!r} is not supported; legal are {LEGAL_URLS}")
    return url.set(drivername=driver)


def shown(url: URL) -> str:
    """Give the URL as it may be logged: without password and query."""
    return url.set(query={}).render_as_string(hide_password=True)


def in_memory(url: URL) -> bool:
    """Tell whether the database lives in one connection only."""
    return url.get_backend_name() == "sqlite" and url.database in (None, "", ":memory:")


def open_writer(url: URL, synchronous: Synchronous = "FULL") -> Engine:
    """Open the engine of the one writer: every transaction takes the write lock at its beginning.

    Raises:
        ConfigurationError: the driver is not installed or `synchronous` is not legal.
    """
    engine = _create(url, pool_size=1)
    if url.get_backend_name() == "sqlite":
        _set_up_sqlite(engine, synchronous, BEGIN_WRITING, ("PRAGMA wal_autocheckpoint=0",))
    return engine


def open_readers(url: URL) -> Engine:
    """Open the engine for reading; on SQLite it cannot write and takes no lock.

    Raises:
        ConfigurationError: the driver is not installed.
    """
    engine = _create(url, pool_size=READERS)
    if url.get_backend_name() == "sqlite":
        _set_up_sqlite(engine, "FULL", "BEGIN", ("PRAGMA query_only=ON",))
    return engine


def _create(url: URL, pool_size: int) -> Engine:
    options: dict[str, Any] = {"pool_size": pool_size, "max_overflow": 0}
    match url.get_backend_name():
        case "sqlite":
            options["connect_args"] = {"check_same_thread": False, "cached_statements": 256}
            if in_memory(url):
                options = {"connect_args": options["connect_args"], "poolclass": StaticPool}
        case "postgresql":
            options |= {"connect_args": {"connect_timeout": _CONNECT_TIMEOUT_S}, "pool_pre_ping": True}
        case _:
            # Under REPEATABLE READ a locking read after a plain one still sees the old snapshot.
            options |= {
                "connect_args": {"connect_timeout": _CONNECT_TIMEOUT_S},
                "isolation_level": "READ COMMITTED",
                "pool_pre_ping": True,
            }
    try:
        return create_engine(url, **options)
    except (ModuleNotFoundError, NoSuchModuleError) as exc:
        raise ConfigurationError(
            f"--db {shown(url)}: the driver of {url.drivername!r} is not installed; "
            "install the extra 'databases', or use sqlite:///FILE"
        ) from exc


def _set_up_sqlite(engine: Engine, synchronous: str, begin: str, pragmas: tuple[str, ...]) -> None:
    if synchronous not in get_args(Synchronous):
        raise ConfigurationError(f"synchronous={synchronous!r}: legal are {', '.join(get_args(Synchronous))}")

    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # the driver opens no transaction of its own: `begin` does
        for pragma in (
            f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}",
            "PRAGMA journal_mode=WAL",
            f"PRAGMA synchronous={synchronous}",
            "PRAGMA foreign_keys=ON",
            *pragmas,
        ):
            connection.execute(pragma)

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:
        driver = connection.connection.driver_connection
        if driver is not None and not driver.in_transaction:  # a turn's path begins past SQLAlchemy
            connection.exec_driver_sql(begin)
