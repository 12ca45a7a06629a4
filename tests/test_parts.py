"""A folder or pattern of files that were exported together is one table, and others are runs.

Each file has one query, whose relevant document is first: one run of RR 1, where three runs would
have .333 each.
"""

from __future__ import annotations

import json

import polars as pl
import pytest
from click_logs import score_log
from commands import run_command

import sqlmetrics

QUERIES = ("q1", "q2", "q3")
QRELS = pl.DataFrame({"query_id": QUERIES, "doc_id": ["a"] * 3, "relevance": [1] * 3})
ROWS = [{"query_id": query, "doc_id": "a", "score": 1.5} for query in QUERIES]


def save(folder, names, rows=ROWS):
    for name, row in zip(names, rows, strict=True):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        frame = pl.DataFrame(row)
        if ".parquet" in name:
            frame.write_parquet(path)
        elif ".json" in name:
            frame.write_ndjson(path)
        else:
            frame.write_csv(path)
    return folder


def score(run, qrels=QRELS, **options):
    found = sqlmetrics.evaluate(qrels, run, "RR", **options)
    return dict(found.mean.rows()), found.notes


WRITERS = {
    "Spark": "part-0000{}-5c2f-c000.snappy.parquet",
    "Hadoop": "part-r-0000{}",
    "BigQuery": "00000000000{}.csv",
    "Redshift": "000{}_part_00",
    "Snowflake": "data_0_0_{}.csv",
    "DuckDB": "data_{}.parquet",
    "Hugging Face": "bm25-0000{}-of-00003.parquet",
}


@pytest.mark.few(3)
@pytest.mark.parametrize("writer", WRITERS)
def test_the_files_of_a_warehouse_are_one_run(tmp_path, writer):
    folder = save(tmp_path / "bm25", [WRITERS[writer].format(n) for n in range(3)])
    (folder / "_SUCCESS").write_text("")
    for given in (folder, str(folder / "*")):
        found, notes = score(given)
        assert found == {"bm25": 1.0}
        assert "bm25: 3 files are one table, by their names" in notes[0]


def test_parts_of_the_same_queries_are_one_run(tmp_path):
    # b, c and a are the ranking of q1: a is third
    rows = [
        {**ROWS[0], "doc_id": doc, "score": score}
        for doc, score in zip("bca", (3, 2, 1), strict=True)
    ]
    assert score(save(tmp_path / "run", ["data_0.csv", "data_1.csv", "data_2.csv"], rows))[0] == {
        "run": pytest.approx(1 / 9)
    }


def test_files_that_share_no_query_are_one_run(tmp_path):
    folder = save(tmp_path / "bm25", ["bread.csv", "curry.parquet", "tea.jsonl"])
    found, notes = score(folder)
    assert found == {"bm25": 1.0}
    assert "as no query is in two of them" in notes[0]


def test_files_that_share_queries_or_are_named_one_by_one_are_runs(tmp_path):
    folder = save(tmp_path / "runs", ["x.csv", "y.csv", "z.csv"], [ROWS[0], ROWS[1], ROWS[1]])
    third = {"x": 1 / 3, "y": 1 / 3, "z": 1 / 3}
    assert score(folder)[0] == pytest.approx(third)
    folder = save(tmp_path / "parts", ["x.csv", "y.csv", "z.csv"])
    assert score([folder / f"{name}.csv" for name in "xyz"])[0] == pytest.approx(third)


def test_a_query_far_down_in_two_files_makes_them_runs(tmp_path):
    for name, first in (("x", 0), ("y", 2000)):
        queries = [f"other {number}" for number in range(first, first + 1500)]
        pl.DataFrame({"query_id": [*queries, "q1"], "doc_id": "a", "score": 1}).write_csv(
            tmp_path / f"{name}.csv"
        )
    assert set(score(tmp_path)[0]) == {"x", "y"}


def test_exports_of_several_runs_stay_apart(tmp_path):
    for name in ("bm25", "neural"):
        save(tmp_path / name, ["part-0.csv", "part-1.csv", "part-2.csv"])
        save(tmp_path / "all", [f"{name}-00000000000{n}.csv" for n in range(3)])
    for given in ("*", "*/part-*.csv", "all/*"):
        found = score(str(tmp_path / given) if given != "*" else tmp_path / "[bn]*")[0]
        assert found == {"bm25": 1.0, "neural": 1.0}


def test_parts_with_run_ids_are_one_table(tmp_path):
    names = ["x.csv", "y.csv", "z.csv"]
    rows = [{**row, "run_id": ["old", "new"], "doc_id": ["b", "a"]} for row in ROWS]
    assert score(save(tmp_path / "runs", names, rows))[0] == {"old": 0.0, "new": 1.0}


def test_partitions_are_columns(tmp_path):
    names = ["country=DE/p.parquet", "country=FR/day=1/p.csv", "country=FR/day=2/p.jsonl"]
    qrels = save(tmp_path / "qrels", names, [{**row, "relevance": 1} for row in ROWS])
    run = save(tmp_path / "run", names)
    for given in (run, str(run / "**" / "p.*")):
        assert score(given, qrels)[0] == {"run": 1.0}
    by = sqlmetrics.evaluate(qrels, run, "RR NumQ", by="country").mean.sort("country")
    assert by.rows() == [("run", "DE", 1.0, 1), ("run", "FR", 1.0, 2)]


def test_a_partition_may_name_the_runs(tmp_path):
    names = [f"system={name}/part-0.csv" for name in ("new", "old%20one", "other")]
    rows = [{**ROWS[0], "doc_id": doc} for doc in "abb"]
    found, _ = score(save(tmp_path / "run", names, rows), queries="answered")
    assert found == {"new": 1.0, "old one": 0.0, "other": 0.0}


@pytest.mark.few(3)
@pytest.mark.parametrize("given", ["run", "run/*/p.csv", "run/day=*", "one by one", "one table"])
def test_a_run_for_each_value_of_a_column_or_folder(tmp_path, given, monkeypatch):
    days, rows = ("mon", "tue"), [{**ROWS[0], "doc_id": doc} for doc in "ab"]
    save(tmp_path / "run", [f"day={day}/p.csv" for day in days], rows)
    QRELS.write_csv(tmp_path / "qrels.csv")
    pl.DataFrame(rows).with_columns(day=pl.Series(days)).write_csv(tmp_path / "all.csv")
    monkeypatch.chdir(tmp_path)
    run = {"one by one": [f"run/day={day}/p.csv" for day in days], "one table": ["all.csv"]}
    asked = ["evaluate", "qrels.csv", *run.get(given, [given]), "-m", "RR", "--queries", "answered"]
    for option in (["--run-from", "day"], ["--run-from=day"]):
        status, out, err = run_command(*asked, *option, "-f", "csv")
        assert (status, out) == (0, "run_id,RR\nmon,1.0\ntue,0.0\n"), err
    assert score("run/day=mon/p.csv", columns={"run_id": "day"})[0] == {"mon": 1 / 3}
    assert score("run/day=mon/p.csv")[0] == {"p": 1 / 3}


def test_a_log_in_partitions_is_one(tmp_path):
    rows = [
        {**ROWS[0], "page_id": page, "position": 1, "clicked": clicked}
        for page, clicked in (("p1", 1), ("p2", 0), ("p3", 0))
    ]
    names = [f"day={n}/part-0.parquet" for n in range(3)]
    found = score_log(save(tmp_path / "log", names, rows), "Pages CTR")
    assert found.row(0) == (3, pytest.approx(1 / 3))


def test_a_folder_of_parts_is_checked_and_compared_as_one_run(tmp_path):
    QRELS.write_csv(tmp_path / "qrels.csv")
    names = ["part-0.csv", "part-1.csv", "part-2.csv"]
    save(tmp_path / "old", names)
    save(tmp_path / "new", names)
    runs = (tmp_path / "old", tmp_path / "new")
    status, _, said = run_command("compare", tmp_path / "qrels.csv", *runs, "-m", "RR")
    assert (status, "new: 3 files are one table" in said) == (0, True)
    assert sqlmetrics.check(QRELS, tmp_path / "old").filter(severity="error").is_empty()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("mark", "file", "name"),
    [
        ("_delta_log/0.json", "part-0.parquet", "Delta"),
        ("metadata/v1.metadata.json", "data/day=1/0.parquet", "Iceberg"),
        (".hoodie/hoodie.properties", "day=1/0.parquet", "Hudi"),
    ],
)
def test_tables_whose_files_do_not_say_all_are_refused(tmp_path, mark, file, name):
    table = save(tmp_path / "table", [file], ROWS[:1])
    (table / mark).parent.mkdir()
    (table / mark).write_text("{}")
    folders = [table] if name == "Hudi" else []
    for given in (*folders, str(table / "**" / "*.parquet"), table / file):
        with pytest.raises(sqlmetrics.InputError, match=f"table is a table of {name}"):
            score(given)


def write_delta(folder, *frames):
    for frame in frames:
        frame.write_delta(folder / "new", mode="overwrite")
    return folder / "new"


def write_iceberg(folder, *frames):
    from pyiceberg.catalog.sql import SqlCatalog

    catalog = SqlCatalog("own", uri=f"sqlite:///{folder}/catalog", warehouse=str(folder))
    catalog.create_namespace("lake")
    table = catalog.create_table("lake.new", frames[0].to_arrow().schema)
    for frame in frames:
        table.overwrite(frame.to_arrow())
    return folder / "lake" / "new"


@pytest.mark.parametrize("write", [write_delta, write_iceberg])
def test_tables_of_a_lake_have_the_rows_of_their_newest_version(tmp_path, write):
    rows = pl.DataFrame(ROWS)
    others = rows.with_columns(doc_id=pl.lit("x"))
    table = write(
        tmp_path, *[others] * 11, rows[:2]
    )  # so that the 10th version comes after the 9th
    expected = 2 / 3
    for given in (table, str(table.parent / "n*")):
        assert score(given)[0] == {"new": expected}


# What one command writes, the others read


@pytest.mark.few(1)
@pytest.mark.parametrize("suffix", ["trec", "run", "txt", "csv", "json", "jsonl", "parquet"])
def test_a_fused_run_is_read_by_every_command(tmp_path, suffix):
    # by 1 / (60 + rank): b is first of q1 and a second; a is alone in q2
    rows = {"query_id": ["q1", "q1", "q2"], "doc_id": ["b", "a", "a"], "score": [2.0, 1.0, 1.0]}
    pl.DataFrame(rows).write_csv(tmp_path / "run.csv")
    QRELS.head(2).write_csv(tmp_path / "qrels.csv")
    fused = tmp_path / f"fused.{suffix}"
    runs = [tmp_path / "run.csv", f"other={tmp_path / 'run.csv'}"]
    assert run_command("fuse", *runs, "--method", "rrf", "-o", fused)[0] == 0
    assert score(fused, QRELS.head(2))[0] == {"fused": 0.75}
    qrels, run = tmp_path / "qrels.csv", tmp_path / "run.csv"
    assert run_command("compare", qrels, run, fused, "-m", "RR")[0] == 0
    assert run_command("fuse", run, fused, "-o", tmp_path / f"again.{suffix}")[0] == 0
    assert run_command("report", qrels, run, fused, "-o", tmp_path / "report.html")[0] == 0


@pytest.mark.few(2)
@pytest.mark.parametrize("suffix", ["csv", "json", "jsonl", "parquet"])
def test_documents_to_judge_are_read_before_all_are_judged(tmp_path, suffix):
    rows = {"query_id": ["q1", "q1", "q1"], "doc_id": ["b", "a", "c"], "score": [3.0, 2.0, 1.0]}
    batch = sqlmetrics.to_judge(None, pl.DataFrame(rows), depth=5).with_columns(
        relevance=pl.when(pl.col("doc_id") != "b").then(1)
    )
    path = tmp_path / f"batch.{suffix}"
    write = {"csv": "write_csv", "json": "write_json", "jsonl": "write_ndjson"}
    getattr(batch, write.get(suffix, "write_parquet"))(path)
    for given in (path, batch, batch.to_pandas()):
        found = sqlmetrics.evaluate(given, pl.DataFrame(rows), "RR NumRel")
        assert found.mean.row(0)[1:] == (0.5, 2)  # b is first and not judged
        assert any("1 row not judged yet; left out" in note for note in found.notes)
    kept = batch.drop("best_rank")
    with pytest.raises(sqlmetrics.InputError, match="no relevance for document b"):
        sqlmetrics.evaluate(kept, pl.DataFrame(rows), "RR")


# Objects in JSON lines


def test_rows_of_json_may_hold_objects(tmp_path):
    rows = [
        {"query_id": "q1", "doc_id": "b", "score": 1, "meta": {"place": {"rank": 1}, "a.b": 1}},
        {"query_id": "q1", "doc_id": "a", "score": 2, "meta": {"place": {"rank": 2}}},
    ]
    for name, text in {
        "run.jsonl": "\n".join(map(json.dumps, rows)),
        "run.json": json.dumps(rows),
    }.items():
        (tmp_path / name).write_text(text)
        assert score(tmp_path / name, QRELS.head(1))[0] == {"run": 1.0}
        # b has rank 1, and scores 1 by the other column
        named = {"rank": "meta.place.rank"}
        (tmp_path / name).write_text(text.replace('"score"', '"points"'))
        assert score(tmp_path / name, QRELS.head(1), columns=named)[0] == {"run": 0.5}
    (tmp_path / "run.jsonl").write_text(json.dumps(rows[0]) + "\nnot JSON")
    with pytest.raises(sqlmetrics.InputError, match="line 2 is not JSON"):
        score(tmp_path / "run.jsonl")


def test_events_of_ubi_are_a_log(tmp_path):
    places = (("view", "a", 1), ("click", "b", 2))
    events = [
        {
            "page": "p1",
            "query_id": "q1",
            "clicked": int(name == "click"),
            "event_attributes": {"object": {"id": doc}, "position": {"ordinal": place}},
        }
        for name, doc, place in places
    ]
    (tmp_path / "log.jsonl").write_text("\n".join(map(json.dumps, events)))
    columns = {
        "doc_id": "event_attributes.object.id",
        "position": "event_attributes.position.ordinal",
    }
    found = score_log(tmp_path / "log.jsonl", "Pages CTR ClickRR", columns=columns)
    assert found.row(0) == (1, 0.5, 0.5)  # the second of two was clicked
