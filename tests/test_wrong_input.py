"""Wrong input is refused with a message that says what is wrong, where, and what to do."""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import pickle
import sys
from collections import namedtuple
from datetime import date
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path

import arro3.core as arrow
import duckdb
import pandas as pd
import polars as pl
import pytest
from commands import run_command
from test_inputs import compress

import sqlmetrics
from sqlmetrics import cli
from sqlmetrics.running import checks

QRELS = ("qrels.csv", "query_id,doc_id,relevance\nq1,a,1\nq1,b,0\nq2,a,1\n")
RUN = ("run.csv", "query_id,doc_id,score\nq1,a,2.5\nq1,b,1.5\nq2,a,1\n")
TREC_QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n"
TREC_RUN = "q1 Q0 a 1 2.5 tag\nq1 Q0 b 2 1.5 tag\nq2 Q0 a 1 1 tag\n"
QRELS_FRAME = pl.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "relevance": [1]})
RUN_FRAME = pl.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "score": [0.5]})

JSON_LINE = '{"query_id": "q1", "doc_id": "a", "score": 1}'
Row, Strange = namedtuple("Row", "query_id doc_id score"), namedtuple("Strange", "page points")

ENDLESS = {}
ENDLESS["q1"] = ENDLESS

MISSING, FOLDER = object(), object()
INTERNAL = [
    "Traceback", "nanobind", "_sqlmetrics_", "read_csv", "read_parquet", "CAST", "SELECT", "LINE 1",
    "Binder", "Parser", "Conversion", "Invalid Input", "Possible fix", "ignore_errors",
]  # fmt: skip


def change(frame, **columns):
    return frame.with_columns(**{name: pl.lit(value) for name, value in columns.items()})


def parquet(frame, **columns):
    """The bytes of a Parquet file of the frame with other columns."""
    buffer = BytesIO()
    change(frame, **columns).write_parquet(buffer)
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


def save(folder, file):
    """Write the file and return its path; no content leaves it missing."""
    name, content = file
    path = folder / name
    if content is FOLDER:
        path.mkdir()
    elif content is not MISSING:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


def assert_clear(message, words):
    assert [word for word in words if word.lower() not in message.lower()] == [], message
    assert [word for word in INTERNAL if word in message] == [], message
    assert len(message.splitlines()) <= 5, message


# id: the judgments, the run, and words of the message
WRONG_FILES = {
    # no such file
    "qrels missing": (("nowhere.csv", MISSING), RUN, ["nowhere.csv", "does not exist"]),
    "run missing": (QRELS, ("nowhere.csv", MISSING), ["nowhere.csv", "does not exist"]),
    "qrels folder": (("judged", FOLDER), RUN, ["judged", "folder", "has no files"]),
    "run folder": (QRELS, ("runs", FOLDER), ["runs", "folder", "has no files"]),
    # no rows
    "qrels empty": (("qrels.csv", ""), RUN, ["qrels.csv", "is empty"]),
    "run empty": (QRELS, ("run.csv", ""), ["run.csv", "is empty"]),
    "run blank": (QRELS, ("run.csv", "\n \n\n"), ["run.csv", "is empty"]),
    "run empty gz": (QRELS, ("run.csv.gz", gzip.compress(b"")), ["run.csv.gz", "is empty"]),
    "qrels header only": (
        ("qrels.csv", "query_id,doc_id,relevance\n"),
        RUN,
        ["qrels.csv", "no rows"],
    ),
    "run header only": (QRELS, ("run.csv", "query_id,doc_id,score"), ["run.csv", "no rows"]),
    "run Parquet without rows": (
        QRELS,
        ("run.parquet", parquet(RUN_FRAME.clear())),
        ["run.parquet", "no rows"],
    ),
    # columns
    "qrels column missing": (
        ("qrels.csv", "query_id,page,relevance\nq1,a,1\n"),
        RUN,
        ["qrels.csv", "no column doc_id", "query_id, page, relevance", "columns={'doc_id'"],
    ),
    "run column missing": (
        QRELS,
        ("run.csv", "query_id,doc_id,points\nq1,a,1\n"),
        ["run.csv", "no column score", "query_id, doc_id, points", "--columns score="],
    ),
    "run columns missing": (
        QRELS,
        ("run.tsv", "q\td\tscore\nq1\ta\t1\n"),
        ["run.tsv", "query_id", "doc_id", "q, d, score"],
    ),
    "run Parquet column missing": (
        QRELS,
        ("run.parquet", parquet(RUN_FRAME.rename({"score": "points"}))),
        ["run.parquet", "no column score", "query_id, doc_id, points"],
    ),
    "run without header": (
        QRELS,
        ("run.csv", "q1,a,2.5\nq1,b,1.5\n"),
        ["run.csv", "no header", "q1,a,2.5", "query_id=1"],
    ),
    "run column twice": (
        QRELS,
        ("run.csv", "query_id,doc_id,score,score\nq1,a,1,2\n"),
        ["run.csv", "column score", "twice"],
    ),
    # values
    "qrels relevance unreadable": (
        ("qrels.csv", "query_id,doc_id,relevance\nq1,a,1\nq1,b,yes\n"),
        RUN,
        ["qrels.csv line 3", "relevance 'yes'", "document b", "query q1", "number"],
    ),
    "qrels TREC relevance unreadable": (
        ("qrels.txt", "q1 0 a 1\n\nq1 0 b yes\n"),
        RUN,
        ["qrels.txt line 3", "relevance 'yes'", "document b", "query q1"],
    ),
    "qrels relevance empty": (
        ("qrels.csv", "query_id,doc_id,relevance\nq1,a,1\nq1,b,\n"),
        RUN,
        ["qrels.csv line 3", "no relevance", "document b", "query q1"],
    ),
    "qrels relevance NaN": (
        ("qrels.csv", "query_id,doc_id,relevance\nq1,a,nan\n"),
        RUN,
        ["qrels.csv line 2", "relevance 'nan'"],
    ),
    "qrels relevance inf": (
        ("qrels.txt", "q1 0 a 1\nq1 0 b inf\n"),
        RUN,
        ["qrels.txt line 2", "relevance 'inf'"],
    ),
    "run score unreadable": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,a,high\nq1,b,1\n"),
        ["run.csv line 2", "score 'high'", "document a", "query q1", "a numeric score"],
    ),
    "run score unreadable in a later line": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,a,1\nq1,b,2\nq1,c,high\n"),
        ["run.csv line 4", "score 'high'", "document c", "query q1", "a numeric score"],
    ),
    "run score with a comma": (
        QRELS,
        ("run.tsv", "query_id\tdoc_id\tscore\nq1\ta\t2,5\n"),
        ["run.tsv line 2", "score '2,5'"],
    ),
    "run TREC score unreadable": (
        QRELS,
        ("run.txt", TREC_RUN + "\n\nq2 Q0 b 2 high tag\n"),
        ["run.txt line 6", "score 'high'", "document b", "query q2"],
    ),
    "run TREC score unreadable in the first line": (
        QRELS,
        ("run.txt", "q1 Q0 a 1 high tag\nq1 Q0 b 2 1.5 tag\n"),
        ["run.txt line 1", "score 'high'"],
    ),
    "run TREC score unreadable in gz": (
        QRELS,
        ("run.txt.gz", gzip.compress(f"{TREC_RUN}q2 Q0 b 2 high tag".encode())),
        ["run.txt.gz line 4", "score 'high'"],
    ),
    "run score unreadable after a quoted line break": (
        QRELS,
        ("run.csv", 'query_id,doc_id,score,title\nq1,a,1,"two\nlines"\nq1,b,high,one\n'),
        ["run.csv line 4", "score 'high'"],
    ),
    "run score unreadable after blank lines": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,a,1\n\n\nq1,b,high\n"),
        ["run.csv line 5", "score 'high'"],
    ),
    "run score unreadable beside a column called line": (
        QRELS,
        ("run.csv", "line,query_id,doc_id,score\n7,q1,a,high\n"),
        ["run.csv line 2", "score 'high'"],
    ),
    "run score NaN": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,a,NaN\n"),
        ["run.csv line 2", "score 'NaN'"],
    ),
    "run query id empty": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,a,1\n,b,1\n"),
        ["run.csv line 3", "no query_id"],
    ),
    "run document id empty": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,,1\n"),
        ["run.csv line 2", "no doc_id"],
    ),
    "qrels document id empty": (
        ("qrels.csv", "query_id,doc_id,relevance\nq1,,1\n"),
        RUN,
        ["qrels.csv line 2", "no doc_id"],
    ),
    "run Parquet score NULL": (
        QRELS,
        ("run.parquet", parquet(RUN_FRAME, score=None)),
        ["run.parquet", "no score", "document a", "query q1"],
    ),
    "run Parquet query id NULL": (
        QRELS,
        ("run.parquet", parquet(RUN_FRAME, query_id=None)),
        ["run.parquet", "no query_id"],
    ),
    "run Parquet score NaN": (
        QRELS,
        ("run.parquet", parquet(RUN_FRAME, score=float("nan"))),
        ["run.parquet", "score 'nan'", "document a"],
    ),
    "qrels Parquet relevance inf": (
        ("qrels.parquet", parquet(QRELS_FRAME, relevance=float("inf"))),
        RUN,
        ["qrels.parquet", "relevance 'inf'", "document a"],
    ),
    "run id empty": (
        QRELS,
        ("run.csv", "run_id,query_id,doc_id,score\nx,q1,a,1\n,q1,b,1\n"),
        ["run.csv line 3", "no run_id"],
    ),
    # lines
    "run TREC line short": (
        QRELS,
        ("run.txt", TREC_RUN + "q2 Q0 b 2\n"),
        ["run.txt line 4", "query_id Q0 doc_id rank score tag"],
    ),
    "qrels TREC line short": (
        ("qrels.txt", "q1 0 a 1\nq1 a 1\n"),
        RUN,
        ["qrels.txt line 2", "query_id iteration doc_id relevance"],
    ),
    "qrels TREC lines short": (
        ("qrels.txt", "q1 0 a 1\nq1 a 1\nq2 a 1\n"),
        RUN,
        [
            "qrels.txt line 2 is not",
            "qrels.txt line 3 is not",
            "query_id iteration doc_id relevance",
        ],
    ),
    "run TREC lines short": (
        QRELS,
        ("run.txt", TREC_RUN + "q1 a\nq2 a\n"),
        ["run.txt line 4 is not", "run.txt line 5 is not", "query_id Q0 doc_id rank score tag"],
    ),
    "run TREC line short and a document twice": (
        QRELS,
        ("run.txt", TREC_RUN + "q2 Q0 a 2 1 tag\nq1 a\n"),
        ["run.txt line 5 is not", "query_id Q0 doc_id rank score tag"],
    ),
    "qrels TREC line long": (
        ("qrels.txt", "q1 0 a 1\nq1 0 b 1 1\n"),
        RUN,
        ["qrels.txt line 2", "query_id iteration doc_id relevance"],
    ),
    "qrels TREC line short after comments": (
        ("qrels.txt", "# one\nq1 0 a 1\n#two\n\nq1 a 1\n"),
        RUN,
        ["qrels.txt line 5", "query_id iteration doc_id relevance"],
    ),
    "qrels TREC of comments": (("qrels.txt", "# one\n# two\n"), RUN, ["qrels.txt"]),
    "qrels TREC preferences": (
        ("qrels.txt", "q1 u s a 1\nq1 u s b 2\n"),
        RUN,
        ["qrels.txt", "'q1 u s a 1'", "query_id iteration doc_id relevance"],
    ),
    "run CSV line short": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,a,1\nq1,b\n"),
        ["run.csv line 3", "Columns: 3 Found: 2"],
    ),
    "run CSV line long": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,a,1\nq1,b,1,2\n"),
        ["run.csv line 3", "Columns: 3 Found: 4"],
    ),
    "qrels CSV line short": (
        ("qrels.csv", "query_id,doc_id,relevance\nq1\n"),
        RUN,
        ["qrels.csv line 2", "Columns: 3 Found: 1"],
    ),
    "run CSV quote not closed": (
        QRELS,
        ("run.csv", 'query_id,doc_id,score\nq1,"a,1\nq1,b,1\n'),
        ["run.csv line 2", "quote"],
    ),
    # repeated documents
    "run document twice": (
        QRELS,
        ("run.csv", RUN[1] + "q1,a,0.5\n"),
        ["run.csv line 2", "run.csv line 5", "document a", "2 times", "query q1"],
    ),
    "run TREC document twice": (
        QRELS,
        ("run.txt", TREC_RUN + "\nq1 Q0 b 3 2.5 tag\n"),
        ["run.txt line 2", "run.txt line 5", "document b", "2 times", "query q1"],
    ),
    "qrels document twice": (
        ("qrels.csv", QRELS[1] + "q1,a,1\n"),
        RUN,
        ["qrels.csv line 2", "qrels.csv line 5", "document a", "2 times", "query q1"],
    ),
    "qrels TREC document twice": (
        ("qrels.txt", TREC_QRELS + "q2 0 a 1\n"),
        RUN,
        ["qrels.txt line 3", "qrels.txt line 4", "document a", "2 times", "query q2"],
    ),
    "run Parquet document twice": (
        QRELS,
        ("run.parquet", parquet(pl.concat([RUN_FRAME, RUN_FRAME]))),
        ["run.parquet", "document a", "2 times", "query q1"],
    ),
    "run document twice in one run of two": (
        QRELS,
        ("run.csv", "run_id,query_id,doc_id,score\nx,q1,a,1\ny,q1,a,1\ny,q1,b,1\ny,q1,b,2\n"),
        ["run.csv line 4", "run.csv line 5", "document b", "query q1", "run y"],
    ),
    # the wrong way round
    "run TREC document id with a blank": (
        QRELS,
        ("run.txt", TREC_RUN + "q2 Q0 my doc 2 8.5 tag\n"),
        ["run.txt line 4", "query_id Q0 doc_id rank score tag"],
    ),
    "swapped CSV": (
        ("run.csv", RUN[1]),
        ("qrels.csv", QRELS[1]),
        ["run.csv", "looks like a run", "judgments first"],
    ),
    "swapped Parquet": (
        ("run.parquet", parquet(RUN_FRAME)),
        ("qrels.parquet", parquet(QRELS_FRAME)),
        ["run.parquet", "looks like a run", "judgments first"],
    ),
    "swapped TREC": (
        ("run.txt", TREC_RUN),
        ("qrels.txt", TREC_QRELS),
        ["run.txt", "looks like a run", "judgments first"],
    ),
    "judgments for a run": (
        QRELS,
        ("copy.csv", QRELS[1]),
        ["copy.csv", "looks like judgments", "judgments first"],
    ),
    "TREC judgments for a run": (
        QRELS,
        ("copy.txt", TREC_QRELS),
        ["copy.txt", "looks like judgments", "judgments first"],
    ),
    # nothing in common
    "no query in common": (
        ("qrels.csv", "query_id,doc_id,relevance\n101,a,1\n"),
        ("run.txt", "q101 Q0 a 1 2.5 tag\n"),
        ["qrels.csv", "run.txt", "no query in common", "'101'", "'q101'"],
    ),
    "one run of two without query in common": (
        QRELS,
        ("run.csv", "run_id,query_id,doc_id,score\nx,q1,a,1\nother,z9,a,1\n"),
        ["qrels.csv", "other", "no query in common", "'q1'", "the run has 'z9'"],
    ),
    # not what they seem
    "run binary": (
        QRELS,
        ("run.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)) * 20),
        ["cannot read", "run.png"],
    ),
    "qrels binary": (("qrels.npy", bytes(range(255, -1, -1))), RUN, ["qrels.npy", "UTF-16"]),
    "run gz truncated": (
        QRELS,
        ("run.csv.gz", gzip.compress(long_run().encode())[:-9_000]),
        ["cannot read", "run.csv.gz"],
    ),
    "run gz truncated in its last bytes": (
        QRELS,
        ("run.csv.gz", gzip.compress(long_run().encode())[:-4]),
        ["cannot read", "run.csv.gz"],
    ),
    "run TREC gz truncated": (
        QRELS,
        ("run.txt.gz", gzip.compress(TREC_RUN.encode())[:-20]),
        ["cannot read", "run.txt.gz"],
    ),
    "run Parquet truncated": (
        QRELS,
        ("run.parquet", parquet(RUN_FRAME)[:-30]),
        ["cannot read", "run.parquet"],
    ),
    "run Parquet damaged inside": (
        QRELS,
        ("run.parquet", damage(parquet(pl.read_csv(long_run().encode())))),
        ["cannot read", "run.parquet"],
    ),
    "run Parquet of four bytes": (QRELS, ("run.parquet", "PAR1"), ["cannot read", "run.parquet"]),
    "run CSV not UTF-8": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,a,1\nq1,Größe,1\n".encode("latin-1")),
        ["run.csv line 3", "UTF-8"],
    ),
    "qrels TREC not UTF-8": (
        ("qrels.txt", "q1 0 a 1\nq1 0 Größe 1\n".encode("latin-1")),
        RUN,
        ["qrels.txt line 2", "UTF-8"],
    ),
    "run zst truncated": (
        QRELS,
        ("run.csv.zst", zstd(long_run())[:-9_000]),
        ["cannot read", "run.csv.zst", "truncated"],
    ),
    "run zst truncated in its last byte": (
        QRELS,
        ("run.csv.zst", zstd(long_run())[:-1]),
        ["cannot read", "run.csv.zst", "truncated"],
    ),
    "run zst followed by something": (
        QRELS,
        ("run.csv.zst", zstd(long_run()) + b"more"),
        ["cannot read", "run.csv.zst", "damaged"],
    ),
    "run zst of four bytes": (QRELS, ("run.zst", zstd("")[:4]), ["cannot read", "run.zst"]),
    "run zst empty": (QRELS, ("run.zst", zstd("")), ["run.zst", "is empty"]),
    "run gz damaged": (
        QRELS,
        ("run.csv.gz", damage(gzip.compress(long_run().encode()))),
        ["cannot read", "run.csv.gz"],
    ),
    "run gz of two bytes": (QRELS, ("run.gz", b"\x1f\x8b"), ["cannot read", "run.gz"]),
    "run zip": (QRELS, ("run.zip", b"PK\3\4\x14\0"), ["run.zip", "zip archive", "unpack"]),
    "qrels Excel": (("q.xlsx", b"PK\3\4\x14\0"), RUN, ["q.xlsx", "Excel", "save it as CSV"]),
    "run bz2": (QRELS, ("run.bz2", bz2.compress(b"x")), ["run.bz2", "bzip2", "decompress"]),
    "run xz": (QRELS, ("run.xz", lzma.compress(b"x")), ["run.xz", "xz", "decompress"]),
    "run lzma": (
        QRELS,
        ("run.lzma", lzma.compress(TREC_RUN.encode(), lzma.FORMAT_ALONE)),
        ["cannot read", "run.lzma", "not text"],
    ),
    "run DuckDB": (QRELS, ("run.db", b"12345678DUCK\0\0"), ["run.db", "DuckDB", "con="]),
    "run SQLite": (QRELS, ("run.db", b"SQLite format 3\0"), ["run.db", "SQLite", "export"]),
    "run Arrow": (QRELS, ("run.arrow", b"ARROW1\0\0"), ["run.arrow", "polars.read_ipc"]),
    "run pickle": (QRELS, ("run.pkl", pickle.dumps({"q1": {"a": 1.0}})), ["run.pkl", "not text"]),
    "run UTF-16 without mark": (
        QRELS,
        ("run.txt", TREC_RUN.encode("utf-16-le")),
        ["cannot read", "run.txt", "not text"],
    ),
    "run UTF-16 big endian": (
        QRELS,
        ("run.txt", codecs.BOM_UTF16_BE + TREC_RUN.encode("utf-16-be")),
        ["run.txt", "save it as UTF-8"],
    ),
    "run TREC in two encodings": (
        QRELS,
        ("run.txt", "q1 Q0 ü 1 2 t\n".encode() + "q1 Q0 ö 2 1 t\n".encode("latin-1")),
        ["run.txt line 2", "UTF-8"],
    ),
    "run CSV not UTF-8 far down": (
        QRELS,
        ("run.csv", long_run().encode() + "q1,ü,1\n".encode("latin-1")),
        ["run.csv line 100002", "UTF-8"],
    ),
    "run JSON not UTF-8": (
        QRELS,
        ("run.json", '{"q1": {"ü": 1}}'.encode("latin-1")),
        ["cannot read", "run.json", "utf-8"],
    ),
    "run byte order mark only": (QRELS, ("run.txt", "\ufeff"), ["run.txt", "is empty"]),
    "run byte order mark and blank": (QRELS, ("run.txt", "\ufeff \n"), ["run.txt", "is empty"]),
    "run tabs only": (QRELS, ("run.txt", "\t\n\t\t\n"), ["run.txt", "is empty"]),
    "run NUL at the start": (QRELS, ("run.txt", "\0" + TREC_RUN), ["run.txt", "NUL"]),
    "run NUL far down in CSV": (
        QRELS,
        ("run.csv", long_run() + "q1,a\0b,1\n"),
        ["run.csv line 100002", "NUL", "damaged"],
    ),
    "run NUL far down in TREC": (
        QRELS,
        ("run.txt", many_lines() + "q\0 Q0 b 1 1 tag\n"),
        ["run.txt line 20001", "NUL", "damaged"],
    ),
    "run NUL far down in a score": (
        QRELS,
        ("run.txt.gz", gzip.compress(f"{many_lines()}q1 Q0 b 1 1\0 tag\n".encode())),
        ["run.txt.gz line 20001", "score"],
    ),
    "run lines end in different ways": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\r\nq1,a,1\nq1,b,1\r\n"),
        ["cannot read", "run.csv", "mixes line endings"],
    ),
    "run line too long": (
        QRELS,
        ("run.txt", TREC_RUN + f"q2 Q0 {'b' * 3_000_000} 1 1 tag\n"),
        ["last line of", "run.txt", "longer than 2 MB"],
    ),
    "run header too long": (
        QRELS,
        ("run.csv", "query_id,doc_id,score," + "x" * 200_000 + "\nq1,a,1,2\n"),
        ["run.csv", "first line is too long"],
    ),
    "run CSV quote not closed at the end": (
        QRELS,
        ("run.csv", RUN[1] + 'q2,"b,1'),
        ["run.csv line 5", "quote"],
    ),
    "run CSV text after a quote": (
        QRELS,
        ("run.csv", 'query_id,doc_id,score\nq1,"a"b,1\n'),
        ["run.csv line 2", "quote"],
    ),
    "run score unreadable after a line break in semicolons": (
        QRELS,
        ("run.csv", 'query_id;doc_id;score;title\nq1;a;1;"two\nlines"\nq1;b;high;one\n'),
        ["run.csv line 4", "score 'high'"],
    ),
    "run TREC of five columns": (
        QRELS,
        ("run.txt", "q1 Q0 a 1 2.5\n"),
        ["run.txt", "first line", "'q1 Q0 a 1 2.5'", "query_id Q0 doc_id rank score tag"],
    ),
    "qrels TREC of five columns": (
        ("qrels.txt", "q1 0 a 1 x\n"),
        RUN,
        ["qrels.txt", "first line", "query_id iteration doc_id relevance"],
    ),
    "run TREC with commas": (QRELS, ("run.csv", "q1,Q0,a,1,2.5,tag\n"), ["run.csv", "no header"]),
    "run TREC with an unknown header": (
        QRELS,
        ("run.txt", "Topic Q0 Page Pos Sim Name\n" + TREC_RUN),
        ["run.txt", "no column doc_id", "Topic, Q0, Page, Pos, Sim, Name"],
    ),
    "run HTML": (QRELS, ("run.txt", "<!DOCTYPE html>\n<p>404\n"), ["run.txt", "no header"]),
    # numbers
    "run score too large": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,a,1e400\n"),
        ["run.csv line 2", "score '1e400 (too large)'"],
    ),
    "run TREC score too small": (
        QRELS,
        ("run.txt", TREC_RUN + "q2 Q0 b 2 -1e999 tag\n"),
        ["run.txt line 4", "score '-1e999 (too large)'"],
    ),
    "run JSON score too large": (
        QRELS,
        ("run.json", '{"q1": {"a": 1e400, "b": 1}}'),
        ["run.json", "score '1e400 (too large)'", "document a"],
    ),
    "run score with an underscore": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,a,1_000\n"),
        ["run.csv line 2", "score '1_000'"],
    ),
    "run TREC score with an underscore": (
        QRELS,
        ("run.txt", "q1 Q0 a 1 1_000 tag\n"),
        ["run.txt line 1", "score '1_000'"],
    ),
    "run rank with an underscore": (
        QRELS,
        ("run.csv", "query_id,doc_id,rank\nq1,a,1_000\n"),
        ["run.csv line 2", "rank 1_000"],
    ),
    "run score hexadecimal": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,a,0x10\n"),
        ["run.csv line 2", "score '0x10'"],
    ),
    "run score in other digits": (
        QRELS,
        ("run.csv", "query_id,doc_id,score\nq1,a,१\n"),
        ["run.csv line 2", "score '१'"],
    ),
    "run rank unreadable": (
        QRELS,
        ("run.csv", "query_id,doc_id,rank\nq1,a,1\nq1,b,first\n"),
        ["run.csv line 3", "rank first", "document b"],
    ),
    "run rank empty": (
        QRELS,
        ("run.csv", "query_id,doc_id,rank\nq1,a,\n"),
        ["run.csv line 2", "no score", "document a"],
    ),
    # JSON
    "run JSON lines broken": (
        QRELS,
        ("run.jsonl", JSON_LINE + '\n\n{"query_id": "q1", "doc_id":\n'),
        ["run.jsonl line 3", "is not JSON", '"doc_id":'],
    ),
    "run JSON lines broken at once": (
        QRELS,
        ("run.jsonl", '{"query_id": "q1", "doc_id": }\n' + JSON_LINE),
        ["run.jsonl", "JSON", "line 1"],
    ),
    "run JSON lines with something else": (
        QRELS,
        ("run.jsonl", JSON_LINE + "\n5\n"),
        ["run.jsonl line 2", "without query_id and doc_id"],
    ),
    "run JSON lines without a score": (
        QRELS,
        ("run.jsonl", JSON_LINE + '\n{"query_id": "q1", "doc_id": "b"}\n'),
        ["run.jsonl line 2", "no score", "document b"],
    ),
    "run JSON lines column missing": (
        QRELS,
        ("run.jsonl", '{"query_id": "q1", "page": "b", "score": 1}\n'),
        ["run.jsonl", "no column doc_id", "query_id, page, score"],
    ),
    "run JSON of unknown shape": (QRELS, ("run.json", "[1, 2]"), ["run.json", "unknown shape"]),
    "run JSON array empty": (QRELS, ("run.json", "[]"), ["run.json", "unknown shape"]),
    "run JSON array mixed": (
        QRELS,
        ("run.json", f"[{JSON_LINE}, 5]"),
        ["row 2", "run.json", "is 5", "query_id, doc_id, score"],
    ),
    "run JSON dict of lists": (
        QRELS,
        ("run.json", '{\n"q1": ["a", "b"]}'),
        ["run.json", "['a', 'b']", "query 'q1'", "{query_id: {doc_id: score}}"],
    ),
    "run JSON too deep": (
        QRELS,
        ("run.json", '{"x": {"q1": {"a": 1}}}'),
        ["run.json", "score", "document q1 of query x"],
    ),
    "run JSON far too deep": (QRELS, ("run.json", "[" * 100_000), ["run.json", "nested"]),
    "run JSON not closed": (QRELS, ("run.json", '{"q1": {"a": 1}'), ["run.json", "JSON"]),
    "run JSON with true": (
        QRELS,
        ("run.json", '{"q1": {"a": true, "b": 0.5}}'),
        ["run.json", "score 'True'", "document a of query q1"],
    ),
    "run JSON with text": (
        QRELS,
        ("run.json", '{"q1": {"a": "high"}}'),
        ["run.json", "score 'high'", "document a of query q1"],
    ),
    "run JSON document twice": (
        QRELS,
        ("run.json", '{"q1": {"a": 1, "b": 2, "a": 3}}'),
        ["run.json", "'a' twice"],
    ),
    "qrels JSON query twice": (
        ("qrels.json", '{"q1": {"a": 1}, "q1": {"b": 1}}'),
        RUN,
        ["qrels.json", "'q1' twice"],
    ),
    # columns
    "run columns ambiguous": (
        QRELS,
        ("run.csv", "qid,topic,doc_id,score\nq1,q2,a,1\n"),
        ["run.csv", "query_id could be qid or topic", "columns={'query_id': 'qid'}", "--columns"],
    ),
    "qrels columns ambiguous": (
        ("qrels.csv", "query_id,doc_id,label,grade\nq1,a,1,2\n"),
        RUN,
        ["qrels.csv", "relevance could be label or grade"],
    ),
    "run CSV in UTF-16": (QRELS, ("run.csv", RUN[1].encode("utf-16")), ["run.csv", "UTF-8"]),
}


@pytest.mark.few(12)
@pytest.mark.parametrize(("qrels", "run", "words"), WRONG_FILES.values(), ids=WRONG_FILES)
def test_a_wrong_file_is_refused(tmp_path, qrels, run, words):
    paths = save(tmp_path, qrels), save(tmp_path, run)
    with pytest.raises(sqlmetrics.SqlMetricsError) as refused:
        sqlmetrics.evaluate(*paths, "AP")
    assert_clear(str(refused.value), words)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "case",
    [
        "run missing",
        "run column missing",
        "run TREC score unreadable",
        "qrels document twice",
        "swapped Parquet",
        "run gz truncated",
        "run CSV not UTF-8",
    ],
)
def test_the_process_ends_with_status_2_and_one_message(tmp_path, case):
    qrels, run, words = WRONG_FILES[case]
    paths = save(tmp_path, qrels), save(tmp_path, run)
    status, printed, said = run_command("evaluate", *paths, "-m", "AP")
    assert (status, printed) == (2, "")
    assert said.startswith("error: ")
    assert_clear(said, words)


@pytest.mark.parametrize("rows", [2, 200_000])
def test_many_wrong_rows_are_counted_and_not_listed(tmp_path, rows):
    run = "query_id,doc_id,score\n" + "".join(f"q1,d{number},x\n" for number in range(rows + 3))
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(save(tmp_path, QRELS), save(tmp_path, ("run.csv", run)), "AP")
    words = ["run.csv line 2", "run.csv line 3", "run.csv line 4", f"and {rows} more"]
    assert_clear(str(refused.value), words)


def closed_file():
    file = BytesIO(b"x")
    file.close()
    return file


@pytest.mark.few(6)
@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"page": "x"}, ["columns=", "'page'", "query_id, doc_id, relevance"]),
        ({"page": 2}, ["columns=", "'page'"]),
        (["score"], ["columns=", "dict", "['score']"]),
        ("score", ["columns=", "dict", "'score'"]),
        ({"score": 1.5}, ["columns=", "1.5", "score"]),
        ({"score": None}, ["columns=", "None", "score"]),
        ({"score": True}, ["columns=", "True", "score"]),
        ({"score": [None]}, ["columns=", "[None]", "score"]),
        ({"score": "nowhere"}, ["no column nowhere for score", "query_id, doc_id, score"]),
        ({"score": ["here", "there"]}, ["no column here or there for score"]),
        ({"score": ""}, ["no column", "for score"]),
        ({"score": 4}, ["no column 4 for score", "it has 3"]),
        ({"score": 0}, ["no column 0 for score", "it has 3"]),
        ({"score": -1}, ["no column -1 for score"]),
        ({"score": "doc_id", "doc_id": "doc_id"}, ["doc_id cannot be both doc_id and score"]),
        ({"run_id": 1, "query_id": 1}, ["cannot be both query_id and run_id"]),
    ],
)
@pytest.mark.parametrize("form", ["frame", "file"])
def test_wrong_columns_are_refused(tmp_path, form, columns, words):
    run = RUN_FRAME if form == "frame" else save(tmp_path, RUN)
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(QRELS_FRAME, run, "AP", columns=columns)
    assert_clear(str(refused.value), words)


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
            with pytest.raises(sqlmetrics.InputError, match="not downloaded by default"):
                sqlmetrics.evaluate(QRELS_FRAME, url, "AP", **given)


# id: the judgments, the run, and words of the message
WRONG_FRAMES = {
    "qrels column missing": (
        QRELS_FRAME.drop("doc_id"),
        RUN_FRAME,
        ["judgments frame", "no column doc_id", "query_id, relevance"],
    ),
    "run column missing": (
        QRELS_FRAME,
        RUN_FRAME.rename({"score": "points"}),
        ["run frame", "no column score", "query_id, doc_id, points"],
    ),
    "run pandas column missing": (
        QRELS_FRAME,
        pd.DataFrame({"query_id": ["q1"], "score": [1.0]}),
        ["run frame", "no column doc_id", "query_id, score"],
    ),
    "run pandas columns are numbers": (
        QRELS_FRAME,
        pd.DataFrame([["q1", "a", 1.0]]),
        ["run frame", "no column query_id", "0, 1, 2"],
    ),
    "one run of two lacks a column": (
        QRELS_FRAME,
        {"bm25": RUN_FRAME, "neural": RUN_FRAME.drop("score")},
        ["neural", "no column score"],
    ),
    "one run of two repeats a document": (
        QRELS_FRAME,
        {"bm25": RUN_FRAME, "neural": pl.concat([RUN_FRAME, RUN_FRAME])},
        ["neural", "document a", "2 times", "query q1"],
    ),
    "one run of two has no score": (
        QRELS_FRAME,
        {"bm25": RUN_FRAME, "neural": change(RUN_FRAME, score=None)},
        ["neural", "no score", "document a"],
    ),
    "one run of two is empty": (
        QRELS_FRAME,
        {"bm25": RUN_FRAME, "neural": RUN_FRAME.clear()},
        ["neural", "no rows"],
    ),
    "one run of two has no query in common": (
        QRELS_FRAME,
        {"bm25": RUN_FRAME, "neural": change(RUN_FRAME, query_id="z9")},
        ["neural", "no query in common", "judgments have 'q1'", "the run has 'z9'"],
    ),
    "qrels empty": (QRELS_FRAME.clear(), RUN_FRAME, ["judgments frame", "no rows"]),
    "run empty": (QRELS_FRAME, RUN_FRAME.clear(), ["run frame", "no rows"]),
    "run without columns": (QRELS_FRAME, pl.DataFrame(), ["run frame", "no column query_id"]),
    "run score NULL": (
        QRELS_FRAME,
        change(RUN_FRAME, score=None),
        ["run frame", "no score", "document a", "query q1"],
    ),
    "run score NaN": (
        QRELS_FRAME,
        change(RUN_FRAME, score=float("nan")),
        ["run frame", "score 'nan'", "document a", "query q1"],
    ),
    "run pandas score None": (
        QRELS_FRAME,
        pd.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "score": [None]}),
        ["run frame", "score", "document a", "query q1"],
    ),
    "run score a date": (
        QRELS_FRAME,
        change(RUN_FRAME, score=date(2020, 1, 2)),
        ["run frame", "score"],
    ),
    "run score a list": (QRELS_FRAME, change(RUN_FRAME, score=[1.0]), ["run frame", "score"]),
    "run query id NULL": (
        QRELS_FRAME,
        change(RUN_FRAME, query_id=None),
        ["run frame", "no query_id"],
    ),
    "run document id bytes": (
        QRELS_FRAME,
        change(RUN_FRAME, doc_id="é".encode()),
        ["run frame", "doc_id as bytes", "decode"],
    ),
    "run document id NULL": (
        QRELS_FRAME,
        change(RUN_FRAME, doc_id=None),
        ["run frame", "no doc_id"],
    ),
    "qrels relevance NULL": (
        change(QRELS_FRAME, relevance=None),
        RUN_FRAME,
        ["judgments frame", "no relevance", "document a", "query q1"],
    ),
    "qrels relevance NaN": (
        change(QRELS_FRAME, relevance=float("nan")),
        RUN_FRAME,
        ["judgments frame", "relevance 'nan'", "document a"],
    ),
    "qrels relevance inf": (
        change(QRELS_FRAME, relevance=float("-inf")),
        RUN_FRAME,
        ["judgments frame", "relevance '-inf'", "document a"],
    ),
    "qrels document twice": (
        pl.concat([QRELS_FRAME, QRELS_FRAME]),
        RUN_FRAME,
        ["judgments frame", "document a", "2 times", "query q1"],
    ),
    "run document twice": (
        QRELS_FRAME,
        pl.concat([RUN_FRAME, RUN_FRAME]),
        ["run frame", "document a", "2 times", "query q1"],
    ),
    "swapped": (RUN_FRAME, QRELS_FRAME, ["looks like a run", "judgments first"]),
    "swapped pandas": (
        pd.DataFrame(RUN_FRAME.to_dict(as_series=False)),
        pd.DataFrame(QRELS_FRAME.to_dict(as_series=False)),
        ["looks like a run", "judgments first"],
    ),
    "no query in common": (
        QRELS_FRAME,
        change(RUN_FRAME, query_id=7),
        ["run frame", "judgments frame", "no query in common", "'q1'", "'7'"],
    ),
    # what is not an input at all
    "qrels a number": (42, RUN_FRAME, ["the judgments", "int", "path", "frame"]),
    "qrels None": (None, RUN_FRAME, ["the judgments", "None", "path", "frame"]),
    "qrels a list": ([QRELS_FRAME], RUN_FRAME, ["the judgments", "list", "path", "frame"]),
    "run None": (QRELS_FRAME, None, ["the run", "None", "path", "frame"]),
    "run a list of numbers": (QRELS_FRAME, [42], ["the run", "int", "path", "frame"]),
    "run a list of rows": (QRELS_FRAME, [("q1", "a", 1.0)], ["the run", "tuple", "path", "frame"]),
    "run a dict of columns": (
        QRELS_FRAME,
        RUN_FRAME.to_dict(as_series=False),
        ["the run", "list", "path", "frame"],
    ),
    "run bytes": (QRELS_FRAME, b"run.csv", ["the run", "bytes"]),
    "run a class": (QRELS_FRAME, pl.DataFrame, ["the run", "type", "path", "frame"]),
    "run an empty generator": (QRELS_FRAME, iter([]), ["run frame", "no rows"]),
    "qrels an empty generator": (iter([]), RUN_FRAME, ["judgments frame", "no rows"]),
    "qrels an empty dict": ({}, RUN_FRAME, ["judgments frame", "no rows"]),
    "run an empty file": (QRELS_FRAME, BytesIO(), ["run", "is empty"]),
    "qrels an empty file": (StringIO(), RUN_FRAME, ["judgments", "is empty"]),
    "run a closed file": (QRELS_FRAME, closed_file(), ["cannot read", "run", "closed"]),
    "run text of several lines": (QRELS_FRAME, RUN[1], ["several lines", "io.StringIO"]),
    "run a long name": (QRELS_FRAME, "a" * 5_000, ["cannot read", "too long"]),
    "run a home folder of nobody": (QRELS_FRAME, "~nobody-here/x", ["does not exist"]),
    "run a pattern without match": (QRELS_FRAME, "nowhere/*.txt", ["No files match nowhere/*.txt"]),
    "run a URL": (QRELS_FRAME, "https://example.org/run", ["httpfs", "not downloaded", "INSTALL"]),
    "qrels a URL": ("s3://bucket/qrels.parquet", RUN_FRAME, ["httpfs", "not downloaded"]),
    "run a URL of an unknown kind": (QRELS_FRAME, "gopher://x/run", ["gopher://x/run"]),
    "run tuples without the fields": (
        QRELS_FRAME,
        [Strange(1, 2)],
        ["no column query_id", "page, points"],
    ),
    "run tuples of two kinds": (
        QRELS_FRAME,
        [Row("q1", "a", 1), Strange(1, 2)],
        ["row 2", "Strange(page=1, points=2)", "query_id, doc_id, score"],
    ),
    "run tuples without fields": (
        QRELS_FRAME,
        iter([("q1", "a", 1)]),
        ["row 1", "('q1', 'a', 1)", "named tuples", "query_id, doc_id, score"],
    ),
    "run tuple with None": (QRELS_FRAME, [Row("q1", None, 1)], ["run frame", "no doc_id"]),
    "run dict of numbers": (QRELS_FRAME, {"a": 0.5}, ["float", "path", "frame"]),
    "qrels dict of numbers": ({"a": 1}, RUN_FRAME, ["has 1", "'a'", "{query_id: {doc_id: rel"]),
    "qrels dict too deep": (
        {"x": {"q1": {"a": 1}}},
        RUN_FRAME,
        ["relevance", "document q1 of query x"],
    ),
    "run dict too deep": (
        QRELS_FRAME,
        {"x": {"y": {"q1": {"a": 1.0}}}},
        ["frame x", "score", "document q1 of query y"],
    ),
    "run dict of lists": (QRELS_FRAME, {"q1": ["a", "b"]}, ["list", "path", "frame"]),
    "run dict with text": (QRELS_FRAME, {"q1": {"a": "high"}}, ["score 'high'", "document a"]),
    "run dict with an underscore": (QRELS_FRAME, {"q1": {"a": "1_000"}}, ["score '1_000'"]),
    "qrels dict with an underscore": ({"q1": {"a": "1_0"}}, RUN_FRAME, ["relevance '1_0'"]),
    "run frame with an underscore": (
        QRELS_FRAME,
        change(RUN_FRAME, score="1_000"),
        ["run frame", "score '1_000'"],
    ),
    "run dict with True": (QRELS_FRAME, {"q1": {"a": True}}, ["score 'True'", "document a"]),
    "run tuples with True": (QRELS_FRAME, [Row("q1", "a", True)], ["score 'True'", "document a"]),
    "run frame with true": (
        QRELS_FRAME,
        change(RUN_FRAME, score=True),
        ["run frame", "true and false as scores"],
    ),
    "run dict that contains itself": (QRELS_FRAME, ENDLESS, ["score", "{...}", "document q1"]),
    "qrels dict that contains itself": (ENDLESS, RUN_FRAME, ["relevance", "{...}"]),
    "run tuples that contain themselves": (
        QRELS_FRAME,
        [Row("q1", "a", ENDLESS)],
        ["score", "{...}", "document a"],
    ),
    "run Arrow table with a column twice": (
        QRELS_FRAME,
        arrow.Table.from_arrays(
            [arrow.ChunkedArray(pl.Series(values)) for values in (["q1"], ["a"], [1.0], [2.0])],
            names=["query_id", "doc_id", "score", "score"],
        ),
        ["run frame", "column score twice"],
    ),
    "run dict with None": (QRELS_FRAME, {"q1": {"a": None}}, ["no score", "document a"]),
    "run dict with NaN": (QRELS_FRAME, {"q1": {"a": float("nan")}}, ["score 'nan'"]),
    "run dict with a list": (QRELS_FRAME, {"q1": {"a": [1]}}, ["score '[1]'", "document a"]),
    "run dict with a complex number": (QRELS_FRAME, {"q1": {"a": 1j}}, ["run frame"]),
    "run dict with a huge number": (QRELS_FRAME, {"q1": {"a": 10**400}}, ["run frame"]),
    "run dict without documents": (QRELS_FRAME, {"q1": {}}, ["run frame", "no rows"]),
    "run dict without an id": (QRELS_FRAME, {"q1": {None: 1.0}}, ["run frame", "no doc_id"]),
    "run dict with half a character": (
        QRELS_FRAME,
        {"q1": {"\udc80": 1.0}},
        ["run frame", "utf-8"],
    ),
    "run dict with ids equal as text": (
        QRELS_FRAME,
        {"q1": {1: 1.0, "1": 2.0}},
        ["run frame", "document 1", "2 times", "query q1"],
    ),
    "run lazy frame that fails": (
        QRELS_FRAME,
        RUN_FRAME.lazy().with_columns(score=pl.col("doc_id").cast(pl.Int64)),
        ["cannot read", "run frame"],
    ),
    "run relation that fails": (
        QRELS_FRAME,
        duckdb.sql("SELECT 'q1' AS query_id, 'a' AS doc_id, error('no luck') AS score"),
        ["cannot read", "run frame", "no luck"],
    ),
    "run relation with a column twice": (
        QRELS_FRAME,
        duckdb.sql("SELECT 'q1' AS query_id, 'a' AS doc_id, 1 AS score, 2 AS score"),
        ["run frame", "column score", "twice"],
    ),
    "run pandas id in the index": (
        QRELS_FRAME,
        pd.DataFrame(RUN_FRAME.to_dict(as_series=False)).set_index("query_id"),
        ["run frame", "no column query_id", "doc_id, score"],
    ),
    "run pandas nullable score": (
        QRELS_FRAME,
        pd.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "score": pd.array([None], "Int64")}),
        ["run frame", "no score", "document a"],
    ),
    # names of runs
    "no run": (QRELS_FRAME, [], ["no run to score"]),
    "no run in a dict": (QRELS_FRAME, {}, ["no run to score"]),
    "two frames without names": (
        QRELS_FRAME,
        [RUN_FRAME, RUN_FRAME],
        ["give them different names"],
    ),
    "names that are equal as text": (
        QRELS_FRAME,
        {1: RUN_FRAME, "1": RUN_FRAME},
        ["give them different names", "'1'"],
    ),
    "a run_id that another input has": (
        QRELS_FRAME,
        {"a": change(RUN_FRAME, run_id="x"), "b": change(RUN_FRAME, run_id="x", doc_id="b")},
        ["give them different names", "'x'"],
    ),
    "a run_id that is another input's name": (
        QRELS_FRAME,
        {"x": RUN_FRAME, "all": change(RUN_FRAME, run_id="x", doc_id="b")},
        ["give them different names", "'x'"],
    ),
}


@pytest.mark.few(10)
@pytest.mark.parametrize(("qrels", "run", "words"), WRONG_FRAMES.values(), ids=WRONG_FRAMES)
def test_a_wrong_frame_is_refused(qrels, run, words):
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(qrels, run, "AP")
    assert_clear(str(refused.value), words)


@pytest.mark.parametrize("make_runs", [list, tuple])
def test_the_same_file_twice_is_refused(tmp_path, make_runs):
    run = save(tmp_path, RUN)
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(QRELS_FRAME, make_runs([run, Path(run)]), "AP")
    assert_clear(str(refused.value), ["give them different names", "run"])


def test_files_with_the_same_run_id_are_refused(tmp_path):
    paths = [
        save(tmp_path, (f"{name}.csv", f"run_id,query_id,doc_id,score\nx,q1,{name},1\n"))
        for name in "ab"
    ]
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(QRELS_FRAME, paths, "AP")
    assert_clear(str(refused.value), ["a.csv", "b.csv", "'x'"])


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


@pytest.mark.few(8)
@pytest.mark.parametrize(
    ("qrels", "run", "words"),
    [
        ("nowhere", "run", ["No file or table named 'nowhere'", "the database has"]),
        ("qrels", "runn", ["named 'runn'; the database has run, ", "qrels"]),
        ("qrels", "nowhere", ["No file or table named 'nowhere'"]),
        ("qrels", "runs/nowhere.csv", ["No file or table named 'runs/nowhere.csv'"]),
        ("qrels", "*.csv", ["No file or table named '*.csv'"]),
        ("qrels", "", ["No file or table named ''"]),
        ("qrels", "run; DROP TABLE run", ["No file or table named 'run; DROP TABLE run'"]),
        ("qrels", ["run", "nowhere"], ["No file or table named 'nowhere'"]),
        ("qrels", "narrow", ["table narrow", "no column score", "query_id, doc_id"]),
        ("run", "qrels", ["table run", "looks like a run", "judgments first"]),
        ("qrels", "empty", ["table empty", "no rows"]),
        ("qrels", "holes", ["table holes", "no score", "document a", "query q1"]),
        ("qrels", "double", ["table double", "document a", "2 times", "query q1"]),
        ("qrels", "broken", ["table broken", "no luck"]),
        ("qrels", "stale", ["stale", "gone"]),
    ],
)
def test_a_wrong_table_is_refused(con, qrels, run, words):
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(qrels, run, "AP", con=con)
    assert_clear(str(refused.value), words)


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


def test_a_table_name_without_connection_is_refused_with_a_hint():
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate("qrels", "run", "AP")
    assert_clear(str(refused.value), ["judgments file qrels", "does not exist", "con="])


@pytest.mark.parametrize(
    ("metrics", "words"),
    [
        ("nDGC@10", ["nDGC", "did you mean nDCG"]),
        ("AP xyzzy", ["xyzzy", "sqlmetrics metrics"]),
        (["AP", "nDGC", "Preciison@5"], ["nDGC", "did you mean nDCG", "Preciison", "P"]),
        ("", ["no metrics"]),
        ([], ["no metrics"]),
        (" , ", ["no metrics"]),
        ("nDCG@0", ["nDCG@0", "k cannot be 0", "1 or more"]),
        ("P_0", ["P_0", "k cannot be 0", "1 or more"]),
        ("nDCG@-5", ["nDCG@-5", "k cannot be -5", "1 or more"]),
        ("nDCG@2.5", ["nDCG@2.5", "'2.5'", "whole number"]),
        ("nDCG@" + "9" * 5_000, ["nDCG@999", "5000 characters", "too large"]),
        ("map@10-l" + "9" * 5_000, ["map@10-l999", "5000 characters", "too large"]),
        ("nDCG@ten", ["nDCG@ten", "'ten'", "whole number"]),
        ("nDCG(k=2.5)", ["nDCG(k=2.5)", "k cannot be 2.5", "whole number"]),
        ("nDCG@²", ["nDCG@²", "whole number"]),
        ("nDCG@", ["nDCG@"]),
        ("@10", ["@10", "nDCG@10"]),
        ("nDCG(@10", ["nDCG(@10", "nDCG@10"]),
        ("nDCG)@10", ["nDCG)@10", "nDCG@10"]),
        ("nDCG@10(gain=linear)", ["nDCG@10(gain=linear)"]),
        ("nDCG(p=0.8)", ["nDCG(p=0.8)", "no parameter 'p'", "gain", "cut-off"]),
        ("Rprec@10", ["Rprec@10", "cut-off"]),
        ("AP(2)", ["AP(2)", "name=value"]),
        ("AP(rel=)", ["AP(rel=)", "rel=", "name=value"]),
        ("AP(rel=0)", ["AP(rel=0)", "rel cannot be 0", "above 0"]),
        ("AP(rel=-1)", ["AP(rel=-1)", "rel cannot be -1", "above 0"]),
        ("AP(rel=high)", ["AP(rel=high)", "rel cannot be 'high'", "above 0"]),
        ("AP(rel=True)", ["AP(rel=True)", "rel cannot be True", "above 0"]),
        ("AP(rel=[1])", ["AP(rel=[1])", "rel cannot be", "above 0"]),
        ("AP(rel=1e999)", ["AP(rel=1e999)", "rel", "above 0"]),
        ("AP(rel=1, rel=2)", ["AP(rel=1, rel=2)", "rel", "twice"]),
        ("nDCG(k=5)@10", ["nDCG(k=5)@10", "k", "twice"]),
        ("P_5@10", ["P_5@10", "k", "twice"]),
        ("RBP(p=1)", ["RBP(p=1)", "p cannot be 1", "between 0 and 1"]),
        ("RBP(p=0.0)", ["RBP(p=0.0)", "p cannot be 0.0", "between 0 and 1"]),
        ("RBP(p=nan)", ["RBP(p=nan)", "p cannot be", "between 0 and 1"]),
        ("nDCG(gain=log)", ["nDCG(gain=log)", "'log'", "'linear' or 'exponential'"]),
        ("AP(rel=1); DROP TABLE run", ["DROP"]),
        (7, ["metrics", "int", "nDCG@10"]),
        ([7], ["metrics", "int", "nDCG@10"]),
    ],
    ids=lambda value: None if isinstance(value, list) else f"{value!s:.40}",
)
def test_a_wrong_measure_is_refused(metrics, words):
    with pytest.raises(sqlmetrics.MetricError) as refused:
        sqlmetrics.evaluate(QRELS_FRAME, RUN_FRAME, metrics)
    assert_clear(str(refused.value), words)


@pytest.mark.parametrize(
    "metrics", ["nDGC@10", "nDCG@0", "AP(rel=0)", "nDCG(p=0.8)", "nDCG(@10", ""]
)
def test_the_command_line_refuses_a_wrong_measure(tmp_path, monkeypatch, capsys, metrics):
    paths = save(tmp_path, QRELS), save(tmp_path, RUN)
    monkeypatch.setattr(sys, "argv", ["sqlmetrics", "evaluate", *paths, "-m", metrics])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    printed = capsys.readouterr()
    assert (ended.value.code, printed.out) == (2, "")
    assert_clear(printed.err, ["error: ", metrics.partition("@")[0]])


@pytest.mark.parametrize(
    ("metrics", "words"),
    [
        ("ERR", ["qrels.csv line 2", "document a", "query q1", "relevance 5", "max_rel 4"]),
        (
            "AP ERR(max_rel=2)@10",
            ["qrels.csv line 2", "document a", "query q1", "relevance 5", "max_rel 2"],
        ),
    ],
)
def test_a_relevance_above_the_scale_of_err_is_refused(tmp_path, metrics, words):
    qrels = save(tmp_path, ("qrels.csv", "query_id,doc_id,relevance\nq1,a,5\nq1,b,1\n"))
    with pytest.raises(sqlmetrics.SqlMetricsError) as refused:
        sqlmetrics.evaluate(qrels, save(tmp_path, RUN), metrics)
    assert_clear(str(refused.value), words)


@pytest.mark.parametrize("column", ["distance", "Distance", "dist", "cosine_distance", "l2-dist"])
def test_distances_as_scores_are_refused_in_python_and_on_the_command_line(tmp_path, column):
    run = RUN_FRAME.rename({"score": column})
    for number in (column, 3):
        with pytest.raises(sqlmetrics.InputError, match="largest distance first; give it as dist"):
            sqlmetrics.evaluate(QRELS_FRAME, run, "AP", columns={"score": number})
    qrels = QRELS_FRAME.rename({"relevance": column})
    with pytest.raises(sqlmetrics.InputError, match="largest distance first; make a column of gra"):
        sqlmetrics.evaluate(qrels, RUN_FRAME, "AP", columns={"relevance": column})
    run.write_csv(tmp_path / "run.csv")
    QRELS_FRAME.write_csv(tmp_path / "qrels.csv")
    files = [str(tmp_path / "qrels.csv"), str(tmp_path / "run.csv")]
    status, _, said = run_command("evaluate", *files, "-m", "AP", "-c", f"score={column}")
    assert status == 2
    assert f"--columns distance={column}" in said


def test_columns_that_differ_only_in_case_are_refused():
    run = RUN_FRAME.with_columns(Score=pl.lit(1.0))
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(QRELS_FRAME, run, "RR")
    assert_clear(str(refused.value), ["run frame", "column score twice"])


def test_grades_too_large_for_a_number_are_refused():
    qrels = change(QRELS_FRAME, relevance=1100.0)
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(qrels, RUN_FRAME, "RR DCG(gain=exponential)@10")
    assert_clear(str(refused.value), ["DCG(gain=exponential)@10", "too large", "query q1"])


@pytest.mark.parametrize("score_type", ["float16", "double", "", 32])
def test_a_wrong_score_type_is_refused(score_type):
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate(QRELS_FRAME, RUN_FRAME, "AP", score_type=score_type)
    assert_clear(str(refused.value), ["score_type", "'float64' or 'float32'", repr(score_type)])


def test_a_path_for_a_connection_is_refused():
    with pytest.raises(sqlmetrics.InputError) as refused:
        sqlmetrics.evaluate("qrels", "run", "AP", con="lab.db")
    assert_clear(str(refused.value), ["con", "str", "duckdb.connect"])


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
@pytest.mark.parametrize("held", [0, 1 << 24])
def test_a_repeated_document_is_found_however_much_is_held_at_once(monkeypatch, held):
    monkeypatch.setattr(checks, "_SORTED_AT_ONCE", held)
    number = 300_000  # several batches
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
