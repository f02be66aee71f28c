"""What a database error means: try again, connection gone, constraint violated. By code, never by wording."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import Dialect
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

RETRYABLE_SQLSTATES: Final = frozenset({"40001", "40P01"})
"""PostgreSQL: serialization failure, deadlock."""
RETRYABLE_MYSQL: Final = frozenset({(1213,), (1205,), (1020,)})
"""MySQL and MariaDB: deadlock, lock wait time-out, record changed since it was read."""
RETRYABLE_SQLITE: Final = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


def is_database_error(exc: BaseException, dialect: Dialect) -> bool:
    """Tell whether the database (or its driver) raised this, wrapped or bare."""
    return isinstance(exc, SQLAlchemyError | dialect.loaded_dbapi.Error)


def is_constraint(exc: BaseException, dialect: Dialect) -> bool:
    """Tell whether a UNIQUE, foreign key or primary key constraint refused a row."""
    return any(isinstance(each, dialect.loaded_dbapi.IntegrityError) for each in _originals(exc))


def is_transient(exc: BaseException) -> bool:
    """Tell whether the same transaction may succeed when it is run again.

    What went wrong first counts, so the whole chain is looked at: after a deadlock MySQL has forgotten the savepoint,
    and rolling back to it raises an error of its own.
    """
    return any(_is_busy(each) for each in _originals(exc))


def is_lost(exc: BaseException, dialect: Dialect, driver: Any) -> bool:
    """Tell whether the connection is gone.

    Args:
        driver: the driver's own connection that the error came over.
    """
    errors = dialect.loaded_dbapi.Error
    return any(isinstance(each, errors) and dialect.is_disconnect(each, driver, None) for each in _originals(exc))


def reason(exc: BaseException) -> str:
    """Give what the driver said, on one line and without the statement's values."""
    original = exc.orig if isinstance(exc, DBAPIError) and exc.orig is not None else exc
    lines = str(original).strip().splitlines()
    return f"{type(original).__name__}: {lines[0]}" if lines else type(original).__name__


def _originals(exc: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    each: BaseException | None = exc
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        yield each.orig if isinstance(each, DBAPIError) and each.orig is not None else each
        each = each.__cause__ or each.__context__


def _is_busy(exc: BaseException) -> bool:
    code = getattr(exc, "sqlite_errorcode", None)
    if code is not None:
        return code & 0xFF in RETRYABLE_SQLITE
    if getattr(exc, "sqlstate", None) in RETRYABLE_SQLSTATES:
        return True
    return type(exc).__module__.startswith("pymysql") and exc.args[:1] in RETRYABLE_MYSQL
