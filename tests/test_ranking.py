"""`evaluate` ranks documents in parts, and gives the rows of ``sql/ranking/tables/ranked.sql``."""

from __future__ import annotations

import random
from functools import cache
from itertools import cycle
from typing import get_args

import duckdb
import polars as pl
import pytest
from conftest import create_macros, make_qrels, make_run
from peers import make_collection

import sqlmetrics as sm
from sqlmetrics.catalogue.conventions import Ties
from sqlmetrics.engine import connections
from sqlmetrics.engine.judged import open_duckdb
from sqlmetrics.engine.session import Request
from sqlmetrics.inputs.columns import RUN
from sqlmetrics.inputs.reader import Reader
from sqlmetrics.inputs.streams import Stream
from sqlmetrics.ranking import numbers, stretches
from sqlmetrics.ranking import ranks as ranking

ORDERS = [ties for ties in get_args(Ties) if ties != "expected"]
ROW = "run_id, query_id, doc_id, relevance, rank, first_rank, num_tied, num_ret"


def rank(qrels, run, ties="descending"):
    """The rows that `evaluate` ranks, with their ids."""
    request = Request(conventions=sm.Conventions(ties=ties))
    with open_duckdb(request) as session:
        session.read(qrels, run)
        _, ranked = session.tables
        return sorted(session.run_sql(f"SELECT {ROW} FROM {ranked}").rows(), key=str)


@cache
def open_with_macros():
    con = duckdb.connect()
    create_macros(con)
    return con


def rank_by_sql(qrels, run, ties="descending"):
    con = open_with_macros()
    con.register("qrels", Stream(qrels))
    con.register("run", Stream(run))
    rows = con.execute(f"SELECT {ROW} FROM ranked(qrels, run, ties := '{ties}')").fetchall()
    return sorted(rows, key=str)


@pytest.fixture(params=[5, 64, 1 << 20], ids="at once {}".format)
def at_once(request, monkeypatch):
    """Parts of few rows, and of as many as usual."""
    monkeypatch.setattr(stretches, "_AT_ONCE", request.param)
    return request.param


@pytest.mark.thorough
def test_lists_whose_hashes_are_equal_are_not_mixed(monkeypatch):
    monkeypatch.setattr(pl.DataFrame, "hash_rows", lambda frame: pl.Series([0] * frame.height))
    qrels, run = make_lists(1)
    run = run.sample(fraction=1, shuffle=True, seed=1)
    assert rank(qrels, run) == rank_by_sql(qrels, run)


@pytest.mark.few(1)
@pytest.mark.parametrize("ties", ORDERS)
@pytest.mark.parametrize("scores", ["tied", "close"])
def test_ranks_are_those_of_the_sql(at_once, scores, ties):
    qrels, run = make_collection(scores=scores, seeds=100 if at_once > 64 else 10)
    run = run.with_columns(pl.int_range(pl.len()).shuffle(seed=3).cast(pl.Float64).alias("rank"))
    assert rank(qrels, run, ties) == rank_by_sql(qrels, run, ties)


def make_lists(seed):
    """Several runs with lists of every length, some of them tied throughout, and odd judgments."""
    pick = random.Random(seed)
    judged = {(f"q{pick.randrange(9)}", f"d{pick.randrange(40)}") for _ in range(120)}
    qrels = make_qrels((query, doc, pick.randint(-1, 3)) for query, doc in sorted(judged))
    rows = []
    for number in range(3):
        for query in pick.sample(range(1, 12), 8):  # of which some are not judged
            levels = pick.choice((1, 3, 100))
            docs = pick.sample(range(60), pick.randint(1, 60))
            scores = [pick.randrange(levels) / 7 for _ in docs]
            ids = [f"d{doc}" for doc in docs]
            rows += zip([f"r{number}"] * 60, [f"q{query}"] * 60, ids, scores, strict=False)
    run = pl.DataFrame(rows, ["run_id", "query_id", "doc_id", "score"], orient="row")
    return qrels, run.with_columns(pl.int_range(pl.len()).shuffle(seed=seed).alias("rank"))


@pytest.mark.few(1)
@pytest.mark.parametrize("limit", [0, 1 << 40], ids=["by DuckDB", "in memory"])
@pytest.mark.parametrize(
    ("order", "ties"),
    [*zip(cycle(["as given", "sorted by score", "shuffled"]), ORDERS, strict=False)],
)
def test_several_runs_in_one_table_are_ranked_whatever_the_order_of_rows(
    at_once, order, ties, limit, monkeypatch
):
    monkeypatch.setattr(stretches, "read_memory_limit", lambda con: limit)
    seed = ORDERS.index(ties)
    qrels, run = make_lists(seed)
    if order == "sorted by score":
        run = run.sort("run_id", "query_id", "score", descending=[False, False, True])
    if order == "shuffled":
        run = run.sample(fraction=1, shuffle=True, seed=seed)
    assert rank(qrels, run, ties) == rank_by_sql(qrels, run, ties)


@pytest.mark.few(2)
@pytest.mark.parametrize("form", ["parquet", "csv", "frame", "table"])
@pytest.mark.parametrize("seed", range(3))
def test_ranks_are_the_same_from_every_form_of_input(tmp_path, form, seed):
    qrels, run = make_lists(seed)
    con = duckdb.connect()
    given = run.select("run_id", "query_id", "doc_id", pl.col("score").cast(pl.Float32))
    wanted = sm.evaluate(qrels, given.cast({"score": pl.Float64}), "AP nDCG@3").per_query
    if form == "parquet":
        given.write_parquet(tmp_path / "run.parquet", row_group_size=50)
        given = tmp_path / "run.parquet"
    elif form == "csv":
        given.cast({"score": pl.Float64}).write_csv(tmp_path / "run.csv")
        given = tmp_path / "run.csv"
    elif form == "table":
        con.register("given", Stream(given))
        con.execute("CREATE TABLE run AS FROM given")
        given = "run"
    assert sm.evaluate(qrels, given, "AP nDCG@3", con=con).per_query.equals(wanted)


@pytest.mark.parametrize("form", ["parquet", "TREC text", "frame"])
def test_plain_input_is_read_by_columns_and_never_becomes_a_table(tmp_path, monkeypatch, form):
    _, run = make_lists(0)
    one = run.filter(run_id="r0").select("query_id", "doc_id", "score")
    path = tmp_path / "run"
    if form == "parquet":
        one.write_parquet(path)
    else:
        path.write_text("".join(f"{q} Q0 {doc} 1 {s} tag\n" for q, doc, s in one.iter_rows()))
    made = []
    read = Reader.read

    def watch(self, *given, **options):
        made.append(read(self, *given, **options))
        return made[-1]

    monkeypatch.setattr(Reader, "read", watch)
    query_id, doc_id, _ = one.row(0)
    sm.evaluate({query_id: {doc_id: 1}}, one if form == "frame" else path, "AP")
    (found,) = (each for each in made if each.kind is RUN)
    assert "table" not in vars(found)


def test_parquet_that_polars_cannot_read_is_read_by_duckdb(tmp_path, monkeypatch):
    qrels, run = make_lists(0)
    wanted = sm.evaluate(qrels, run, "AP").per_query
    run.write_parquet(tmp_path / "run.parquet")

    def fail(*_, **__):
        raise pl.exceptions.ComputeError("unsupported")

    monkeypatch.setattr(pl.LazyFrame, "collect_batches", fail)
    assert sm.evaluate(qrels, tmp_path / "run.parquet", "AP").per_query.equals(wanted)


def test_a_segment_may_have_the_name_of_a_column_of_ours():
    qrels = {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}}
    run = {query: {"a": 2.0, "b": 1.0} for query in qrels}
    for name in ("query", "first", "document", "run"):
        topics = pl.DataFrame({"query_id": ["1", "2", "3"], name: ["x", "y", "y"]})
        mean = sm.evaluate(qrels, run, "RR AP(aggregate='pooled')", by=name, topics=topics).mean
        assert mean[name].to_list() == ["x", "y"]
        assert mean["RR"].to_list() == [1, 1 / 4]


def test_connections_of_our_own_are_used_again_and_closed_after_an_error():
    run = {"q": {"a": 1.0}}
    sm.evaluate({"q": {"a": 1}}, run, "AP")
    idle = [con for con, *_ in connections._idle]
    sm.evaluate({"q": {"a": 1}}, run, "AP")
    assert [con for con, *_ in connections._idle] == idle
    with pytest.raises(sm.InputError):
        sm.evaluate({"q": {}}, run, "AP")
    assert [con for con, *_ in connections._idle] == idle[:-1]
    with pytest.raises(duckdb.ConnectionException):
        idle[-1].execute("SELECT 1")


@pytest.fixture(params=["few judged", "many judged"])
def dicts_ranked(request, monkeypatch):
    """The dicts that are ranked by looking up judged documents: all of them, or none."""
    monkeypatch.setattr(ranking, "_FEW_JUDGED", int(request.param == "few judged"))
    ranked, rank_dict = [], ranking._rank_dict

    def watch(name, *given):
        found = rank_dict(name, *given)
        ranked.extend([name] * (found is not None))
        return found

    monkeypatch.setattr(ranking, "_rank_dict", watch)
    yield ranked
    assert bool(ranked) == (request.param == "few judged")


@pytest.mark.few(2)
@pytest.mark.parametrize("ties", [ties for ties in ORDERS if ties != "rank"])
@pytest.mark.parametrize("at_once", [1, 1 << 16])
def test_dicts_are_ranked_as_by_the_sql(dicts_ranked, monkeypatch, at_once, ties):
    monkeypatch.setattr(ranking, "_SMALL", at_once)
    qrels, run = make_lists(5)
    few = qrels.filter(pl.int_range(pl.len()) % 3 == 0)  # so that some lists have no ties
    dicts = {}
    for run_id, query_id, doc_id, score, _ in run.iter_rows():
        dicts.setdefault(run_id, {"empty": {}}).setdefault(query_id, {})[doc_id] = score
    assert rank(few, dicts, ties) == rank_by_sql(few, run, ties)


@pytest.mark.few(5)
@pytest.mark.parametrize("document", ["b", "", " ", None, 1, ("b",)])
@pytest.mark.parametrize(
    "score", [0.5, 0, None, float("nan"), True, "0.5", "high", [1.0], {"c": 1}]
)
def test_what_is_wrong_in_a_dict_is_refused_whether_or_not_documents_are_looked_up(
    monkeypatch, document, score
):
    said = []
    for few in (0, 1):
        monkeypatch.setattr(ranking, "_FEW_JUDGED", few)
        try:
            said.append(
                sm.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0, document: score}}, "RR")["RR"]
            )
        except sm.InputError as error:
            said.append(str(error))
    assert said[0] == said[1]
    assert (said[0] == 1) == (document not in ("", " ", None, ("b",)) and score in (0.5, 0, "0.5"))


class Id(str):
    """Text that becomes other text."""

    __slots__ = ()

    def __str__(self):
        return f"id {super().__str__()}"


@pytest.mark.parametrize("change", [int, Id])
def test_ids_that_become_other_text_are_found_by_this_text(monkeypatch, change):
    monkeypatch.setattr(ranking, "_FEW_JUDGED", 1)
    run = {"q": {change("1"): 1.0, change("2"): 2.0}}
    assert sm.evaluate({"q": {str(change("1")): 1}}, run, "RR")["RR"] == 1 / 2


def test_scores_at_the_ends_of_their_range_are_ranked():
    scores = [float("inf"), 1e308, 5e-324, 0.0, -0.0, -5e-324, -1e308, float("-inf")]
    run = make_run(("q", f"d{place}", score) for place, score in enumerate(scores))
    qrels = make_qrels(("q", f"d{place}", 1) for place in range(len(scores)))
    ranks = {doc: place for _, _, doc, _, place, *_ in rank(qrels, run)}
    assert ranks == {"d0": 1, "d1": 2, "d2": 3, "d4": 4, "d3": 5, "d5": 6, "d6": 7, "d7": 8}


def test_scores_that_differ_in_the_last_bit_are_not_tied_in_any_number_of_lists():
    near = [1.0, 1.0 + 2**-52, 1.0 + 2**-51]
    for number in (1, 3000):
        run = make_run((f"q{q}", f"d{d}", near[d]) for q in range(number) for d in range(3))
        qrels = make_qrels((f"q{q}", f"d{d}", 1) for q in range(number) for d in range(3))
        places = {(doc, place, tied) for _, _, doc, _, place, _, tied, _ in rank(qrels, run)}
        assert places == {("d2", 1, 1), ("d1", 2, 1), ("d0", 3, 1)}


@pytest.mark.few(2)
@pytest.mark.parametrize(("judged", "rank"), [("a", 5), ("b", 4), ("c", 3), ("a b", 4), ("d a", 2)])
def test_both_zeros_are_tied(judged, rank):
    run = {"q": {"a": 0.0, "b": -0.0, "c": 0.0, "d": -0.0, "e": 1.0, "f": -1.0}}
    qrels = {"q": dict.fromkeys(judged.split(), 1)}
    assert sm.evaluate(qrels, run, "RR").mean["RR"].to_list() == [1 / rank]
    (expected,) = sm.evaluate(qrels, run, "P@2", ties="expected").mean["P@2"]
    assert expected == pytest.approx(len(qrels["q"]) / 4 / 2)


def test_documents_of_the_same_hash_are_told_apart_by_their_ids(monkeypatch):
    for module in (numbers, ranking):
        monkeypatch.setattr(module, "hash_ids", lambda ids: ids.str.len_bytes().cast(pl.UInt64))
    qrels, run = make_lists(1)
    assert rank(qrels, run) == rank_by_sql(qrels, run)
    assert sm.evaluate(qrels, run, "AP").per_query.height  # none is taken as repeated


def test_a_connection_without_memory_limit_scores():
    con = duckdb.connect()
    con.execute("SET memory_limit = '-1'")
    assert sm.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", con=con)["AP"] == 1


def test_settings_of_the_users_connection_stay_as_they_were():
    con = duckdb.connect()
    names = ("produce_arrow_string_view", "arrow_output_version")
    ask = "SELECT " + ", ".join(f"current_setting('{name}')" for name in names)
    before = con.execute(ask).fetchall()
    con.execute("CREATE TABLE run AS SELECT 'q' AS query_id, 'a' AS doc_id, 1.0 AS score")
    sm.evaluate({"q": {"a": 1}}, "run", "AP", con=con)
    assert con.execute(ask).fetchall() == before


def test_what_would_be_scored_and_its_memory_are_explained():
    qrels, run = make_lists(0)
    retrieved, judged, memory = sm.explain(qrels, run).splitlines()
    assert retrieved == f"retrieved  {run.height} documents in 3 runs"
    assert judged.split()[:3] == ["judged", f"{qrels.height}", "documents"]
    assert "about 0 MB; the limit is" in memory


def test_a_text_that_fits_no_memory_is_refused_before_it_is_read(tmp_path):
    con = duckdb.connect(config={"temp_directory": ""})
    run = tmp_path / "run.txt"
    run.write_text("".join(f"q Q0 {number} 1 {-number} tag\n" for number in range(400_000)))
    con.execute("SET memory_limit = '2MB'")
    with pytest.raises(sm.InputError, match=r"run\.txt takes about 3 MB of memory.* 1\.9 MiB"):
        sm.evaluate({"q": {"1": 1}}, run, "AP", con=con)


ODD_LINES = [
    "q1 Q0 d9  1 2.5",  # a field is missing where two spaces are
    "q1 Q0 d9  1 2.5 tag",
    " q1 Q0 d9 1 2.5 tag",
    "q1 Q0 d9 1 2.5 tag ",
    "q1\tQ0\td9\t1\t2.5\ttag",
    "q1 Q0 d9 1 2.5 tag of four words",
    "# q1 Q0 d9 1 2.5",
    "#q1 Q0 d9 1 2.5 tag",
    "q1 Q0 d9 1 1e400 tag",
    "q1 Q0 d9 1 inf tag",
    "q1 Q0 d9 1 nan tag",
    "q1 Q0 d9 1 1_0 tag",
    "q1 Q0 d9 1 0x10 tag",
    "q1 Q0 d9 1 +2.5 tag",
    "q1 Q0 d9 1 .5e1 tag",
    "q1 Q0 d9 1 2.5 tag\r",
    'q1 Q0 "d9" 1 2.5 tag',
    "q1 Q0 d\u00a09 1 2.5 tag",
    "q1 Q0 d9 1 - tag",
    "q1 Q0 d9 1",
    "",
    "\ufeffq1 Q0 d9 1 2.5 tag",
]


@pytest.mark.few(4)
@pytest.mark.parametrize("place", [0, 2])
@pytest.mark.parametrize("line", ODD_LINES)
def test_trec_text_is_read_alike_by_columns_and_by_lines(tmp_path, monkeypatch, line, place):
    lines = ["q1 Q0 d1 1 3.5 tag", "q1 Q0 d2 2 1.5 tag", "q2 Q0 d1 1 2 tag"]
    lines.insert(place, line)
    path = tmp_path / "run.txt"
    path.write_bytes("".join(f"{each}\n" for each in lines).encode())
    qrels = {"q1": {"d1": 1, "d9": 1, '"d9"': 1}, "q2": {"d1": 1}}

    def ask():
        try:
            return sm.evaluate(qrels, path, "AP RR NumRet").per_query.rows()
        except sm.InputError as error:
            return str(error)

    found = ask()
    monkeypatch.setattr("sqlmetrics.ranking.stretches._is_usual", lambda *_: False)
    assert found == ask()
