"""Metrics of recommendations: coverage, popularity, diversity, calibration, fairness."""

from __future__ import annotations

import csv
import math
import sqlite3
from contextlib import closing
from fractions import Fraction
from functools import cache

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
import recommended as cases
from commands import run_command
from conftest import ROOT, assert_refused, assert_wrong, keep, open_shell

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.catalogue import parsing
from sqlmetrics.macros import statements
from sqlmetrics.macros.statements import list_item_columns

METRICS = catalogue.all_metrics("recommendations")
NAMES = [name.replace("@k", "@3") for metric in METRICS for name in metric.names]
NAMES += ["Gini(exposure='discounted')@3", "ILD(distance='hamming')@3", "TailShare(tail=2)@3"]
RECORDED = cases.read_recorded()


def evaluate(run, metrics, qrels=None, **options):
    return sm.evaluate(qrels, run, metrics, **options)


def read_expected():
    for metric in METRICS:
        path = ROOT / "tests" / "expected" / f"{metric.macro}.csv"
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                yield pytest.param(row, id=f"{row['measure']} {row['lists']}")


def score(case, names):
    """The scores of a case, which gives the tables that it has."""
    tables = case.make_tables()
    return evaluate(tables.pop("run"), names, **tables)


@pytest.mark.few(4)
@pytest.mark.parametrize("row", [*read_expected()])
def test_a_metric_gives_the_value_of_the_worked_example(row):
    found = score(cases.read_case(row), row["measure"])[row["measure"]]
    if row["expected"]:
        assert found == pytest.approx(float(Fraction(row["expected"])), rel=1e-13, abs=1e-14)
    else:
        assert found is None


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.macro)
def test_worked_examples_say_where_they_are_from_and_are_within_the_range(metric):
    rows = [row.values[0] for row in read_expected()]
    rows = [row for row in rows if parsing.parse(row["measure"])[0].metric == metric]
    assert len(rows) > 2
    low, high = metric.range
    for row in rows:
        assert row["source"]
        assert not row["expected"] or low <= Fraction(row["expected"]) <= high


@cache
def score_drawn(seed):
    """The scores of a drawn case by all names that other tools, or formulas, have for it."""
    case = cases.draw_case(seed)
    names = RECORDED.filter(seed=seed)["measure"].unique().sort().to_list()
    names += [name for k in cases.CUTOFFS for name in cases.score_by_hand(case, k)]
    return score(case, names)


# together, as both tests compare the scores of a case
each_seed = pytest.mark.parametrize(
    "seed", [pytest.param(n, marks=pytest.mark.xdist_group(f"seed {n}")) for n in cases.SEEDS]
)


def take(scores, measure, user):
    rows = scores.mean if user is None else scores.per_query.filter(query_id=user)
    return rows[measure].item() if rows.height else None


@pytest.mark.few(1)
@each_seed
def test_scores_are_those_of_other_tools(seed):
    rows = RECORDED.filter(seed=seed).select("tool", "measure", "query_id", "score").rows()
    assert len(rows) > 40
    for tool, measure, user, expected in rows:
        found = take(score_drawn(seed), measure, user)
        close = cases.find_tolerance(tool, measure)
        expected = None if math.isnan(expected) else pytest.approx(expected, rel=0, abs=close)
        assert found == expected, (tool, measure, user)


@pytest.mark.few(1)
@each_seed
def test_scores_are_those_of_published_formulas(seed):
    for k in cases.CUTOFFS:
        for measure, scores in cases.score_by_hand(cases.draw_case(seed), k).items():
            for user, expected in scores.items():
                found = take(score_drawn(seed), measure, user)
                close = None if expected is None else pytest.approx(expected, rel=0, abs=1e-12)
                assert found == close, (measure, user)


def test_every_tool_and_metric_has_been_compared():
    compared = {name.partition("@")[0] for name in RECORDED["measure"].unique()}
    compared |= {name.partition("@")[0] for name in cases.score_by_hand(cases.draw_case(0), 1)}
    known = {parsing.parse(name)[0].metric for name in compared}
    assert known == {*METRICS}
    assert RECORDED["tool"].n_unique() == 7


@pytest.fixture
def shell():
    return open_shell(**cases.draw_case(1).make_tables())


@pytest.mark.few(2)
@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.macro)
def test_the_macro_over_tables_gives_the_same(shell, metric):
    measure = parsing.parse(next(n for n in reversed(metric.names)).replace("@k", "@3"))[0]
    tables = [
        name for name in statements.write_own_table(metric.file)[0] if name in catalogue.INPUTS
    ]
    given = ", ".join([*tables, *(f"{key} := {value}" for key, value in measure.arguments)])
    found = shell.execute(f"FROM {metric.macro}({given}) ORDER BY ALL").fetchall()
    scores = score(cases.draw_case(1), measure.name)
    assert found == (scores.mean if metric.is_of_runs else scores.per_query).rows()


@pytest.mark.thorough
def test_the_statement_of_scores_and_that_of_sql_give_the_means(shell, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tables = cases.draw_case(1).make_tables()
    for name, table in tables.items():
        table.write_parquet(f"{name}.parquet")
    files = {name: f"{name}.parquet" for name in tables}
    scores = evaluate(files.pop("run"), NAMES, **files)
    assert shell.execute(scores.sql).fetchall() == scores.mean.rows()
    text = sm.sql(NAMES)
    with duckdb.connect() as con:
        keep(con, **tables)
        expected = [pytest.approx(scores.mean.drop("run_id").row(0), rel=1e-12)]
        assert [row[1:] for row in con.execute(text).fetchall()] == expected
        plain = con.execute(sm.sql(NAMES, dialect="duckdb")).fetchall()
        assert plain == expected


@pytest.mark.thorough
def test_several_runs_are_scored_as_each_alone():
    case = cases.draw_case(4)
    tables = case.make_tables()
    runs = {"a": tables.pop("run"), "b": tables["baseline"]}
    together = evaluate(runs, NAMES, **tables)
    for name, run in runs.items():
        alone = evaluate({name: run}, NAMES, **tables)
        assert together.mean.filter(run_id=name).equals(alone.mean)
        assert together.per_query.filter(run_id=name).equals(alone.per_query)


def test_ids_that_are_numbers_and_rows_in_any_order_change_nothing():
    case = cases.draw_case(4)
    tables = case.make_tables()
    ids = ("query_id", "doc_id")
    mixed = {
        name: table.with_columns(
            pl.col(id).str.slice(1).cast(pl.Int64) for id in ids if id in table.columns
        ).sample(fraction=1, shuffle=True, seed=1)
        for name, table in tables.items()
    }
    found = evaluate(mixed.pop("run"), NAMES, **mixed)
    assert found.mean.equals(score(case, NAMES).mean)


def test_scores_of_users_are_compared():
    case = cases.draw_case(6)
    tables = case.make_tables()
    runs = {"new": tables.pop("run"), "old": tables.pop("baseline")}
    scores = evaluate(runs, "Novelty@3 Gini@3 ILD@3", **tables)
    found = scores.compare("old").tests
    assert found["metric"].unique().sort().to_list() == ["ILD@3", "Novelty@3"]
    means = dict(scores.mean.select("run_id", "Novelty@3").rows())
    difference = found.filter(metric="Novelty@3")["difference"].item()
    assert difference == pytest.approx(means["new"] - means["old"])


# Of countries, of which the last has no users with a list, and a user of no country.
USERS = pl.DataFrame(
    {
        "query_id": ["u0", "u1", "u2", "u3", "u5", "x"],
        "country": ["de", "fr", "fr", "de", "fr", "it"],
    }
)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", [1, 4, 6, 7])
def test_a_segment_is_scored_as_the_lists_of_its_users_alone(seed):
    tables = cases.draw_case(seed).make_tables()
    runs = {"a": tables.pop("run"), "b": tables["baseline"]}
    names = [name for name in NAMES if "UserCoverage" not in name]
    found = evaluate(runs, names, **tables, by="country", topics=USERS)
    for name, run in runs.items():
        country = run.join(USERS, on="query_id", how="left", maintain_order="left")["country"]
        scored = found.mean.filter(run_id=name).drop("run_id")
        assert {*scored["country"]} == {*country}
        for each in country.unique():
            alone = evaluate(run.filter(country.eq_missing(each)), names, **tables)
            mean = scored.filter(pl.col("country").eq_missing(pl.lit(each))).drop("country")
            assert mean.equals(alone.mean.drop("run_id"))


SMALL = {"ann": {"a": 3.0, "b": 2.0}, "ben": {"a": 3.0}, "eve": {"c": 1.0, "d": 0.5}}
HAD = pl.DataFrame(
    {
        "query_id": ["ann", "ben", "eve", "joe", "joe"],
        "doc_id": ["b", "c", "d", "a", "b"],
        "country": ["de", "de", "fr", "fr", "fr"],
        "visits": [1, 3, 0, 2, 2],
    }
)


def test_segments_and_weights_may_be_columns_of_the_history():
    found = evaluate(SMALL, "ItemCoverage UserCoverage ARP", history=HAD, by="country")
    # a of two lists and b, of a to d; c and d; a had 1 user, b 2
    assert found.mean.rows() == [("run", "de", 0.5, 1.0, 1.25), ("run", "fr", 0.5, 0.5, 1.0)]
    found = evaluate(SMALL, "UserCoverage ARP", history=HAD, weight="visits")
    assert found.mean.rows() == [("run", 4 / 6, (1.5 * 1 + 1 * 3) / 4)]


def test_a_user_without_a_score_counts_in_no_kind_of_mean():
    names = "UserCoverage ARP(aggregate='geometric') ARP(aggregate='harmonic')"
    found = evaluate(SMALL, names, history=HAD).mean.row(0)
    assert found[1:] == pytest.approx((3 / 4, 1.5 ** (1 / 3), 3 / (1 / 1.5 + 2)))
    unseen = HAD.filter(query_id="joe")["country"].item(0)
    found = evaluate(SMALL, "UserCoverage ARP", history=HAD, weight="visits", by="country")
    assert found.mean.filter(country=unseen).row(0)[2:] == (0.0, None)


def test_the_aggregate_is_that_of_scores_of_users_in_python_and_in_sql():
    tables = cases.draw_case(4).make_tables()
    run, names = tables.pop("run"), "Novelty@3 ARP"
    found = evaluate(run, names, **tables, aggregate="median")
    for name in found:
        assert found[name] == pytest.approx(found.per_query[name].median())
    with open_shell() as con:
        keep(con, run=run, **tables)
        text = sm.sql("Novelty(aggregate='median')@3", select=True).rpartition("WITH")
        ((_, median),) = con.execute("WITH" + text[2]).fetchall()
    assert median == pytest.approx(found.mean.item(0, 1))


def test_notes_say_who_has_no_list_what_users_had_and_which_lists_are_short():
    notes = evaluate({"x": SMALL, "y": SMALL}, "Novelty@2", history=HAD).notes
    assert notes == (
        "x, y: no list for 1 of 4 users of the history; only UserCoverage counts them",
        "x, y: users already had 2 of the recommended items; leave out those that they would "
        "not want again",
        "x, y: fewer than 2 items in 1 of its lists; their scores at 2 are not comparable with "
        "those of longer lists",
    )
    new = {user: {"e": 1.0} for user in ("ann", "ben", "eve", "joe")}
    (note,) = evaluate(new, "Novelty@1", history=HAD).notes
    assert note.startswith("the run and the history have no document in common: ")
    (note,) = evaluate(new, "Novelty", history=HAD).notes
    assert note.startswith("the run and the history have no document in common: ")


def test_users_that_the_topics_lack_are_named():
    found = evaluate(SMALL, "Gini", history=HAD, by="country", topics=USERS)
    assert found.notes[-1] == (
        "the topics frame lacks 3 of the queries, such as ann; their segment is null"
    )


def test_without_metrics_those_are_scored_that_there_are_tables_for():
    case = cases.read_case(
        {"lists": "a b | c", "history": "", "items": "", "relevant": "", "baseline": ""}
    )
    assert [*score(case, None)] == ["Personalization@10"]
    case.history = [("u1", "a"), ("u2", "b"), ("u2", "c")]
    found = score(case, None)
    assert "Novelty@10" in found
    assert "Overlap@10" not in found
    assert found.notes[0].startswith("no metrics given; these are ItemCoverage@10 Gini@10")


def test_a_table_may_have_the_names_of_other_tools():
    history = pl.DataFrame({"userId": [1, 2], "movieId": ["a", "b"]})
    items = pl.DataFrame({"movieId": ["a", "b"], "genres": ["x", "y"], "vector": [[1.0], [2.0]]})
    named = {"doc_id": "movieId"}
    run = {"1": {"a": 2.0, "b": 1.0}}
    found = evaluate(run, "Novelty ILD VectorILD", history=history, items=items, columns=named)
    assert found.mean.row(0)[1:] == (1.0, 1.0, 0.0)


def test_tables_that_no_metric_needs_are_not_read():
    run = {"1": {"a": 2.0, "b": 1.0}}
    assert evaluate(run, "Entropy", history="nowhere.csv")["Entropy"] == 1


def test_the_needed_columns_of_items_are_known_from_the_sql():
    def list_columns(name):
        return list_item_columns(parsing.parse(name))

    assert list_columns("ILD CategoricalDiversity Miscalibration") == ("category",)
    assert list_columns("AWRF ExposureRatio") == ("group_id",)
    assert list_columns("VectorILD") == ("features",)
    assert list_columns("Gini Serendipity Novelty") == ()


@pytest.fixture
def files(tmp_path):
    for name, table in cases.draw_case(1).make_tables().items():
        table = table.drop("features", strict=False)
        table.write_csv(tmp_path / f"{name}.csv")
    return tmp_path


def test_the_command_prints_means_and_scores_of_users(files):
    tables = ["history", "items", "baseline"]
    words = [word for name in tables for word in (f"--{name}", files / f"{name}.csv")]
    words += ["-m", "Gini@3 Novelty@3 Serendipity@3 Overlap@3", "-f", "csv"]
    given = {name: files / f"{name}.csv" for name in [*tables, "qrels"]}
    scores = evaluate(files / "run.csv", "Gini@3 Novelty@3 Serendipity@3 Overlap@3", **given)
    for more, frame in (([], scores.mean), (["--per-query"], scores.per_query)):
        status, out, said = run_command(
            "evaluate", files / "qrels.csv", files / "run.csv", *words, *more
        )
        assert status == 0
        assert ("of a whole run, not of its queries: Gini@3" in said) == bool(more)
        assert pl.read_csv(out.encode(), schema=frame.schema).equals(frame)


@pytest.mark.thorough
def test_plain_sql_gives_the_means_in_sqlite():
    names = [name for name in NAMES if "Vector" not in name]
    case = cases.draw_case(1)
    with closing(sqlite3.connect(":memory:")) as con:
        for name, table in case.make_tables().items():
            table = table.drop("features", strict=False)
            con.execute(f"CREATE TABLE {name} ({', '.join(table.columns)})")
            marks = ", ".join("?" * table.width)
            con.executemany(f"INSERT INTO {name} VALUES ({marks})", table.rows())
        (found,) = con.execute(sm.sql(names, dialect="sqlite")).fetchall()
    expected = score(case, names).mean.drop("run_id").row(0)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)


# Items with two categories and two groups, in a cell.
TWO = {
    "bars": pl.DataFrame(
        {"doc_id": ["a", "b"], "category": ["x|y", " x |"], "group_id": ["g|h", "g"]}
    ),
    "lists": pl.DataFrame(
        {"doc_id": ["a", "b"], "category": [["x", "y"], ["x"]], "group_id": [["g", "h"], ["g"]]}
    ),
    "text of lists": pl.DataFrame(
        {
            "doc_id": ["a", "b"],
            "category": ["['x', 'y']", "['x']"],
            "group_id": ['["g", "h"]', "[g]"],
        }
    ),
    "rows": pl.DataFrame(
        {"doc_id": ["a", "a", "b"], "category": ["x", "y", "x"], "group_id": ["g", "h", "g"]}
    ),
}
TWO["lists of pandas"] = pd.DataFrame(TWO["lists"].to_dict(as_series=False))
TWO["arrays of pandas"] = TWO["lists of pandas"].map(
    lambda v: v if isinstance(v, str) else np.array(v)
)
OF_TWO = {
    "ILD": 1 - 1 / math.sqrt(2 * 1),  # as recmetrics
    "CategoricalDiversity@2": 2 / 2,
    # Steck 2018: half of a, and all of b, has x
    "Miscalibration(discount='none')@1": -math.log(0.99 * 1 / 2 + 0.01),
    # the first has half of a; of the catalogue, three quarters are g
    "AWRF@1": 1
    - (
        math.log(0.5 / 0.625) / 2
        + math.log(0.5 / 0.375) / 2
        + math.log(0.75 / 0.625) * 3 / 4
        + math.log(0.25 / 0.375) / 4
    )
    / 2,
}
LIST = pl.DataFrame({"query_id": ["1", "1"], "doc_id": ["a", "b"], "score": [2.0, 1.0]})
HAD_B = {"1": ["b"]}


@pytest.mark.few(3)
@pytest.mark.parametrize("form", TWO)
def test_a_cell_with_several_values_is_as_a_row_for_each(form):
    found = evaluate(LIST, [*OF_TWO], items=TWO[form], history=HAD_B)
    assert found.mean.row(0)[1:] == pytest.approx([*OF_TWO.values()], rel=1e-12)
    said = [note for note in found.notes if "has lists or values with |" in note]
    assert len(said) == 2 * (form != "rows")


@pytest.mark.few(1)
@pytest.mark.parametrize("form", ["bars", "lists", "rows"])
def test_macros_and_plain_sql_read_several_values_in_a_cell_alike(form):
    expected = [pytest.approx([*OF_TWO.values()], rel=1e-12)]
    had = pl.DataFrame({"query_id": ["1"], "doc_id": ["b"]})
    with open_shell() as con:
        keep(con, run=LIST, history=had, items=TWO[form])
        for text in (sm.sql([*OF_TWO]), sm.sql([*OF_TWO], dialect="duckdb")):
            assert [row[-4:] for row in con.execute(text).fetchall()] == expected
    if form == "lists":  # which SQLite does not have
        return
    with closing(sqlite3.connect(":memory:")) as con:
        for name, table in {"run": LIST, "history": had, "items": TWO[form]}.items():
            con.execute(f"CREATE TABLE {name} ({', '.join(table.columns)})")
            marks = ", ".join("?" * table.width)
            con.executemany(f"INSERT INTO {name} VALUES ({marks})", table.rows())
        assert con.execute(sm.sql([*OF_TWO], dialect="sqlite")).fetchall() == expected
        con.execute("UPDATE items SET category = category || '|' || hex(zeroblob(130))")
        with pytest.raises(sqlite3.OperationalError):
            con.execute(sm.sql("ILD", dialect="sqlite")).fetchall()


@pytest.mark.parametrize("lack", [None, "", " "])
def test_an_item_without_a_category_is_left_out_with_a_note(lack):
    items = pl.DataFrame({"doc_id": ["a", "b", "c"], "category": ["x", "y", lack]})
    run = {"1": {"a": 3.0, "c": 2.0, "b": 1.0}}
    found = evaluate(run, "ILD CategoricalDiversity", items=items)
    assert found.mean.row(0)[1:] == (1.0, 2 / 3)
    assert found.notes == ("no category for 1 of 3 items; left out of ILD, CategoricalDiversity",)


def test_a_vector_of_zeros_has_no_direction_and_is_left_out_with_a_note():
    vectors = [np.array([1.0, 0.0]), np.array([0.0, 1.0]), np.array([0.0, 0.0])]
    items = pd.DataFrame({"doc_id": ["a", "b", "c"], "features": vectors})
    run = {"1": {"a": 3.0, "c": 2.0, "b": 1.0}}
    found = evaluate(run, "VectorILD", items=items)
    assert found["VectorILD"] == 1
    assert found.notes == ("no vector, or one of zeros, for 1 of 3 items; left out of VectorILD",)


def test_items_of_the_history_that_the_catalogue_lacks_are_noted():
    items = pl.DataFrame({"doc_id": ["a", "b"], "category": ["x", "y"]})
    had = {"1": ["a", "old", "older"]}
    found = evaluate({"1": {"a": 1.0}}, "Miscalibration", items=items, history=had)
    assert found["Miscalibration"] == 0
    assert (
        "2 items of the history are not among the items; left out of Miscalibration" in found.notes
    )


@pytest.mark.parametrize("items", [["a", "b", "c"], ("a", "b", "c"), np.array([1, 2, 3])])
def test_a_catalogue_may_be_a_list_of_ids(items):
    run = {"1": {str(items[0]): 1.0}}
    assert evaluate(run, "ItemCoverage", items=items)["ItemCoverage"] == 1 / 3


OUTSIDE = ["ItemCoverage@2", "Gini", "ILD@2", "CategoricalDiversity", "Miscalibration", "VectorILD"]
OUTSIDE += ["AWRF", "ExposureRatio@2"]


@pytest.mark.few(2)
@pytest.mark.parametrize("metric", OUTSIDE)
def test_a_recommended_item_outside_the_catalogue_is_refused_by_all_that_read_it(metric):
    items = pl.DataFrame(
        {"doc_id": ["a"], "category": ["x"], "group_id": ["g"], "features": [[1.0]]}
    )
    said = "run run recommends item b, which is not among the items; add them to the items"
    assert_wrong(said, evaluate, LIST, metric, items=items, history=HAD_B)
    measure = parsing.parse(metric)[0]
    tables = statements.write_own_table(measure.metric.file)[0]
    given = ", ".join(name for name in tables if name in catalogue.INPUTS)
    had = pl.DataFrame({"query_id": ["1"], "doc_id": ["b"]})
    with open_shell() as con:
        keep(con, run=LIST, history=had, items=items)
        assert_refused(
            con, f"FROM {measure.metric.macro}({given})", "recommends item b, which is not"
        )
    first = metric.partition("@")[0] + "@1"  # which does not reach b
    assert evaluate(LIST, first, items=items, history=HAD_B).mean.height == 1


def find_judged(case):
    """What was judged of a case, and the tables without it."""
    tables = case.make_tables()
    return tables.pop("qrels"), tables.pop("run"), tables


MIXED = "nDCG@3 ItemCoverage@3 AP Gini@3 Novelty@3 NumRet EPC@3 UserCoverage"


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", [1, 4, 6])
@pytest.mark.parametrize("by", [(), "country"])
def test_one_call_gives_the_scores_of_two(seed, by):
    qrels, run, tables = find_judged(cases.draw_case(seed))
    runs = {"b": run, "a": tables["baseline"]}
    options = {"by": by, "topics": USERS} if by else {}
    found = sm.evaluate(qrels, runs, MIXED, **tables, **options)
    assert [*found] == MIXED.split()
    names = [name.names[0].partition("@")[0] for name in METRICS]
    for is_listed in (False, True):
        some = [name for name in found if (name.partition("@")[0] in names) == is_listed]
        alone = sm.evaluate(qrels, runs, some, **tables, **options)
        keys = ["run_id", *([by] if by else [])]
        mean = alone.mean.join(found.mean, on=keys, how="left", nulls_equal=True, suffix="_there")
        queries = ["run_id", "query_id"]
        per_query = alone.per_query.join(found.per_query, on=queries, how="left", suffix="_there")
        for frame in (mean, per_query):
            for name in some:
                if name in frame.columns:
                    assert frame[name].equals(frame[f"{name}_there"], null_equal=True)
        unread = {note for note in alone.notes if note.startswith("none of these metrics reads")}
        assert bool(unread) != is_listed  # as the metrics of runs read no catalogue
        assert {*alone.notes} - unread <= {*found.notes}
        assert (
            alone.sql.rpartition("SELECT")[2] in found.sql
        )  # input tables have names of their own
    assert "Gini@3" not in found.per_query.columns
    assert found.mean["run_id"].unique(maintain_order=True).to_list() == ["b", "a"]


def test_lists_without_what_users_had_have_ids_of_the_history():
    history = {"1": ["d"], "2": ["e"], "3": ["a", "b", "c"]}
    found = sm.evaluate(None, {"1": ["a", "c"], "2": ["c", "b"]}, "Novelty@2", history=history)
    assert not any("have no document in common" in note for note in found.notes)
    found = sm.evaluate(None, {"1": ["A", "C"]}, "Novelty@2", history=history)
    assert any("have no document in common" in note for note in found.notes)


def test_inputs_that_are_read_once_are_read_for_all_metrics():
    qrels, run, tables = find_judged(cases.draw_case(4))
    expected = sm.evaluate(qrels, run, MIXED, **tables)
    rows = [sm.Judgments(qrels), run.to_arrow().to_reader()]
    found = sm.evaluate(*rows, MIXED, **tables)
    assert found.mean.drop("run_id").equals(expected.mean.drop("run_id"))
    listed = sm.evaluate(sm.Judgments(qrels), run, "EPC@3", **tables)
    assert listed["EPC@3"] == expected["EPC@3"]


def test_without_metrics_one_call_has_those_of_judgments_and_of_tables():
    qrels, run, tables = find_judged(cases.draw_case(4))
    found = sm.evaluate(qrels, run, history=tables["history"], items=tables["items"])
    assert [*found][:6] == ["nDCG@10", "AP", "RR", "P@10", "R@100", "ItemCoverage@10"]
    assert [*sm.evaluate(qrels, run)] == [*found][:5]


def test_the_command_takes_none_for_judgments_and_shows_all_metrics(files):
    words = ["--history", files / "history.csv", "--items", files / "items.csv"]
    words += ["-m", "Gini@3 ARP@3", "-f", "csv"]
    status, alone, _ = run_command("evaluate", "none", files / "run.csv", *words)
    assert status == 0
    words[-3] = "AP Gini@3 ARP@3"
    status, both, _ = run_command("evaluate", files / "qrels.csv", files / "run.csv", *words)
    columns = ["run_id", "Gini@3", "ARP@3"]
    assert pl.read_csv(both.encode()).select(columns).equals(pl.read_csv(alone.encode()))
    for form in ("table", "trec", "markdown"):
        shown = [*words[:-1], form, "--per-query"]
        status, out, said = run_command("evaluate", files / "qrels.csv", files / "run.csv", *shown)
        assert (status, "Gini@3" in out) == (0, True), said
    status, _, said = run_command("evaluate", "none")
    assert (status, "evaluate needs QRELS and RUN" in said) == (2, True)
