"""A command ends with a status, whatever happens; test_hostile.py gives it anything."""

from __future__ import annotations

import errno
import io
import re
from xml.etree import ElementTree

import duckdb
import pytest
from commands import run_command
from doors import FUNCTIONS, QRELS, RUN, app, give, list_parameters, list_words

import sqlmetrics as sm


class FullDisk(io.RawIOBase):
    def writable(self):
        return True

    def write(self, _):
        raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.few(2)
@pytest.mark.parametrize("command", [each for each in app.commands if each != "report"])
def test_a_command_that_cannot_write_does_not_end_as_one_that_failed(tmp_path, command):
    status, _, said = run_command(*list_words(command, tmp_path), out=FullDisk())
    assert status == 2
    assert (
        said.splitlines()[-1] == "error: cannot write to standard output: No space left on device"
    )


def leave_rows(con):
    con.execute("FROM range(5)").fetchmany(2)


def abort(con):
    con.begin()
    with pytest.raises(duckdb.Error):
        con.execute("SELECT error('x')").fetchall()


@pytest.mark.few(8)
@pytest.mark.parametrize(
    "name", [name for name, each in FUNCTIONS.items() if "con" in list_parameters(each)]
)
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (leave_rows, "con has a result with rows that were not fetched"),
        (abort, r"transaction that an error has ended; con\.rollback\(\) first"),
        (lambda con: con.close(), "con is closed"),
    ],
)
def test_a_connection_that_is_not_free_is_refused(name, spoil, said):
    con = duckdb.connect()
    spoil(con)
    with pytest.raises(sm.InputError, match=said):
        FUNCTIONS[name](**{**give(name), "con": con})
    with pytest.raises(duckdb.Error):  # not the rows after one that was looked at
        con.fetchall()


def test_a_connection_is_free_once_its_rows_are_fetched_or_there_are_none():
    con = duckdb.connect()
    con.execute("CREATE TABLE kept AS FROM range(2)")
    sm.evaluate(QRELS, RUN, "RR", con=con)
    con.execute("SELECT count(*) FROM kept").fetchone()
    sm.evaluate(QRELS, RUN, "RR", con=con)
    con.execute("SELECT 1 WHERE false")
    sm.evaluate(QRELS, RUN, "RR", con=con)
    con.begin()
    con.execute("INSERT INTO kept VALUES (2)")
    sm.evaluate(QRELS, RUN, "RR", con=con)
    con.commit()
    assert con.execute("FROM kept").fetchall() == [(0,), (1,), (2,)]


ODD = "\x1b[31m\x01\ufffe\x9b"


@pytest.mark.few(1)
@pytest.mark.parametrize("command", app.commands)
def test_no_name_reaches_the_terminal_as_a_command_to_it(tmp_path, command):
    words = list_words(command, tmp_path)
    for path in tmp_path.glob("*.csv"):
        content = path.read_text("utf-8")
        content = re.sub(r"(?m)^(1|x|y)(?=,)|\bAP\b", rf"\g<0>{ODD}", content)
        odd = path.with_name(f"{path.stem}{ODD}.csv")
        odd.write_text(content, "utf-8")
        words = [str(odd) if word == str(path) else word for word in words]
    words = [f"1{ODD}" if word == "1" else word for word in words]
    formats = next((e.type.choices for e in app.make(command).params if e.name == "format"), ())
    for format in {"table", "markdown", "latex", "svg"} & {*formats} or {""}:  # else a table
        _, printed, said = run_command(*words, *(["-f", format] if format else []))
        assert "Traceback" not in said
        assert not re.search(r"[\x1b\x01\x9b\ufffe]", printed + said)
        if format == "svg" and "error: " not in said:
            ElementTree.fromstring(printed)
