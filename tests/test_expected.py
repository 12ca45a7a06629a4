"""Each metric gives the values of ``tests/expected/<metric>.csv``, by both of its macros.

A row is a metric, the grades of the retrieved documents by rank (``-``: unjudged), the grades of
judged documents that were not retrieved, the exact value, and who says so. A document judged by
subtopic has them in place of a grade, as in ``a+b``, or ``a=0+b=2`` for grades. ``|`` parts queries;
the value is then that of the run: their mean, for counts their sum, or what ``aggregate`` says.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path

import polars as pl
import pytest
from conftest import ROOT, keep, make_qrels, make_run, open_shell

import sqlmetrics
from sqlmetrics import catalogue
from sqlmetrics.catalogue import measures, parsing

EXPECTED = ROOT / "tests" / "expected"
METRICS = [metric.macro for metric in catalogue.all_metrics("runs")]

Row = dict[str, str]
Queries = dict[str, tuple[list[str], list[str]]]


def read_rows(metric: str) -> list[Row]:
    with (EXPECTED / f"{metric}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def list_queries(number: int, row: Row) -> Queries:
    """The ranking and the unretrieved grades of each query of a row."""
    parts = zip_longest(row["ranking"].split("|"), row["unretrieved"].split("|"), fillvalue="")
    return {f"{number}.{n}": (a.split(), b.split()) for n, (a, b) in enumerate(parts)}


def read_judgments(token: str) -> Iterator[tuple[str, float]]:
    """Subtopics and grades: none of ``-``, subtopic 0 of ``2``, several of ``a+b=2``."""
    if not re.search("[a-z]", token):
        yield from [] if token == "-" else [("0", float(token))]
        return
    for judgment in token.split("+"):
        subtopic, _, grade = judgment.partition("=")
        yield subtopic, float(grade or 1)


def make_tables(queries: Queries):
    """Judgments and run. One more query, answered, lets a row have nothing retrieved."""
    judged, run = [("answered", "d", "0")], [("answered", "d", 0.0)]
    for query, (ranking, unretrieved) in queries.items():
        run += [(query, f"d{rank}", -float(rank)) for rank, _ in enumerate(ranking)]
        judged += [(query, f"d{rank}", token) for rank, token in enumerate(ranking)]
        judged += [(query, f"u{number}", token) for number, token in enumerate(unretrieved)]
    judgments = [(*ids, *each) for *ids, token in judged for each in read_judgments(token)]
    qrels = make_qrels((query, doc, grade) for query, doc, _, grade in judgments)
    subtopics = pl.Series([subtopic for _, _, subtopic, _ in judgments])
    return qrels.with_columns(subtopic=subtopics), make_run(run)


def combine(scores: Mapping[str, float], queries: Queries, *, is_summed: bool) -> float:
    total = sum(scores[query] for query in queries)
    return total if is_summed else total / len(queries)


def is_text(metric: catalogue.Metric) -> bool:
    return metric.file.header["range"] == "text"


def take_score(measure: str, queries: Queries) -> float:
    """The score of a run that has these queries only."""
    qrels, run = (t.filter(pl.col("query_id") != "answered") for t in make_tables(queries))
    return sqlmetrics.evaluate(qrels, run, measure).mean.row(0)[-1]


@pytest.mark.few(4)
@pytest.mark.parametrize("metric", METRICS)
def test_all_measures_in_one_call_give_the_expected_values(metric):
    rows = dict(enumerate(read_rows(metric)))
    names = {row["measure"]: parsing.parse(row["measure"])[0] for row in rows.values()}
    together = {}  # those that take the same judgments
    for name, each in names.items():
        if not each.aggregate:
            limits = {p: v for p, v in each.arguments if p in ("corpus_size", "max_rel", "gain")}
            together.setdefault(str(limits), {})[name] = each
    for asked in together.values():
        queries = {n: list_queries(n, row) for n, row in rows.items() if row["measure"] in asked}
        tables = make_tables({q: lists for each in queries.values() for q, lists in each.items()})
        per_query = sqlmetrics.evaluate(*tables, list(asked)).per_query
        found = per_query.rows_by_key("query_id", named=True, unique=True)
        for number, each in queries.items():
            row, parsed = rows[number], asked[rows[number]["measure"]]
            scores = {query: found[query][parsed.name] for query in each}
            if is_text(parsed.metric):
                assert [*scores.values()] == [row["expected"]]
                continue
            got = combine(scores, each, is_summed=parsed.metric.is_summed)
            assert got == pytest.approx(float(Fraction(row["expected"])), rel=0, abs=1e-12), row


@pytest.mark.few(1)
@pytest.mark.parametrize("metric", METRICS)
def test_the_macro_over_tables_gives_the_expected_values(metric):
    con = open_shell()
    """Of measures that give it each of its parameters, with the values of most cases.

    The test above has the others: the formula is the same, and the macro over tables passes them on.
    """
    rows = read_rows(metric)
    assert rows
    passed: set[str] = set()
    asked = {}
    measures_asked = [measure for measure, _ in Counter(r["measure"] for r in rows).most_common()]
    for parsed, measure in sorted(
        ((parsing.parse(measure)[0], measure) for measure in measures_asked),
        key=lambda each: -len(each[0].arguments),
    ):
        assert parsed.metric.macro == metric
        names = {name for name, _ in parsed.arguments}
        # no other test has the values of a run that is not summarized by its mean
        if parsed.aggregate or names - passed or not asked:
            asked[measure] = parsed
            passed |= names
    for measure, parsed in asked.items():
        cases = {n: row for n, row in enumerate(rows) if row["measure"] == measure}
        queries = {n: list_queries(n, row) for n, row in cases.items()}
        if parsed.aggregate:
            for number, row in cases.items():
                got = take_score(measure, queries[number])
                assert got == pytest.approx(float(Fraction(row["expected"])), rel=0, abs=1e-12), row
            continue
        qrels, run = make_tables(
            {q: lists for each in queries.values() for q, lists in each.items()}
        )
        keep(con, qrels=qrels, run=run)
        call = measures.write_call(metric, ["qrels", "run"], parsed.arguments)
        by_query = dict(con.execute(f"SELECT query_id, {metric} FROM {call}").fetchall())

        for number, row in cases.items():
            if is_text(parsed.metric):
                (query,) = queries[number]
                assert by_query[query] == row["expected"]
                continue
            got = combine(by_query, queries[number], is_summed=parsed.metric.is_summed)
            assert got == pytest.approx(float(Fraction(row["expected"])), rel=0, abs=1e-12), row


@pytest.mark.parametrize("metric", METRICS)
def test_expected_values_say_where_they_are_from_and_cover_the_edges(metric):
    rows = read_rows(metric)
    assert all(row["source"] for row in rows), "a row without source"
    assert any(not row["ranking"].strip() for row in rows), "add a row with an empty ranking"
    low, _, high = catalogue.find_file(metric).header["range"].partition(" to ")
    for row in rows if low != "text" else ():
        assert float(low) <= Fraction(row["expected"]) <= float(high)


def test_every_file_of_expected_values_belongs_to_a_metric():
    known = {metric.macro for metric in catalogue.all_metrics()}
    found = {path.stem for path in Path(EXPECTED).glob("*.csv")}
    assert not known - found, f"add to {EXPECTED} a .csv of each: {sorted(known - found)}"
    assert not found - known, f"no metric has these files of {EXPECTED}: {sorted(found - known)}"
