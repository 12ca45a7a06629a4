"""The doctor finds problems in judgments and runs, and none in healthy ones."""

from __future__ import annotations

import polars as pl
import pytest
from commands import run, run_command
from conftest import open_shell

import sqlmetrics
from sqlmetrics.engine import checks

QRELS = [("q1", "a", 1), ("q1", "b", 0), ("q2", "a", 2), ("q2", "b", 0)]
RUN = [("q1", "a", 3.0), ("q1", "b", 1.0), ("q2", "b", 0.5), ("q2", "a", -1.0)]
CHECKS = {
    check.name: check
    for check in checks.list_checks()
    if {"qrels", "run"} & {*check.parameters} and "log" not in check.parameters
}


def write_csv(path, header, rows):
    path.write_text("\n".join(",".join(map(str, row)) for row in [header, *rows]) + "\n")
    return path


def examine(
    folder, qrels=QRELS, run=RUN, other=None, ranks=None, subtopics=None, tags=None, **arguments
):
    """The findings about files of these rows; ``subtopics`` are judgments, each for its own."""
    paths = [write_csv(folder / "qrels.csv", ("query_id", "doc_id", "relevance"), qrels)]
    if subtopics:
        paths = [folder / "qrels.txt"]
        rows = (f"{query} {n} {doc} {grade}\n" for n, (query, doc, grade) in enumerate(subtopics))
        paths[0].write_text("".join(rows))
    header = ("query_id", "doc_id", "score")
    if ranks:
        header, run = (
            (*header, "rank"),
            [(*row, rank) for row, rank in zip(run, ranks, strict=True)],
        )
    paths.append(write_csv(folder / "run.csv", header, run))
    if tags:
        paths[1] = folder / "run.txt"
        rows = (f"{q} Q0 {doc} 1 {s} {tag}\n" for (q, doc, s), tag in zip(run, tags, strict=True))
        paths[1].write_text("".join(rows))
    if other:
        paths.append(write_csv(folder / "other.csv", header, other))
    return sqlmetrics.check(paths[0], paths[1:], **arguments)


# By check: the change to the healthy rows, the number of rows found, and words of the examples.
CASES = {
    "repeated_documents": (
        {"run": [*RUN, ("q1", "a", 0.1)]},
        1,
        ["run.csv line 2 and", "run.csv line 6: document a appears 2 times", "query q1"],
    ),
    "repeated_judgments": (
        {"qrels": [*QRELS, ("q1", "a", 0)]},
        1,
        ["qrels.csv line 2 and", "qrels.csv line 6: document a is judged 2 times", "query q1"],
    ),
    "judged_by_subtopic": (
        {"subtopics": [*QRELS, ("q1", "a", 0)]},
        1,
        ["qrels.txt line 1 and", "qrels.txt line 5: document a of query q1", "for 2 subtopics"],
    ),
    "unusable_documents": (
        {"run": [*RUN, ("q1", "c", "x"), ("q1", "", 1), ("  ", "c", 1), ("q2", "c", "nan")]},
        4,
        [
            "run.csv line 6: score 'x' for document c of query q1",
            "run.csv line 7: no doc_id for",
            "run.csv line 8: blank query_id for",
        ],
    ),
    "unusable_judgments": (
        {"qrels": [*QRELS, ("q1", "c", "high"), ("q1", "d", "inf"), ("q3", '" "', 1)]},
        3,
        [
            "qrels.csv line 6: relevance 'high'",
            "'inf'",
            "qrels.csv line 8: blank doc_id",
        ],
    ),
    "unjudged_runs": ({"other": [("z1", "a", 1), ("z1", "b", 0.5)]}, 1, ["run other"]),
    "judgments_off_scale": (
        {"max_rel": 1},
        1,
        ["qrels.csv line 4: document a of query q2 has relevance 2"],
    ),
    "padded_judgments": (
        {"qrels": [*QRELS, ("q1", '" b"', 0)]},
        1,
        ["qrels.csv line 6: document ' b' of query 'q1'"],
    ),
    "padded_documents": (
        {"run": [*RUN, ('"q2 "', "a", 0)]},
        1,
        ["run.csv line 6: document 'a' of query 'q2 '"],
    ),
    "similar_ids": (
        {
            "qrels": [("q1", "01", 1), ("q1", "a", 1), ("Q2", "e\u0301", 0)],
            "run": [("q1", "1", 1), ("q1", "1.0", 0.5), ("q1", "a", 0.2), ("q2", "\u00e9", 1)],
        },
        4,
        [
            "doc_id '1' does not match the judged '01'",
            "doc_id '1.0'",
            "doc_id '\u00e9'",
        ],
    ),
    "contradicting_ranks": (
        {"ranks": [2, 1, 1, 2]},
        1,
        [
            "run.csv line 3: document b of query q1 has rank 1 and score 1.0, but a lower-ranked document has score 3.0"
        ],
    ),
    "all_relevant": (
        {"qrels": [("q1", "a", 1), ("q1", "b", 3), ("q2", "a", 5), ("q2", "b", 5)]},
        1,
        ["grades count as relevant, 1 like 5; name the lowest that is good, such as rel=4"],
    ),
    "several_tags": (
        {"tags": "stst"},
        2,
        ["query q1 has documents with the tags s and t; if tags are systems, name them run_id"],
    ),
    "vanished_scores": (
        {"run": [*RUN, ("q1", "d", "1e-400"), ("q1", "c", "0.0")]},
        1,
        ["run.csv line 6: the score 1e-400 is too small for a number"],
    ),
    "ranks_as_scores": (
        {"run": [("q1", "b", 1), ("q1", "a", 2), ("q2", "b", 1), ("q2", "a", 2), ("q2", "c", 3)]},
        1,
        ["the scores of each query are 1, 2, 3 …, and 1 ranks last"],
    ),
    "close_scores": (
        {
            "run": [
                *[("q1", "a", "1.00000002"), ("q1", "b", 1), ("q1", "c", 1)],
                *[("q1", "d", 0.9999), ("q2", "a", "1.00000001")],
            ]
        },
        1,
        ["run.csv line 4: documents a and c of query q1 have scores 1.00000002 and 1.0"],
    ),
    "tied_scores": (
        {"run": [("q1", "a", 1), ("q1", "b", 1), ("q2", "b", 2), ("q2", "a", 1)]},
        1,
        [
            "run run: 2 of 4 documents have tied scores",
            "nDCG@10 ranges from 0.6309 to 0.8155",
            "AP from 0.5000 to 0.7500",
            "RR from 0.5000 to 0.7500",
        ],
    ),
    "unanswered_queries": ({"run": RUN[:2]}, 1, ["run run has no results for query q2"]),
    "unjudged_queries": ({"qrels": QRELS[:2]}, 1, ["query q2 of run run has no judgments"]),
    "unseen_judgments": ({"qrels": [*QRELS, ("q1", "z", 1)]}, 1, ["document z of query q1"]),
    "uneven_depths": (
        {"other": [("q1", "a", 1), ("q2", "a", 1), ("q2", "b", 0.5)]},
        1,
        ["run other has 1 to 2 documents per query", "(median 1.5)", "deepest run has 2"],
    ),
    "unjudged_at_10": (
        {"run": [("q1", "a", 1), ("q1", "x", 0.5), ("q2", "x", 2), ("q2", "a", 1)]},
        1,
        ["run run: 50.0% of the top 10 are judged"],
    ),
    "queries_without_relevant": ({"rel": 2}, 1, ["query q1"]),
    "dangling_judgments": (
        {"documents": pl.DataFrame({"docno": ["a"]})},
        2,
        ["qrels.csv line 3: document b of query q1", "qrels.csv line 5: document b of query q2"],
    ),
    "dangling_documents": (
        {"documents": pl.DataFrame({"docno": ["a"]})},
        2,
        ["run.csv line 3: document b of query q1", "run.csv line 4: document b of query q2"],
    ),
}


def test_every_check_has_a_case():
    assert set(CASES) == set(CHECKS)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", CHECKS)
def test_a_check_finds_its_rows_and_reports_their_places(tmp_path, name):
    arguments, number, words = CASES[name]
    found = examine(tmp_path, **arguments).row(by_predicate=pl.col("check") == name, named=True)
    assert (found["severity"], found["number"]) == (CHECKS[name].header["severity"], number)
    assert found["meaning"] == CHECKS[name].summary
    assert [word for word in words if word not in found["examples"]] == [], found["examples"]
    assert len(found["examples"].splitlines()) == min(number, 3)


def test_healthy_input_has_no_findings(tmp_path):
    documents = pl.DataFrame({"doc_id": ["a", "b", "c"]})
    found = examine(tmp_path, other=RUN, max_rel=2, documents=documents)
    assert found.rows() == []
    found = examine(tmp_path, ranks=[1, 2, 1, 2])
    assert found.rows() == []
    assert found.columns == ["severity", "check", "input", "number", "meaning", "examples"]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "name", [name for name in CHECKS if CHECKS[name].header["severity"] == "error"]
)
def test_an_error_of_the_doctor_is_one_of_evaluate(tmp_path, name):
    arguments, _, _ = CASES[name]
    if "max_rel" in arguments:  # only the doctor knows the scale
        return
    examine(tmp_path, **arguments)
    runs = [path for path in (tmp_path / "run.csv", tmp_path / "other.csv") if path.exists()]
    with pytest.raises(sqlmetrics.InputError):
        sqlmetrics.evaluate(tmp_path / "qrels.csv", runs, "AP")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "name", [name for name in CHECKS if CHECKS[name].header["severity"] == "warning"]
)
def test_a_warning_of_the_doctor_does_not_stop_evaluate(tmp_path, name):
    arguments, _, _ = CASES[name]
    found = examine(tmp_path, **arguments)
    assert "error" not in found["severity"]
    runs = [path for path in (tmp_path / "run.csv", tmp_path / "other.csv") if path.exists()]
    assert sqlmetrics.evaluate(tmp_path / "qrels.csv", runs, "AP").mean.height == len(runs)


def test_a_query_without_answer_is_not_one_with_unjudged_documents(tmp_path):
    found = examine(tmp_path, run=RUN[:2])
    assert found["check"].to_list() == ["unanswered_queries"]


def test_the_range_of_tied_scores_is_that_of_evaluate(tmp_path):
    run = [(query, doc, 1) for query, doc, _ in RUN]
    found = examine(tmp_path, run=run, rel=2).row(
        by_predicate=pl.col("check") == "tied_scores", named=True
    )
    for ties in ("worst", "best"):
        scores = sqlmetrics.evaluate(
            tmp_path / "qrels.csv", tmp_path / "run.csv", "nDCG@10 AP RR", rel=2, ties=ties
        )
        for score in scores.mean.row(0)[1:]:
            assert f"{score:.4f}" in found["examples"]


@pytest.mark.few(2)
@pytest.mark.parametrize("blank", [" ", "\t", "\u00a0", "\u3000", "\u200a"])
def test_blanks_of_every_kind_are_seen(blank):
    qrels, run = {"q1": {"a": 1, "b": 0}}, {"q1": {f"{blank}a": 2.0, "b": 1.0}}
    found = sqlmetrics.check(qrels, run)["check"].to_list()
    assert {"padded_documents", "similar_ids"} <= set(found)


def test_errors_come_first(tmp_path):
    severity = examine(tmp_path, run=[*RUN, ("q1", "a", 1), ("q9", "a", 1)])["severity"]
    assert severity.to_list() == sorted(severity) != []
    assert severity[0] == "error"


def test_a_check_is_a_query_to_be_asked_in_sql(tmp_path):
    con = open_shell()
    path = write_csv(tmp_path / "qrels.csv", ("query_id", "doc_id", "relevance"), QRELS)
    con.execute("CREATE TABLE qrels AS SELECT * FROM read_csv(?)", [str(path)])
    con.execute("CREATE TABLE run AS SELECT 'q1' AS query_id, 'a' AS doc_id, 1.0 AS score")
    said = "run run has no results for query q2"
    assert con.execute("FROM unanswered_queries(qrels, run)").fetchall() == [("run", "q2", said)]


def test_the_command_reports_and_ends_with_a_status(tmp_path):
    examine(tmp_path)
    paths = tmp_path / "qrels.csv", tmp_path / "run.csv"
    assert run_command("check", *paths, "--strict") == (0, "0 errors, 0 warnings\n", "")

    examine(tmp_path, run=[*RUN, ("q9", "a", 1), ("q9", "b", 0)])
    odd = run("check", *paths)
    assert odd.splitlines()[-1] == "0 errors, 1 warning"
    assert "warning: unjudged_queries: 1\n    Queries in a run" in odd
    assert run_command("check", *paths, "--strict")[0] == 1

    examine(tmp_path, run=[*RUN, *RUN[:1]])
    status, wrong, _ = run_command("check", *paths)
    assert status == 1
    assert "error: repeated_documents in " in wrong
    assert "line 2 and" in wrong
    assert wrong.splitlines()[-1].startswith("1 error, 2 warnings: scores would be wrong")
    listed = pl.read_csv(run_command("check", *paths, "-f", "csv")[1].encode())
    assert listed["number"].to_list() == [1, 1, 1]

    assert run_command("check", paths[0], tmp_path / "nowhere.csv")[0] == 2


OTHERS = {
    "log": (
        {"page_id": [1, 1], "query_id": "q", "doc_id": ["a", "b"], "position": 1, "clicked": 0},
        ["repeated_positions"],
    ),
    "users": (
        {"user_id": [1, 1, 2], "variant": ["A", "A", "B"], "numerator": [1.0, 2.0, float("nan")]},
        ["repeated_users", "unusable_users"],
    ),
    "ratings": (
        {"query_id": "q", "doc_id": "a", "judge": ["x", "x"], "relevance": [1, 0]},
        ["repeated_ratings"],
    ),
    "examination": ({"position": [1, 1], "examination": [0.1, 0.2]}, ["repeated_examination"]),
    "items": ({"doc_id": ["a", "b"], "category": ["x", "y"]}, []),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("name", OTHERS)
def test_tables_other_than_judgments_and_runs_are_checked(tmp_path, name):
    columns, found = OTHERS[name]
    table = pl.DataFrame(columns)
    assert sorted(sqlmetrics.check(**{name: table})["check"]) == found
    table.write_csv(tmp_path / "given.csv")
    status, printed, _ = run_command("check", f"--{name}", tmp_path / "given.csv")
    assert status == (1 if found else 0)
    assert all(check in printed for check in found)


def test_judgments_or_a_run_may_be_checked_alone(tmp_path):
    judged = sqlmetrics.check({"q1": {"a": 0}, "q2": {"a": 1}})
    assert judged.select("check", "number").rows() == [("queries_without_relevant", 1)]
    twice = pl.DataFrame({"query_id": "q", "doc_id": ["a", "a"], "score": [1.0, 2.0]})
    found = sqlmetrics.check(run=twice)
    assert ("error", "repeated_documents") in found.select("severity", "check").rows()
    path = tmp_path / "run.csv"
    twice.write_csv(path)
    code, out, _ = run_command("check", "none", path)
    assert (code, "error: repeated_documents" in out) == (1, True)
    qrels = tmp_path / "qrels.csv"
    qrels.write_text("query_id,doc_id,relevance\nq,a,E\nq,b,I\n")
    assert run_command("check", qrels)[0] == 1
    assert run_command("check", qrels, "--grades", "E=3,I=0")[:2] == (0, "0 errors, 0 warnings\n")
    assert sqlmetrics.check(qrels, grades="esci").is_empty()
