"""Statements of a turn's path: written with SQLAlchemy, compiled once for each kind of database, run by its driver.

Going past SQLAlchemy for these few makes a turn several times cheaper; all others go through it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Column, Dialect, Table, bindparam, insert
from sqlalchemy.sql.expression import Executable

from booking_bot.adapters.sql import faults
from booking_bot.errors import BookingBotError

_SAVEPOINT: Final = "before_the_write"

Values = Sequence[object]


class ConstraintRefused(BookingBotError):
    """A constraint of the database refused a row: what was written since the savepoint is taken back."""


class Prepared:
    """One statement with positional parameters."""

    __slots__ = ("_order", "_statement", "_texts")

    def __init__(self, statement: Executable, *order: str) -> None:
        """Take a statement.

        Args:
            order: the names of its parameters in the order in which they stand in it.
        """
        self._statement = statement
        self._order = order
        self._texts: dict[str, str] = {}

    def text(self, dialect: Dialect) -> str:
        """Give the statement as the driver of this database takes it.

        Raises:
            AssertionError: the parameters stand in another order (a programmer's fault).
        """
        text = self._texts.get(dialect.name)
        if text is None:
            text = self._texts[dialect.name] = self._compiled(dialect)
        return text

    def _compiled(self, dialect: Dialect) -> str:
        same_kind: Callable[..., Dialect] = type(dialect)
        positional = same_kind(paramstyle="qmark" if dialect.name == "sqlite" else "format")
        compiled: Any = self._statement.compile(dialect=positional)  # type: ignore[attr-defined]
        if tuple(compiled.positiontup) != self._order:
            raise AssertionError(f"parameters {compiled.positiontup} are not in the order {self._order}")
        return str(compiled)


def insert_into(table: Table, *giving: Column[Any]) -> Prepared:
    """Prepare the INSERT of one row: the columns in the table's order, without one that numbers itself.

    Args:
        giving: columns of the new row that the statement gives back.
    """
    columns = [column.name for column in table.columns if column.autoincrement is not True]
    statement = insert(table).values({name: bindparam(name) for name in columns})
    return Prepared(statement.returning(*giving) if giving else statement, *columns)


class DriverCursor:
    """Runs prepared statements on a driver's connection.

    Raises (all methods): the driver's own errors when the database fails.
    """

    __slots__ = ("_cursor", "_dialect")

    def __init__(self, driver: Any, dialect: Dialect) -> None:
        self._cursor = driver.cursor()
        self._dialect = dialect

    def rows(self, statement: Prepared, values: Values) -> list[Any]:
        """Run a statement and give all its rows as tuples."""
        self._cursor.execute(statement.text(self._dialect), values)
        found: list[Any] = self._cursor.fetchall()
        return found

    def first(self, statement: Prepared, values: Values) -> Any:
        """Run a statement and give its first row as a tuple, None when there is none."""
        self._cursor.execute(statement.text(self._dialect), values)
        row = self._cursor.fetchone()
        return None if row is None else tuple(row)

    def run(self, statement: Prepared, values: Values) -> None:
        """Run a statement that gives no rows."""
        self._cursor.execute(statement.text(self._dialect), values)

    def run_each(self, statement: Prepared, values: Sequence[Values]) -> int:
        """Run a statement that gives no rows once for each of these; give how many rows it touched in all."""
        self._cursor.executemany(statement.text(self._dialect), values)
        touched: int = self._cursor.rowcount
        return touched

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Take back what is written inside when it raises.

        Raises:
            ConstraintRefused: a constraint refused a row; whatever else is raised inside passes through.
        """
        self._cursor.execute(f"SAVEPOINT {_SAVEPOINT}")
        try:
            yield
        except BaseException as exc:
            self._cursor.execute(f"ROLLBACK TO SAVEPOINT {_SAVEPOINT}")
            self._cursor.execute(f"RELEASE SAVEPOINT {_SAVEPOINT}")
            if isinstance(exc, Exception) and faults.is_constraint(exc, self._dialect):
                raise ConstraintRefused(faults.reason(exc)) from exc
            raise
        self._cursor.execute(f"RELEASE SAVEPOINT {_SAVEPOINT}")
