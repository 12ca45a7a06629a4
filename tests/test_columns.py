"""A column is what its name and its values say, and never two things by accident."""

from __future__ import annotations

import sys

import polars as pl
import pytest
from click_logs import score_log
from commands import run_command

import sqlmetrics as sm
from sqlmetrics.catalogue import find_file, list_analyses
from sqlmetrics.inputs.columns import NAMES, is_known
from sqlmetrics.inputs.grades import find_remedy

QRELS = pl.DataFrame({"query_id": ["q1", "q2"], "doc_id": ["a", "a"], "relevance": [1, 1]})
TURNS = ["c1,1,a,{}", "c1,2,b,{}", "c2,1,a,{}"]


def save(folder, name, header, rows):
    path = folder / name
    path.write_text("\n".join([header, *rows]) + "\n" if header else "\n".join(rows) + "\n")
    return path


def write_forms(path, name, frame):
    """The same rows as files and frames, and as an iterator of dicts."""
    if not any(isinstance(kind, pl.List) for kind in frame.dtypes):
        frame.write_csv(path / f"{name}.csv")
        yield path / f"{name}.csv"
    frame.write_parquet(path / f"{name}.parquet")
    frame.write_ndjson(path / f"{name}.jsonl")
    yield from (path / f"{name}.{suffix}" for suffix in ("parquet", "jsonl"))
    yield frame
    yield frame.to_pandas()
    yield iter(frame.to_dicts())


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["rank", "Position", "pos", "place", "search_position"])
def test_places_are_refused_as_scores(name):
    run = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["x", "a"], name: [1, 2]})
    with pytest.raises(sm.InputError, match=f"{name} as score would put the last place first"):
        sm.evaluate(QRELS, run, "RR", columns={"score": name})
    assert sm.evaluate(QRELS, run, "RR", columns={"rank": name})["RR"] == 0.25


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["rank", "Position", "pos", "place"])
def test_places_are_the_ranks_of_a_run_without_scores(tmp_path, name):
    run = pl.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["x", "a", "a"], name: [1, 2, 1]})
    for form in write_forms(tmp_path, "run", run):
        assert sm.evaluate(QRELS, form, "RR")["RR"] == 0.75


def test_a_run_without_header_is_read_where_its_values_say_what_they_are(tmp_path):
    # the form of MS MARCO: query, passage, rank
    run = save(tmp_path, "run.tsv", "", ["q1\tx\t1", "q1\ta\t2", "q2\ta\t1"])
    found = sm.evaluate(QRELS, run, "RR")
    assert found["RR"] == 0.75
    assert "column 3 as rank" in found.notes[0]
    unclear = save(tmp_path, "scored.tsv", "", ["q1\tx\t21", "q1\ta\t20", "q2\ta\t9"])
    with pytest.raises(sm.InputError, match=r"'score': 3\}; rank=3 in"):
        sm.evaluate(QRELS, unclear, "RR")
    columns = {"query_id": 1, "doc_id": 2, "score": 3}
    assert sm.evaluate(QRELS, unclear, "RR", columns=columns)["RR"] == 0.75


def test_the_query_that_merges_judges_is_a_command_where_one_was_typed(tmp_path):
    path = save(tmp_path, "j.csv", "query,doc,judge_1,judge_2", ["q,a,1,0"])
    run = save(tmp_path, "run.csv", "query,doc,score", ["q,a,1.5"])
    code, _, said = run_command("evaluate", path, run)
    assert (code, f"first: sqlmetrics query -t t={path} 'WITH r AS (SELECT" in said) == (2, True)
    assert said.endswith("FROM merged_ratings(r)' -o qrels.csv\n")


def test_a_repeated_document_names_the_option_only_where_there_is_one():
    run = pl.DataFrame({"query_id": "q1", "doc_id": ["a", "a"], "score": [2, 1]})
    with pytest.raises(sm.InputError, match=r"; repeated='first' keeps the best row of each$"):
        sm.evaluate(QRELS, run, "RR")
    found = find_remedy(find_file("repeated_documents"), "a table of Spark", None)
    assert found.endswith("name the run column run_id")


@pytest.mark.parametrize("names", [
    ("search", "document", "Relevant?", "bm25"), ("user_id:token", "item_id:token", "rating:float", "score:float"),
    ("user_id", "song_id", "listened", "predicted_rating"), ("query", "isbn", "relevance", "confidence"),
])  # fmt: skip
def test_other_trades_name_the_columns(tmp_path, names):
    query, doc, grade, score = names
    judged = save(tmp_path, "q.csv", f"{query},{doc},{grade}", ["q1,x,0", "q1,a,1", "q2,a,1"])
    run = save(tmp_path, "r.csv", f"{query},{doc},{score}", ["q1,x,2", "q1,a,1", "q2,a,1"])
    assert sm.evaluate(judged, run, "RR")["RR"] == 0.75


def test_a_rank_has_the_order_where_a_score_may_be_of_another_stage(tmp_path):
    run = save(tmp_path, "r.csv", "query,doc,rank,bm25", ["q1,x,1,3", "q1,a,2,4", "q2,a,1,5"])
    assert sm.evaluate(QRELS, run, "RR")["RR"] == 0.75
    assert sm.evaluate(QRELS, run, "RR", columns={"score": "bm25"})["RR"] == 1


def test_an_empty_name_leaves_out_a_column(tmp_path):
    run = save(tmp_path, "r.csv", "query,doc,place,score", ["q1,x,1,3", "q1,a,2,4", "q2,a,1,5"])
    assert sm.evaluate(QRELS, run, "RR")["RR"] == 1
    assert sm.evaluate(QRELS, run, "RR", columns={"score": ""})["RR"] == 0.75
    with pytest.raises(sm.InputError, match="no column doc_id"):
        sm.evaluate(QRELS, run, "RR", columns={"run.doc_id": ""})


def test_sessions_have_a_target_and_users_what_they_purchased(tmp_path):
    targets = save(tmp_path, "t.csv", "session_id,target_item", ["q1,a", "q2,a"])
    hits = save(tmp_path, "h.csv", "session_id,hits", ["q1,x a", "q2,a"])
    assert sm.evaluate(targets, hits, "RR")["RR"] == 0.75
    both = save(tmp_path, "b.csv", "user,purchased,top_n", ["q1,a,x a", "q2,a,a"])
    assert sm.evaluate(both, both, "RR")["RR"] == 0.75


LISTS = [
    {"query": "q1", "shown": ["x", "a"], "wanted": ["a"]},
    {"query": "q2", "shown": ["x", "y", "z", "b"], "wanted": ["b"]},
]


def test_one_table_with_the_lists_of_both_names_a_column_for_each(tmp_path):
    for form in write_forms(tmp_path, "rag", pl.DataFrame(LISTS)):
        if isinstance(form, pl.DataFrame) or str(form).endswith((".jsonl", ".parquet")):
            columns = {"qrels.doc_id": "wanted", "run.doc_id": "shown"}
            scores = sm.evaluate(form, form, "RR R@3", columns=columns)
            assert (scores["RR"], scores["R@3"]) == (0.375, 0.5)
            with pytest.raises(
                sm.InputError, match=r"wanted would be both the judgments and the run"
            ):
                sm.evaluate(form, form, "RR", columns={"doc_id": "wanted"})


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "command",
    [
        ["evaluate"], ["check"], ["bounds"], ["explain-query", "--query", "q1"],
        ["gate", "--fail-under", "RR=0.1"], ["report", "-o", "page.html"],
    ],
    ids=lambda command: command[0],
)  # fmt: skip
def test_every_command_refuses_one_column_as_both(tmp_path, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    pl.DataFrame(LISTS).write_ndjson("rag.jsonl")
    name, *more = command
    status, _, said = run_command(name, "rag.jsonl", "rag.jsonl", "-c", "doc_id=wanted", *more)
    assert status == 2
    assert "wanted would be both the judgments and the run" in said
    assert "--columns qrels.doc_id=…,run.doc_id=…" in said


TAKING_BOTH = [name for name in list_analyses() if {"qrels", "run"} <= {*find_file(name).inputs}]


@pytest.mark.few(2)
@pytest.mark.parametrize("name", [name for name in TAKING_BOTH if name != "inferred"])  # of strata
def test_every_analysis_refuses_one_column_as_both(tmp_path, name):
    pl.DataFrame(LISTS).write_ndjson(tmp_path / "rag.jsonl")
    tables = ("--qrels", tmp_path / "rag.jsonl", "--run", tmp_path / "rag.jsonl")
    status, _, said = run_command(name.replace("_", "-"), *tables, "-c", "doc_id=wanted")
    assert status == 2
    assert "wanted would be both the judgments and the run" in said
    columns = "qrels.doc_id=wanted,run.doc_id=shown"
    assert run_command(name.replace("_", "-"), *tables, "-c", columns)[0] == 0


def test_grades_are_not_scores_of_the_same_table_and_a_dict_is_not_both(tmp_path):
    path = save(tmp_path, "both.csv", "query_id,doc_id,relevance,score", ["q1,a,1,2", "q1,b,0,3"])
    assert sm.evaluate(path, path, "RR")["RR"] == 0.5
    with pytest.raises(sm.InputError, match="relevance would be both"):
        sm.evaluate(path, path, "RR", columns={"score": "relevance"})
    given = {"q1": {"a": 1, "b": 0}}
    with pytest.raises(sm.InputError, match="its values would be both"):
        sm.evaluate(given, given, "RR")


@pytest.mark.thorough
def test_several_columns_are_a_key(tmp_path):
    header = "conversation_id,turn,doc_id,"
    qrels = save(tmp_path, "q.csv", f"{header}relevance", [row.format(1) for row in TURNS])
    run = pl.DataFrame(
        {
            "conversation_id": ["c1", "c1", "c1", "c1", "c2"],
            "turn": [1, 1, 2, 2, 1],
            "doc_id": ["a", "x", "x", "b", "a"],
            "score": [2.0, 1.0, 3.0, 2.0, 2.0],
        }
    )
    for named in (["conversation_id", "turn"], "conversation_id+turn"):
        for form in write_forms(tmp_path, "run", run):
            scores = sm.evaluate(qrels, form, "RR", columns={"query_id": named})
            assert scores["RR"] == pytest.approx((1 + 1 / 2 + 1) / 3)
    status, out, _ = run_command(
        "evaluate", qrels, tmp_path / "run.csv", "-m", "RR", "-c", "query_id=conversation_id+turn"
    )
    assert status == 0
    assert "0.8333" in out


def test_the_parts_of_a_key_are_not_mixed_up():
    frame = pl.DataFrame({"a": ["1+2", "1", "1\\"], "b": ["3", "2+3", "+2+3"], "doc_id": "d"})
    scores = sm.evaluate(
        frame.with_columns(relevance=1),
        frame.with_columns(score=1.0),
        "RR",
        columns={"query_id": ["a", "b"]},
    )
    assert scores.per_query["query_id"].n_unique() == 3


def test_a_column_that_both_tables_have_and_that_divides_a_query_is_noted():
    rows = [("c1", 1, "a"), ("c1", 1, "b"), ("c1", 2, "c"), ("c1", 2, "d"), ("c2", 1, "c")]
    frame = pl.DataFrame(rows, ["query_id", "turn", "doc_id"], orient="row")
    frame = pl.concat([frame, frame.with_columns(query_id=pl.lit("c3"), turn=3 - pl.col("turn"))])
    scores = sm.evaluate(
        frame.unique(["query_id", "doc_id"]).with_columns(relevance=1),
        frame.unique(["query_id", "doc_id"]).with_row_index("score"),
        "RR",
    )
    (note,) = [note for note in scores.notes if "turn" in note]
    assert note.endswith(
        "columns={'query_id': 'query_id+turn'} or --columns query_id=query_id+turn"
    )


def test_a_column_given_twice_is_refused(tmp_path):
    path = save(tmp_path, "run.csv", "query_id,doc_id,score", ["q1,a,1"])
    status, _, said = run_command("evaluate", path, path, "-c", "query_id=a,query_id=b")
    assert status == 2
    assert "--columns names query_id twice, a and b" in said
    assert "query_id=a+b" in said
    assert "qrels.query_id=a,run.query_id=b" in said


SYSTEMS = pl.DataFrame(
    [
        (f"q{query}", f"{system}{query}{place}", system, 1.0 / place)
        for query in (1, 2)
        for system in ("x", "y")
        for place in (1, 2)
    ],
    ["query_id", "doc_id", "system_under_test", "score"],
    orient="row",
)


@pytest.mark.parametrize("name", ["model", "method", "algorithm", "engine", "ranker", "retriever"])
def test_the_usual_names_of_systems_are_known(name):
    qrels = pl.DataFrame({"query_id": ["q1"], "doc_id": ["y12"], "relevance": [1]})
    run = SYSTEMS.rename({"system_under_test": name})
    assert sm.evaluate(qrels, run, "RR").mean.rows() == [("x", 0.0), ("y", 0.5)]


def test_a_column_whose_values_come_with_most_queries_is_asked_about(tmp_path):
    qrels = pl.DataFrame({"query_id": ["q1"], "doc_id": ["y12"], "relevance": [1]})
    for form in write_forms(tmp_path, "run", SYSTEMS):
        if not hasattr(form, "__next__"):
            notes = sm.evaluate(qrels, form, "RR").notes
            assert any("--columns run_id=system_under_test" in note for note in notes), form


def test_what_describes_documents_or_has_many_values_is_not_asked_about():
    qrels = pl.DataFrame({"query_id": ["q1"], "doc_id": ["d1"], "relevance": [1]})
    rows = [(f"q{q}", f"d{d}", ("red", "blue")[d % 2], float(d)) for q in (1, 2) for d in range(4)]
    run = pl.DataFrame(rows, ["query_id", "doc_id", "colour", "score"], orient="row")
    assert not any("colour" in note for note in sm.evaluate(qrels, run, "RR").notes)


def test_a_query_comes_before_a_user_or_a_session():
    run = pl.DataFrame(
        {
            "user_id": ["u1", "u1", "u1"],
            "query": ["q1", "q1", "q2"],
            "doc_id": ["x", "a", "a"],
            "score": [3.0, 2.0, 1.0],
        }
    )
    assert sm.evaluate(QRELS, run, "RR")["RR"] == 0.75


LOG = pl.DataFrame(
    {
        "page_id": [1, 1, 2, 2],
        "session_id": ["s1", "s1", "s2", "s2"],
        "search_term": ["q", "q", "q", "q"],
        "doc_id": ["a", "b", "a", "b"],
        "position": [1, 2, 1, 2],
        "clicked": [1, 0, 0, 1],
    }
)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", ["query_text", "search_term", "keyword", "Search Query"])
@pytest.mark.parametrize("user", ["session_id", "user_id", "customer_id"])
def test_in_a_log_a_session_or_user_is_not_the_query(name, user):
    log = LOG.rename({"search_term": name, "session_id": user})
    assert sm.judge(log)["query_id"].unique().to_list() == ["q"]
    assert score_log(log, "CTR@1", intervals=True).height == 1


def test_gate_knows_the_columns_that_are_named(tmp_path):
    header = "query_id,sku,"
    qrels = save(tmp_path, "q.csv", f"{header}relevance", ["q1,a,1", "q2,b,1"])
    run = save(tmp_path, "run.csv", f"{header}score", ["q1,a,1", "q2,b,1"])
    other = save(tmp_path, "other.csv", f"{header}score", ["q1,a,1", "q2,c,1"])
    status, _, said = run_command(
        "gate", qrels, run, other, "--max-loss", "nDCG@10=2%", "-c", "doc_id=sku"
    )
    assert status in (0, 1), said


def test_by_takes_the_name_that_a_file_has_for_a_query(tmp_path):
    log = pl.DataFrame({"page_id": [1, 1, 2], "query": ["s", "s", "h"], "doc": ["a", "b", "c"]})
    log = log.with_columns(position=pl.Series([1, 2, 1]), clicked=pl.Series([1, 0, 0]))
    found = sm.evaluate(log=log, metrics="CTR", by="query").mean
    assert found.rows() == [("h", 0.0), ("s", 0.5)]
    assert found.columns == ["query", "CTR"]
    path = tmp_path / "log.csv"
    log.write_csv(path)
    assert sm.evaluate(log=path, metrics="CTR", by="query").mean.equals(found)


def test_a_workbook_without_its_extra_says_what_to_install(tmp_path, monkeypatch):
    QRELS.write_excel(tmp_path / "qrels.xlsx")
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    with pytest.raises(sm.InputError, match=r'pip install "sqlmetrics\[excel\]"'):
        sm.evaluate(tmp_path / "qrels.xlsx", {"q1": {"a": 1}}, "RR")


@pytest.mark.parametrize("form", ["frame", "lines"])
def test_groups_of_documents_are_refused_with_their_metric(tmp_path, form):
    groups = pl.DataFrame({"query": ["q1", "q2"], "relevant_docs": [[["a"], ["b"]]] * 2})
    groups.write_ndjson(tmp_path / "qrels.jsonl")
    with pytest.raises(sm.InputError, match="StRecall"):
        sm.evaluate(groups if form == "frame" else tmp_path / "qrels.jsonl", {"q1": ["a"]}, "RR")


def test_every_name_is_known():
    names = [(name, ours) for ours, groups in NAMES.items() for each in groups for name in each]
    assert [name for name, ours in names if "*" not in name and not is_known([name], [ours])] == []
