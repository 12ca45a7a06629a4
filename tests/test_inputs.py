"""The same judgments and runs give the same scores, however they are given."""

from __future__ import annotations

import gzip
import io
import json
import math
import os
import subprocess
import sys
from collections import namedtuple
from functools import cache
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import duckdb
import fsspec
import ir_measures
import numpy as np
import pandas as pd
import polars as pl
import pytest
import pytrec_eval
from arro3.core import RecordBatchReader, Table
from commands import run as call
from conftest import make_qrels, make_run
from polars.testing import assert_frame_equal

import sqlmetrics
from sqlmetrics.inputs import columns as kinds
from sqlmetrics.inputs.lists import unnest_lists

METRICS = "nDCG@3 AP RR NumRet Bpref"
QRELS = [
    ("q1", "d1", 2), ("q1", "d10", 0), ("q1", "d9", 1), ("q1", "lost", 1),
    ("q2", "d1", 1), ("q2", "d2", 0), ("q3", "d3", 1),
]  # fmt: skip
RUN = [
    ("q1", "new", 9.5), ("q1", "d10", 3), ("q1", "d9", 3), ("q1", "d1", 1e-3),
    ("q2", "d2", 0.25), ("q2", "d1", -0.25), ("q9", "d1", 7),
]  # fmt: skip
OTHER_RUN = [("q1", "d1", 2), ("q2", "d2", 1), ("q3", "d3", 1), ("q3", "d1", 2)]
QRELS_COLUMNS = ["query_id", "doc_id", "relevance"]
RUN_COLUMNS = ["query_id", "doc_id", "score"]


def write_delimited(rows, header, delimiter=","):
    def quote(cell):
        text = str(cell)
        return '"' + text.replace('"', '""') + '"' if set(text) & {delimiter, '"'} else text

    return "".join(delimiter.join(map(quote, row)) + "\n" for row in [header, *rows])


def write_trec_qrels(rows):
    return "".join(f"{query} 0 {doc} {relevance}\n" for query, doc, relevance in rows)


def write_trec_run(rows):
    return "".join(f"{query} Q0 {doc} 1 {score} tag\n" for query, doc, score in rows)


def make_frame(rows, columns):
    return pl.DataFrame(rows, columns, orient="row", strict=False)


def make_pandas(rows, columns):
    return pd.DataFrame(rows, columns=columns)


def save(path, content):
    content = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


def save_as(folder, form, rows, columns, name=None):
    """A file of that form: csv, tsv, trec, each also with .gz, or parquet."""
    path = folder / f"{name or columns[-1]}.{form}"
    form = form.removesuffix(".gz")
    if form == "parquet":
        make_frame(rows, columns).write_parquet(path)
        return path
    if form == "trec":
        return save(path, (write_trec_run if columns[-1] == "score" else write_trec_qrels)(rows))
    return save(path, write_delimited(rows, columns, {"csv": ",", "tsv": "\t"}[form]))


def compress(content, suffix):
    """The bytes as they are, as .gz, or as .zst in blocks that are stored as they are."""
    if suffix == ".gz":
        return gzip.compress(content)
    if suffix == ".zst":
        blocks = [content[i : i + 100_000] for i in range(0, len(content), 100_000)] or [b""]
        heads = [len(block) << 3 for block in blocks]
        heads[-1] += 1
        frame = b"\x28\xb5\x2f\xfd\xa0" + len(content).to_bytes(4, "little")
        parts = (h.to_bytes(3, "little") + b for h, b in zip(heads, blocks, strict=True))
        return frame + b"".join(parts)
    return content


def nest(rows):
    nested = {}
    for query, doc, value in rows:
        nested.setdefault(query, {})[doc] = value
    return nested


def list_records(rows, columns):
    return [dict(zip(columns, row, strict=True)) for row in rows]


def write_trec(rows, columns):
    return (write_trec_run if columns[-1] == "score" else write_trec_qrels)(rows)


def write_parquet(rows, columns):
    buffer = io.BytesIO()
    make_frame(rows, columns).write_parquet(buffer)
    return buffer.getvalue()


def write_arrow(rows, columns):
    buffer = io.BytesIO()
    make_frame(rows, columns).write_ipc(buffer)
    return buffer.getvalue()


def write_excel(rows, columns):
    buffer = io.BytesIO()
    make_frame(rows, columns).write_excel(buffer)
    return buffer.getvalue()


def group(rows):
    """The documents of each query with their values, the highest first."""

    def place(row):
        return isinstance(row[2], str) or -row[2]

    queries = dict.fromkeys(query for query, _, _ in rows)
    return {q: [row[1:] for row in sorted(rows, key=place) if row[0] == q] for q in queries}


def write_requests(rows):
    """A body of the Ranking Evaluation API."""
    requests = [
        {
            "id": query,
            "request": {"query": {"match": {"title": query}}},
            "ratings": [{"_index": "shop", "_id": d, "rating": value} for d, value in ratings],
        }
        for query, ratings in group(rows).items()
    ]
    return {"requests": requests, "metric": {"dcg": {"k": 10, "normalize": True}}}


def write_hits(documents, **others):
    """A response of Elasticsearch."""
    hits = [
        {"_index": "shop", "_id": d, "_score": value, "_source": {"title": "{"}}
        for d, value in documents
    ]
    top = {"total": {"value": len(hits), "relation": "eq"}, "max_score": None, "hits": hits}
    shards = {"total": 1, "successful": 1, "skipped": 0, "failed": 0}
    return {"took": 3, "timed_out": False, "_shards": shards, "hits": top, **others}


def write_docs(documents, query):
    """A response of Solr."""
    docs = [{"id": d, "score": value} for d, value in documents]
    return {
        "responseHeader": {"status": 0, "QTime": 2, "params": {"q": query, "fl": "id,score"}},
        "response": {"numFound": len(docs), "start": 0, "numFoundExact": True, "docs": docs},
    }


def write_evaluation(rows):
    """A response of the Ranking Evaluation API."""
    details = {
        query: {
            "metric_score": 0.5,
            "unrated_docs": [{"_index": "shop", "_id": d} for d, _ in hits],
            "hits": [
                {"hit": {"_index": "shop", "_id": d, "_score": value}, "rating": None}
                for d, value in hits
            ],
            "metric_details": {"dcg": {"dcg": 0.5, "unrated_docs": len(hits)}},
        }
        for query, hits in group(rows).items()
    }
    return {"metric_score": 0.5, "details": details, "failures": {}}


def write_several(rows):
    """A response of _msearch, and the queries."""
    queries = group(rows)
    responses = [write_hits(documents, status=200) for documents in queries.values()]
    return {"query_ids": list(queries), "took": 5, "responses": responses}


def respond(write, **options):
    """A format: responses as runs, and judgments as a request of the Ranking Evaluation API."""
    return lambda rows, columns: (
        write(rows) if columns[-1] == "score" else json.dumps(write_requests(rows), **options)
    )


def write_each(write):
    return lambda rows: "".join(
        json.dumps(write(query, documents)) + "\n" for query, documents in group(rows).items()
    )


# Every format: how rows are written, and where a message says that the second row stands.
FORMATS = {
    "CSV": (write_delimited, "line 3"),
    "TSV": (lambda rows, columns: write_delimited(rows, columns, "\t"), "line 3"),
    "semicolons": (lambda rows, columns: write_delimited(rows, columns, ";"), "line 3"),
    "bars": (lambda rows, columns: write_delimited(rows, columns, "|"), "line 3"),
    "CSV CRLF": (lambda r, c: write_delimited(r, c).replace("\n", "\r\n"), "line 3"),
    "CSV with BOM": (lambda r, c: "\ufeff" + write_delimited(r, c), "line 3"),
    "CSV with blank lines": (lambda r, c: write_delimited(r, c).replace("\n", "\n\n"), "line 5"),
    "CSV after blank lines": (lambda r, c: "\n \n\n" + write_delimited(r, c), "line 6"),
    "CSV in UTF-16": (lambda r, c: write_delimited(r, c).encode("utf-16"), "line 3"),
    "TREC in UTF-16, big endian": (lambda r, c: ("\ufeff" + write_trec(r, c)).encode("utf-16-be"), "line 2"),
    "decimal commas": (lambda r, c: write_delimited(r, c, ";").replace(".", ","), "line 3"),
    "Excel": (write_excel, ""),
    "CSV quoted": (lambda r, c: pl.DataFrame(r, c, orient="row").write_csv(quote_style="always"), "line 3"),
    "CSV without end": (lambda r, c: write_delimited(r, c).rstrip("\n"), "line 3"),
    "JSON lines": (
        lambda r, c: "".join(json.dumps(row) + "\n" for row in list_records(r, c)),
        "line 2",
    ),
    "JSON lines with BOM": (
        lambda r, c: "\ufeff" + "\r\n".join(map(json.dumps, list_records(r, c))),
        "line 2",
    ),
    "JSON array": (lambda r, c: json.dumps(list_records(r, c)), ""),
    "JSON array over lines": (lambda r, c: json.dumps(list_records(r, c), indent=1), ""),
    "JSON dict": (lambda r, c: json.dumps(nest(r)), ""),
    "JSON dict over lines": (lambda r, c: "\ufeff" + json.dumps(nest(r), indent=2), ""),
    "TREC": (write_trec, "line 2"),
    "TREC tabs": (lambda r, c: write_trec(r, c).replace(" ", "\t"), "line 2"),
    "TREC blanks": (lambda r, c: "  " + write_trec(r, c).replace(" ", " \t "), "line 2"),
    "TREC CRLF": (lambda r, c: write_trec(r, c).replace("\n", "\r\n"), "line 2"),
    "TREC CRLF at first": (lambda r, c: write_trec(r, c).replace("\n", "\r\n", 2), "line 2"),
    "TREC with blank lines": (lambda r, c: "\n\n" + write_trec(r, c).replace("\n", " \n\n \n"), "line 6"),
    "TREC with comments": (
        lambda r, c: "# query_id doc_id\n#\n" + write_trec(r, c).replace("\n", "\n# of 2 lines\n#\n"),
        "line 6",
    ),
    "TREC of more columns": (lambda r, c: write_trec(r, c).replace("tag", "tag a comment"), "line 2"),
    "TREC with BOM": (lambda r, c: "\ufeff" + write_trec(r, c), "line 2"),
    "TREC without end": (lambda r, c: write_trec(r, c).rstrip("\n"), "line 2"),
    "TREC tagged run": (lambda r, c: write_trec(r, c).replace("tag", "run").replace(" ", "\t"), "line 2"),
    "Elasticsearch": (respond(write_each(lambda q, d: write_hits(d, query=q))), "line 1"),
    "Elasticsearch inside": (respond(write_each(lambda q, d: {"qid": q, "response": write_hits(d)})), "line 1"),
    "Elasticsearch array": (
        respond(lambda rows: json.dumps([write_hits(d, qid=q) for q, d in group(rows).items()], indent=1), indent=1),
        "",
    ),
    "_msearch": (respond(lambda rows: json.dumps(write_several(rows))), "line 1"),
    "_msearch over lines": (respond(lambda rows: "\ufeff" + json.dumps(write_several(rows), indent=2), indent=2), ""),
    "Solr": (respond(write_each(lambda q, d: write_docs(d, q))), "line 1"),
    "Solr inside": (respond(write_each(lambda q, d: {"response": write_docs(d, "*:*"), "query_id": q})), "line 1"),
    "Ranking Evaluation": (respond(lambda rows: json.dumps(write_evaluation(rows))), "line 1"),
    "Parquet": (write_parquet, ""),
    "Arrow": (write_arrow, ""),
}  # fmt: skip
OF_COLUMNS = ("Parquet", "Arrow", "Excel")  # which are not text
# what is not read compressed
ALONE = (*OF_COLUMNS, "CSV in UTF-16", "TREC in UTF-16, big endian")


def write_as(path, form, rows, columns, suffix=""):
    content = FORMATS[form][0](rows, columns)
    content = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(compress(content, "" if form in ALONE else suffix))
    return path


def give(form, rows, columns, folder, con):
    """Rows as a frame, as a table of the connection, or as a file of that form."""
    name = "_".join(columns).lower()
    if form == "frame":
        return make_frame(rows, columns)
    if form == "pandas":
        return make_pandas(rows, columns)
    if form == "table":
        con.register(name, make_pandas(rows, columns))
        return name
    return save_as(folder, form, rows, columns, name)


def give_pair(form, qrels, run, folder, con):
    return (
        give(form, qrels, QRELS_COLUMNS, folder, con),
        give(form, run, RUN_COLUMNS, folder, con),
    )


def save_csv_pair(folder):
    qrels = save_as(folder, "csv", QRELS, QRELS_COLUMNS)
    return qrels, save_as(folder, "csv", RUN, RUN_COLUMNS)


def score(qrels, run, **arguments):
    return sqlmetrics.evaluate(qrels, run, METRICS, **arguments).per_query


def assert_same(qrels, run, qrels_rows=QRELS, run_rows=RUN, **arguments):
    """The scores of one run are those of the same rows as polars frames."""
    expected = score_rows(tuple(qrels_rows), tuple(run_rows))
    assert_frame_equal(score(qrels, run, **arguments).drop("run_id"), expected)


@cache
def score_rows(qrels, run):
    return score(make_qrels(qrels), make_run(run)).drop("run_id")


def assert_same_runs(qrels, run, first="bm25", second="neural", **arguments):
    """The scores of two runs, in any order, are those of a dict of polars frames."""
    found = score(qrels, run, **arguments).sort("run_id", maintain_order=True)
    assert_frame_equal(found, score_runs(first, second))


@cache
def score_runs(first, second):
    frames = {first: make_run(RUN), second: make_run(OTHER_RUN)}
    return score(make_qrels(QRELS), frames).sort("run_id", maintain_order=True)


def fill(con, qrels="qrels", run="run", kind="TABLE"):
    for name, rows, columns in ((qrels, QRELS, QRELS_COLUMNS), (run, RUN, RUN_COLUMNS)):
        values = f"(VALUES {', '.join(map(repr, rows))}) t({', '.join(columns)})"
        con.execute(f"CREATE {kind} {name} AS SELECT * FROM {values}")


def list_relations(con):
    """All tables and views on a connection, with their rows."""
    names = con.execute(
        """
        SELECT table_catalog, table_schema, table_name FROM information_schema.tables
        WHERE table_schema <> 'information_schema' AND table_schema <> 'pg_catalog'
        """
    ).fetchall()
    return {name: con.execute('FROM "{}"."{}"."{}"'.format(*name)).fetchall() for name in names}


@pytest.fixture
def con():
    with duckdb.connect() as con:
        yield con


# Files


@pytest.mark.few(3)
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_the_format_is_recognised_by_content_alone(tmp_path, form, suffix):
    qrels = write_as(tmp_path / "qrels.parquet", form, QRELS, QRELS_COLUMNS, suffix)
    run = write_as(tmp_path / "run.csv", form, RUN, RUN_COLUMNS, suffix)
    assert_same(str(qrels), run)
    with qrels.open("rb") as file:
        assert_same(file, io.BytesIO(run.read_bytes()))


@pytest.mark.few(6)
@pytest.mark.parametrize("kind", ["judgments", "run"])
@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_a_wrong_value_is_found_in_every_format(tmp_path, form, suffix, kind):
    rows, columns = {"judgments": (QRELS, QRELS_COLUMNS), "run": (RUN, RUN_COLUMNS)}[kind]
    wrong = [rows[0], (*rows[1][:2], "high"), *rows[2:]]
    if form in OF_COLUMNS:
        wrong = [(query, doc, str(value)) for query, doc, value in wrong]
    path = write_as(tmp_path / "file", form, wrong, columns, suffix)
    pair = (path, make_run(RUN)) if kind == "judgments" else (make_qrels(QRELS), path)
    place = f"{path} {FORMATS[form][1]}".strip()
    with pytest.raises(sqlmetrics.InputError) as refused:
        score(*pair)
    message = f"{place}: {columns[-1]} 'high' for document {rows[1][1]} of query q1;"
    assert str(refused.value).startswith(message)


@pytest.mark.few(2)
@pytest.mark.parametrize("form", FORMATS)
def test_all_but_files_of_columns_may_come_from_a_text_file(tmp_path, form):
    if form not in OF_COLUMNS and "UTF-16" not in form:  # which its text file has decoded
        qrels = write_as(tmp_path / "qrels", form, QRELS, QRELS_COLUMNS)
        with qrels.open(encoding="utf-8") as file:
            assert_same(file, io.StringIO(FORMATS[form][0](RUN, RUN_COLUMNS)))


def test_text_is_read_in_the_encoding_of_its_file(tmp_path):
    rows = [("größe", "ä", 1.0)]
    (tmp_path / "run").write_text(write_trec_run(rows), encoding="latin-1")
    with (tmp_path / "run").open(encoding="latin-1") as file:
        assert_same(make_qrels(rows), file, rows, rows)


@pytest.mark.parametrize("make_name", [str, Path])
def test_a_pipe_is_read_once(tmp_path, make_name):
    pipe = tmp_path / "run"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=[write_trec_run(RUN)])
    writer.start()
    assert_same(make_qrels(QRELS), make_name(pipe))
    writer.join()


@pytest.mark.parametrize("form", ["file", "pipe", "text"])
def test_a_stream_of_both_judgments_and_run_is_read_once(tmp_path, form):
    rows = "query_id,relevance,score\nq,0,2\nq,1,1\n"
    given = tmp_path / "both"
    if form == "pipe":
        os.mkfifo(given)
        Thread(target=given.write_text, args=[rows]).start()
    elif form == "file":
        given.write_text(rows)
        given = given.open("rb")
    else:
        given = io.StringIO(rows)
    assert sqlmetrics.evaluate(given, metrics="RR")["RR"] == 1 / 2


@pytest.mark.few(2)
@pytest.mark.parametrize("form", ["CSV", "TREC", "JSON dict over lines", "Parquet"])
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_a_url_is_read_by_the_file_system_of_the_connection(tmp_path, con, form, suffix):
    memory = fsspec.filesystem("memory")
    for name, rows, columns in (("qrels", QRELS, QRELS_COLUMNS), ("run", RUN, RUN_COLUMNS)):
        memory.pipe(f"/{name}", write_as(tmp_path / name, form, rows, columns, suffix).read_bytes())
    con.register_filesystem(memory)
    assert_same("memory://qrels", "memory://run", con=con)
    if form == "Parquet" and not suffix:
        memory.copy("/run", "/run.parquet")
        assert_same("memory://qrels", "memory://run.parquet", con=con)
    with pytest.raises(sqlmetrics.InputError, match="No file at memory://nowhere"):
        score("memory://nowhere", "memory://run", con=con)
    con.execute("SET lock_configuration = true")
    assert_same("memory://qrels", "memory://run", con=con)


DISTANCES = [(query, doc, 10.0 - value) for query, doc, value in RUN]


@pytest.mark.few(3)
@pytest.mark.parametrize("form", ["csv", "parquet", "dicts", "polars"])
@pytest.mark.parametrize("column", ["distance", "Distance", "dist", "l2"])
def test_the_smallest_distance_comes_first(tmp_path, column, form):
    columns = ("query_id", "doc_id", column)
    run = {
        "dicts": lambda: iter(list_records(DISTANCES, columns)),
        "polars": lambda: make_frame(DISTANCES, columns),
    }.get(form, lambda: save_as(tmp_path, form, DISTANCES, columns))()
    given = {"columns": {"distance": "l2"}} if column == "l2" else {}
    found = sqlmetrics.evaluate(make_qrels(QRELS), run, METRICS, **given)
    assert_frame_equal(found.per_query.drop("run_id"), score_rows(tuple(QRELS), tuple(RUN)))
    assert "score from distance, the smallest first" in found.notes[0]


def test_scores_and_ranks_come_before_distances():
    rows = make_run(RUN)
    assert_same(make_qrels(QRELS), rows.with_columns(distance="score"))
    by_score = pl.struct(pl.col("score"), pl.col("doc_id"))
    place = by_score.rank("ordinal", descending=True).over("query_id")
    assert_same(
        make_qrels(QRELS),
        rows.select("query_id", "doc_id", rank=place, distance="score"),
        run_rows=rows.with_columns(score=-place.cast(pl.Float64)).rows(),
    )


def test_columns_without_header_can_be_given_by_number(tmp_path):
    run = save(tmp_path / "run", "".join(f"{q}\t{d}\t{n}\n" for n, (q, d, _) in enumerate(RUN, 1)))
    qrels = save(tmp_path / "qrels", write_trec_qrels(QRELS).replace(" ", "\t"))
    ranked = [(query, doc, -number) for number, (query, doc, _) in enumerate(RUN)]
    assert_same(qrels, run, run_rows=ranked, columns={"query_id": 1, "doc_id": 2, "rank": 3})
    rows = save(tmp_path / "rows", "".join(f"{value};{d};{q}\n" for q, d, value in QRELS))
    places = {"query_id": 3, "doc_id": 2, "relevance": 1}
    assert_same(rows, make_run(RUN), columns=places)


def test_a_score_of_beir_judgments_is_the_relevance(tmp_path):
    qrels = write_delimited(QRELS, ["query-id", "corpus-id", "score"], "\t")
    assert_same(save(tmp_path / "qrels", qrels), make_run(RUN))


def test_trec_text_may_have_a_header(tmp_path):
    qrels = "query_id iteration doc_id relevance\n" + write_trec_qrels(QRELS)
    run = "query_id Q0 doc_id rank score tag\n" + write_trec_run(RUN)
    assert_same(save(tmp_path / "qrels", qrels), save(tmp_path / "run", run))


def test_rows_skipped_as_comments_are_noted(tmp_path):
    qrels = save(tmp_path / "qrels.txt", "# q d 1\n" + write_trec_qrels(QRELS) + "#q9 0 d 1\n")
    run = save(tmp_path / "run.txt", "# a run of mine\n" + write_trec_run(RUN))
    found = sqlmetrics.evaluate(qrels, run, "AP")
    assert "q9" not in found.per_query["query_id"]
    told = f"{qrels}: skipped lines that begin with # as comments, such as '#q9 0 d 1'"
    assert [note for note in found.notes if "#" in note] == [told]


def test_judgments_and_runs_of_ntcir_are_read(tmp_path):
    qrels = save(tmp_path / "www.qrels", b"1 x L0\n1 y L2\n1 z L1\n2 x L1\n")
    lines = "<SYSDESC>BM25, and BERT on top</SYSDESC>\n1 0 z 1 3.5 A\n1 0 y 2 2.5 A\n2 0 x 1 1 A\n"
    run = save(tmp_path / "run", lines.encode())
    found = sqlmetrics.evaluate(qrels, run, "RR(rel=2)", grades={"L0": 0, "L1": 1, "L2": 2})
    assert found.per_query.columns[-1:] == ["RR(rel=2)"]
    assert found.per_query["RR(rel=2)"].to_list() == [1 / 2, 0]
    assert any("skipped lines that begin with < as comments" in note for note in found.notes)
    with pytest.raises(sqlmetrics.InputError, match="seems to have no header"):
        sqlmetrics.evaluate(qrels, run, "RR")


def test_a_uuid_is_the_id_of_a_document():
    frame = make_frame(QRELS, ["qid", "uuid", "relevance"]).with_columns(text=pl.lit("x"))
    assert_same(frame, make_run(RUN))
    for name in ("product_id", "document_id", "chunk_id"):  # a row may have one, too
        own = frame.rename({"uuid": name}).with_row_index("uuid")
        assert_same(own, make_run(RUN))


def test_a_stream_of_arrow_is_read(tmp_path):
    path = tmp_path / "data.arrow"
    make_frame(QRELS, QRELS_COLUMNS).write_ipc_stream(path)
    assert_same(path, make_run(RUN))


def test_preferences_of_trec_eval_have_five_columns(tmp_path):
    rows = [("u", "a", 3.0), ("u", "b", 2.0), ("v", "b", 1.5), ("v", "a", 0.5), ("v", "c", 1.0)]
    text = "".join(f"q {group} first {doc} {level}\n" for group, doc, level in rows)
    qrels = save(tmp_path / "prefs.txt", f"# user and order\n{text}")
    frame = pl.DataFrame(rows, ["subtopic", "doc_id", "relevance"], orient="row")
    frame = frame.with_columns(query_id=pl.lit("q"))
    run = make_run([("q", "c", 3.0), ("q", "a", 2.0), ("q", "b", 1.0)])
    found = sqlmetrics.evaluate(qrels, run, "all_prefs").mean
    assert found.equals(sqlmetrics.evaluate(frame, run, "all_prefs").mean)
    assert found["prefs_num_prefs_poss"].item() == 4
    assert found["prefs_num_prefs_ful"].item() == 2  # a before b of u, c before a of v


def test_a_trec_file_may_consist_of_one_line(tmp_path):
    qrels = save(tmp_path / "qrels.txt", "q1 0 d1 1")
    run = save(tmp_path / "run.txt", "q1 Q0 d1 1 0.5 tag")
    assert_same(qrels, run, [("q1", "d1", 1)], [("q1", "d1", 0.5)])


@pytest.mark.few(1)
@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize(
    "name",
    [
        "it's",
        "my run",
        "run[1]",
        "a*b",
        "what?",
        "a{b,c}",
        "50%25",
        "a;b",
        "größe",
        "$HOME",
        "-m",
        "a'; DROP TABLE x; --",
        "qrels",
        "_run",
    ],
)
def test_a_file_may_have_any_name(tmp_path, form, name):
    for decoy in ("run1", "axb", "whatx", "ab", "ac"):
        save_as(tmp_path, form, OTHER_RUN, RUN_COLUMNS).rename(tmp_path / f"{decoy}.{form}")
    run = tmp_path / f"{name}.{form}"
    save_as(tmp_path, form, RUN, RUN_COLUMNS).rename(run)
    assert_same(make_qrels(QRELS), run)
    assert_same(make_qrels(QRELS), str(run))


@pytest.mark.few(1)
@pytest.mark.parametrize("form", ["csv", "parquet"])
@pytest.mark.parametrize("folder", ["score=1", "run_id=x", "[a]*", "it's"])
def test_a_folder_may_have_any_name(tmp_path, form, folder):
    (tmp_path / folder).mkdir()
    run = save_as(tmp_path / folder, form, RUN, RUN_COLUMNS)
    scores = score(make_qrels(QRELS), run)
    assert scores["run_id"].unique().to_list() == ["score"]
    assert_same(make_qrels(QRELS), run)


def test_a_relative_path_and_the_home_folder_are_understood(tmp_path, monkeypatch):
    save_csv_pair(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert_same("relevance.csv", "./score.csv")
    assert_same("~/relevance.csv", Path("~/score.csv"))


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("bm25.csv", "bm25"),
        ("bm25.csv.gz", "bm25"),
        ("bm25.tsv", "bm25"),
        ("bm25.CSV.GZ", "bm25"),
        ("bm25.v2.csv", "bm25.v2"),
        ("bm25", "bm25"),
        *((f"bm25{suffix}", "bm25") for suffix in (".txt", ".trec", ".trec.gz", ".txt.gz")),
    ],
)
def test_a_run_is_called_by_its_file_and_not_its_tag(tmp_path, file, name):
    is_trec = ".t" in file and "tsv" not in file
    content = write_trec_run(RUN) if is_trec else write_delimited(RUN, RUN_COLUMNS)
    run = save(tmp_path / file, content)
    assert sqlmetrics.evaluate(make_qrels(QRELS), run, "AP").mean["run_id"].to_list() == [name]


# Tables


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", ["TABLE", "VIEW", "TEMP TABLE", "TEMP VIEW"])
def test_tables_and_views_are_taken_by_name(con, kind):
    fill(con, kind=kind)
    assert_same("qrels", "run", con=con)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ("lab.qrels", "lab.run"),
        ("memory.lab.qrels", "memory.lab.run"),
        ('"my qrels"', '"my run"'),
        ('lab."my qrels"', 'lab."my run"'),
        ('"it\'s"', '"a.b"'),
        ("QRELS", "Run"),
        ('"select"', '"order"'),
        ("_qrels", "_run"),
        ("_judged", "judged"),
        ("j", "_r"),
        ("ranked", "rank"),
        ("_scores_1", "_counted"),
        ("coverage", "run_id"),
        ("retrieved", "k"),
        ('"x; DROP TABLE run"', '"a\'; DROP TABLE x; --.csv"'),
        ("csv", "txt"),
    ],
)
def test_a_table_may_have_any_name(con, qrels, run):
    con.execute("CREATE SCHEMA lab")
    fill(con, qrels, run)
    assert_same(qrels, run, con=con)


@pytest.mark.few(2)
@pytest.mark.parametrize("table", ["main.run", "lab.RUN", '"run"', "memory.main.run", "run"])
def test_a_run_is_called_by_its_table_without_the_schema(con, table):
    con.execute("CREATE TABLE run AS SELECT 'q1' AS query_id, 'a' AS doc_id, 1 AS score")
    con.execute("CREATE SCHEMA lab; CREATE TABLE lab.run AS FROM run")
    mean = sqlmetrics.evaluate({"q1": {"a": 1}}, table, "AP", con=con).mean
    assert mean["run_id"].str.to_lowercase().to_list() == ["run"]


def test_tables_of_the_same_name_in_two_schemas_are_distinct(con):
    con.execute("CREATE TABLE run AS SELECT 'q1' AS query_id, 'a' AS doc_id, 1 AS score")
    con.execute("CREATE SCHEMA lab; CREATE TABLE lab.run AS FROM run")
    mean = sqlmetrics.evaluate({"q1": {"a": 1}}, ["run", "lab.run"], "AP", con=con).mean
    assert mean["run_id"].to_list() == ["run", "lab.run"]


def test_a_name_with_a_blank_needs_no_quotes(con):
    fill(con, '"my qrels"', '"my run"')
    assert_same("my qrels", "my run", con=con)


def test_a_file_is_not_taken_for_a_table_that_is_called_like_its_suffix(tmp_path, con):
    fill(con, "csv", "score")
    assert_same(*map(str, save_csv_pair(tmp_path)), con=con)


def test_a_run_is_called_by_its_table(con):
    fill(con, run="bm25")
    assert sqlmetrics.evaluate("qrels", "bm25", "AP", con=con).mean["run_id"].to_list() == ["bm25"]


def test_tables_of_a_read_only_database_are_scored(tmp_path):
    with duckdb.connect(tmp_path / "lab.db") as con:
        fill(con)
    with duckdb.connect(tmp_path / "lab.db", read_only=True) as con:
        assert_same("qrels", "run", con=con)


def test_tables_of_an_attached_database_are_scored(tmp_path, con):
    with duckdb.connect(tmp_path / "lab.db") as writer:
        fill(writer)
    con.execute(f"ATTACH '{tmp_path / 'lab.db'}' AS lab (READ_ONLY)")
    assert_same("lab.qrels", "lab.run", con=con)
    con.execute("USE lab")
    assert_same("qrels", "run", con=con)


def test_tables_of_an_open_transaction_are_scored_and_can_be_rolled_back(con):
    con.begin()
    fill(con)
    assert_same("qrels", "run", con=con)
    con.rollback()
    assert list_relations(con) == {}


def test_a_cursor_is_as_good_as_a_connection(con):
    fill(con)
    assert_same("qrels", "run", con=con.cursor())


def test_frames_registered_on_the_connection_are_taken_by_name(con):
    con.register("judged_by_hand", make_pandas(QRELS, QRELS_COLUMNS))
    con.register("bm25", make_pandas(RUN, RUN_COLUMNS))
    assert_same("judged_by_hand", "bm25", con=con)


def test_files_and_frames_are_read_on_the_users_connection_too(tmp_path, con):
    qrels, run = save_csv_pair(tmp_path)
    assert_same(qrels, make_frame(RUN, RUN_COLUMNS), con=con)
    assert_same(make_pandas(QRELS, QRELS_COLUMNS), str(run), con=con)


def test_settings_of_the_users_connection_do_not_change_scores(con):
    con.execute(
        "SET default_null_order = 'nulls_first'; SET default_order = 'DESC'; SET threads = 1"
    )
    fill(con)
    assert_same("qrels", "run", con=con)


def test_a_collation_of_the_users_connection_does_not_make_ids_equal(con):
    con.execute("SET default_collation = 'NOCASE'")
    qrels = [("q", "A", 1), ("q", "a", 0), ("q", "B", 1), ("q", "b", 0)]
    run = [(query, doc, 1.0) for query, doc, _ in qrels]
    assert_same(make_qrels(qrels), make_run(run), qrels, run, con=con)


def test_queries_of_the_user_on_the_connection_still_work(con):
    fill(con)
    con.execute("FROM qrels").fetchall()
    assert_same("qrels", "run", con=con)
    assert con.execute("SELECT count(*) FROM run").fetchone() == (len(RUN),)


@pytest.mark.thorough
def test_the_users_tables_stay_as_they_were(tmp_path, con):
    fill(con)
    csv_qrels, csv_run = save_csv_pair(tmp_path)
    before = list_relations(con)
    for qrels in ("qrels", csv_qrels, make_qrels(QRELS)):
        for run in ("run", csv_run, make_pandas(RUN, RUN_COLUMNS), {"a": "run", "b": csv_run}):
            sqlmetrics.evaluate(qrels, run, METRICS, con=con)
            assert list_relations(con) == before


WRONG = {
    "table": lambda _: "nowhere",
    "frame": lambda _: make_qrels(QRELS),
    "value": lambda folder: save(folder / "run.csv", "query_id,doc_id,score\nq1,d1,high\n"),
    "line": lambda folder: save(folder / "run.csv", "query_id,doc_id,score\nq1,d1\n"),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("in_transaction", [False, True], ids=["", "in transaction"])
def test_nothing_is_left_when_the_input_is_wrong(tmp_path, con, wrong, in_transaction):
    fill(con)
    before = list_relations(con)
    if in_transaction:
        con.begin()
    runs = {"good": "run", "frame": make_run(RUN), "wrong": wrong(tmp_path)}
    with pytest.raises(sqlmetrics.InputError):
        sqlmetrics.evaluate("qrels", runs, METRICS, con=con)
    if in_transaction:
        con.rollback()
    assert list_relations(con) == before
    assert_same("qrels", "run", con=con)


def test_zstandard_is_read(tmp_path):
    csv_qrels, csv_run = save_csv_pair(tmp_path)
    for path in (csv_qrels, csv_run):
        duckdb.sql(f"FROM read_csv('{path}', all_varchar = true)").write_csv(
            f"{path}.zst", compression="zstd"
        )
    assert_same(f"{csv_qrels}.zst", f"{csv_run}.zst")


class Streamed:
    """A frame of a library that we do not know: it hands out its rows, and only once."""

    def __init__(self, frame):
        self.frame = frame

    def __iter__(self):
        return self

    def __next__(self):
        raise AssertionError("these are batches, not rows")

    def __arrow_c_stream__(self, requested_schema=None):
        frame, self.frame = self.frame, None
        return frame.__arrow_c_stream__(requested_schema)


def make_relation(rows, columns):
    names = ", ".join('"' + column.replace('"', '""') + '"' for column in columns)
    return duckdb.sql(f"SELECT * FROM (VALUES {', '.join(map(repr, rows))}) t({names})")


def add_vector(rows, columns):
    return make_frame(rows, columns).with_columns(vector=pl.lit([0.5, 0.25]))


Row = namedtuple("Row", "query_id doc_id value")
Judgment = namedtuple("Judgment", "query_id doc_id relevance iteration")
Scored = namedtuple("Scored", "query_id doc_id score")


# id: what is made of rows and columns
OBJECTS = {
    "polars": lambda rows, columns: make_frame(rows, columns),
    "pandas": lambda rows, columns: make_pandas(rows, columns),
    "dict": lambda rows, columns: nest(rows),
    "dict of numpy numbers": lambda rows, columns: nest([(q, d, np.float64(v)) for q, d, v in rows]),
    "dict of text": lambda rows, columns: nest([(q, d, str(v)) for q, d, v in rows]),
    "list of records": lambda rows, columns: list_records(rows, columns),
    "pandas, by ids": lambda rows, columns: make_pandas(rows, columns).set_index([*columns[:-1]]),
    "generator of records": lambda rows, columns: iter(list_records(rows, columns)),
    "stream": lambda rows, columns: Streamed(make_frame(rows, columns)),
    "relation": lambda rows, columns: make_relation(rows, columns),
    "lazy": lambda rows, columns: make_frame(rows, columns).lazy(),
    "arrow": lambda rows, columns: Table.from_arrow(make_frame(rows, columns)),
    "reader of arrow": lambda rows, columns: RecordBatchReader.from_stream(make_frame(rows, columns)),
    "batch of arrow": lambda rows, columns: Table.from_arrow(make_frame(rows, columns)).to_batches()[0],
    "polars, of categories": lambda rows, columns: make_frame(rows, columns).with_columns(
        pl.col("query_id", "doc_id").cast(pl.Categorical)
    ),
    **{
        f"pandas, of {text}": lambda rows, columns, text=text: make_pandas(rows, columns).astype(
            {"query_id": text, "doc_id": text}
        )
        for text in ("object", "category", "string", "str")
    },
    "pandas, of an index that repeats": lambda rows, columns: make_pandas(rows, columns).set_index(
        pd.Index([0] * len(rows))
    ),
    "polars, beside vectors": lambda rows, columns: add_vector(rows, columns),
    "pandas, beside vectors": lambda rows, columns: add_vector(rows, columns).to_pandas(),
    "named tuples": lambda rows, columns: [
        Scored(*row) if columns[-1] == "score" else Judgment(*row, 0) for row in rows
    ],
    "ir_measures": lambda rows, columns: (
        ir_measures.read_trec_run(write_trec_run(rows))
        if columns[-1] == "score"
        else ir_measures.read_trec_qrels(write_trec_qrels(rows))
    ),
}  # fmt: skip


@pytest.mark.few(4)
@pytest.mark.parametrize("make", OBJECTS.values(), ids=OBJECTS)
def test_objects_of_notebooks_give_the_same_scores(make):
    assert_same(make(QRELS, QRELS_COLUMNS), make(RUN, RUN_COLUMNS))
    assert_same(make(QRELS, QRELS_COLUMNS), {"bm25": make(RUN, RUN_COLUMNS)})
    assert_same(make_qrels(QRELS), make(RUN, RUN_COLUMNS))


def test_a_dataset_is_asked_for_its_judgments():
    rows = [Judgment(*row, 0) for row in QRELS]
    assert_same(SimpleNamespace(qrels_iter=lambda: iter(rows)), make_run(RUN))


def test_columns_of_named_tuples_may_be_named():
    rows = [Row(*row) for row in RUN]
    assert_same(make_qrels(QRELS), rows, columns={"score": "value"})


def test_ids_may_be_whole_numbers_on_one_side_and_text_on_the_other():
    rows = [("1", "2", 1.0), ("1", "3", 2.0)]
    numbers = nest([(int(query), int(doc), value) for query, doc, value in rows])
    assert_same(numbers, nest(rows), rows, rows)
    assert_same(nest(rows), make_pandas(rows, RUN_COLUMNS).astype({"doc_id": "Int64"}), rows, rows)


@pytest.mark.parametrize("kind", ["of con", "of another connection", "of none"])
def test_relations_are_read_wherever_they_are_from(con, kind):
    other = con if kind == "of con" else duckdb.connect()
    fill(other)
    relations = other.sql("FROM qrels"), other.sql("SELECT * FROM run ORDER BY score")
    assert_same(*relations, **({} if kind == "of none" else {"con": con}))


@pytest.mark.parametrize("make", ["lazy", "relation"])
def test_only_the_columns_that_count_are_read(make):
    if make == "lazy":
        run = make_run(RUN).lazy().with_columns(broken=pl.col("doc_id").cast(pl.Int64))
    else:
        run = make_relation(RUN, RUN_COLUMNS).project("*, error('read') AS broken")
    assert_same(make_qrels(QRELS), run)


# Lists of ids

RELEVANT = {"1": ["a", "b"], "2": ["c"], "3": ["z"]}
RETRIEVED = {"1": ["b", "x", "a"], "2": ["y", "c"], "3": []}
SCORES = [[0.9, 0.5, 0.1], [5.0, 4.0], []]
RELEVANT_ROWS = [(query, doc, 1) for query, ids in RELEVANT.items() for doc in ids]
RETRIEVED_ROWS = [
    (query, doc, -place) for query, ids in RETRIEVED.items() for place, doc in enumerate(ids)
]


def assert_same_lists(relevant, retrieved, **arguments):
    assert_same(relevant, retrieved, RELEVANT_ROWS, RETRIEVED_ROWS, **arguments)


def make_lists(relevant="expected_ids", retrieved="retrieved_ids", query_id="query_id"):
    lists = RELEVANT.values(), RETRIEVED.values()
    return pl.DataFrame({query_id: [*RELEVANT], relevant: [*lists[0]], retrieved: [*lists[1]]})


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("of_relevant", "of_retrieved"),
    [
        (list, list), (set, tuple), (frozenset, np.array), (np.array, pl.Series),
        (pl.Series, lambda ids: pd.Series(ids, dtype=str)),
    ],
)  # fmt: skip
def test_lists_of_ids_are_what_is_relevant_and_a_ranking(of_relevant, of_retrieved):
    relevant = {query: of_relevant(ids) for query, ids in RELEVANT.items()}
    retrieved = {query: of_retrieved(ids) for query, ids in RETRIEVED.items()}
    assert_same_lists(relevant, retrieved)
    assert_same_lists(relevant, {"bm25": retrieved})
    assert_same_lists(nest(RELEVANT_ROWS), retrieved)
    assert_same_lists(relevant, nest(RETRIEVED_ROWS))


def test_lists_of_whole_numbers_are_ids():
    numbers = {query: [*map(ord, ids)] for query, ids in RETRIEVED.items()}
    texts = {query: [str(ord(id)) for id in ids] for query, ids in RELEVANT.items()}
    rows = [(q, str(ord(d)), v) for q, d, v in RELEVANT_ROWS]
    assert_same(texts, numbers, rows, [(q, str(ord(d)), v) for q, d, v in RETRIEVED_ROWS])


# id: where one table has both lists of each query
TABLES_OF_LISTS = {
    "polars": lambda frame, path: frame,
    "lazy": lambda frame, path: frame.lazy(),
    "pandas": lambda frame, path: pd.DataFrame(frame.to_dict(as_series=False)),
    "arrow": lambda frame, path: Table.from_arrow(frame),
    "relation": lambda frame, path: duckdb.read_parquet([frame.write_parquet(path) or str(path)]),
    "records": lambda frame, path: iter(frame.to_dicts()),
    "Parquet": lambda frame, path: frame.write_parquet(path) or path,
    "JSON lines": lambda frame, path: frame.write_ndjson(path) or path,
    "JSON array": lambda frame, path: frame.write_json(path) or path,
}


@pytest.mark.few(6)
@pytest.mark.parametrize("form", TABLES_OF_LISTS)
@pytest.mark.parametrize(
    "names",
    [
        ("relevant", "retrieved", "query_id"),
        ("expected_ids", "retrieved_ids", "query"),
        ("reference_context_ids", "retrieved_context_ids", "user_input"),
    ],
)
def test_a_table_may_have_a_list_of_ids_for_each_query(tmp_path, form, names):
    make = TABLES_OF_LISTS[form]
    frames = [make(make_lists(*names), tmp_path / f"{number}") for number in range(2)]
    assert_same_lists(*frames)


@pytest.mark.few(3)
@pytest.mark.parametrize("form", TABLES_OF_LISTS)
@pytest.mark.parametrize(("column", "sign"), [("scores", 1), ("distances", -1)])
def test_lists_may_have_a_score_or_a_distance_for_each_id(tmp_path, form, column, sign):
    values = [[sign * score for score in scores] for scores in SCORES]
    retrieved = [[*ids[1:2], *ids[:1], *ids[2:]] for ids in RETRIEVED.values()]  # values decide
    frame = pl.DataFrame({"query_id": [*RETRIEVED], "doc_ids": retrieved})
    values = [[*each[1:2], *each[:1], *each[2:]] for each in values]
    frame = frame.with_columns(pl.Series(column, values))
    assert_same_lists(RELEVANT, TABLES_OF_LISTS[form](frame, tmp_path / "run"))


AGAINST = [("b", 0.1), ("x", 0.1), ("y", 0.2), ("z", 0.2), ("a", 0.3)]
IN_LISTS = {
    "pairs": lambda held, of, folder: held,
    "hits": lambda held, of, folder: {
        query: [{"id": id, of: value, "entity": {"page": 1}} for id, value in pairs]
        for query, pairs in held.items()
    },
    "JSON lines": lambda held, of, folder: save_lines(
        folder,
        "run",
        *(
            {"query": query, "results": [{"doc_id": id, of: value} for id, value in pairs]}
            for query, pairs in held.items()
        ),
    ),
    "lists": lambda held, of, folder: pl.DataFrame(
        {
            "query_id": [*held],
            "doc_ids": [[id for id, _ in pairs] for pairs in held.values()],
            of: [[value for _, value in pairs] for pairs in held.values()],
        }
    ),
}


@pytest.mark.parametrize(
    ("form", "of"),
    [("pairs", "score"), *((form, of) for form in [*IN_LISTS][1:] for of in ("score", "distance"))],
)
def test_the_order_of_lists_ranks_where_all_values_are_against_it(tmp_path, form, of):
    sign = {"score": 1, "distance": -1}[of]
    qrels = {"q1": {"a": 1}, "q2": {"c": 1}, "q3": {"a": 1}}

    def evaluate(*, last):
        held = {"q1": AGAINST, "q2": [("c", 0.5)], "q3": [("b", 0.2), last]}
        held = {query: [(id, sign * value) for id, value in each] for query, each in held.items()}
        found = sqlmetrics.evaluate(qrels, IN_LISTS[form](held, of, tmp_path), "RR")
        return found.per_query["RR"].to_list(), any(
            "along the lists, whose order counts" in n for n in found.notes
        )

    assert evaluate(last=("a", 0.4)) == ([1 / 5, 1, 1 / 2], True)
    # q3 has the order of its values, so these rank: a is the first of q1
    assert evaluate(last=("a", 0.1)) == ([1, 1, 1 / 2], False)


@pytest.mark.parametrize("values", [[0.2, math.nan], [False, True], [0.1, "high"]])
def test_wrong_values_in_lists_are_refused_whatever_their_order(values):
    frame = {"query_id": ["q1"], "doc_ids": [["b", "a"]], "scores": [values]}
    with pytest.raises(sqlmetrics.InputError, match="score"):
        sqlmetrics.evaluate({"q1": {"a": 1}}, pd.DataFrame(frame), "RR")


@pytest.mark.parametrize("values", [[0.2] * 6, [0.1, 0.2, 0.3, 0.4, 0.5]])
def test_equal_or_few_values_in_lists_are_not_against_their_order(values):
    run = {"q1": [*zip("bcdefa"[-len(values) :], values, strict=True)]}
    found = sqlmetrics.evaluate({"q1": {"a": 1}}, run, "RR", ties="ascending")
    assert (found["RR"], found.notes) == (1, ())


def test_objects_in_a_cell_are_refused_with_the_line_that_makes_json_lines(tmp_path):
    cells = [
        [{"SKU": "a", "SCORE": 0.3}, {"SKU": "b", "SCORE": 0.1}],
        [{"SKU": "c", "SCORE": 0.2}, {"SKU": "d", "SCORE": 0.4}],
    ]
    texts = [json.dumps(cells[0], indent=2), json.dumps(cells[1])]
    path = tmp_path / "run.csv"
    pl.DataFrame({"QUERY_ID": ["q1", "q2"], "RESULTS": texts}).write_csv(path)
    qrels = {"q1": {"a": 1}, "q2": {"c": 1}}
    with pytest.raises(sqlmetrics.InputError, match="RESULTS holds objects as text") as refused:
        sqlmetrics.evaluate(qrels, path, "RR")
    line = str(refused.value).partition("DuckDB: ")[2]
    lines = tmp_path / "run.jsonl"
    duckdb.sql(line.replace("….csv", str(path)).replace("x.jsonl", str(lines)))
    # the scores rank a before b, and c after d
    assert sqlmetrics.evaluate(qrels, lines, "RR").per_query["RR"].to_list() == [1, 1 / 2]


def test_the_relevance_of_a_row_is_that_of_all_documents_in_its_list():
    rows = [("1", "a", 2), ("1", "b", 2), ("1", "x", 1)]
    frame = pl.DataFrame(
        {"query_id": ["1", "1"], "doc_ids": [["a", "b"], ["x"]], "relevance": [2, 1]}
    )
    assert_same(frame, RETRIEVED, rows, RETRIEVED_ROWS)


def test_a_json_object_may_hold_a_list_for_each_query(tmp_path):
    paths = [tmp_path / name for name in ("qrels", "run")]
    for indent in (None, 2):
        for path, lists in zip(paths, (RELEVANT, RETRIEVED), strict=True):
            path.write_text(json.dumps(lists, indent=indent), encoding="utf-8")
        assert_same_lists(*paths)


def test_the_first_list_of_json_lines_may_be_null(tmp_path):
    path = tmp_path / "run.jsonl"
    lines = [{"query_id": query, "retrieved": ids or None} for query, ids in RETRIEVED.items()]
    path.write_text("\n".join(map(json.dumps, lines[::-1])), encoding="utf-8")
    assert_same_lists(RELEVANT, path)


def test_tables_of_lists_are_taken_by_name(con):
    con.register("frame", make_lists().to_arrow())
    con.execute("CREATE TABLE lists AS FROM frame")
    assert_same_lists("lists", "lists", con=con)


# Frames


def test_a_rare_value_of_another_type_in_a_pandas_column_keeps_its_value():
    documents = [*range(2999), "01"]
    run = pd.DataFrame({"query_id": "q", "doc_id": documents, "score": [0.0] * 2999 + [1.5]})
    run["score"] = run["score"].astype(object)
    qrels = pd.DataFrame({"query_id": "q", "doc_id": documents, "relevance": [0] * 2999 + [1.5]})
    qrels["relevance"] = qrels["relevance"].astype(object)
    scores = sqlmetrics.evaluate(qrels, run, "DCG NumRel(rel=2) RR NumRelRet").per_query
    assert scores.row(0)[2:] == (1.5, 0, 1, 1)


@pytest.mark.parametrize("step", [-1, 2])
def test_a_pandas_frame_may_be_a_view_of_another(step):
    run = make_pandas(RUN, RUN_COLUMNS).astype({"doc_id": "category"}).iloc[::step]
    assert_same(make_qrels(QRELS), run, run_rows=RUN[::step])


@pytest.mark.parametrize("large", [2**64, 2**70, 2**200])
@pytest.mark.parametrize("make", [pd.DataFrame, lambda rows: rows])
def test_numbers_beyond_64_bits_are_read(make, large):
    qrels = make(
        [{"query_id": "q", "doc_id": d, "relevance": r} for d, r in {"a": large, "b": 1}.items()]
    )
    run = make(
        [{"query_id": "q", "doc_id": d, "score": s} for d, s in {"b": 1, "a": large}.items()]
    )
    topics = make([{"query_id": "q", "traffic": large}, {"query_id": "r", "traffic": 1}])
    assert sqlmetrics.evaluate(qrels, run, "nDCG")["nDCG"] == 1
    scores = sqlmetrics.evaluate(qrels, run, "nDCG", topics=topics, by="traffic")
    assert scores.per_query["traffic"].to_list() == [str(large)]


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "dtype",
    [
        *(pl.Int8, pl.UInt32, pl.Float32, pl.Decimal(10, 2), pl.String),
        *("Int64", "Float64", "float32", "object", "category"),
    ],
)
def test_relevance_may_be_of_any_number_type(dtype):
    if isinstance(dtype, str):
        qrels = make_pandas(QRELS, QRELS_COLUMNS).astype({"relevance": dtype})
    else:
        qrels = make_qrels(QRELS).cast({"relevance": dtype})
    assert_same(qrels, make_run(RUN))


def test_relevance_may_be_true_or_false():
    rows = [(query, doc, relevance > 0) for query, doc, relevance in QRELS]
    assert_same(make_frame(rows, QRELS_COLUMNS), make_run(RUN), rows)


# Several runs


def test_several_runs_are_a_list_a_tuple_or_a_dict(tmp_path):
    (tmp_path / "bm25.csv").write_text(write_delimited(RUN, RUN_COLUMNS))
    (tmp_path / "neural.txt").write_text(write_trec_run(OTHER_RUN))
    paths = [tmp_path / "bm25.csv", str(tmp_path / "neural.txt")]
    assert_same_runs(make_qrels(QRELS), paths)
    assert_same_runs(make_qrels(QRELS), tuple(paths))
    assert_same_runs(make_qrels(QRELS), {"x": paths[0], "it's": paths[1]}, "x", "it's")


@pytest.mark.few(2)
@pytest.mark.parametrize("form", ["csv", "tsv.gz", "parquet", "frame", "pandas", "table"])
def test_several_runs_can_be_in_one_input(tmp_path, con, form):
    rows = [(*row, "bm25") for row in RUN] + [(*row, "neural") for row in OTHER_RUN]
    run = give(form, rows, [*RUN_COLUMNS, "run_id"], tmp_path, con)
    assert_same_runs(make_qrels(QRELS), run, con=con)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "runs").mkdir()
    save(tmp_path / "runs" / "bm25.csv", write_delimited(RUN, RUN_COLUMNS))
    save(tmp_path / "runs" / "neural.txt.gz", write_trec_run(OTHER_RUN))
    save(tmp_path / "runs" / ".hidden", "no run")
    (tmp_path / "runs" / "more").mkdir()
    return tmp_path / "runs"


@pytest.mark.few(2)
@pytest.mark.parametrize("has_connection", [False, True])
@pytest.mark.parametrize(
    "find", [Path, str, lambda f: str(f / "*.*"), lambda f: f / "*", lambda f: [f / "*[5l].*"]]
)
def test_several_runs_can_be_in_a_folder_or_match_a_pattern(folder, con, find, has_connection):
    assert_same_runs(make_qrels(QRELS), find(folder), con=con if has_connection else None)


def test_files_are_runs_of_their_names(folder):
    with (folder / "bm25.csv").open() as bm25, (folder / "neural.txt.gz").open("rb") as neural:
        assert_same_runs(make_qrels(QRELS), [bm25, neural])


def test_one_run_and_judgments_can_be_split_over_many_files(tmp_path):
    for place in ("qrels", "run"):
        (tmp_path / place).mkdir()
    for number, (judged, row) in enumerate(zip(QRELS, RUN, strict=True)):
        save_as(tmp_path / "qrels", "csv", [judged], QRELS_COLUMNS).rename(
            tmp_path / f"qrels/{number}"
        )
        save(tmp_path / "run" / str(number), write_trec_run([row]))
    assert_same(tmp_path / "qrels", {"x": tmp_path / "run"})
    assert_same(str(tmp_path / "qrels" / "*"), {"x": str(tmp_path / "run" / "[0-9]")})


@pytest.mark.parametrize("names", ["ab", "ba"])
def test_parts_of_a_run_without_run_id_belong_to_the_run_of_that_name(tmp_path, names):
    named = save(
        tmp_path / names[0],
        write_delimited([("neural", *r) for r in OTHER_RUN], ["run_id", *RUN_COLUMNS]),
    )
    save(tmp_path / names[1], write_delimited(RUN, RUN_COLUMNS))
    assert_same_runs(make_qrels(QRELS), {"bm25": tmp_path})
    save(named, "run_id," + write_delimited([("q1", "d1", 1)], RUN_COLUMNS).replace("q1", ",q1"))
    with pytest.raises(sqlmetrics.InputError, match=f"{named} line 2 has no run_id"):
        score(make_qrels(QRELS), {"bm25": tmp_path})


def test_runs_can_be_named_by_the_tags_of_trec_text(tmp_path):
    text = write_trec_run(RUN).replace("tag", "bm25") + write_trec_run(OTHER_RUN).replace(
        "tag", "neural"
    )
    run = save(tmp_path / "run.txt", text)
    assert_same_runs(make_qrels(QRELS), run, run_names="tag")


def test_the_ways_to_give_several_runs_mix(tmp_path, con):
    fill(con, run="bm25")
    neural = save_as(tmp_path, "trec.gz", OTHER_RUN, RUN_COLUMNS)
    assert_same_runs("qrels", {"bm25": "bm25", "neural": neural}, con=con)
    assert_same_runs("qrels", {"bm25": make_frame(RUN, RUN_COLUMNS), "neural": neural}, con=con)
    named = make_frame([("neural", *row) for row in OTHER_RUN], ["run_id", *RUN_COLUMNS])
    assert_same_runs("qrels", ["bm25", named], con=con)


def test_runs_of_the_same_file_name_are_named_by_their_folders(tmp_path):
    paths = []
    for folder, rows in (("a", RUN), ("b", OTHER_RUN)):
        (tmp_path / folder).mkdir()
        paths.append(save_as(tmp_path / folder, "csv", rows, RUN_COLUMNS))
    assert_same_runs(make_qrels(QRELS), paths, *map(str, paths))


# Ids


@pytest.mark.few(2)
@pytest.mark.parametrize("form", ["csv", "trec", "parquet", "frame", "pandas", "table"])
def test_whole_numbers_as_ids_are_ranked_like_text(tmp_path, con, form):
    qrels = [(1, 9, 1), (1, 10, 0), (1, 100, 1)]
    run = [(1, 9, 0.5), (1, 10, 0.5), (1, 100, 0.5)]
    text_qrels, text_run = ([(str(q), str(d), v) for q, d, v in rows] for rows in (qrels, run))
    given = give_pair(form, qrels, run, tmp_path, con)
    assert_same(*given, text_qrels, text_run, con=con)
    assert score(*given, con=con)["RR"].to_list() == [1.0]
    assert score(make_qrels(text_qrels[:2]), make_run(text_run))["RR"].to_list() == [1.0]
    assert_same(given[0], make_run(text_run), text_qrels, text_run, con=con)


@pytest.mark.few(2)
@pytest.mark.parametrize("form", ["csv", "tsv", "trec", "parquet"])
def test_ids_that_are_equal_as_numbers_stay_different(tmp_path, form):
    ids = ["01", "1", "1.0", "1e0", "+1"]
    qrels = [(query, doc, int(query == doc)) for query in ids for doc in ids]
    run = [(query, doc, 0.5) for query in ids for doc in ids]
    given = save_as(tmp_path, form, qrels, QRELS_COLUMNS), save_as(tmp_path, form, run, RUN_COLUMNS)
    assert score(*given)["query_id"].to_list() == sorted(ids)
    assert_same(*given, qrels, run)


PLAIN_IDS = [
    "O'Neil", 'say"hi"', '"quoted"', '"', "''", "a,b", "a;b", "a|b", "größe", "日本語", "e\u0301",
    "🦆", "#1", "\\", "\\n", "%s", "NULL", "null", "None", "nan", "true", "$1", "{}", "A", "a", "-",
    "q:1/2",
]  # fmt: skip
PLAIN_IDS += [
    "01",
    "1",
    "1.0",
    "1e5",
    "100000",
    "NaN",
    "e",
    "é",
    "\u2028",
    "\u00a0",
    "x" * 10_000,
    "\ufeff",
]
BLANK_IDS = [
    "'; DROP TABLE qrels; --",
    "two words",
    " leading",
    "trailing ",
    '"a", "b"',
    "tab\there",
]


IDS = [*PLAIN_IDS[-16:], "NULL", "None", "true", "🦆", "ä", "a\u0308", '"', "a,b", "O'Neil"]


SPACED = [" a", "a ", "a b", "'; DROP TABLE run; --"]


def list_odd_rows(ids):
    """Judgments and a run in which each id is of a query and of a document of each query."""
    return (
        [(query, doc, (n + len(query)) % 3) for query in ids for n, doc in enumerate(ids)],
        [(query, doc, (n * 7 + len(query)) % 5) for query in ids for n, doc in enumerate(ids)],
    )


def assert_as_pytrec_eval(qrels, run, *given):
    """What is given has the scores that pytrec_eval has for these rows, and their ids."""
    expected = pytrec_eval.RelevanceEvaluator(nest(qrels), {"map", "ndcg"}).evaluate(
        nest([(query, doc, float(value)) for query, doc, value in run])
    )
    scores = sqlmetrics.evaluate(*given, "map ndcg").per_query
    assert {row[1] for row in scores.rows()} == {query for query, *_ in qrels}
    for _, query, ap, ndcg in scores.rows():
        known = expected[query]
        assert (ap, ndcg) == pytest.approx((known["map"], known["ndcg"]), abs=1e-12)


@pytest.mark.few(2)
@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
@pytest.mark.parametrize("form", [f for f in FORMATS if not f.startswith("TREC ")])
def test_ids_keep_their_bytes_in_every_format(tmp_path, form, suffix):
    qrels, run = list_odd_rows(IDS if form == "TREC" else [*IDS, *SPACED])
    assert_as_pytrec_eval(
        qrels,
        run,
        write_as(tmp_path / "qrels", form, qrels, QRELS_COLUMNS, suffix),
        write_as(tmp_path / "run", form, run, RUN_COLUMNS, suffix),
    )


@pytest.mark.parametrize("make", [(nest, nest), (make_qrels, make_run)])
def test_ids_keep_their_bytes_in_objects(make):
    rows = list_odd_rows([*IDS, *SPACED])
    assert_as_pytrec_eval(*rows, *(each(some) for each, some in zip(make, rows, strict=True)))


@pytest.mark.few(1)
@pytest.mark.parametrize("form", ["csv", "csv.gz", "tsv", "trec", "parquet", "frame", "pandas"])
def test_ids_may_be_any_text(tmp_path, form):
    docs = PLAIN_IDS if form == "trec" else PLAIN_IDS + BLANK_IDS
    ids = [id for id in docs if form != "trec" or not id.startswith("#")]
    qrels = [(query, doc, number % 3) for query in ids for number, doc in enumerate(docs)]
    run = [(query, doc, 0.5) for query in ids for doc in docs]
    given = give_pair(form, qrels, run, tmp_path, None)
    assert_same(*given, qrels, run)
    assert score(*given)["query_id"].to_list() == sorted(ids)


def test_an_id_cannot_reach_the_users_tables(con):
    fill(con)
    before = list_relations(con)
    attack = "'; DROP TABLE qrels; --"
    qrels, run = make_qrels([(attack, attack, 1)]), make_run([(attack, attack, 1)])
    sqlmetrics.evaluate(qrels, {attack: run}, "AP", con=con)
    with pytest.raises(sqlmetrics.InputError):
        sqlmetrics.evaluate(attack, attack, "AP", con=con)
    assert list_relations(con) == before


# Columns


def with_extra_columns(rows, columns):
    extra = {"k": 3, "run": "x", "qrels": 4, "rank": 1, "line": "y", "text": "z", "hits": 5, "j": 6}
    return [(*extra.values(), *row) for row in rows], [*extra, *columns]


@pytest.mark.few(3)
@pytest.mark.parametrize("form", ["csv", "tsv.gz", "parquet", "frame", "pandas", "table"])
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(with_extra_columns, id="extra columns"),
        pytest.param(lambda rows, columns: ([r[::-1] for r in rows], columns[::-1]), id="reversed"),
        pytest.param(lambda rows, columns: (rows, [c.upper() for c in columns]), id="upper case"),
        pytest.param(lambda rows, columns: (rows, [c.title() for c in columns]), id="title case"),
    ],
)
def test_columns_are_found_by_name_whatever_their_order_case_and_company(
    tmp_path, con, form, change
):
    qrels, run = change(QRELS, QRELS_COLUMNS), change(RUN, RUN_COLUMNS)
    given = (give(form, *each, tmp_path, con) for each in (qrels, run))
    assert_same(*given, con=con)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("names", "note"),
    [
        (["qid", "docno", "sim"], "qid as query_id, docno as doc_id, sim as score"),
        (["Topic ID", "document-id", "SCORE"], "Topic ID as query_id, document-id as doc_id"),
        (["user", "item", "prediction"], "user as query_id, item as doc_id, prediction as score"),
        (["QUERY_ID", "Doc_Id", "Score"], None),
        (["query-id", "corpus-id", "score"], "query-id as query_id, corpus-id as doc_id"),
    ],
)
@pytest.mark.parametrize("form", ["CSV", "JSON lines", "JSON array", "Parquet"])
def test_common_column_names_are_known_and_noted(tmp_path, form, names, note):
    run = write_as(tmp_path / "run", form, RUN, names)
    assert_same(make_qrels(QRELS), run)
    notes = sqlmetrics.evaluate(make_qrels(QRELS), run, "AP").notes
    assert [n for n in notes if ": read " in n] == ([f"{run}: read {note}"] if note else [])


@pytest.mark.few(1)
@pytest.mark.parametrize("also", ["docid", "docno", "query", "item"])
def test_the_more_specific_of_two_names_wins(also):
    run = make_run(RUN).rename({"query_id": "qid"}).with_columns(pl.lit("x").alias(also))
    assert_same(make_qrels(QRELS), run)
    if also != "docno":
        assert_same(make_qrels(QRELS), run.rename({"doc_id": "docno"}))


STRANGE_NAMES = ["k", "j", "rank", "order", "a.b", "a b", 'say "x"', "it's", "x; DROP TABLE t", "älter", "_1", "_line", "1"]  # fmt: skip


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "form", ["CSV", "bars", "JSON lines", "JSON array", "Parquet", "frame", "relation"]
)
def test_columns_may_have_any_name_that_the_user_gives(tmp_path, form):
    for name in STRANGE_NAMES:
        names = ["query_id", name, "score"]
        if form in FORMATS:
            run = write_as(tmp_path / "run", form, RUN, names)
        else:
            run = (make_relation if form == "relation" else make_frame)(RUN, names)
        given = {"doc_id": name} if form == "CSV" else {"run.doc_id": name.upper()}
        assert_same(make_qrels(QRELS), run, columns=given)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_columns_of_the_other_kind_are_ignored(tmp_path, form):
    qrels = [(*row, 0.5, "x") for row in QRELS]
    run = [(*row, 1) for row in RUN]
    qrels = save_as(tmp_path, form, qrels, [*QRELS_COLUMNS, "score", "run_id"])
    qrels = qrels.rename(tmp_path / f"qrels.{form}")
    assert_same(qrels, save_as(tmp_path, form, run, [*RUN_COLUMNS, "relevance"]))


# Without the optional packages

SCRIPT = """
import json, sys
for package in ("pyarrow", "numpy", "pandas"):
    sys.modules[package] = None
import polars as pl
import sqlmetrics
csv_qrels, csv_run, parquet_qrels, parquet_run = sys.argv[1:]
pairs = [(csv_qrels, csv_run), (parquet_qrels, parquet_run),
         (pl.read_csv(csv_qrels), pl.scan_csv(csv_run))]
for qrels, run in pairs:
    print(json.dumps(sqlmetrics.evaluate(qrels, run, "nDCG@3 AP").per_query.rows()))
"""


@pytest.mark.thorough
def test_neither_pyarrow_nor_numpy_nor_pandas_is_needed(tmp_path):
    files = [
        save_as(tmp_path, form, rows, columns)
        for form in ("csv", "parquet")
        for rows, columns in ((QRELS, QRELS_COLUMNS), (RUN, RUN_COLUMNS))
    ]
    command = [sys.executable, "-W", "error", "-c", SCRIPT, *map(str, files)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    scores = [[row[1:] for row in json.loads(line)] for line in done.stdout.splitlines()]
    expected = sqlmetrics.evaluate(make_qrels(QRELS), make_run(RUN), "nDCG@3 AP").per_query.rows()
    assert scores == [[list(row[1:]) for row in expected]] * 3


IDS = {"1": {"101": 2, "102": 0}, "2": {"103": 1}}


@pytest.mark.parametrize(
    ("ids", "judgments", "why"),
    [
        (["101.0", "103.0"], IDS, "'101.0'.*'101'; they differ in a .0"),  # floats of pandas
        (["E\u0301", "x"], {"1": {"\u00c9": 1}}, "'E\u0301'.*'\u00c9'; they differ in Unicode"),
        (["abc", "x"], {"1": {"ABC": 1}}, "'abc'.*'ABC'; they differ in upper and lower case"),
        (["id:a:b::D1", "x"], {"1": {"D1": 1}}, "'id:a:b::D1'.*'D1'; they differ in what comes"),
    ],
)
def test_a_run_whose_ids_are_written_otherwise_than_the_judged_ones_is_refused(ids, judgments, why):
    run = {query: {ids[0]: 2.0, ids[1]: 1.0} for query in judgments}
    for runs in ({"a": run}, {"b": {"1": {"y": 1.0}}, "a": run}):
        with pytest.raises(sqlmetrics.InputError, match=f"^a: none of .*in a look like {why}"):
            sqlmetrics.evaluate(judgments, runs, "AP NumRel nDCG@10")


def test_a_run_without_a_judged_document_is_noted_with_ids_of_both():
    run = {"1": {"2020-01-02 00:00:00": 2.0, "z": 1.0}}
    result = sqlmetrics.evaluate({"1": {"2020-01-02": 1}}, run, "AP NumRel nDCG@10")
    assert result.mean["AP"].to_list() == [0.0]
    (note,) = result.notes
    assert note.startswith("run: none of the judged documents was retrieved; ids in run look like ")
    assert [word for word in ("'2020-01-02 00", "'2020-01-02'") if word not in note] == [], note


def test_only_runs_without_a_judged_document_are_noted():
    nothing = {query: {"x": 1.0} for query in IDS}
    runs = {"a": nothing, "b": nothing, "found": {"1": {"101": 1.0}, "2": {"x": 1.0}}}
    runs |= {"late": {"1": {"x": 9.0, "102": 1.0}, "2": {"x": 1.0}}, "c": nothing, "d": nothing}
    note, other = sqlmetrics.evaluate(IDS, runs, "AP@1").notes
    assert note.startswith("a, b, c and 1 more: none of the judged documents was retrieved;")
    assert other.startswith("found has 50% of its first documents judged, late 0%")
    both = {"found": runs["found"], "late": runs["late"]}
    (note,) = sqlmetrics.evaluate(IDS, both, "RR").notes
    assert note.startswith("found has 50% of its first 10 documents judged, late 25%")
    (note,) = sqlmetrics.evaluate(IDS, nothing, "AP", depth=1, no_relevant=1).notes
    assert note.startswith("run: none of")


@pytest.mark.few(1)
@pytest.mark.parametrize("megabytes", [17, 33])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_last_line_too_long_to_be_read_is_refused(tmp_path, megabytes, end):
    line = "q1,b,1," + "x" * (megabytes << 20)
    path = tmp_path / "run.csv"
    path.write_bytes(f"query_id,doc_id,score,text\nq1,a,2,x\n{line}{end}".encode())
    with pytest.raises(
        sqlmetrics.InputError, match=r"last line of .*run\.csv is longer than 16 MB"
    ):
        sqlmetrics.evaluate({"q1": {"b": 1}}, path, "AP")


def test_lines_of_some_megabytes_are_read(tmp_path):
    ids = [f"document number {place}" for place in range(150_000)]
    lists = save_lines(tmp_path, "lists.jsonl", {"query": "q1", "docs": ids})
    table = save_text(
        tmp_path, "table.csv", f"query_id,doc_id,rank,text\nq1,x,1,-\nq1,a,2,{'x' * 3_000_000}"
    )
    judgments = {"q1": {"document number 1": 1, "a": 1}}
    found = sqlmetrics.evaluate(judgments, {"lists": lists, "table": table}, "RR NumRet")
    assert found.mean.rows() == [("lists", 1 / 2, 150_000.0), ("table", 1 / 2, 2.0)]


def test_a_large_json_on_one_line_is_read(tmp_path):
    scores = ", ".join(f'"{number}{"d" * 1000}": 1' for number in range(2_500))
    (tmp_path / "run.json").write_text(f'{{"q1": {{{scores}}}}}')
    result = sqlmetrics.evaluate({"q1": {"7" + "d" * 1000: 1}}, tmp_path / "run.json", "NumRelRet")
    assert result.mean["NumRelRet"].to_list() == [1.0]


# What people have besides rows of a query, a document and a number: judgments, and a run that has
# first, of two queries, a document that is not relevant and one that is.
def save_text(folder, name, text):
    (folder / name).write_text(text)
    return folder / name


def save_lines(folder, name, *values):
    return save_text(folder, name, "".join(json.dumps(value) + "\n" for value in values))


def save_gzip(folder, name, content):
    (folder / name).write_bytes(gzip.compress(content))
    return folder / name


Prediction = namedtuple("Prediction", "uid iid r_ui est details")
STRUCTS = [{"query": "q1", "results": [{"id": "b", "score": 2.0}, {"id": "a", "score": 1.0}]},
           {"query": "q2", "results": [{"id": "c", "score": 1.0}]}]  # fmt: skip
JUDGED_IDS = {"q1": {"a": 1}, "q2": {"c": 1}}
RANKED_IDS = {"q1": ["b", "a"], "q2": ["c"]}
BOTH = {
    "q1": {"relevant": ["a"], "retrieved": ["b", "a"]},
    "q2": {"relevant": ["c"], "retrieved": ["c"]},
}
FRAME = pl.DataFrame({"query_id": ["q1", "q2"], "items": [["a"], ["c"]]})
SHAPES = {
    "lists by the places of queries": lambda folder: ([[1], [3]], [[2, 1], [3]]),
    "an array by the places of queries": lambda folder: (np.array([[1], [3]]), np.array([[2, 1], [3, 4]])),
    "tuples": lambda folder: ([("q1", "a", 1), ("q2", "c", 1)], [("q1", "b", 2.0), ("q1", "a", 1.0), ("q2", "c", 1)]),
    "pairs of a document and a score": lambda folder: (JUDGED_IDS, {"q1": [["b", 2.0], ["a", 1.0]], "q2": [("c", 1)]}),
    "documents by grade": lambda folder: ({"q1": {"1": ["a"], "0": ["b"]}, "q2": {1: ["c"]}}, RANKED_IDS),
    "LlamaIndex": lambda folder: (
        save_text(folder, "set.json", json.dumps({"queries": {"q1": "x"}, "corpus": {}, "mode": "text",
                                                  "relevant_docs": {"q1": ["a"], "q2": ["c"]}})),
        RANKED_IDS,
    ),
    "OpenSearch": lambda folder: (
        save_text(folder, "judgments.json", json.dumps({"judgmentRatings": [
            {"query": "q1", "ratings": [{"docId": "a", "rating": "1.0"}]},
            {"query": "q2", "ratings": [{"docId": "c", "rating": "1.0"}]},
        ]})),
        RANKED_IDS,
    ),
    "lists named items in both": lambda folder: (
        FRAME, pl.DataFrame({"query_id": ["q1", "q2"], "items": [["b", "a"], ["c"]]})
    ),
    "texts of ragas": lambda folder: (
        pl.DataFrame({"user_input": ["q1", "q2"], "reference_contexts": [["a"], ["c"]], "reference": ["x", "y"]}),
        pl.DataFrame({"user_input": ["q1", "q2"], "retrieved_contexts": [["b", "a"], ["c"]]}),
    ),
    "a data set of ragas": lambda folder: (
        [{"user_input": "q1", "retrieved_contexts": ["b", "a"], "reference_contexts": ["a"]},
         {"user_input": "q2", "retrieved_contexts": ["c"], "reference_contexts": ["c"]}],
        None,
    ),
    "results of RRE": lambda folder: (
        JUDGED_IDS,
        save_text(folder, "evaluation.json", json.dumps({"name": "x", "metrics": {}, "corpora": [
            {"name": "x", "topics": [{"name": "x", "query-groups": [{"name": "x", "queries": [
                {"query": query, "results": {"v1.0": {"total-hits": 2, "hits": [{"id": id} for id in ids]}}}
            ]}]} for query, ids in RANKED_IDS.items()]}]})),
    ),
    "gold and retrieved sources": lambda folder: (
        pl.DataFrame({"question": ["q1", "q2"], "ground_truth_sources": [["a"], ["c"]]}),
        pl.DataFrame({"question": ["q1", "q2"], "retrieved_sources": [["b", "a"], ["c"]]}),
    ),
    "structs in a frame": lambda folder: (JUDGED_IDS, pl.DataFrame(STRUCTS)),
    "structs in JSON lines": lambda folder: (JUDGED_IDS, save_lines(folder, "run.jsonl", *STRUCTS)),
    "structs in a JSON array": lambda folder: (JUDGED_IDS, save_text(folder, "run.json", json.dumps(STRUCTS))),
    "users and items alone": lambda folder: (
        save_text(folder, "had.csv", "user_id,item_id\nq1,a\nq2,c\n"), RANKED_IDS
    ),
    "users and items alone in a frame": lambda folder: (
        pl.DataFrame({"user_id": ["q1", "q2"], "item_id": ["a", "c"]}), RANKED_IDS
    ),
    "true and false": lambda folder: (
        save_text(folder, "truths.csv", "query_id,doc_id,relevant\nq1,a,TRUE\nq1,b,false\nq2,c,True\n"), RANKED_IDS
    ),
    "yes and no": lambda folder: (
        save_text(folder, "words.csv", "query_id,result_id,grade\nq1,a,yes\nq1,b,No\nq2,c,YES\n"), RANKED_IDS
    ),
    "Quepid": lambda folder: (
        save_text(folder, "quepid.csv", "Query Text,Doc ID,Doc Position,Rating\nq1,b,1,\nq1,a,2,1\nq2,c,1,1\n"),
        RANKED_IDS,
    ),
    "labels and scores": lambda folder: (
        pl.DataFrame({"qid": [1, 1, 2], "label": [1, 0, 1], "score": [0.5, 0.7, 0.1]}), None
    ),
    "labels and scores in a file": lambda folder: (
        save_text(folder, "labels.csv", "group,y_true,y_pred\n1,1,0.5\n1,0,0.7\n2,1,0.1\n"), None
    ),
    "grades of rankings": lambda folder: ({"q1": [0, 1], "q2": [1]}, None),
    "grades of rankings by place": lambda folder: ([[0, 1], [1]], None),
    "one table with the lists of both": lambda folder: (
        save_text(folder, "rag.csv", "question,gold_ids,retrieved,answer\nq1,a,b;a,x\nq2,c,c,y\n"), None
    ),
    "one table with lists of names with spaces": lambda folder: (
        save_text(folder, "rag.csv", "prompt,expected_files,sources\nq1,tax 1.pdf,tax 2.pdf|tax 1.pdf\nq2,c|,c\n"),
        None,
    ),
    "one object per query with nested lists of both": lambda folder: (
        save_lines(folder, "runs.jsonl", *[
            {"inputs": {"question": query}, "outputs": {"documents": found}, "reference_outputs": {"documents": gold}}
            for query, found, gold in (("q1", ["b", "a"], ["a"]), ("q2", ["c"], ["c"]))
        ]),
        None,
    ),
    "one table with an id, a label and a score": lambda folder: (
        save_text(folder, "faq.csv", "utterance,article,label,similarity\nq1,b,0,.9\nq1,a,1,.8\nq2,c,1,.9\n"), None
    ),
    "predictions of Surprise": lambda folder: (
        [Prediction("q1", "b", 0, 4.5, {}), Prediction("q1", "a", 1, 4.1, {}), Prediction("q2", "c", 1, 3, {})], None
    ),
    "hits by place": lambda folder: (
        [[1], [3]],
        [[{"corpus_id": 2, "score": 0.9}, {"corpus_id": 1, "score": 0.8}], [{"corpus_id": 3, "score": 0.7}]],
    ),
    "hits by query": lambda folder: (
        JUDGED_IDS, {"q1": [{"id": "b", "score": 2}, {"id": "a", "score": 1}], "q2": [{"id": "c", "score": 1}]}
    ),
    "one document for each query": lambda folder: (np.array([1, 3]), np.array([[2, 1], [3, 4]])),
    "labels and scores by place": lambda folder: ([[0, 1], [1]], [[0.5, 0.25], [0.75]]),
    "positives and a ranking in objects": lambda folder: (
        [{"query": "q1", "positive_ids": ["a"], "ranking": ["b", "a"]},
         {"query": "q2", "positive_ids": ["c"], "ranking": ["c"]}],
        None,
    ),
    "truths beside a name that is not known": lambda folder: (
        save_text(folder, "kept.csv", "keyword,chalet,relevant\nq1,a,1\nq1,b,0\nq2,c,1\n"), RANKED_IDS
    ),
    "truths beside a name of lists": lambda folder: (
        save_text(folder, "kept.csv", "question,sources,relevant\nq1,a,1\nq1,b,0\nq2,c,1\n"), RANKED_IDS
    ),
    "pairs whose document has no known name": lambda folder: (
        save_text(folder, "gold.csv", "question,origin\nq1,a\nq2,c\n"), RANKED_IDS
    ),
    "relevant and retrieved in text": lambda folder: (
        save_text(folder, "both.csv", "question,relevant,retrieved\nq1,a,b a\nq2,c,c\n"), None
    ),
    "a column for each place": lambda folder: (
        JUDGED_IDS, save_text(folder, "top.csv", "query,doc_1,doc_2,doc_3\nq1,b,a,\nq2,c,x,y\n")
    ),
    "names of a trade": lambda folder: (
        save_text(folder, "booked.csv", "search_id,hotel_id,booked\nq1,a,1\nq2,c,1\n"),
        save_text(folder, "run.csv", "search_id,hotel_id,logit\nq1,b,-.5\nq1,a,-1\nq2,c,3\n"),
    ),
    "a column that can only be the document": lambda folder: (
        save_text(folder, "bought.csv", ",query,garment,label\n0,q1,a,1\n1,q2,c,1\n"),
        RANKED_IDS,
    ),
    "NULL as MySQL writes it": lambda folder: (
        save_text(folder, "qrels.tsv", "query_id\tdoc_id\trelevance\tnote\nq1\ta\t1\t\\N\nq2\tc\t1\t\\N\n"), RANKED_IDS
    ),
    "UTF-16 in gzip": lambda folder: (
        JUDGED_IDS, save_gzip(folder, "run.csv.gz", "query_id,doc_id,rank\nq1,b,1\nq1,a,2\nq2,c,1\n".encode("utf-16"))
    ),
    "LETOR and predictions": lambda folder: (
        save_text(folder, "test.txt", "1 qid:1 1:0.1 2:0.3 # a\n0 qid:1 1:0.2\n1 qid:2 1:.5\n"),
        save_text(folder, "predictions.txt", "0.5\n0.7\n0.1\n"),
    ),
    "a label and predictions named by a library": lambda folder: (
        pl.DataFrame({"qid": [1, 1, 2], "relevance": [1, 0, 1], "lgb_pred": [0.5, 0.7, 0.1]}), None
    ),
    "an object of both lists for each query": lambda folder: (BOTH, None),
    "an object of both lists for each query in a file": lambda folder: (
        save_text(folder, "both.json", json.dumps(BOTH)), None
    ),
    "ranks beside empty scores": lambda folder: (
        JUDGED_IDS, save_text(folder, "run.csv", "query_id,doc_id,rank,score\nq1,b,1,\nq1,a,2,\nq2,c,1,\n")
    ),
    "ranks beside scores that are NaN": lambda folder: (
        JUDGED_IDS,
        pl.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": [*"bac"], "rank": [1, 2, 1], "score": math.nan}),
    ),
    "one id with a space, beside lists with semicolons": lambda folder: (
        save_text(folder, "towns.csv", "query,relevant,retrieved\nq1,New York,San Jose; New York\nq2,Rome,Rome\n"),
        None,
    ),
    "one id with a space, beside lists with commas in a frame": lambda folder: (
        pl.DataFrame({"query": ["q1", "q2"], "relevant": ["New York", "Rome"], "retrieved": ["Rome,New York", "Rome"]}),
        None,
    ),
    "judgments and ranks without header": lambda folder: (
        save_text(folder, "qrels.tsv", "1\ta\t1\n2\tc\t1\n"),
        save_text(folder, "run.tsv", "1\tb\t1\n1\ta\t2\n2\tc\t1\n"),
    ),
    "grades and scores without header": lambda folder: (
        save_text(folder, "qrels.csv", "1,a,2\n1,b,0\n2,c,1\n"),
        save_text(folder, "run.csv", "1,b,2.5\n1,a,-1\n2,c,3\n"),
    ),
    "purchases, one of them twice": lambda folder: (
        save_text(folder, "sold.csv", "t_dat,customer_id,article_id,price,sales_channel_id\n"
                  "2020-09-16,q1,a,.5,1\n2020-09-17,q1,a,.4,2\n2020-09-17,q2,c,.1,1\n"),
        save_text(folder, "submission.csv", "customer_id,prediction\nq1,b a\nq2,c\n"),
    ),
    "graded structs in a list": lambda folder: (
        [{"query": "q1", "relevant": [{"id": "a", "grade": 1}, {"id": "b", "grade": 0}]},
         {"query": "q2", "relevant": [{"id": "c", "grade": 2}]}],
        RANKED_IDS,
    ),
    "objects in their order, with titles": lambda folder: (
        save_lines(folder, "gold.jsonl", *[
            {"query": query, "relevant": [{"id": id, "title": f"About {id}"}]} for query, id in (("q1", "a"), ("q2", "c"))
        ]),
        [{"query": "q1", "results": [{"id": "b", "title": "B"}, {"id": "a", "title": "A"}]},
         {"query": "q2", "results": [{"id": "c", "title": "C"}]}],
    ),
    "grades and ranks without documents": lambda folder: (
        save_text(folder, "sheet.csv", "Query,Rank,Relevance\nq1,1,0\nq1,2,1\nq2,1,1\n"), None
    ),
    "labels and scores with names of lists": lambda folder: (
        save_text(folder, "labels.csv", "qid,actual,prediction\n1,1,0.5\n1,0,0.7\n2,1,0.1\n"), None
    ),
    "CatBoost": lambda folder: (
        pl.DataFrame({"GroupId": [1, 1, 2], "Label": [1, 0, 1], "RawFormulaVal": [0.5, 0.7, 0.1]}), None
    ),
    "a series of lists by query": lambda folder: (
        pd.DataFrame({"search_term": ["q1", "q2"], "product_uid": ["a", "c"], "label": 1}),
        pd.Series([["b", "a"], ["c"]], pd.Index(["q1", "q2"], name="search_term"), name="product_uid"),
    ),
    "a response of Chroma in the order of lists": lambda folder: (
        [["a"], ["c"]], {"ids": [["b", "a"], ["c"]], "distances": [[0.1, 0.2], [0.3]], "included": ["distances"]}
    ),
    "responses in the order of lists": lambda folder: (
        [["a"], ["c"]], [{"hits": {"hits": [{"_id": id} for id in ids]}} for ids in ("ba", "c")]
    ),
    "Excel in German": lambda folder: (
        save_text(folder, "Urteile.csv", "Suchanfrage;Artikelnummer;Bewertung;Kommentar\nq1;a;1;\nq2;c;1;gut\n"),
        save_text(folder, "Treffer.csv", "Suchanfrage;Artikelnummer;Rang\nq1;b;1\nq1;a;2\nq2;c;1\n"),
    ),
    "an export of Quepid with positions alone": lambda folder: (
        save_text(folder, "detailed.csv", "Case Name,Query Text,Doc ID,Doc Position,Title,Rating\n"
                  "x,q1,b,1,B,\nx,q1,a,2,A,1\nx,q2,c,1,C,1\n"),
        None,
    ),
    "nodes of LlamaIndex": lambda folder: (
        JUDGED_IDS,
        save_lines(folder, "answers.jsonl", *[
            {"query": query, "source_nodes": [{"node": {"id_": id, "text": "…", "metadata": {}}, "score": score}
                                              for id, score in found]}
            for query, found in (("q1", [("b", 0.9), ("a", 0.8)]), ("q2", [("c", 0.5)]))
        ]),
    ),
    "documents of Haystack": lambda folder: (
        [{"query": query, "documents": [{"id": id, "content": "…", "meta": {"page": 1}, "embedding": None}]}
         for query, id in (("q1", "a"), ("q2", "c"))],
        RANKED_IDS,
    ),
    "documents of Haystack, by place": lambda folder: tuple(
        [[{"id": id, "content": "…", "meta": {}, "score": score, "embedding": None} for id, score in docs] for docs in lists]
        for lists in (
            [[("a", None)], [("c", None)]], [[("b", 0.9), ("a", 0.8)], [("c", 0.5)]]
        )
    ),
    "a ranking of ColBERT": lambda folder: (
        save_text(folder, "qrels.tsv", "1\t0\t7\t1\n2\t0\t9\t1\n"),
        save_text(folder, "ranking.tsv", "1\t8\t1\t20.5\n1\t7\t2\t19.25\n2\t9\t1\t3.5\n"),
    ),
    "a matrix of queries and documents": lambda folder: (
        JUDGED_IDS, pd.DataFrame([[0.5, 0.9, math.nan], [0.0, 0.1, 0.8]], ["q1", "q2"], [*"abc"])
    ),
    "a pivoted frame": lambda folder: (
        pd.DataFrame({"user": ["q1", "q2"], "thing": ["a", "c"], "n": 1}).pivot(index="user", columns="thing", values="n"),
        RANKED_IDS,
    ),
    "tuples beside lists": lambda folder: ([("q1", "a", 1), ("q2", "c", 1)], RANKED_IDS),
    "structs in structs of a frame": lambda folder: (
        JUDGED_IDS,
        pl.DataFrame({"query": ["q1", "q1", "q2"], "hit": [{"doc": {"id": id}, "score": -n} for n, id in enumerate("bac")]}),
    ),
    "LETOR and a list": lambda folder: (
        save_text(folder, "test.txt", "1 qid:1 1:0.1 2:0.3 # a\n0 qid:1 1:0.2\n1 qid:2 1:.5\n"), [0.5, 0.7, 0.1]
    ),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_that_people_have_are_read(tmp_path, shape):
    qrels, run = SHAPES[shape](tmp_path)
    found = sqlmetrics.evaluate(qrels, run, "RR NumRel")
    assert found.mean.row(0)[1:] == (3 / 4, 2.0)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (["c", "c"], "run.jsonl line 3: document c appears 2 times for query q2"),
        (["c", None], "run.jsonl line 3: no doc_id for a document of query q2"),
        (["c", 1.5], "line 3 has .*1.5.*; expected a list of ids: text or whole numbers"),
        (["c", True], "line 3 has .*true.*; expected a list of ids"),
        ([["c"]], "line 3 has .*; expected a list of ids"),
        ("c", 'line 3 has "c"; expected a list of ids'),
    ],
)
def test_lists_of_json_lines_are_refused_by_their_line(tmp_path, found, said):
    run = save_text(
        tmp_path,
        "run.jsonl",
        f'{{"query": "q1", "docs": ["b", "a"]}}\n\n{json.dumps({"query": "q2", "docs": found})}\n',
    )
    with pytest.raises(sqlmetrics.InputError, match=said):
        sqlmetrics.evaluate(JUDGED_IDS, run, "RR")


def test_a_line_with_a_list_that_is_not_json_is_refused(tmp_path):
    run = save_text(
        tmp_path, "run.jsonl", '{"query": "q1", "docs": ["a"]}\n{"query": "q2", "docs": ["c"}\n'
    )
    with pytest.raises(sqlmetrics.InputError, match="line 2 is not JSON: "):
        sqlmetrics.evaluate(JUDGED_IDS, run, "RR")


def test_lists_of_json_lines_keep_whole_numbers_and_their_scores(tmp_path):
    large = 12345678901234567890123
    lines = [{"query": "q1", "docs": [large, 7], "scores": [0.5, 2]}, {"query": "q2", "docs": None}]
    run = save_lines(tmp_path, "run.jsonl", *lines)
    found = sqlmetrics.evaluate({"q1": {str(large): 1}}, run, "RR NumRet")
    assert found.mean.row(0)[1:] == (1 / 2, 2.0)


@pytest.mark.parametrize("form", ["csv", "dict", "list"])
def test_words_by_rank_are_grades(tmp_path, form):
    grades = {
        "csv": save_text(tmp_path, "sheet.csv", "query,judgments\nq1,N R R\nq2,R N N\n"),
        "dict": {"q1": ["N", "R", "R"], "q2": ["R", "N", "N"]},
        "list": [["N", "R", "R"], ["R", "N", "N"]],
    }
    found = sqlmetrics.evaluate(grades[form], metrics="RR P@2", grades={"R": 1, "N": 0})
    assert found.mean.row(0)[1:] == (3 / 4, 1 / 2)
    with pytest.raises(sqlmetrics.InputError, match="say which grade each word is"):
        sqlmetrics.evaluate(grades[form], metrics="RR")


@pytest.mark.parametrize("form", [list, np.array])
@pytest.mark.parametrize("by_name", [True, False])
def test_several_arrays_are_runs_in_the_order_of_the_judgments(form, by_name):
    """Of a run that has the first of three documents first, and one that has it last."""
    scores = [form([[0.9, 0.5, 0.1], [0.9, 0.2, 0.3]]), form([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]])]
    runs = dict(zip("xy", scores, strict=True)) if by_name else scores
    found = sqlmetrics.evaluate(form([[1, 0, 0], [1, 0, 0]]), runs, "RR").mean
    names = ["x", "y"] if by_name else ["run 1", "run 2"]
    assert found.rows() == [(names[0], 1.0), (names[1], pytest.approx(1 / 3))]
    lists = {"x": [["a", "b"], ["c"]], "y": [["b", "a"], ["d", "c"]]}
    found = sqlmetrics.evaluate([["a"], ["c"]], lists if by_name else [*lists.values()], "RR").mean
    assert found["RR"].to_list() == [1.0, 0.5]


@pytest.mark.parametrize("column", ["run_id", "model"])
def test_a_name_that_is_given_wins_over_that_of_the_only_run_in_a_column(tmp_path, column):
    tables = {
        name: pl.DataFrame([("own name", q, d, 2.0 - n) for q, ids in found.items() for n, d in enumerate(ids)],
                           [column, "query_id", "doc_id", "score"], orient="row")
        for name, found in {"old": RANKED_IDS, "new": {"q1": ["a"], "q2": ["c"]}}.items()
    }  # fmt: skip
    assert sqlmetrics.evaluate(JUDGED_IDS, tables, "RR").mean.rows() == [
        ("old", 0.75),
        ("new", 1.0),
    ]
    assert {*sqlmetrics.compare(JUDGED_IDS, tables, "RR").tests["run_id"]} == {"new"}
    scores = sqlmetrics.evaluate(JUDGED_IDS, tables, "RR")
    assert sqlmetrics.gate(scores, "new", baseline="old", max_loss={"RR": 0.5}).status != "failed"
    (tmp_path / "qrels.txt").write_text("q1 0 a 1\nq2 0 c 1\n")
    for name, frame in tables.items():
        frame.write_csv(tmp_path / f"{name}.csv")
        frame.write_parquet(tmp_path / f"{name}.parquet")
    for end in ("csv", "parquet"):
        runs = [f"{name}={tmp_path / name}.{end}" for name in tables]
        said = call("evaluate", tmp_path / "qrels.txt", *runs, "-m", "RR", "-f", "csv")
        assert said == "run_id,RR\nold,0.75\nnew,1.0\n"
    assert "own name" not in sqlmetrics.report(JUDGED_IDS, tables, "RR").html
    both = pl.concat([tables["old"], tables["new"].with_columns(pl.lit("x").alias(column))])
    found = sqlmetrics.evaluate(JUDGED_IDS, {"x": both}, "RR")
    assert found.mean.rows() == [("own name", 0.75), ("x", 1.0)]
    assert found.notes[0].endswith("its runs keep their names, since there are several")


@pytest.mark.parametrize(
    ("qrels", "run", "said"),
    [
        ({0: [1], 1: [3]}, [[2, 1], [3]], "both lists in the same order of queries"),
        ([[1], [3]], {0: [2, 1], 1: [3]}, "both lists in the same order of queries"),
        (JUDGED_IDS, pl.DataFrame({"query": ["q1"], "doc_1": ["b"], "doc_2": ["a"]}), "no column doc_id"),
        ([[1, 0]], [[0.5, 0.25, 0.75]], "as many scores for each query as grades"),
        ([1, 0], [0.5, 0.25], r"if all are of one query, give \[labels\] and \[scores\]"),
        (np.array([1, 0]), np.array([0.5, 0.25]), r"give \[labels\] and \[scores\]"),
        ([1, 0], None, r"give \[labels\] and \[scores\]"),
        ([{"id": "a", "fields": {"query": "q1", "text": "x"}, "responses": {"relevance": [{"value": 1}]}}], RANKED_IDS,
         "no column doc_id; it has responses.relevance, fields.query, fields.text, id. Name it"),  # of Argilla
        (JUDGED_IDS, {"q1": ["a"], "name": "x"}, "has 'x' for query 'name', of the queries q1, name"),
        (pl.DataFrame({"query": ["q"], "dish": ["a"], "colour": ["x"], "relevant": [1]}), RANKED_IDS, "no column doc_id"),
        (pl.DataFrame({"user": ["u"], "item": ["a"], "kept": [0]}), RANKED_IDS, "no column relevance"),
        ({"q1": ["a", "b"]}, None, "no run to score"),
        (pl.DataFrame({"query": ["q"], "relevant": ["New York"]}), {"q": ["New York"]},
         "relevant has New York, which may be one id or several; end each id with ;"),
        (io.StringIO("q,x,1\nq,a,2\n"), RANKED_IDS, "seems to have no header"),  # ranks, which are of a run
        (JUDGED_IDS, pl.DataFrame({"user_idx": ["u"], "item_idx": ["a"], "rating": [0.5]}),
         "looks like judgments, not a run; .* If rating is the score: columns={'run.score': 'rating'}"),
        (JUDGED_IDS, io.StringIO("1 0 1 1\n1 0 2 0\n"), "looks like judgments, not a run"),
        (JUDGED_IDS, pd.DataFrame([[0.5, 0.9]], ["q1"], ["nDCG@10", "AP"]), "no column query_id"),  # scores
        (JUDGED_IDS, pd.DataFrame([[0.5, 0.9]], columns=["a", "b"]), "no column query_id"),
        (JUDGED_IDS, pd.DataFrame([[0.5, "x"]], ["q1"], ["a", "b"]), "no column query_id"),
        (JUDGED_IDS, io.StringIO("q,x,3\nq,a,7\n"), "seems to have no header"),
        (pl.DataFrame({"user": ["u"], "item": ["a"], "event": ["view"]}), RANKED_IDS, "keep the ids alone"),
        (pl.DataFrame({"query": ["q1", "q2"], "relevant": ["3 5", "1 2"]}), None, "no run to score"),
        (pl.DataFrame({"page_id": [1], "query": ["q"], "doc": ["a"], "position": [1], "clicked": [1]}),
         RANKED_IDS, "looks like a click log"),
    ],
)  # fmt: skip
def test_what_could_be_two_things_is_refused(qrels, run, said):
    with pytest.raises(sqlmetrics.InputError, match=said):
        sqlmetrics.evaluate(qrels, run, "RR")


def test_a_column_that_is_named_for_judgments_is_not_asked_of_responses_with_query_ids(tmp_path):
    qrels = save_text(tmp_path, "q.csv", "what was typed,doc_id,rating\nq1,a,1\nq2,c,1\n")
    hits = [{"hits": {"hits": [{"_id": id} for id in ids]}} for ids in ("ba", "c")]
    run = save_text(tmp_path, "r.json", json.dumps({"query_ids": ["q1", "q2"], "responses": hits}))
    scores = sqlmetrics.evaluate(qrels, run, "RR", columns={"query_id": "what was typed"})
    assert scores["RR"] == 3 / 4


def test_columns_of_several_judges_are_refused_with_the_query_that_merges_them(tmp_path):
    judged = save_text(
        tmp_path, "j.csv", "query,doc,rater_ann,rater_bob,rater_cy\nq1,a,1,1,0\nq1,b,0,0,1\n"
    )
    with pytest.raises(sqlmetrics.InputError) as caught:
        sqlmetrics.evaluate(judged, RANKED_IDS, "RR")
    before, sql, after = str(caught.value).split("'")
    assert (before[-17:], after) == ("sqlmetrics.query(", ", t=…)")
    rows = sqlmetrics.query(sql, t=judged).sort("doc_id").select("doc_id", "relevance").rows()
    assert rows == [("a", 1), ("b", 0)]


def test_several_predictions_of_lines_of_letor_are_runs(tmp_path):
    lines = save_text(tmp_path, "test.txt", "1 qid:1 1:0.1\n0 qid:1 1:0.2\n")
    paths = [
        save_text(tmp_path, name, text) for name, text in (("a", ".2\n.1\n"), ("b", ".1\n.2\n"))
    ]
    runs = {"good": paths[0], "bad": paths[1]}
    assert sqlmetrics.evaluate(lines, runs, "RR").mean.rows() == [("good", 1.0), ("bad", 0.5)]


@pytest.mark.parametrize(
    ("lines", "scores", "said"),
    [
        ("1 qid:1 1:0.1\n", ".1\n.2\n", "predictions: 2 scores for 1 lines of judgments"),
        ("1 qid:1 1:0.1\n1 1:0.1\n", ".1\n.2\n", "line 2 is not of the form '2 qid:1"),
        ("1 qid:1 1:0.1\n1 qid:1\n", ".1\nhigh\n", "predictions line 2: score 'high' is not a number"),
        ("1 qid:1 1:0.1\n1 qid:1\n", None, "no run to score: give run="),
    ],
)  # fmt: skip
def test_lines_of_letor_without_a_score_each_are_refused(tmp_path, lines, scores, said):
    qrels = save_text(tmp_path, "test.txt", lines)
    run = None if scores is None else save_text(tmp_path, "predictions", scores)
    with pytest.raises(sqlmetrics.InputError, match=said):
        sqlmetrics.evaluate(qrels, run, "RR")


def test_a_document_under_two_grades_is_refused():
    with pytest.raises(sqlmetrics.InputError, match="document a is judged 2 times"):
        sqlmetrics.evaluate({"q1": {"1": ["a"], "2": ["a"]}}, RANKED_IDS, "RR")


def test_a_document_twice_among_pairs_is_refused():
    with pytest.raises(sqlmetrics.InputError, match=r"document b .*2 times"):
        sqlmetrics.evaluate(JUDGED_IDS, {"q1": [["b", 2.0], ["b", 1.0]]}, "RR")


def test_judgments_without_a_run_are_refused(tmp_path):
    qrels = save_text(tmp_path, "qrels.csv", "query_id,doc_id,relevance\nq1,a,1\n")
    with pytest.raises(sqlmetrics.InputError, match="no run to score: give run="):
        sqlmetrics.evaluate(qrels, metrics="RR")


FETCHED = [(1, 11, 1), (1, 12, 0), (2, 13, 2)]


@pytest.mark.parametrize("qrels", [FETCHED, [(*map(str, row[:2]), row[2]) for row in FETCHED]])
@pytest.mark.parametrize("by_name", [False, True])
def test_tuples_as_a_cursor_fetches_them_are_rows(qrels, by_name):
    run = [(1, 12, 0.9), (1, 11, 0.5), (2, 13, 0.3)]
    found = sqlmetrics.evaluate(qrels, {"a": run} if by_name else run, "RR")
    assert found["RR"] == (1 / 2 + 1) / 2


@pytest.mark.parametrize("run", [
    [(1, 12, 1), (1, 11, 2), (2, 13, 1)], {"1": [("12", 1), ("11", 2)], "2": [("13", 1)]},
])  # fmt: skip
def test_values_that_count_the_documents_of_each_query_are_ranks(run):
    assert sqlmetrics.evaluate(FETCHED, run, "RR")["RR"] == (1 / 2 + 1) / 2


def test_tuples_of_three_beside_lists_are_refused_since_they_are_rows():
    with pytest.raises(sqlmetrics.InputError, match="or both lists in the same order of queries"):
        sqlmetrics.evaluate([(1, 2, 3), (4, 5, 6)], [[3, 9, 8], [9, 8]], "RR")


def test_labels_and_scores_of_several_runs_are_refused():
    table = pl.DataFrame({"model": ["a", "b"], "qid": [1, 1], "label": [1, 0], "score": [0.5, 0.7]})
    with pytest.raises(sqlmetrics.InputError, match="has several runs; give the rows of one"):
        sqlmetrics.evaluate(table, metrics="RR")


def test_a_query_with_an_empty_list_of_structs_has_no_results():
    run = pl.DataFrame([STRUCTS[0], {"query": "q2", "results": []}], schema_overrides={
        "results": pl.List(pl.Struct({"id": pl.String, "score": pl.Float64}))})  # fmt: skip
    found = sqlmetrics.evaluate(JUDGED_IDS, run, "RR")
    assert found["RR"] == 1 / 4
    assert "no results for 1 of 2 judged queries" in found.notes[-1]


def test_a_grade_of_letor_that_is_no_number_is_refused(tmp_path):
    lines = save_text(tmp_path, "test.txt", "1 qid:1 1:0.1\nhigh qid:1 1:0.2\n")
    with pytest.raises(
        sqlmetrics.InputError, match="relevance 'high' for document 2 of query 1; say which grade"
    ):
        sqlmetrics.evaluate(lines, [0.1, 0.2], "RR")


CELLS = {
    "spaces": ("a c", "x a c"),
    "commas": ("a,c", "x,a,c"),
    "pandas": ("['a', 'c']", "['x', 'a', 'c']"),
    "numpy": ("['a' 'c']", "['x' 'a' 'c']"),
    "numpy 2": ("[np.str_('a'), np.str_('c')]", "[np.str_('x'), np.str_('a'), np.str_('c')]"),
    "JSON": ('["a", "c"]', '["x", "a", "c"]'),
    "bars": ("a|c", "x|a|c"),
    "PostgreSQL": ("{a,c}", "{x,a,c}"),
}


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet", "polars", "pandas"])
@pytest.mark.parametrize("cells", CELLS)
def test_a_cell_may_hold_a_list(tmp_path, form, cells):
    tables = []
    for name, first, second in zip(
        ("relevant", "prediction"), CELLS[cells], ("b", ""), strict=True
    ):
        frame = pl.DataFrame({"customer_id": ["u1", "u2"], name: [first, second]})
        path = tmp_path / f"{name}.{form}"
        write = {
            "csv": frame.write_csv,
            "tsv": lambda path, frame=frame: frame.write_csv(path, separator="\t"),
            "jsonl": frame.write_ndjson,
            "parquet": frame.write_parquet,
        }
        if form in write:
            write[form](path)
        tables.append(path if form in write else frame if form == "polars" else frame.to_pandas())
    # of u1, documents 2 and 3 of 3 are relevant; nothing was predicted for u2
    expected = [("u1", (1 / 2 + 2 / 3) / 2, 0.5), ("u2", 0.0, 0.0)]
    scores = sqlmetrics.evaluate(*tables, "AP RR").per_query.sort("query_id")
    for (query_id, *values), row in zip(expected, scores.drop("run_id").rows(), strict=True):
        assert row == (query_id, *map(pytest.approx, values))


def test_the_text_of_an_empty_set_is_an_empty_list(tmp_path):
    path = tmp_path / "qrels.csv"
    path.write_text("query_id,relevant\nq1,{'a'}\nq2,set()\n")
    found = sqlmetrics.evaluate(path, {"q1": {"a": 1.0}, "q2": {"set": 1.0}}, "RR")
    assert found.per_query.rows() == [("run", "q1", 1.0)]


def test_items_in_quotes_may_have_spaces(tmp_path):
    path = tmp_path / "run.csv"
    path.write_text("query,retrieved\nq,\"['Heat, The', 'Ran']\"\n")
    assert sqlmetrics.evaluate({"q": ["Ran"]}, path, "RR")["RR"] == 0.5


@pytest.mark.parametrize("column", ["prediction", "predictions"])
def test_a_prediction_beside_a_document_is_its_score(column):
    run = pl.DataFrame({"query": ["q", "q"], "doc": ["a", "b"], column: [1.0, 2.0]})
    assert sqlmetrics.evaluate({"q": ["a"]}, run, "RR")["RR"] == 0.5


def test_a_unit_or_scale_in_a_name_does_not_matter():
    qrels = pl.DataFrame({"Query": ["q"], "Document": ["a"], "Rating (0-3)": [2]})
    assert sqlmetrics.evaluate(qrels, {"q": ["a"]}, "nDCG")["nDCG"] == 1


def test_days_of_a_column_or_partition_are_runs(tmp_path):
    for day, doc in (("2026-11-01", "a"), ("2026-11-02", "b")):
        folder = tmp_path / "runs" / f"date={day}"
        folder.mkdir(parents=True)
        (folder / "part-0.csv").write_text(f"query_id,doc_id,score\nq,{doc},1\n")
    scores = sqlmetrics.evaluate({"q": ["b"]}, tmp_path / "runs", "RR", columns={"run_id": "date"})
    assert scores.mean.rows() == [("2026-11-01", 0.0), ("2026-11-02", 1.0)]


# The first group of q1 is answered at rank 1, its second at rank 3; that of q2 at rank 2.
GROUPS = {"q1": [["a", "b"], ["c"]], "q2": [["d"]]}
ANSWERS = {"q1": ["b", "x", "c"], "q2": ["x", "d"]}


@pytest.mark.parametrize("form", ["dict", "file"])
def test_groups_of_which_any_document_answers_are_subtopics(tmp_path, form):
    groups = GROUPS
    if form == "file":
        groups = tmp_path / "groups.json"
        groups.write_text(json.dumps(GROUPS))
    scores = sqlmetrics.evaluate(groups, ANSWERS, "StRecall@1 StRecall@3")
    assert scores.mean.rows() == [("run", (1 / 2 + 0) / 2, 1.0)]
    with pytest.raises(sqlmetrics.InputError, match=r"Groups, any .* answers, are for StRecall@k"):
        sqlmetrics.evaluate(groups, ANSWERS, "AP")


def test_a_file_of_responses_by_query_is_that_of_clients(tmp_path):
    path = tmp_path / "objects.json"
    answers = {"q1": {"result": [{"id": 1, "score": 0.9}, {"id": 2, "score": 0.7}], "status": "ok"}}
    path.write_text(json.dumps(answers))
    assert sqlmetrics.evaluate({"q1": ["2"]}, path, "RR")["RR"] == 0.5
    assert sqlmetrics.evaluate({"q1": ["2"]}, answers, "RR")["RR"] == 0.5


def test_parquet_may_have_arrays_of_structs(tmp_path):
    items = [{"item_id": "A", "position": 1}, {"item_id": "B", "position": 2}]
    frame = pl.DataFrame({"search_term": ["lamp"], "results": [items]})
    frame.write_parquet(tmp_path / "run.parquet")
    for run in (frame, tmp_path / "run.parquet"):
        assert sqlmetrics.evaluate({"lamp": ["B"]}, run, "RR")["RR"] == 0.5


def test_two_lists_of_a_query_in_two_files_of_a_run_are_refused(tmp_path):
    for part, ids in (("0", "a b"), ("1", "c")):
        (tmp_path / f"part-0000{part}.csv").write_text(f"query,retrieved\nq,{ids}\n")
    with pytest.raises(sqlmetrics.InputError, match=r"two documents with rank 1.*join its lists"):
        sqlmetrics.evaluate({"q": ["a"]}, tmp_path, "RR")


def test_evals_of_phoenix_are_judgments_of_its_documents(tmp_path):
    """As get_documents_with_evaluations exports them: positions from 0, no ids of documents."""
    export = save_text(
        tmp_path,
        "evals.csv",
        "context.span_id,document_position,context.trace_id,input,reference,document_score,eval_label,eval_score\n"
        's1,0,t1,How?,"One,\ntwo",0.9,unrelated,0\ns1,1,t1,How?,Three,0.8,relevant,1\n'
        "s2,0,t2,Why?,Four,0.5,relevant,1\ns2,1,t2,Why?,Five,0.4,unrelated,0\n",
    )
    found = sqlmetrics.evaluate(export, metrics="RR NumRel")
    assert found.mean.row(0)[1:] == (3 / 4, 2.0)


def test_a_list_is_written_once_in_sql():
    """A list in JSON lines takes long to read, and DuckDB reads each call anew."""
    columns = {"query_id": "q", "doc_id": "read_list()", "score": "read_scores()"}
    rows, _ = unnest_lists("t", columns, {"doc_id", "score"}, kinds.RUN)
    assert [rows.count(each) for each in columns.values() if "()" in each] == [1, 1]
    rows, found = unnest_lists(
        "t", {"query_id": "q", "doc_id": "read_list()"}, {"doc_id"}, kinds.RUN
    )
    assert (rows.count("read_list()"), "rank" in found) == (1, True)


def test_a_weight_with_a_comma_is_an_error_of_its_own_file(tmp_path):
    topics = tmp_path / "visits.csv"
    topics.write_text('query_id,visits\nq,"1,890"\nr,2\n', encoding="utf-8")
    with pytest.raises(sqlmetrics.InputError, match=r"visits\.csv: .*'1,890'"):
        sqlmetrics.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "RR", weight="visits", topics=topics)
