"""The formulas of metrics without macros are current, and give the scores of the macros."""

from __future__ import annotations

import json
import os

import pytest
from conftest import name_measures
from keep_formulas import list_formulas
from peers import make_collection

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.engine import formulas

METRICS = catalogue.all_metrics("runs")
STALE = "stale: sql/formulas.json\nto write it, type: python docs/build.py"


def read_file():
    return json.loads((catalogue.find_root() / formulas.NAME).read_text(encoding="utf-8"))


@pytest.mark.few(6)
@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.macro)
def test_the_formulas_of_a_metric_are_what_its_files_say(metric):
    written = read_file()
    assert {name: written.get(name) for name in list_formulas(metric)} == (list_formulas(metric)), (
        STALE
    )


def test_there_are_formulas_of_metrics_only():
    macros = {name.partition("(")[0].removeprefix("expected_") for name in read_file()}
    assert macros == {metric.macro for metric in METRICS}, STALE


def list_measures():
    """Every metric by each of its names, and with each word that a parameter may be."""
    for metric in METRICS:
        names = name_measures(metric)
        yield from names
        for name, parameter in metric.own_parameters.items():
            for word in (*parameter.rule.words, True, False):
                if word != parameter.default and not parameter.find_problem(word):
                    call, _, rest = names[0].partition("@")
                    known = call.rstrip(")") + (", " if "(" in call else "(")
                    yield f"{known}{name}={word!r})" + (f"@{rest}" if rest else "")


MEASURES = sorted(set(list_measures()))


@pytest.mark.few(1)
@pytest.mark.parametrize("part", range(16))
def test_scores_are_those_of_the_macros(monkeypatch, part):
    qrels, run = make_collection()
    wanted = MEASURES[part::16]
    assert {formulas.write_formula(m) for m in catalogue.parsing.parse(wanted)} - {None}, STALE
    found = sm.evaluate(qrels, run, wanted)
    monkeypatch.setattr("sqlmetrics.engine.judged.write_formula", lambda *_: None)
    assert sm.evaluate(qrels, run, wanted).per_query.equals(found.per_query)


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(6))
def test_expected_scores_are_those_of_the_macros(monkeypatch, part):
    qrels, run = make_collection()
    known = catalogue.files()["expected"]
    metrics = [metric for metric in METRICS if f"expected_{metric.macro}" in known]
    wanted = [name for metric in metrics for name in name_measures(metric)][part::6]
    found = sm.evaluate(qrels, run, wanted, ties="expected")
    monkeypatch.setattr("sqlmetrics.engine.judged.write_formula", lambda *_: None)
    again = sm.evaluate(qrels, run, wanted, ties="expected")
    assert again.per_query.equals(found.per_query)


def test_numbers_are_filled_in_and_words_chosen():
    (err,) = catalogue.parsing.parse("ERR(max_rel=4)@20")
    (ndcg,) = catalogue.parsing.parse("nDCG(gain='exponential')@7")
    assert "$" not in (formulas.write_formula(err) or "$"), STALE
    assert "<= coalesce(7, j.rank)" in formulas.write_formula(ndcg)
    assert "power(2e0, j.grade)" in formulas.write_formula(ndcg)


def test_calls_with_several_words_stay_macros():
    (ndcg,) = catalogue.parsing.parse("nDCG(gain='exponential', discount='none')@7")
    assert formulas.write_formula(ndcg) is None


def test_formulas_older_than_the_files_are_not_used(monkeypatch, tmp_path):
    (tmp_path / "pyproject.toml").touch()
    file, other = tmp_path / "sql" / formulas.NAME, tmp_path / "sql/ranking/metrics/ap.sql"
    other.parent.mkdir(parents=True)
    file.write_text('{"ap(k=NULL)": "1"}')
    other.touch()
    monkeypatch.setattr(formulas, "find_root", lambda: tmp_path / "sql")
    for age, known in ((0, {"ap(k=NULL)": "1"}), (60, {})):
        formulas._read.cache_clear()
        os.utime(file, (other.stat().st_atime, other.stat().st_mtime - age))
        assert formulas._read() == known
    formulas._read.cache_clear()
