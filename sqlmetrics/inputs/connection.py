"""Connections: whether a user's can be worked with, and what ends the statements that they run."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, nullcontext, suppress
from threading import Thread, current_thread, main_thread
from types import FrameType

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


# Seconds between interrupts, since one that arrives between two statements is lost, and until
# `end` is called.
_AGAIN, _PATIENCE = 0.5, 2.0

# The connections that work for the main thread, which signals are for.
_working: list[duckdb.DuckDBPyConnection] = []
_stop: Callable[[], None] | None = None  # what ends the listening, while there is any


@contextmanager
def interruptible(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Let signals interrupt the connection.

    DuckDB looks for signals only now and then, and Python handles one only when DuckDB returns.
    """
    if current_thread() is not main_thread():
        yield
        return
    numbers = {n for n in _ENDING if signal.getsignal(n) is signal.default_int_handler}
    _working.append(con)
    try:
        with _ending_once(numbers) if numbers and not _stop else nullcontext():
            yield
    finally:
        with suppress(ValueError):  # a signal has removed it
            _working.remove(con)


@contextmanager
def _ending_once(numbers: Collection[int]) -> Iterator[None]:
    """Listen until the first of these signals becomes an exception.

    It may be raised as the first step of the end of a context, which is then left out. So what
    raises it has to end the listening.
    """

    def end(number: int, frame: FrameType | None) -> None:
        if _stop:
            _stop()
        restore()
        _working.clear()
        signal.default_int_handler(number, frame)

    def restore() -> None:
        for number in numbers:
            signal.signal(number, signal.default_int_handler)

    for number in numbers:
        signal.signal(number, end)
    try:
        with listening(numbers):
            yield
    finally:
        restore()


_ENDING = (signal.SIGINT, signal.SIGTERM)


def is_interrupt(error: Exception) -> bool:
    """Whether this is what a version of DuckDB makes of Ctrl-C."""
    return (
        isinstance(error, duckdb.InterruptException)
        or str(error) == "Query interrupted"
        # which came while it asked a frame for its rows
        or (isinstance(error, duckdb.Error) and "KeyboardInterrupt: " in str(error))
    )


@contextmanager
def listening(numbers: Collection[int], end: Callable[[int], None] | None = None) -> Iterator[None]:
    """Interrupt the connections at work when one of these signals arrives.

    ``end`` gets the number of the signal if the context has not ended two seconds later, as while
    a computation is under way that nothing can interrupt.
    """
    global _stop
    heard, heralded = socket.socketpair()
    heralded.setblocking(False)
    before = signal.set_wakeup_fd(-1)
    listener = Thread(target=_listen, args=(heard, before, numbers, end), daemon=True)

    def stop() -> None:
        global _stop
        _stop = None
        signal.set_wakeup_fd(before)
        heralded.close()
        listener.join()
        heard.close()

    listener.start()
    _stop = stop
    signal.set_wakeup_fd(heralded.fileno(), warn_on_full_buffer=False)
    try:
        yield
    finally:
        stop()


def _listen(
    heard: socket.socket, before: int, numbers: Collection[int], end: Callable[[int], None] | None
) -> None:
    number = 0
    while number not in numbers:
        if not (received := heard.recv(1)):
            return
        number = received[0]
        if before != -1:  # who listened before us, such as an event loop
            with suppress(OSError):
                os.write(before, received)
    heard.settimeout(_AGAIN)
    waited = 0.0
    while True:
        for con in [*_working]:
            with suppress(duckdb.Error):  # just closed
                con.interrupt()
        try:
            if not heard.recv(64):
                return
        except TimeoutError:
            waited += _AGAIN
        if end and waited >= _PATIENCE:
            end(number)
