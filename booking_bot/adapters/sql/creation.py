"""Makes the tables where there are none, and refuses those of another version."""

from __future__ import annotations

import random
import time
from typing import Final

from sqlalchemy import Engine, Table, insert, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from booking_bot.adapters.sql import faults, schema
from booking_bot.adapters.sql.engine import LEGAL_URLS, shown
from booking_bot.errors import ConfigurationError

_VERSION: Final[Table] = schema.METADATA.tables["schema_version"]
_TRIES: Final = 20
"""Several processes may make the tables of a new database at once; each try finds more of them there."""
_PAUSE_S: Final = 0.05


def create_tables(engine: Engine) -> None:
    """Make the tables, or check that those there are of this version.

    Raises:
        ConfigurationError: the database does not answer, holds another version, or something else altogether.
    """
    for left in range(_TRIES - 1, -1, -1):
        try:
            return _create_once(engine)
        except SQLAlchemyError as exc:
            if not left or not _may_be_a_race(exc, engine):
                raise ConfigurationError(
                    f"--db {shown(engine.url)}: the database cannot be opened ({faults.reason(exc)}); "
                    f"legal are {LEGAL_URLS}"
                ) from exc
        time.sleep(_PAUSE_S * random.uniform(0.5, 1.5))  # noqa: S311 - jitter is no secret
    return None


def _create_once(engine: Engine) -> None:
    with engine.begin() as connection:
        names = set(inspect(connection).get_table_names())
        ours = names & set(schema.METADATA.tables)
        if "schema_version" in names:
            found = connection.execute(select(_VERSION.c.version)).scalar()
            if found == schema.SCHEMA_VERSION:
                if not set(schema.METADATA.tables) <= names:
                    schema.METADATA.create_all(connection)  # a table that came later changes none of the others
                return
            if found is not None:
                raise ConfigurationError(
                    f"--db {shown(engine.url)}: the database has schema version {found}, "
                    f"this program needs version {schema.SCHEMA_VERSION}"
                )
        elif ours:
            raise ConfigurationError(
                f"--db {shown(engine.url)}: the database has tables of something else ({', '.join(sorted(ours))})"
            )
        # First, so that who comes in the middle knows whose tables these are: MySQL commits each by itself.
        _VERSION.create(connection, checkfirst=True)
        schema.METADATA.create_all(connection)
        connection.execute(insert(_VERSION).values(id=1, version=schema.SCHEMA_VERSION))


def _may_be_a_race(exc: SQLAlchemyError, engine: Engine) -> bool:
    """Tell whether another process making the same tables can be the reason: anything but a refused connection."""
    if faults.is_transient(exc):
        return True
    try:
        with engine.connect():
            return True
    except SQLAlchemyError:
        return False
