"""What is printed fits a terminal of 80 columns, and a pipe gets the same.

Only messages, which are looked for in logs, are a line each in a pipe.
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios

import pytest
from commands import BM25, NEURAL, QRELS, run, run_command
from doors import list_words
from rich.cells import cell_len

from sqlmetrics.cli.from_headers import app

WIDTH = 80
# What these print is to be pasted as it is.
CODE = {"sql", "report", "install"}
COMPARE = ("compare", QRELS, f"the_old_ranking={BM25}", f"the_new_ranking={NEURAL}")


class Terminal(io.BytesIO):
    def isatty(self):
        return True

    def close(self):
        """Kept open, to be read."""


def show(*words, width=WIDTH):
    """What a command prints on a terminal, and its messages, both without colours."""
    out = Terminal()
    status, _, said = run_command(*words, out=out, err=Terminal(), width=width)
    plain = [re.sub(r"\x1b\[[\d;]*m", "", each) for each in (out.getvalue().decode(), said)]
    return status, *plain


def list_wide(text, width=WIDTH):
    return [line for line in text.splitlines() if cell_len(line) > width]


@pytest.mark.parametrize("command", [name for name in app.commands if name not in CODE])
def test_a_command_fits_a_terminal_and_a_pipe_gets_the_same(tmp_path, command):
    words = list_words(command, tmp_path)
    status, printed, said = show(*words)
    assert status in (0, 1), said
    assert list_wide(printed + said) == []
    again, piped, whole = run_command(*words, width=WIDTH)
    assert (again, piped, whole.split()) == (status, printed, said.split())


def test_a_terminal_has_its_width_and_a_pipe_80_columns():
    command = [sys.executable, "-m", "sqlmetrics", *COMPARE]
    variables = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    piped = subprocess.run(command, capture_output=True, env=variables, check=True).stdout
    assert piped.decode() == run(*COMPARE, width=80)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, 60, 0, 0))
    subprocess.run(command, stdin=theirs, stdout=theirs, stderr=subprocess.DEVNULL, env=variables)
    os.close(theirs)
    shown = os.read(ours, 65536).decode().replace("\r\n", "\n")
    assert shown.startswith(run(*COMPARE, width=60))


@pytest.mark.parametrize("command", app.commands)
def test_help_fits_a_terminal(command):
    usual, whole = (run(command, each, width=WIDTH) for each in ("--help", "--help-all"))
    assert list_wide(usual + whole) == []
    assert len(usual) <= len(whole)


def test_what_few_people_need_is_for_help_all():
    usual, whole = run("evaluate", "--help"), run("evaluate", "--help-all")
    assert "Conventions:" not in usual
    assert "--ties" in usual.partition("With --help-all:")[2]
    assert "Conventions:" in whole
    assert "With --help-all:" not in whole


def test_a_table_that_does_not_fit_has_all_of_its_cells():
    wrapped, whole = run(*COMPARE, width=WIDTH), run(*COMPARE)
    assert list_wide(whole)
    for word in whole.split():
        assert word in wrapped


def test_tables_of_three_runs_have_a_row_for_each(tmp_path):
    runs, scores = (BM25, NEURAL, f"hybrid={NEURAL}"), tmp_path / "scores.csv"
    run("evaluate", QRELS, *runs, "-m", "nDCG@10 AP", "-q", "-o", scores)
    for command in (("compare", QRELS, *runs), ("means", scores)):
        header, *rows = run(*command, width=WIDTH).splitlines()
        assert header.split()[:2] in (["metric", "run"], ["metric", "run_id"])
        assert sum(row.startswith("AP ") for row in rows) == 3


def test_long_names_are_wrapped_where_their_parts_end():
    names = ["baseline-bm25", "candidate-hybrid-v2", "candidate_dense_2024"]
    runs = [f"{name}={NEURAL if name[0] == 'c' else BM25}" for name in names]
    printed = run("compare", QRELS, *runs, "-m", "nDCG@10 AP", width=WIDTH)
    lines = printed.partition("\n\n")[0].splitlines()
    assert lines[0].split()[:3] == ["metric", "run", "mean"]
    column = [line[9:].split("  ")[0].strip() for line in lines[1:]]
    assert "".join(column) == "".join(names * 2)
    assert {"candidate-", "hybrid-v2", "candidate_", "dense_2024"} <= {*column}


def test_a_note_that_all_rows_have_is_below_the_table(tmp_path):
    judged = tmp_path / "judged.csv"
    judged.write_text("query_id,doc_id,relevance\nbread,sourdough,3\n")
    words, left = ("to-judge", judged, BM25), "2 queries have no judgments"
    _, printed, said = run_command(*words)
    assert "note" not in printed.splitlines()[0]
    assert said.startswith(f"note: {left}")
    header, *rows = run(*words, "-f", "csv").splitlines()
    assert header.endswith(",note")
    assert all(left in row for row in rows)


@pytest.mark.parametrize("format", ["markdown", "csv", "json"])
def test_formats_for_programs_and_files_are_whole(tmp_path, format):
    words = (*COMPARE, "--format", format)
    assert run(*words, width=WIDTH) == run(*words)
    for width in (WIDTH, 1000):
        run(*COMPARE, "-o", tmp_path / f"{width}.txt", width=width)
    whole = (tmp_path / "80.txt").read_text(encoding="utf-8")
    assert whole == (tmp_path / "1000.txt").read_text(encoding="utf-8")
    assert list_wide(whole)


@pytest.mark.parametrize("width", [60, 120])
def test_a_footnote_fills_the_lines_of_a_terminal(width):
    printed = run(*COMPARE, width=width).rstrip()
    *full, last = printed.rpartition("\n\n")[2].splitlines()
    following = [*full[1:], last]
    for line, after in zip(full, following, strict=True):  # another word would have had no room
        assert len(line) <= width < len(line) + 1 + len(after.split()[0])


def test_a_message_fits_a_terminal_with_commands_to_paste_whole():
    words = ("evaluate", QRELS, BM25, "-c", "foo=bar")
    piped = run(*words, status=2, width=WIDTH)
    assert len(piped.splitlines()) == 1
    shown = run_command(*words, err=Terminal(), width=WIDTH)[2]
    assert list_wide(piped)
    assert list_wide(shown) == []
    assert shown.split() == piped.split()
    name = f"{'long ' * 20}name"
    words = ("gate", QRELS, f"{name}={BM25}", NEURAL)
    said = run_command(*words, err=Terminal(), width=WIDTH)[2]
    line = f"  sqlmetrics gate {QRELS} '{name}={BM25}' {NEURAL} --max-loss nDCG@10=2%"
    assert said.splitlines()[1] == line


@pytest.mark.parametrize("name", ["nDCG", "RBP", "CTR", "ILD", "ANNRecall"])
def test_the_page_of_a_metric_fits_a_terminal(name):
    parts = show("metrics", name)[1].split("```")  # every other one is SQL
    assert [line for text in parts[::2] for line in list_wide(text)] == []


def test_metrics_begins_with_those_used_most():
    lines = show("metrics")[1].splitlines()
    assert lines[0].split() == ["family", "name", "formula"]
    first = [line for line in lines[1:40] if line.startswith("used most")]
    assert len(first) == 12
    assert "nDCG" in first[0]


def test_long_words_of_a_cell_are_cut_where_their_parts_end():
    text = run("tune", QRELS, BM25, NEURAL, width=80)
    cell = [line[9:25].strip() for line in text.splitlines()[2:6]]
    assert "".join(cell).startswith("comb_sum(normalization=")
    assert cell[:2] == ["comb_sum(", "normalization="]
