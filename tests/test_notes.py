"""What would turn a result around is noted where scores are computed, and warned of in Python."""

from __future__ import annotations

import math
import re
import warnings

import duckdb
import polars as pl
import pytest
from commands import run_command
from conftest import ROOT, open_shell

import sqlmetrics as sm
from sqlmetrics.engine.first_rows import fold_id

QRELS = {"q1": {"a": 1}, "q2": {"b": 1}}
PLACES = {"q1": {"x": 1.0, "a": 2.0, "y": 3.0}, "q2": {"b": 1.0, "z": 2.0}}


def tabulate(run):
    rows = [(query, doc, score) for query, docs in run.items() for doc, score in docs.items()]
    return pl.DataFrame(rows, ["query_id", "doc_id", "score"], orient="row")


def find(notes, words):
    return [note for note in notes if words in note]


@pytest.mark.parametrize("form", ["dict", "frame", "csv", "parquet", "trec", "table"])
def test_places_given_as_scores_are_noted_wherever_they_come_from(tmp_path, form):
    frame, con = tabulate(PLACES), None
    run = PLACES
    if form == "frame":
        run = frame
    elif form in ("csv", "parquet"):
        run = tmp_path / f"run.{form}"
        getattr(frame, f"write_{form}")(run)
    elif form == "trec":
        run = tmp_path / "run.txt"
        run.write_text("".join(f"{q} Q0 {d} 1 {s} t\n" for q, d, s in frame.rows()))
    elif form == "table":
        con = duckdb.connect()
        con.register("given", frame)
        con.execute("CREATE TABLE run AS FROM given")
        run = "run"
    with pytest.warns(sm.ScoreWarning, match="the scores of each query are 1, 2, 3"):
        scores = sm.evaluate(QRELS, run, "RR", con=con)
    assert find(scores.notes, "the scores of each query are 1, 2, 3")


@pytest.mark.parametrize(
    "run",
    [
        {"q1": {"x": 3.0, "a": 2.0, "y": 1.0}},
        {"q1": {"x": 1.0, "a": 2.0, "y": 4.0}},
        {"q1": {"a": 1.0}, "q2": {"b": 1.0}, "q3": {"b": 1.0}},
        {"q1": {"x": 0.1, "a": 0.2, "y": 0.3}},
        {"q1": {"x": 1.0, "a": 1.5, "y": 3.0}},
        {"q1": {"x": 3.0, "a": 1.0, "y": 2.0}, "q2": {"b": 2.0, "z": 1.0}},
    ],
)
def test_other_scores_are_not_noted(run):
    assert not find(sm.evaluate(QRELS, run, "RR").notes, "1, 2, 3")


@pytest.mark.few(2)
@pytest.mark.parametrize("base", [0, 1])
@pytest.mark.parametrize("order", [["query_id", "doc_id"], ["score", "query_id"]])
def test_places_are_noted_from_0_on_and_in_any_order(base, order):
    run = tabulate(PLACES).with_columns(pl.col("score") + base - 1).sort(order)
    said = f"the scores of each query are {base}, {base + 1}, {base + 2} …, and {base} ranks last"
    with pytest.warns(sm.ScoreWarning, match=said):
        sm.evaluate(QRELS, run, "RR")
    assert "ranks_as_scores" in sm.check(QRELS, run)["check"].to_list()


def test_the_run_of_a_table_whose_scores_are_places_is_named():
    places = tabulate(PLACES)
    scores = places.with_columns(run_id=pl.lit("a_new"), score=-pl.col("score"))
    both = pl.concat(
        [places.with_columns(run_id=pl.lit("z_old")), scores.select("*")], how="diagonal"
    )
    with pytest.warns(
        sm.ScoreWarning, match="run z_old: the scores of each query are 1, 2, 3"
    ) as caught:
        found = sm.evaluate(QRELS, both, "RR")
    assert len(caught) == 1
    assert found.mean["run_id"].to_list() == ["z_old", "a_new"]


RUNS = {"z_old": PLACES, "a_new": {"q1": {"a": 2.5, "x": 1.5}, "q2": {"b": 2.5}}}
MAPPING = pl.DataFrame(
    {"doc_id": ["a", "b", "x", "y", "z"], "parent_id": ["a", "b", "x", "y", "z"]}
)


def quiet(function, *given):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return function(*given)


DOORS = {
    "evaluate": lambda: sm.evaluate(QRELS, RUNS, "RR"),
    "bounds": lambda: sm.bounds(QRELS, RUNS, "RR"),
    "roc_curve": lambda: sm.roc_curve(QRELS, RUNS),
    "fuse": lambda: sm.fuse(RUNS, "comb_mnz"),
    "to_judge": lambda: sm.to_judge(QRELS, RUNS),
    "pool_bias": lambda: sm.pool_bias(QRELS, RUNS, "RR"),
    "explain_query": lambda: sm.explain_query(QRELS, RUNS, "q1", "RR"),
    "p_mrr": lambda: sm.p_mrr(QRELS, RUNS["a_new"], PLACES),
    "nauc": lambda: sm.nauc(quiet(sm.evaluate, QRELS, RUNS, "RR"), RUNS),
    "recommendations": lambda: sm.evaluate(None, RUNS, "ItemCoverage@2", items=MAPPING),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("door", DOORS)
def test_every_function_that_takes_runs_warns_of_places_once(door):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        DOORS[door]()
    said = [str(each.message) for each in caught]
    assert len(find(said, "are 1, 2, 3 …, and 1 ranks last")) == 1
    assert not find(said, "none of the judged")
    assert {each.filename for each in caught} == {__file__}


@pytest.mark.few(2)
@pytest.mark.parametrize("door", ["bounds", "roc_curve", "pool_bias", "nauc", "recommendations"])
def test_other_results_keep_the_order_of_runs_too(door):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = DOORS[door]()
    rows = found if isinstance(found, pl.DataFrame) else found.mean
    assert rows["run_id"].unique(maintain_order=True).to_list() == [*RUNS]


def test_an_id_of_a_neighbour_that_nearly_matches_is_noted():
    exact = {"q": {"a": 0.1, "b": 0.2}}
    found = sm.evaluate(exact, {"q": {"a ": 0.1, "b": 0.2}}, "ANNRecall@2")
    assert find(found.notes, "document 'a ' does not match the judged 'a'")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "command", [["evaluate"], ["compare"], ["gate", "--fail-under", "RR=0.1"], ["bounds"]]
)
def test_commands_note_places_once(tmp_path, command):
    tabulate(PLACES).write_csv(tmp_path / "run.csv")
    tabulate({q: {d: -s for d, s in docs.items()} for q, docs in PLACES.items()}).write_csv(
        tmp_path / "other.csv"
    )
    tabulate(QRELS).rename({"score": "relevance"}).write_csv(tmp_path / "qrels.csv")
    name, *more = command
    _, _, said = run_command(
        name, tmp_path / "qrels.csv", tmp_path / "run.csv", tmp_path / "other.csv", *more
    )
    assert said.count("1, 2, 3 …") == 1
    assert "ScoreWarning" not in said


@pytest.mark.parametrize(
    ("theirs", "ours"), [("a ", "a"), ("A", "a"), ("007", "7"), ("7.0", "7"), ("e\u0301", "\xe9")]
)
def test_an_id_that_nearly_matches_is_noted_though_others_match(theirs, ours):
    scores = sm.evaluate({"q": {ours: 1, "b": 1}}, {"q": {theirs: 3.0, "b": 1.0}}, "RR")
    (note,) = find(scores.notes, "does not match the judged")
    assert repr(theirs) in note
    assert repr(ours) in note


def test_ids_that_differ_otherwise_are_not_noted():
    scores = sm.evaluate({"q": {"a1": 1, "b": 1}}, {"q": {"a2": 3.0, "b": 1.0}}, "RR")
    assert not find(scores.notes, "does not match")


def test_ids_are_folded_as_by_the_macro():
    ids = [
        " a ",
        "A",
        "007",
        "7.0",
        "0",
        "00",
        "\xe9",
        "e\u0301",
        "x.00",
        "0x1",
        "a\u00a0",
        "\u2003b",
    ]
    ours = pl.DataFrame({"id": ids}).select(fold_id(pl.col("id")))["id"].to_list()
    with open_shell() as con:
        theirs = [con.execute("SELECT _sqlmetrics_fold_id(?)", [id]).fetchone()[0] for id in ids]
    assert ours == theirs


@pytest.mark.parametrize("form", ["csv", "txt"])
def test_ranks_that_contradict_scores_are_noted(tmp_path, form):
    lines = {
        "csv": "query_id,doc_id,score,rank\nq1,a,1,1\nq1,b,2.5,2\nq1,c,3.5,3\n",
        "txt": "q1 Q0 a 1 1 t\nq1 Q0 b 2 2.5 t\nq1 Q0 c 3 3.5 t\n",
    }
    (tmp_path / f"run.{form}").write_text(lines[form])
    scores = sm.evaluate(QRELS, tmp_path / f"run.{form}", "RR")
    assert find(scores.notes, "document a of query q1 has rank 1 and score 1.0, but a lower-ranked")
    agreeing = lines[form].replace("q1,a,1,1", "q1,a,9,1").replace("a 1 1 t", "a 1 9 t")
    agreeing = agreeing.replace("b,2.5", "b,5.5").replace("b 2 2.5", "b 2 5.5")
    (tmp_path / f"run.{form}").write_text(agreeing)
    assert not find(sm.evaluate(QRELS, tmp_path / f"run.{form}", "RR").notes, "lower-ranked")


def test_ranks_that_would_order_ties_are_noted(tmp_path):
    run, trec, said = (
        tmp_path / "run.csv",
        tmp_path / "run.txt",
        "of the same score are in the order",
    )
    run.write_text("query_id,doc_id,score,rank\nq1,b,1,1\nq1,a,1,2\n")
    assert not find(sm.evaluate(QRELS, run, "RR").notes, said)  # the same order
    run.write_text("query_id,doc_id,score,rank\nq1,a,1,1\nq1,b,1,2\n")
    trec.write_text("q1 Q0 a 1 1 t\nq1 Q0 b 2 1 t\n")  # text of a tool that ranks by score
    assert find(sm.evaluate(QRELS, run, "RR").notes, said)
    assert not find(sm.evaluate(QRELS, run, "RR", ties="rank").notes, said)
    assert not find(sm.evaluate(QRELS, trec, "RR").notes, said)


def test_scores_of_trec_text_that_tie_in_32_bits_alone_are_noted(tmp_path):
    run, said = tmp_path / "run.txt", "differ only beyond 32 bits"
    run.write_text("q1 Q0 a 1 1.00000001 t\nq1 Q0 b 2 1.0 t\n")
    assert find(sm.evaluate(QRELS, run, "RR").notes, said)
    assert not find(sm.evaluate(QRELS, run, "RR", preset="trec_eval-9").notes, said)
    run.write_text("q1 Q0 a 1 1.0001 t\nq1 Q0 b 2 1.0 t\nq1 Q0 c 3 1.0 t\n")
    assert not find(sm.evaluate(QRELS, run, "RR").notes, said)


def test_grades_between_0_and_the_lowest_relevant_one_are_warned_of():
    with pytest.warns(sm.ScoreWarning, match=r"2 of 3 judgments above 0 are below 1.*rel=0\.3"):
        sm.evaluate({"q": {"a": 0.95, "b": 0.3, "c": 1}}, {"q": {"b": 3.0, "a": 1.0}}, "RR")
    with pytest.warns(sm.ScoreWarning, match=r"no relevance is 1 or more; name the lowest"):
        sm.evaluate({"q": {"a": 0.95, "b": 0.3}}, {"q": {"b": 3.0, "a": 1.0}}, "RR")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sm.evaluate({"q": {"a": 0.95, "b": 0.3}}, {"q": {"b": 3.0, "a": 1.0}}, "RR", rel=0.5)


def test_ratings_that_are_all_relevant_are_warned_of():
    rated = {"query_id": ["q"] * 4, "doc_id": list("abcd"), "stars": [1, 2, 4, 5]}
    with pytest.warns(sm.ScoreWarning, match=r"grades count as relevant, 1 like 5.*rel=4"):
        sm.evaluate(pl.DataFrame(rated), {"q": {"a": 2.0, "b": 1.0}}, "RR")
    half = {
        "query_id": ["q"] * 20,
        "doc_id": [*map(str, range(20))],
        "stars": [0.5, *[1, 4, 5, 5] * 5][:20],
    }
    with pytest.warns(sm.ScoreWarning, match=r"grades count as relevant, 1 like 5.*rel=4"):
        sm.evaluate(pl.DataFrame(half), {"q": {"1": 2.0, "2": 1.0}}, "RR")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sm.evaluate(pl.DataFrame(half), {"q": {"1": 2.0, "2": 1.0}}, "RR", rel=4)
    graded = pl.DataFrame(rated).rename({"stars": "relevance"})
    assert not find(sm.evaluate(graded, {"q": {"a": 2.0, "b": 1.0}}, "RR").notes, "ratings")


def test_grades_below_0_that_gain_nothing_are_noted_where_gains_can_be_given():
    qrels, run = {"q": {"a": -1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}}
    assert find(sm.evaluate(qrels, run, "CG@2").notes, "1 judgment below 0 gain nothing")
    assert not find(sm.evaluate(qrels, run, "RR").notes, "below 0")


def test_a_run_that_found_nothing_judged_is_warned_of_at_the_callers_line():
    with pytest.warns(sm.ScoreWarning, match="none of the judged documents") as caught:
        sm.evaluate(QRELS, {"q1": {"x": 1.0}}, "RR")
    assert caught[0].filename == __file__


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("qrels", "run", "why"),
    [
        ({"1": {"a": 1}}, {"1.0": {"a": 1.0}}, "a .0 at the end"),
        ({"q ": {"a": 1}}, {"q": {"a": 1.0}}, "spaces"),
        ({"Q": {"a": 1}}, {"q": {"a": 1.0}}, "upper and lower case"),
        ({"q1": {"a": 1}}, {"1": {"a": 1.0}}, "what comes before the number"),
        ({"01": {"a": 1}}, {"1": {"a": 1.0}}, "zeros at the beginning"),
        ({"caf\xe9": {"a": 1}}, {"cafe\u0301": {"a": 1.0}}, "Unicode forms"),
        ({"q": {"a": 1}}, {"a": {"q": 1.0}}, "are the columns swapped?"),
    ],
)
def test_no_query_in_common_says_why_if_it_can_be_seen(qrels, run, why):
    with pytest.raises(sm.InputError, match="no query in common") as error:
        sm.evaluate(qrels, run, "RR")
    assert re.search(re.escape(why), str(error.value))


CLICKS_ALONE = pl.DataFrame(
    {
        "page_id": range(30),
        "query_id": "q",
        "doc_id": ["a", "b", "c"] * 10,
        "position": [1, 2] * 15,
        "clicked": 1,
    }
)


@pytest.mark.few(2)
@pytest.mark.parametrize("door", ["evaluate", "judge", "examination", "replay"])
def test_a_log_of_clicks_alone_is_warned_of(door):
    run = {"q": {"a": 2.0, "b": 1.0}}
    call = {
        "evaluate": lambda: sm.evaluate(log=CLICKS_ALONE, metrics="CTR@1"),
        "judge": lambda: sm.judge(CLICKS_ALONE),
        "examination": lambda: sm.examination(CLICKS_ALONE, least_pages=2),
        "replay": lambda: sm.replay(
            CLICKS_ALONE,
            run,
            examination=pl.DataFrame({"position": [1, 2], "examination": [1.0, 0.5]}),
        ),
    }[door]
    with pytest.warns(sm.ScoreWarning, match="each of the 30 pages has a click"):
        call()


def test_runs_keep_the_order_in_which_they_are_given():
    runs = {"z_old": {"q1": {"x": 2.0, "a": 1.0}}, "a_new": {"q1": {"a": 1.0}, "q2": {"b": 1.0}}}
    scores = sm.evaluate(QRELS, runs, "RR P@1")
    assert scores.mean["run_id"].to_list() == ["z_old", "a_new"]
    assert scores.per_query["run_id"].to_list() == ["z_old", "z_old", "a_new", "a_new"]
    assert "<title>a_new against z_old" in scores.report().html


def test_a_name_that_means_another_metric_elsewhere_is_noted():
    scores = sm.evaluate(QRELS, {"q1": {"a": 1.0}}, "accuracy@5 RR")
    (note,) = find(scores.notes, "accuracy@5")
    assert note.startswith("accuracy@5: ")
    assert "beir's Accuracy@5 is Success@5 here, " in note
    assert not find(sm.evaluate(QRELS, {"q1": {"a": 1.0}}, "nDCG@5 AP").notes, "here")


def test_the_name_of_a_metric_of_sessions_is_noted_where_it_is_spelled_so():
    notes = sm.evaluate(QRELS, {"q1": {"a": 1.0}}, "sDCG@5 SDCG@6").notes
    assert find(notes, "of sessions") == ["sDCG@5 is SDCG, not the DCG of sessions"]


@pytest.mark.parametrize("space", [" ", "\t"])
def test_tags_that_divide_queries_of_a_file_are_noted(tmp_path, space):
    rows = ["q1 Q0 x 1 3 s", "q2 Q0 x 1 3 s", "q1 Q0 a 1 2 t", "q2 Q0 b 1 2 t"]
    (tmp_path / "run.txt").write_text("\n".join(rows).replace(" ", space) + "\n")
    scores = sm.evaluate(QRELS, tmp_path / "run.txt", "RR")
    (note,) = find(scores.notes, "has documents with the tags s and t")
    assert note.endswith("run_names='tag' or --run-names tag reads a run of each")
    scores = quiet(lambda: sm.evaluate(QRELS, tmp_path / "run.txt", "RR", run_names="tag"))
    assert scores.mean["RR"].to_list() == [0.0, 1.0]
    assert not find(scores.notes, "tags")
    (tmp_path / "run.txt").write_text("\n".join(sorted(rows)).replace("t", "s") + "\n")
    assert not find(sm.evaluate(QRELS, tmp_path / "run.txt", "RR").notes, "tags")


@pytest.mark.parametrize("form", ["csv", "txt"])
def test_scores_too_small_for_a_number_are_noted(tmp_path, form):
    lines = {
        "csv": "query_id,doc_id,score\nq1,a,1e-400\nq1,b,1e-500\nq1,c,0\n",
        "txt": "q1 Q0 a 1 1e-400 t\nq1 Q0 b 2 1e-500 t\nq1 Q0 c 3 0 t\n",
    }
    (tmp_path / f"run.{form}").write_text(lines[form])
    notes = sm.evaluate(QRELS, tmp_path / f"run.{form}", "RR").notes
    assert find(notes, "the score 1e-400 is too small for a number")
    frame = pl.DataFrame({"query_id": "q1", "doc_id": ["a", "b"], "score": ["1e-400", "1e-500"]})
    assert find(sm.evaluate(QRELS, frame, "RR").notes, "the score 1e-400 is too small")
    (tmp_path / f"run.{form}").write_text(
        lines[form].replace("1e-400", "0.0").replace("1e-500", "3")
    )
    assert not find(sm.evaluate(QRELS, tmp_path / f"run.{form}", "RR").notes, "too small")


def test_grades_too_small_to_add_are_noted():
    # 2^-65 is added as a multiple of 2^-70: (1 / log2(3)) · 2^5 is 20.2 units, not 20
    small, run = {"q": {"a": 2**-65, "b": 0}}, {"q": {"b": 2.0, "a": 1.0}}
    with pytest.warns(sm.ScoreWarning, match="a relevance is 2.71051e-20; gains this small lose"):
        sm.evaluate(small, run, "nDCG", rel=2**-70)
    assert not sm.evaluate(small, run, "RR", rel=2**-70).notes  # which adds no gains
    usual = sm.evaluate({"q": {"a": 1e-9, "b": 0}}, run, "nDCG", rel=1e-12)
    assert usual.notes == ("rel does not change nDCG: any grade above 0 gains; make others 0",)
    assert usual["nDCG"] == pytest.approx(1 / math.log2(3))


def test_a_control_that_nobody_named_is_noted():
    users = ROOT / "examples" / "ab-test.csv"
    words = ["experiment", users, "-c", "numerator=clicks", "-f", "csv"]
    noted = "note: the control is A; name another by --control"
    assert noted in run_command(*words)[2]
    assert "the control is" not in run_command(*words, "--control", "A")[2]
