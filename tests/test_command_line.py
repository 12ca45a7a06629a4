"""The command line prints results to stdout, messages to stderr, and writes whole files or none."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import polars as pl
import pytest
import pytrec_eval
from conftest import ROOT

import sqlmetrics

QRELS, BM25, NEURAL = (
    str(ROOT / "examples" / f"{name}.csv") for name in ("qrels", "bm25", "neural")
)
COMMAND = [sys.executable, "-m", "sqlmetrics"]


def run(*arguments, status=0):
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def test_csv_and_json_have_every_digit():
    mean = sqlmetrics.evaluate(QRELS, [BM25, NEURAL], "nDCG@10 AP").mean
    evaluate = ["evaluate", QRELS, BM25, NEURAL, "-m", "nDCG@10", "-m", "AP", "--format"]
    assert run(*evaluate, "csv") == mean.write_csv()
    assert json.loads(run(*evaluate, "json")) == mean.to_dicts()


def test_the_name_of_the_output_file_says_its_format(tmp_path):
    per_query = sqlmetrics.evaluate(QRELS, BM25, "AP").per_query
    for suffix, read in (
        ("parquet", pl.read_parquet),
        ("csv", pl.read_csv),
        ("json", pl.read_json),
    ):
        file = tmp_path / f"scores.{suffix}"
        assert run("evaluate", QRELS, BM25, "-m", "AP", "-q", "-o", file) == ""
        assert read(file).equals(per_query)
        assert list(tmp_path.iterdir()) == [file]
        file.unlink()


def test_an_output_file_is_not_touched_when_the_input_is_wrong(tmp_path):
    file = tmp_path / "scores.csv"
    file.write_text("before")
    run("evaluate", QRELS, tmp_path / "none.csv", "-m", "AP", "-o", file, status=2)
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]


def test_an_output_folder_that_does_not_exist_is_said():
    message = run("evaluate", QRELS, BM25, "-m", "AP", "-o", "/nowhere/scores.csv", status=2)
    assert "/nowhere" in message
    assert "Traceback" not in message


def test_metrics_without_quotes_are_not_taken_for_runs():
    message = run("evaluate", QRELS, BM25, "-m", "nDCG@10", "AP", status=2)
    assert "AP does not exist; quote metrics together" in message


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_output_that_cannot_be_written_is_said_in_a_line():
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, "metrics"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "cannot write the result" in done.stderr


def test_parquet_needs_a_file():
    assert "-o" in run("evaluate", QRELS, BM25, "-m", "AP", "-f", "parquet", status=2)


def test_trec_format_is_what_trec_eval_prints(tmp_path):
    names = ["map", "P_5", "ndcg_cut_10", "recip_rank", "bpref", "num_ret", "num_rel_ret"]
    printed = run("evaluate", QRELS, NEURAL, "-m", " ".join(names), "-q", "-f", "trec")
    qrels, scores = {}, {}
    for query, doc, relevance in pl.read_csv(QRELS).iter_rows():
        qrels.setdefault(query, {})[doc] = relevance
    for query, doc, score in pl.read_csv(NEURAL).iter_rows():
        scores.setdefault(query, {})[doc] = score
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(names)).evaluate(scores)
    lines = []
    for query, row in [*sorted(theirs.items()), ("all", None)]:
        for name in names:
            values = [row[name]] if row else [each[name] for each in theirs.values()]
            value = pytrec_eval.compute_aggregated_measure(name, values)
            number = f"{value:.0f}" if name.startswith("num_") else f"{value:6.4f}"
            lines.append(f"{name:<22}\t{query}\t{number}\n")
    assert printed == "".join(lines)


def test_trec_format_names_each_of_several_runs():
    printed = run("evaluate", QRELS, BM25, NEURAL, "-m", "map", "-f", "trec").splitlines()
    assert [line.split() for line in printed][::2] == [
        ["runid", "all", "bm25"],
        ["runid", "all", "neural"],
    ]


def read_terminal(*arguments, columns):
    """What a terminal of so many columns shows."""
    outer, inner = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    process = subprocess.Popen([*COMMAND, *arguments], stdout=inner, stderr=inner, env=environment)
    os.close(inner)
    shown = b""
    while True:
        try:
            shown += (part := os.read(outer, 4096))
        except OSError:
            break
        if not part:
            break
    assert process.wait() == 0
    os.close(outer)
    return re.sub(r"\x1b\[[\d;]*m", "", shown.decode())


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_too_narrow_for_a_table_gets_the_measures_one_below_the_other():
    names = "nDCG@5 nDCG@10 nDCG@100 AP RR P@5 P@10 R@100"
    wide = read_terminal("evaluate", QRELS, BM25, "-m", names, columns=160)
    narrow = read_terminal("evaluate", QRELS, BM25, "-m", names, columns=40)
    assert len([line for line in wide.splitlines() if "0." in line]) == 1
    assert all(
        any(name in line and "0." in line for line in narrow.splitlines()) for name in names.split()
    )
    assert max(len(line) for line in narrow.splitlines()) <= 40


def test_metrics_lists_every_metric():
    printed = run("metrics")
    assert all(name in printed for name in sqlmetrics.metrics()["name"])
    assert pl.read_csv(run("metrics", "-f", "csv").encode()).height == sqlmetrics.metrics().height


def test_sql_prints_what_python_gives():
    assert run("sql") == sqlmetrics.sql()
    assert run("sql", "nDCG@10", "AP") == sqlmetrics.sql("nDCG@10 AP")


def test_help_and_version_are_there():
    assert "evaluate" in run("--help")
    assert sqlmetrics.__version__ in run("--version")


def test_wrong_usage_ends_with_status_2():
    for arguments in (
        ["evaluate"],
        ["evaluate", QRELS, BM25],
        ["no-such-command"],
        ["metrics", "-f", "x"],
    ):
        assert "Traceback" not in run(*arguments, status=2)


def test_ids_are_printed_as_they_are(tmp_path):
    odd = "[bold]:smile:[/x]"
    for name, value in (("qrels", "relevance"), ("run", "score")):
        (tmp_path / f"{name}.csv").write_text(f"query_id,doc_id,{value}\n{odd},d,1\n")
    evaluate = ["evaluate", tmp_path / "qrels.csv", tmp_path / "run.csv", "-m", "RR", "-q"]
    assert run(*evaluate).split() == ["run_id", "query_id", "RR", "run", odd, "1.0000"]


def test_an_output_link_keeps_pointing_to_its_file(tmp_path):
    file, link = tmp_path / "scores.csv", tmp_path / "latest.csv"
    file.write_text("before")
    file.chmod(0o640)
    link.symlink_to(file)
    run("evaluate", QRELS, BM25, "-m", "AP", "-o", link)
    assert link.is_symlink()
    assert file.read_text().startswith("run_id,AP")
    assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pipe with a name")
def test_an_output_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "scores.csv"
    os.mkfifo(pipe)
    command = [*COMMAND, "evaluate", QRELS, BM25, "-m", "AP", "-o", str(pipe)]
    with subprocess.Popen(command) as process:
        assert pipe.read_text().startswith("run_id,AP")
    assert process.returncode == 0
    assert not pipe.is_file()


def test_an_output_name_that_says_no_format_is_refused():
    assert ".csv" in run("evaluate", QRELS, BM25, "-m", "AP", "-o", "scores.xlsx", status=2)


@pytest.mark.parametrize("error", [RuntimeError("Query interrupted"), duckdb.InterruptException()])
def test_ctrl_c_ends_an_evaluation_as_it_ends_any_python_program(monkeypatch, error):
    def interrupt(*arguments):
        raise error  # what versions of DuckDB make of the signal

    monkeypatch.setattr("sqlmetrics.scores.check", interrupt)
    with pytest.raises(KeyboardInterrupt):
        sqlmetrics.evaluate(QRELS, BM25, "AP")
