"""On random data every metric agrees with the tools that tools.csv names, under their names.

`peers` says how each tool is asked. What a tool has and tools.csv has not is in unmatched.csv, with
the reason. ``python docs/build.py --agreement`` writes docs/agreement.md, which has a row for each of both.
"""

from __future__ import annotations

import csv
import shutil
from fnmatch import fnmatchcase
from functools import cache

import peers
import pytest
import record_scores
from conftest import ROOT

import sqlmetrics
from sqlmetrics.catalogue import parsing

NAMED = peers.list_tools()
TREC_EVAL = ROOT / "sqlmetrics" / "catalogue" / "trec_eval.csv"


# Those that are asked for hundreds of collections, and the others.
SLOW = {"trec_eval", "ir_measures", "cwl_eval", "pyndeval"}
ASKED = [
    pytest.param(
        tool,
        marks=[pytest.mark.xdist_group(tool), *[pytest.mark.thorough] * (tool in SLOW)],
    )
    for tool in peers.TOOLS
]


@cache
def results_of(tool):
    if tool == "gdeval" and not shutil.which("perl"):
        pytest.skip("gdeval is a script in Perl")
    return peers.compare(tool)


@pytest.mark.few(1)
@pytest.mark.parametrize("tool", ASKED)
def test_agrees_with_the_tool_as_closely_as_the_table_shows(tool):
    results = results_of(tool)
    assert not {text: r.worst for text, r in results.items() if not r.agrees}
    for metric, spelling in peers.list_spellings(tool):
        if peers.is_worked(tool, metric, spelling):
            continue
        result = results[spelling.text]
        enough = {"runs": 4, "users": 30, "queries": 300}[result.unit]
        assert len(result.queries) >= enough, (spelling.text, len(result.queries))
    for theirs, _, how, difference in peers.read_table()[tool] if tool in NAMED else ():
        if difference != "–":
            result = results[theirs.strip("`")]
            assert f"{len(result.queries):,} " in how, peers.STALE
            assert float(difference) <= result.tolerance, peers.STALE


@pytest.mark.parametrize("tool", NAMED)
def test_a_tool_that_cannot_be_asked_has_worked_examples(tool):
    for metric, spelling in peers.list_spellings(tool):
        if peers.is_worked(tool, metric, spelling):
            assert peers.count_examples(metric) > 2, spelling.text


@pytest.mark.parametrize("tool", NAMED)
def test_a_spelling_stands_for_one_measure(tool):
    texts = [spelling.text for _, spelling in peers.list_spellings(tool)]
    assert not {text for text in texts if texts.count(text) > 1}


@pytest.mark.parametrize("tool", peers.TOOLS)
def test_every_measure_of_the_tool_is_matched_or_listed_as_unmatched(tool):
    stems = {peers.name_stem(tool, s.text) for _, s in peers.list_spellings(tool)}
    left = peers.list_measures(tool) - stems
    if not peers.TOOLS[tool].is_live:  # what was asked of it, parameter by parameter
        claimed = {claim.name for trial in peers.TOOLS[tool].trials() for claim in trial.claims}
        own = [file for file in peers.list_files(tool) if file != "recommendations"]
        left |= {name for file in own for name in peers.list_recorded(file)} - claimed
    patterns = peers.read_unmatched(tool)
    assert not {name for name in left if not any(fnmatchcase(name, p) for p in patterns)}
    assert not {p for p in patterns if not any(fnmatchcase(name, p) for name in left)}
    assert all(patterns.values())


@pytest.mark.parametrize(
    ("qrels", "is_same"),
    [
        ({"q1": {"a": 1}, "q2": {"b": 1}}, False),
        ({"q1": {"a": 1}, "q2": {"a": 1}}, True),
        ({"q1": {"a": 1, "b": 0}, "q2": {"b": 1, "a": 2}}, True),
    ],
)
def test_hole_of_beir_counts_what_no_query_has_judged_and_unjudged_what_its_own_has_not(
    qrels, is_same
):
    run = {query: {"b": 2.0, "a": 1.0} for query in qrels}
    known = {doc for judged in qrels.values() for doc in judged}
    hole = sum(len(set(found) - known) / 2 for found in run.values()) / len(run)
    unjudged = sqlmetrics.evaluate(qrels, run, "Unjudged@2")["Unjudged@2"]
    assert unjudged == sum(len(set(run[q]) - set(qrels[q])) / 2 for q in run) / len(run)
    assert (unjudged == hole) is is_same
    assert sqlmetrics.evaluate(qrels, run, "Hole@2")["Hole@2"] == hole


def test_measures_and_sets_of_trec_eval_are_those_of_its_code_in_its_order():
    rows = list(csv.DictReader(TREC_EVAL.read_text(encoding="utf-8").splitlines()))
    of_version_9 = list(record_scores.list_trec_eval())
    names = [row["measure"] for row in rows]
    assert [name for name in names if name in of_version_9] == of_version_9
    assert set(names) - set(of_version_9) == {"dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"}
    sets = {}
    for row in rows:
        for nickname in row["nicknames"].split():
            sets.setdefault(nickname, set()).add(row["measure"])
    of_judgments = {"qrels_prefs": sets["prefs"]}  # a form of judgments, not a set in trec_eval
    theirs = {nickname: set(found) for nickname, found in record_scores.list_nicknames().items()}
    assert sets == theirs | of_judgments
    # trec_names of measures.c, version 10
    assert {
        row["measure"]: row["version_10"] for row in rows if row["version_10"]
    } == dict.fromkeys(("rbp", "rbp_resid", "unj"), "all_trec")


def test_trec_eval_takes_the_same_values_when_none_is_given():
    rows = list(csv.DictReader(TREC_EVAL.read_text(encoding="utf-8").splitlines()))
    stems = [r["measure"] for r in rows if r["values"] and r["measure"] != "unj"]  # version 10
    for form, of_groups in (("qrels", False), ("qrels_jg", True)):
        asked = [stem for stem in stems if stem.endswith("_avgjg") == of_groups]
        told = record_scores.ask_trec_eval(f"{form} 0 a 1\n", f"{form} Q0 a 0 1 x\n", form, asked)
        ours = [line.name for line in parsing.list_trec_lines(asked)]
        assert [name for query, name, _ in told if query == "all"] == ours


def test_the_unmatched_belong_to_tools_of_the_table():
    rows = peers.UNMATCHED.read_text(encoding="utf-8").splitlines()[1:]
    assert {row.partition(",")[0] for row in rows} <= set(peers.TOOLS)


@pytest.mark.parametrize("tool", NAMED)
def test_the_table_has_a_row_for_each_spelling_and_each_unmatched_measure(tool):
    rows = peers.read_table()[tool]
    wanted = peers.list_rows(tool)
    names = [[theirs, ours or "none"] for theirs, ours, _ in wanted]
    assert [row[:2] for row in rows] == names, peers.STALE
    for (*_, how, difference), (_, _, known) in zip(rows, wanted, strict=True):
        assert how
        if known:
            assert (how.strip("`"), difference) == (known.strip("`"), "–"), peers.STALE


def test_the_table_has_the_tools_of_tools_csv_and_no_others():
    assert list(peers.read_table()) == NAMED, peers.STALE
