"""Everything that is printed fits a terminal of 80 columns; a pipe gets plain text."""

from __future__ import annotations

import io
import re

import pytest
from commands import run, run_command
from conftest import ROOT
from doors import list_words
from rich.cells import cell_len

from sqlmetrics.cli.from_headers import app

WIDTH = 80
# What these print is to be pasted as it is.
CODE = {"sql", "report", "install"}


class Terminal(io.BytesIO):
    def isatty(self):
        return True

    def close(self):
        """Kept open, to be read."""


def show(*words):
    """What a command prints on a terminal of 80 columns, and its messages."""
    out = Terminal()
    status, _, said = run_command(*words, out=out)
    return status, out.getvalue().decode(), said


def list_wide(text):
    plain = re.sub(r"\x1b\[[\d;]*m", "", text)
    return [line for line in plain.splitlines() if cell_len(line) > WIDTH]


@pytest.fixture(autouse=True)
def narrow(monkeypatch):
    monkeypatch.setenv("COLUMNS", str(WIDTH))


@pytest.mark.parametrize("command", [name for name in app.commands if name not in CODE])
def test_a_command_fits_a_terminal(tmp_path, command):
    status, printed, said = show(*list_words(command, tmp_path))
    assert status in (0, 1), said
    assert list_wide(printed) == []


@pytest.mark.parametrize("command", app.commands)
def test_help_fits_a_terminal(command):
    usual, whole = run(command, "--help"), run(command, "--help-all")
    assert list_wide(usual + whole) == []
    assert len(usual) <= len(whole)


def test_what_few_people_need_is_for_help_all():
    usual, whole = run("evaluate", "--help"), run("evaluate", "--help-all")
    assert "Conventions:" not in usual
    assert "--ties" in usual.partition("With --help-all:")[2]
    assert "Conventions:" in whole
    assert "With --help-all:" not in whole


def test_a_table_that_does_not_fit_has_all_of_its_cells(monkeypatch):
    monkeypatch.chdir(ROOT / "examples")
    words = ("compare", "qrels.csv", "bm25.csv", "neural.csv")
    _, wrapped, _ = show(*words)
    whole = run(*words)
    assert list_wide(whole), "a pipe gets the whole line"
    assert sorted(wrapped.split()) != []
    for word in whole.replace("wins/ties/losses", "wins/ ties/ losses").split():
        assert word in wrapped


@pytest.mark.parametrize("width", [60, 120])
def test_a_footnote_fills_the_lines_of_a_terminal(monkeypatch, width):
    monkeypatch.chdir(ROOT / "examples")
    monkeypatch.setenv("COLUMNS", str(width))
    printed = show("compare", "qrels.csv", "bm25.csv", "neural.csv")[1].rstrip()
    *full, last = printed.rpartition("\n\n")[2].splitlines()
    following = [*full[1:], last]
    for line, after in zip(full, following, strict=True):  # another word would have had no room
        assert len(line) <= width < len(line) + 1 + len(after.split()[0])


def test_a_table_that_fits_is_the_same_on_a_terminal_and_in_a_pipe(monkeypatch):
    monkeypatch.chdir(ROOT / "examples")
    words = ("evaluate", "qrels.csv", "bm25.csv", "neural.csv")
    assert show(*words)[1] == run(*words)


def test_a_message_fits_a_terminal_with_commands_to_paste_whole(monkeypatch):
    monkeypatch.chdir(ROOT / "examples")
    words = ("evaluate", "qrels.csv", "bm25.csv", "-c", "foo=bar")
    piped, shown = (run_command(*words, err=err)[2] for err in (None, Terminal()))
    assert list_wide(piped)
    assert list_wide(shown) == []
    assert shown.split() == piped.split()
    name = f"{'long ' * 20}name"
    words = ("gate", "qrels.csv", f"{name}=bm25.csv", "neural.csv")
    line = f"  sqlmetrics gate qrels.csv '{name}=bm25.csv' neural.csv --max-loss nDCG@10=2%"
    assert run_command(*words, err=Terminal())[2].splitlines()[1] == line


@pytest.mark.parametrize("name", ["nDCG", "RBP", "CTR", "ILD", "ANNRecall"])
def test_the_page_of_a_metric_fits_a_terminal(name):
    assert list_wide(show("metrics", name)[1]) == []


def test_metrics_begins_with_those_used_most():
    lines = show("metrics")[1].splitlines()
    assert lines[0].split() == ["family", "name", "formula"]
    first = [line for line in lines[1:40] if line.startswith("used most")]
    assert len(first) == 12
    assert "nDCG" in first[0]
