"""Wrong input is refused with a message that says what is wrong, where, and what to do.

Most cases are data, in tests/wrong: files.toml, commands.txt, and a file of Python for each kind of input.
Those of spark.txt, and of engines.txt once more, are run where Spark is, in test_engines.py.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import math
import pickle
import shlex
import sys
from collections import namedtuple
from datetime import date
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path

import arro3.core as arrow
import commands
import duckdb
import numpy
import pandas
import polars
import polars as pl
import pytest
from commands import run_command
from conftest import ROOT
from messages import assert_message, read_typed
from test_inputs import compress

import sqlmetrics

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib  # which pytest needs there, too

WRONG = ROOT / "tests" / "wrong"
QRELS = ("qrels.csv", "query_id,doc_id,relevance\nq1,a,1\nq1,b,0\nq2,a,1\n")
RUN = ("run.csv", "query_id,doc_id,score\nq1,a,2.5\nq1,b,1.5\nq2,a,1\n")
TREC_QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n"
TREC_RUN = "q1 Q0 a 1 2.5 tag\nq1 Q0 b 2 1.5 tag\nq2 Q0 a 1 1 tag\n"
QRELS_FRAME = pl.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "relevance": [1]})
RUN_FRAME = pl.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "score": [0.5]})

INTERNAL = [
    "Traceback", "nanobind", "_sqlmetrics_", "read_csv", "read_parquet", "CAST", "SELECT", "LINE 1",
    "Binder", "Parser", "Conversion", "Invalid Input", "Possible fix", "ignore_errors",
]  # fmt: skip


def change(frame, **columns):
    return frame.with_columns(**{name: pl.lit(value) for name, value in columns.items()})


def parquet(frame):
    """The bytes of a Parquet file of the frame."""
    buffer = BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


@cache
def long_run():
    rows = (f"q{query},d{doc},{1 / (1 + doc)}\n" for query in range(100) for doc in range(1000))
    return "query_id,doc_id,score\n" + "".join(rows)


def many_lines():
    return "".join(f"q1 Q0 d{number} 1 1 tag\n" for number in range(20_000))


def zstd(text):
    return compress(text.encode(), ".zst")


def damage(content):
    """The bytes with other ones in their first half."""
    middle = len(content) // 2
    return content[:100] + b"\xff" * (middle - 100) + content[middle:]


# Contents that are not text, by the names that files.toml has for them.
MADE = {
    "nothing, in gzip": lambda: gzip.compress(b""),
    "nothing, in Zstandard": lambda: zstd(""),
    "gzip: score high in line 4": lambda: gzip.compress(f"{TREC_RUN}q2 Q0 b 2 high tag".encode()),
    "gzip: end missing": lambda: gzip.compress(long_run().encode())[:-9_000],
    "gzip: last 4 bytes missing": lambda: gzip.compress(long_run().encode())[:-4],
    "gzip of TREC lines: end missing": lambda: gzip.compress(TREC_RUN.encode())[:-20],
    "gzip: damaged inside": lambda: damage(gzip.compress(long_run().encode())),
    "gzip: NUL in a score in line 20001": lambda: gzip.compress(
        f"{many_lines()}q1 Q0 b 1 1\0 tag\n".encode()
    ),
    "Zstandard: end missing": lambda: zstd(long_run())[:-9_000],
    "Zstandard: last byte missing": lambda: zstd(long_run())[:-1],
    "Zstandard: more after the end": lambda: zstd(long_run()) + b"more",
    "Parquet: judgments": lambda: parquet(QRELS_FRAME),
    "Parquet: a run": lambda: parquet(RUN_FRAME),
    "Parquet: no rows": lambda: parquet(RUN_FRAME.clear()),
    "Parquet: points for score": lambda: parquet(RUN_FRAME.rename({"score": "points"})),
    "Parquet: score NULL": lambda: parquet(change(RUN_FRAME, score=None)),
    "Parquet: query_id NULL": lambda: parquet(change(RUN_FRAME, query_id=None)),
    "Parquet: score NaN": lambda: parquet(change(RUN_FRAME, score=float("nan"))),
    "Parquet: relevance inf": lambda: parquet(change(QRELS_FRAME, relevance=float("inf"))),
    "Parquet: a document twice": lambda: parquet(pl.concat([RUN_FRAME, RUN_FRAME])),
    "Parquet: end missing": lambda: parquet(RUN_FRAME)[:-30],
    "Parquet: damaged inside": lambda: damage(parquet(pl.read_csv(long_run().encode()))),
    "PNG": lambda: b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 20,
    "bytes from 255 down": lambda: bytes(range(255, -1, -1)),
    "bzip2": lambda: bz2.compress(b"x"),
    "xz": lambda: lzma.compress(b"x"),
    "lzma": lambda: lzma.compress(TREC_RUN.encode(), lzma.FORMAT_ALONE),
    "pickle": lambda: pickle.dumps({"q1": {"a": 1.0}}),
    "a line in UTF-8, a line in Latin-1": lambda: (
        "q1 Q0 ü 1 2 t\n".encode() + "q1 Q0 ö 2 1 t\n".encode("latin-1")
    ),
    "Latin-1 in line 100002": lambda: long_run().encode() + "q1,ü,1\n".encode("latin-1"),
    "NUL in line 100002": lambda: (long_run() + "q1,a\0b,1\n").encode(),
    "NUL in line 20001": lambda: (many_lines() + "q\0 Q0 b 1 1 tag\n").encode(),
    "a line of 17 MB": lambda: f"{TREC_RUN}q2 Q0 {'b' * 17_000_000} 1 1 tag\n".encode(),
    "a header of 200 kB": lambda: b"query_id,doc_id,score," + b"x" * 200_000 + b"\nq1,a,1,2\n",
    "100000 brackets": lambda: b"[" * 100_000,
}


def make(content):
    """The bytes of a file, however files.toml describes them."""
    if isinstance(content, str):
        return content.encode()
    if "made" in content:
        return MADE[content["made"]]()
    if "hex" in content:
        return bytes.fromhex(content["hex"])
    return content["text"].encode(content["encoding"])


def save(folder, file):
    """Write the file and return its path."""
    name, content = file
    path = folder / name
    if name.endswith("/"):
        path.mkdir()
    else:
        path.write_bytes(make(content))
    return str(path)


def assert_clear(message, words=()):
    assert [word for word in words if word.lower() not in message.lower()] == [], message
    assert [word for word in INTERNAL if word in message] == [], message
    assert len(message.splitlines()) <= 5, message


WRONG_FILES = tomllib.loads((WRONG / "files.toml").read_text(encoding="utf-8"))


@pytest.mark.few(8)
@pytest.mark.parametrize("case", WRONG_FILES)
def test_a_wrong_file_is_refused(tmp_path, monkeypatch, case):
    monkeypatch.chdir(tmp_path)
    files = {
        name: each for name, each in WRONG_FILES[case].items() if name not in ("typed", "message")
    }
    for file in {**dict([QRELS, RUN]), **files}.items():
        save(tmp_path, file)
    names = {name.partition(".")[0]: name for name in ("qrels.csv", "run.csv", *files)}
    usual = f"sqlmetrics evaluate {names['qrels']} {names['run']} -m AP"
    typed = shlex.split(WRONG_FILES[case].get("typed", usual))
    status, printed, said = run_command(*typed[1:])
    assert (status, printed) == (2, "")
    assert_message(f"error: {WRONG_FILES[case]['message']}", said.rstrip("\n"))
    assert_clear(said)


def closed_file():
    file = BytesIO(b"x")
    file.close()
    return file


def to_pandas(frame):
    return pandas.DataFrame(frame.to_dict(as_series=False))


def arrow_table(names, values):
    columns = [arrow.ChunkedArray(pl.Series([value])) for value in values]
    return arrow.Table.from_arrays(columns, names=names)


@pytest.fixture
def con():
    with duckdb.connect() as con:
        con.execute("CREATE TABLE qrels AS SELECT 'q1' AS query_id, 'a' AS doc_id, 1 AS relevance")
        con.execute("CREATE TABLE run AS SELECT 'q1' AS query_id, 'a' AS doc_id, 0.5 AS score")
        con.execute("CREATE TABLE empty AS FROM run WHERE false")
        con.execute("CREATE TABLE holes AS SELECT * REPLACE (NULL AS score) FROM run")
        con.execute("CREATE TABLE narrow AS SELECT query_id, doc_id FROM run")
        con.execute("CREATE TABLE double AS FROM run UNION ALL FROM run")
        con.execute("CREATE VIEW broken AS SELECT * REPLACE (error('no luck') AS score) FROM run")
        con.execute(
            "CREATE TABLE gone AS FROM run; CREATE VIEW stale AS FROM gone; DROP TABLE gone"
        )
        yield con


OTHERS = ("commands", "spark")  # below, and in test_engines.py
PYTHON = {path.stem: read_typed(path) for path in WRONG.glob("*.txt") if path.stem not in OTHERS}
_, TYPED = PYTHON["python"]
KNOWN = {name: getattr(sqlmetrics, name) for name in sqlmetrics.__all__} | {
    "qrels": QRELS_FRAME, "run": RUN_FRAME, "change": change, "pl": pl, "math": math,
    "numpy": numpy, "polars": polars, "pandas": pandas, "duckdb": duckdb, "date": date, "BytesIO": BytesIO,
    "StringIO": StringIO, "to_pandas": to_pandas, "arrow_table": arrow_table, "BM25": commands.BM25,
    "QRELS": commands.QRELS, "closed_file": closed_file, "Row": namedtuple("Row", "query_id doc_id score"),
    "Page": namedtuple("Page", "page points"), "endless": {},
    "spark": None, "move": lambda **columns: pl.DataFrame(columns, strict=False),
}  # fmt: skip
KNOWN["endless"]["q1"] = KNOWN["endless"]


@pytest.mark.few(8)
@pytest.mark.parametrize(
    ("file", "typed"), [(file, typed) for file, (_, cases) in PYTHON.items() for typed in cases]
)
def test_wrong_input_in_python_is_refused(request, tmp_path, monkeypatch, file, typed):
    monkeypatch.chdir(tmp_path)
    first, cases = PYTHON[file]
    names = {**KNOWN, "con": request.getfixturevalue("con") if "con=con" in typed else None}
    exec(first, names)
    with pytest.raises(sqlmetrics.SqlMetricsError) as refused:
        eval(typed, names)
    said = str(refused.value)
    assert_message(cases[typed], f"{refused.type.__name__}: {said}")
    if file != "sql":
        assert_clear(said)


# as above, with the frame in a file
@pytest.mark.few(4)
@pytest.mark.parametrize(
    "typed", [typed for typed in TYPED if "run, " in typed and "columns=" in typed]
)
def test_wrong_columns_of_a_file_are_refused(tmp_path, monkeypatch, typed):
    monkeypatch.chdir(tmp_path)
    save(tmp_path, RUN)
    with pytest.raises(sqlmetrics.InputError) as refused:
        eval(typed, {**KNOWN, "run": "run.csv"})
    said = f"InputError: {refused.value}".replace("run.csv", "the run frame")
    assert_message(TYPED[typed], said)


_, COMMANDS = read_typed(WRONG / "commands.txt")


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """A folder with the files of commands.txt."""
    folder = tmp_path_factory.mktemp("tables")
    for name, content in {
        "users": "user_id,variant,clicks\n1,A,1\n2,B,2\n3,A,3\n4,B,5\n",
        **dict.fromkeys(["log", "pages"], "page_id,clicked,team\n1,1,a\n1,0,b\n"),
        "scores": "run_id,query_id,AP\na,q,0.1\nb,q,0.2\na,r,0.3\nb,r,0.5\n",
        **{
            name: (ROOT / "examples" / f"{name}.csv").read_text()
            for name in ("qrels", "bm25", "neural")
        },
    }.items():
        (folder / f"{name}.csv").write_text(content)
    return folder


@pytest.mark.few(8)
@pytest.mark.parametrize("typed", COMMANDS)
def test_a_wrong_command_is_refused(tables, monkeypatch, typed):
    monkeypatch.chdir(tables)
    status, printed, said = run_command(*shlex.split(typed)[1:])
    assert (status, printed) == (2, "")
    assert_message(COMMANDS[typed], said.rstrip("\n"))
    assert_clear(said)
    assert not [path for path in tables.iterdir() if path.suffix != ".csv"]


DISTANCES = RUN_FRAME.rename({"score": "distance"})
PASSAGES = pl.DataFrame({"passage_id": ["a"], "doc_id": ["b"]})
SAMPLED = QRELS_FRAME.with_columns(stratum=pl.lit("x"))
# Functions of several inputs, with what each has for the columns that the user names.
OF_SEVERAL = {
    "recommendations": lambda run, **named: sqlmetrics.evaluate(
        None, run, "Novelty", history=RUN_FRAME, **named
    ),
    "history": lambda history, **named: sqlmetrics.evaluate(
        None, RUN_FRAME, "Novelty", history=history, **named
    ),
    "neighbours": lambda exact, **named: sqlmetrics.evaluate(
        exact.rename({"score": "distance"}), DISTANCES, "DistanceRatio", **named
    ),
    "fuse": lambda run, **named: sqlmetrics.fuse({"a": RUN_FRAME, "b": run}, **named),
    "collapse": lambda run, **named: sqlmetrics.collapse(run, PASSAGES, **named),
    "inferred": lambda run, **named: sqlmetrics.inferred(SAMPLED, run, **named),
    "agreement": lambda run, **named: sqlmetrics.agreement(
        QRELS_FRAME, run.rename({"score": "relevance"}), samples=2, **named
    ),
    "exclude": lambda seen, **named: sqlmetrics.evaluate(
        QRELS_FRAME, RUN_FRAME, "AP", exclude=change(seen, query_id="q2"), **named
    ),
}


@pytest.mark.few(3)
@pytest.mark.parametrize("ask", OF_SEVERAL.values(), ids=OF_SEVERAL)
def test_one_of_several_inputs_must_have_the_column_that_the_user_names_for_ids(ask):
    named = {"columns": {"doc_id": "sku"}}
    ask(RUN_FRAME.rename({"doc_id": "sku"}), **named)
    with pytest.raises(
        sqlmetrics.InputError, match=r"no column sku for doc_id( in .*)?; (they have|it has) "
    ):
        ask(RUN_FRAME, **named)


def test_judgments_that_are_kept_have_the_column_for_later_runs():
    kept = sqlmetrics.Judgments(QRELS_FRAME.rename({"doc_id": "sku"}))
    for _ in range(2):
        found = sqlmetrics.evaluate(kept, RUN_FRAME, "AP", columns={"doc_id": "sku"})
        assert found["AP"] == 1


@pytest.mark.few(1)
@pytest.mark.parametrize("rows", [2, 200_000])
def test_many_wrong_rows_are_counted_and_not_listed(tmp_path, rows):
    run = "query_id,doc_id,score\n" + "".join(f"q1,d{number},x\n" for number in range(rows + 3))
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(save(tmp_path, QRELS), save(tmp_path, ("run.csv", run)), "AP")
    words = ["run.csv line 2", "run.csv line 3", "run.csv line 4", f"and {rows} more"]
    assert_clear(str(refused.value), words)


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"a.csv": RUN[1], "b.csv": RUN[1]}, ["a.csv line 2 and", "b.csv line 2", "document a"]),
        ({"a.csv": RUN[1], "b.txt": TREC_QRELS}, ["b.txt", "looks like judgments"]),
        ({"a.csv": RUN[1], "b.md": "# The runs\n"}, ["b.md", "no header", "# The runs"]),
        ({"a.csv": RUN[1], "b.csv": ""}, ["b.csv", "is empty"]),
        ({"a.csv": RUN[1], "b.csv": "query_id,doc_id\nq1,a\n"}, ["b.csv", "no column score"]),
    ],
)
@pytest.mark.parametrize("make_run", [lambda folder: {"x": folder}, lambda folder: f"{folder}/*"])
def test_one_wrong_file_of_several_is_named(tmp_path, files, words, make_run):
    for file in files.items():
        save(tmp_path, file)
    run = make_run(tmp_path)
    if isinstance(run, str) and "document a" in words:
        run = {"x": run}
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(QRELS_FRAME, run, "AP")
    assert_clear(str(refused.value), words)


def test_nothing_is_installed_behind_the_users_back(con):
    for url in ("https://127.0.0.1:9/run.csv", "s3://bucket/*.parquet", "az://box/run", "hf://x/y"):
        for given in ({}, {"con": con}):
            with pytest.raises(sqlmetrics.InputError, match="install it once"):
                sqlmetrics.evaluate(QRELS_FRAME, url, "AP", **given)
    own = con.sql("SELECT current_setting('autoinstall_known_extensions')").fetchall()
    assert own == [(True,)]


@pytest.mark.parametrize("make_runs", [list, tuple])
def test_the_same_file_twice_is_refused(tmp_path, make_runs):
    run = save(tmp_path, RUN)
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(QRELS_FRAME, make_runs([run, Path(run)]), "AP")
    assert_clear(str(refused.value), [f"{run} is given twice; give each run once"])


def test_files_with_the_same_run_id_are_refused(tmp_path):
    paths = [
        save(tmp_path, (f"{name}.csv", f"run_id,query_id,doc_id,score\nx,q1,{name},1\n"))
        for name in "ab"
    ]
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(QRELS_FRAME, paths, "AP")
    assert_clear(str(refused.value), ["a.csv", "b.csv", "'x'"])


def test_an_empty_folder_is_refused_with_a_connection_too(con, tmp_path):
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate("qrels", str(tmp_path), "AP", con=con)
    assert_clear(str(refused.value), [tmp_path.name, "folder", "has no files"])


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_table_that_is_a_path_too_is_refused(con, tmp_path, monkeypatch, what):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "qrels"
    path.mkdir() if what == "folder" else path.write_text("q 0 d 1")
    with pytest.raises(sqlmetrics.InputError, match=f"qrels is both a table and a {what}"):
        sqlmetrics.evaluate("qrels", "run", "AP", con=con)


def test_a_closed_connection_is_refused(con):
    con.close()
    with pytest.raises((sqlmetrics.InputError, duckdb.ConnectionException), match="closed"):
        sqlmetrics.evaluate("qrels", "run", "AP", con=con)


def test_every_error_is_a_value_error_too():
    with pytest.raises(ValueError, match="nowhere"):
        sqlmetrics.evaluate("nowhere", RUN_FRAME, "AP")
    with pytest.raises(ValueError, match="xyzzy"):
        sqlmetrics.evaluate(QRELS_FRAME, RUN_FRAME, "xyzzy")


@pytest.mark.thorough
def test_a_repeated_document_is_found_in_several_batches():
    number = 300_000
    ids = pl.int_range(number, eager=True).cast(pl.String)

    def refused(queries, documents):
        run = pl.DataFrame({"query_id": queries, "doc_id": documents, "score": 1.0})
        try:
            sqlmetrics.evaluate({"1": {"5": 1}}, run, "AP")
        except sqlmetrics.InputError as error:
            return "document 5 appears 2 times for query 1" in str(error)
        return False

    one, many = pl.repeat("1", number, eager=True), ids.str.slice(0, 1)
    twice = pl.concat([ids[:-1], pl.Series(["5"])])
    assert not refused(one, ids)
    assert refused(one, twice)
    shuffled = pl.DataFrame({"query": many, "doc": ids}).sample(fraction=1, shuffle=True, seed=1)
    assert not refused(many.sort(), ids.sort())
    assert not refused(shuffled["query"], shuffled["doc"])
    queries = pl.concat([pl.Series(["1"]), shuffled["query"][1:-1], pl.Series(["1"])])
    assert refused(queries, pl.concat([pl.Series(["5"]), shuffled["doc"][1:-1], pl.Series(["5"])]))


@pytest.mark.parametrize(
    ("engine", "place"),
    [
        ("sc://127.0.0.1:9/;token=secret", "sc://127.0.0.1:9"),
        ("spark://127.0.0.1:9,[::1]:9", r"spark://127.0.0.1:9,\[::1\]:9"),
        ("sc://127.0.0.1:port", "sc://127.0.0.1:port"),
    ],
)
def test_a_cluster_that_does_not_answer_is_refused_at_once(monkeypatch, engine, place):
    for name in ("grpc_proxy", "https_proxy", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(
        sqlmetrics.InputError, match=f"^no answer from {place}; check that it is running"
    ):
        sqlmetrics.evaluate("qrels", "run", "AP", engine=engine)


COLUMNS = {
    "judgments": "query_id,doc_id,relevance",
    "a run": "query_id,doc_id,score",
    "a click log": "page_id,query_id,doc_id,position,clicked",
    "a table of users": "user_id,variant,numerator",
    "a table of scores": "run_id,query_id,AP",
    "a table of neighbours": "query_id,doc_id,distance",
}
TAKEN = {
    "judgments": ("evaluate", "{}", "a run"),
    "a run": ("evaluate", "judgments", "{}"),
    "a click log": ("evaluate", "--log", "{}"),
    "a table of users": ("experiment", "--users", "{}"),
    "a table of neighbours": ("evaluate", "{}", "a table of neighbours", "-m", "ANNRecall@1"),
}
TAKEN_AS_WELL = {("a run", "a table of neighbours"), ("a table of neighbours", "a run")}


@pytest.mark.few(10)
@pytest.mark.parametrize("given", COLUMNS)
@pytest.mark.parametrize("wanted", TAKEN)
def test_an_input_of_another_kind_is_named(tmp_path, monkeypatch, wanted, given):
    monkeypatch.chdir(tmp_path)
    for name, columns in COLUMNS.items():
        row = ",".join("1" for _ in columns.split(","))
        (tmp_path / name).write_text(f"{columns}\n{row}\n")
    command, *inputs = (word.format(given) for word in TAKEN[wanted])
    status, _, said = run_command(command, *inputs)
    if given == wanted or (wanted, given) in TAKEN_AS_WELL:
        assert "looks like" not in said
    else:
        assert status == 2
        assert f"error: {given} has column" in said
        assert f"so it looks like {given}, not {wanted}; " in said
