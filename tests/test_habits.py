"""Habits of other tools: each gets the word that is meant here, or is understood."""

from __future__ import annotations

import csv
import shlex
from typing import get_args

import pytest
from commands import BM25, NEURAL, QRELS, run_command
from conftest import ROOT
from messages import assert_message

import sqlmetrics as sm

with (ROOT / "tests" / "habits.csv").open(encoding="utf-8", newline="") as file:
    HABITS = {row["typed"]: row["said"] for row in csv.DictReader(file)}


def test_there_are_thirty_habits():
    assert len(HABITS) >= 30


@pytest.mark.parametrize("typed", HABITS)
def test_a_habit_of_another_tool_gets_the_word_here(monkeypatch, typed):
    monkeypatch.chdir(ROOT / "examples")
    if typed.startswith("sqlmetrics "):
        status, printed, said = run_command(*shlex.split(typed)[1:])
        assert (status, printed) == (2, "")
        assert_message(f"error: {HABITS[typed]}", said.rstrip("\n"))
        return
    scores = sm.evaluate(QRELS, [BM25, NEURAL], "RR")
    given = {"qrels": QRELS, "run": BM25, "runs": [BM25, NEURAL], "scores": scores, "users": None}
    functions = {name: getattr(sm, name) for name in sm.__all__}
    with pytest.raises(sm.InputError) as refused:
        eval(typed, functions | given)
    assert_message(HABITS[typed], str(refused.value))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda _: sm.nDCG, "sqlmetrics has no nDCG; score it by name: evaluate(…, 'nDCG@10')"),
        (
            lambda _: sm.calc_aggregate,
            "sqlmetrics has no calc_aggregate; write sqlmetrics.evaluate",
        ),
        (lambda _: sm.RelevanceEvaluator, "… has no RelevanceEvaluator; write sqlmetrics.evaluate"),
        (lambda _: sm.EvaluateRetrieval, "… has no EvaluateRetrieval; write sqlmetrics.evaluate"),
        (lambda _: sm.RetrievalMAP, "… has no RetrievalMAP; write sqlmetrics.evaluate"),
        (lambda _: sm.read_trec_qrels, "… has no …; give sqlmetrics.evaluate judgments and runs …"),
        (lambda _: sm.supported_measures, "… has no …; write sqlmetrics.metrics"),
        (lambda _: sm.solve_power, "… has no solve_power; write sqlmetrics.users_needed"),
        (lambda scores: scores.head(), "Scores has no head; use the frame .mean, of polars; …"),
        (lambda scores: scores.worst(), "Scores has no worst; sort the frame .per_query"),
        (lambda _: sm.Qrels, "… has no Qrels; give sqlmetrics.evaluate judgments and runs as …"),
        (
            lambda scores: scores.to_csv("x.csv"),
            "Scores has no to_csv; … .mean.write_csv('scores.csv')",
        ),
        (lambda scores: scores.to_json(), "Scores has no to_json; call .write('json'), …"),
        (
            lambda _: sm.gate(QRELS, BM25, fail_under={"RR": 0.1}).to_junit(),
            "Gate has no to_junit; call .write('junit'), which returns the text",
        ),
        (lambda scores: scores.results, "Scores has no results; its rows are .mean.to_dicts()"),
        (
            lambda scores: scores.compare().p_value,
            "Comparison has no p_value; it is a column of .tests",
        ),
        (
            lambda scores: scores.compare().to_latex(),
            "Comparison has no to_latex; call .write('latex'), …",
        ),
        (lambda scores: scores.nonsense, "Scores has no nonsense"),
        (lambda scores: scores.best(), "Scores has no best; sort the frame .mean"),
        (lambda scores: scores.to_df(), "Scores has no to_df; write mean"),
    ],
)
def test_a_name_that_other_tools_have_gets_the_word_here(asked, said):
    with pytest.raises(AttributeError) as refused:
        asked(sm.evaluate(QRELS, [BM25, NEURAL], "RR"))
    assert_message(said, str(refused.value))


@pytest.mark.parametrize(
    "method",
    ["RRF", "CombSUM", "comb-mnz", "Comb Sum", "ISR", "logn-isr", "Borda", "CONDORCET"],
)
def test_methods_of_fusion_are_understood_in_any_spelling(method):
    fused = sm.fuse([BM25, NEURAL], method)
    plain = method.lower().replace("comb", "comb_").replace("-", "_").replace(" ", "_")
    assert fused.equals(sm.fuse([BM25, NEURAL], plain.replace("__", "_")))


def test_normalizations_tests_and_corrections_are_understood_in_any_spelling():
    fused = sm.fuse([BM25, NEURAL], "comb_sum", normalization="Min-Max")
    assert fused.equals(sm.fuse([BM25, NEURAL], "comb_sum", normalization="min_max"))
    scores = sm.evaluate(QRELS, [BM25, NEURAL], "RR AP")
    found = scores.compare("bm25", test="Wilcoxon", correction="Holm")
    assert found.tests.equals(scores.compare("bm25", test="wilcoxon", correction="holm").tests)
    tuned = sm.tune(QRELS, [BM25, NEURAL], "RR", methods=["RRF", "Comb-Sum"])
    assert tuned.best == sm.tune(QRELS, [BM25, NEURAL], "RR", methods=["rrf", "comb_sum"]).best


def test_every_synonym_leads_to_a_word_that_exists():
    """Each word here is an option, a command, a value or a macro of some function."""
    import inspect

    from sqlmetrics.catalogue import macros
    from sqlmetrics.cli.from_headers import app
    from sqlmetrics.cli.types import Words
    from sqlmetrics.result import Layout

    commands = [app.make(name) for name in [*app.commands]]
    params = [each for command in commands for each in command.params]
    functions = [getattr(sm, name) for name in sm.__all__]
    functions = [each for each in functions if inspect.isfunction(each)]
    known = {
        "option": {each.name for each in params}
        | {name for each in functions for name in inspect.signature(each).parameters}
        | {*sm.catalogue.conventions.ConventionOptions.__annotations__},
        "value": {
            word for each in params if isinstance(each.type, Words) for word in each.type.choices
        }
        | {*get_args(Layout)},
        "command": {*app.commands, *sm.__all__},
        "macro": {*macros()},
        "table macro": {*macros()},
        "attribute": {*dir(sm.evaluate(QRELS, BM25, "RR")), *dir(sm.Gate), "tests", "checks"},
    }
    table = (ROOT / "sqlmetrics" / "synonyms.csv").read_text(encoding="utf-8")
    for row in csv.DictReader(table.splitlines()):
        for word in row["here"].split():
            assert word in known[row["kind"]], (row["kind"], word)


def test_the_dialect_may_come_second():
    assert sm.sql("AP", "postgres") == sm.sql("AP", dialect="postgres")
