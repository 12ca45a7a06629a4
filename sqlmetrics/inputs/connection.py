"""Connections of the user's: whether they can be worked with, and nothing of theirs is lost."""

from __future__ import annotations

from contextlib import suppress

import duckdb

from ..errors import InputError


def require_connection(con: object) -> None:
    """Raise `InputError` unless it is an open connection to DuckDB that is free for work.

    DuckDB forgets an open result when another statement runs; so that no rows are lost in silence,
    its next row is asked for, and if there is one, the result is closed.
    """
    if not isinstance(con, duckdb.DuckDBPyConnection):
        raise InputError(
            f"con must be a connection from duckdb.connect(), not {type(con).__name__}"
        )
    try:
        if _has_rows(con):
            con.execute("")  # or what is left would be read without this row
            raise InputError(
                "con has a result with rows that were not fetched, which is closed now; run its "
                "query again, fetch all rows and then call this, or pass con.cursor()"
            )
        con.execute("SELECT 1").fetchall()
    except duckdb.TransactionException:
        raise InputError(
            "con is in a transaction that an error has ended; con.rollback() first"
        ) from None
    except duckdb.ConnectionException:
        raise InputError("con is closed; open a connection with duckdb.connect()") from None
    except duckdb.Error as error:
        if "open result" not in str(error):
            raise
        raise InputError("con has a reader with rows that were not fetched; fetch them") from None


def _has_rows(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether rows of a query are left, of which this takes one."""
    described = con.description
    if not described or described[0][0] in ("Count", "Success"):  # of a statement without rows
        return False
    with suppress(duckdb.InvalidInputException):  # all of it went into a frame or a reader
        return con.fetchone() is not None
    return False
