"""The user models give the scores of cwl_eval: all measures of each model that tools.csv names.

Hundreds of seeds make rankings without ties (cwl_eval knows none), with unjudged documents, graded
gains, relevant documents that were not retrieved, and empty ones. A residual is the difference
between two scores, and both are compared: unjudged documents at the lowest gain, and at the highest.
"""

from __future__ import annotations

import importlib
import logging
import math
import pkgutil
import random

import cwl.ruler.measures
import ir_measures
import pytest
from conftest import make_qrels, make_run
from cwl.ruler.ranking import Ranking

import sqlmetrics
from sqlmetrics import catalogue
from sqlmetrics.catalogue import parsing

MODELS = [m for m in catalogue.all_metrics("runs") if "cwl_eval" in m.tools]
ADAPTED = [m for m in MODELS if "unjudged" in m.parameters and "ir_measures" in m.tools]
MAX_REL = 4
# In the order of cwl_eval's own results.
OUTPUTS = ("utility", "total_utility", "cost", "total_cost", "depth")
RESIDUALS = [
    f"residual_expected_{name}"
    for name in ("utility", "total_utility", "cost", "total_cost", "items")
]

# What stands for the parameters of a model.
VALUES = {
    "k": (1, 2, 10),
    "T": (0.5, 2.25, 1),
    "p": (0.5, 0.9),
    "rate": (0.1, 1),
    "halflife": (0.5, 22, 224),
    "L": (0.5, 20, 1000),
    "beta": (0.5, 1),
    "A": (0.2, 0.5, 0.2),
    "b1": (0.9,),
    "b2": (0.9,),
    "R1": (1, 10, 3),
    "R2": (10, 1, 3),
}


def make_collections(seeds, depth):
    """Judgments, a run, and for each query the gains by rank, NaN where nobody judged."""
    qrels, run, gains = [], [], {}
    for seed in range(seeds):
        chance = random.Random(seed)
        query = str(seed)
        length = chance.choice([0, 1, 5, depth // 2, depth + 7])
        share = chance.choice([0.1, 0.6, 0.95])  # of unjudged documents
        grades = chance.choice([(0, 1, 2, 3, 4), (0, 0, 0, 1), (4, 3)])
        ranked = [None if chance.random() < share else chance.choice(grades) for _ in range(length)]
        run += [(query, f"d{n}", -float(n)) for n in range(length)]
        qrels += [(query, f"d{n}", float(g)) for n, g in enumerate(ranked) if g is not None]
        missed = [chance.choice(grades) for _ in range(chance.choice([1, 2, 5]))]
        qrels += [(query, f"missed{n}", float(g)) for n, g in enumerate(missed)]
        gains[query] = [math.nan if g is None else g for g in ranked], missed
    return make_qrels(qrels), make_run(run), gains


def make_ranking(ranked, missed, depth, *, is_graded):
    """A ranking of cwl_eval's."""
    gains = [g / MAX_REL if is_graded or math.isnan(g) else float(g > 0) for g in ranked]
    ranking = Ranking("", gains, [math.nan] * len(gains), max_n=depth)
    ranking.total_qrel_rels = sum(g > 0 for g in (*ranked, *missed))
    return ranking


def make_model(text):
    """A model of cwl_eval, from a line of its file of metrics: ``INSTCWLMetric(2)``."""
    name, _, arguments = text.removesuffix(")").partition("(")
    for module in pkgutil.iter_modules(cwl.ruler.measures.__path__, "cwl.ruler.measures."):
        if model := getattr(importlib.import_module(module.name), name, None):
            return model(*(float(a) if "." in a else int(a) for a in arguments.split(",") if a))
    raise NameError(f"cwl_eval has no model {name}")


def choose_values(slots):
    """Values for these parameters, each of them at least once."""
    most = max((len(VALUES[slot]) for slot in slots), default=1)
    for n in range(most):
        yield {slot: VALUES[slot][n % len(VALUES[slot])] for slot in slots}


def list_models(metric, depth):
    """The models of cwl_eval that agree, with the arguments of ours."""
    for spelling in metric.tools["cwl_eval"]:
        for values in choose_values(spelling.slots):
            # cwl_eval sees 1000 ranks, and in these tests as many as depth
            arguments = dict(spelling.arguments) | {"k": depth} | values
            yield make_model(spelling.text.format(**values)), arguments


def name_measure(metric, arguments):
    given = {k: v for k, v in arguments.items() if k in metric.parameters}
    (measure,) = parsing.parse(
        f"{metric.macro}({', '.join(f'{key}={value!r}' for key, value in given.items())})"
    )
    return measure.name


def compare(metric, seeds, depth):
    """How far scores are apart, relative to those above 1."""
    qrels, run, gains = make_collections(seeds, depth)
    is_graded = "max_rel" in metric.parameters
    if not is_graded:
        qrels = qrels.with_columns(relevance=(qrels["relevance"] > 0).cast(float))
    has_outputs = "unjudged" in metric.parameters
    cases = {}
    for model, arguments in list_models(metric, depth):
        model.residuals = True
        for unjudged in (0, 1) if has_outputs else (0,):
            for place, output in enumerate(OUTPUTS if has_outputs else OUTPUTS[:1]):
                asked = {"max_rel": MAX_REL, "unjudged": unjudged, "measure": output} | arguments
                cases[name_measure(metric, asked)] = model, unjudged, place
    ours = sqlmetrics.evaluate(qrels, run, list(cases)).per_query
    theirs = {}
    for row in ours.iter_rows(named=True):
        ranking = make_ranking(*gains[row["query_id"]], depth, is_graded=is_graded)
        for name, (model, unjudged, place) in cases.items():
            key = id(model), row["query_id"]
            if key not in theirs:
                model.measure(ranking)
                theirs[key] = model.get_scores(), [getattr(model, name) for name in RESIDUALS]
            lows, residuals = theirs[key]
            expected = lows[place] + (residuals[place] if unjudged else 0)
            yield abs(row[name] - expected) / max(1, abs(expected)), name, row["query_id"]


@pytest.fixture(autouse=True)
def _without_its_log():
    logging.getLogger("cwl").disabled = True


@pytest.mark.parametrize("metric", MODELS, ids=lambda metric: metric.macro)
# Where users stop with a probability of 1e-9, products of 1000 factors leave 1e-11.
@pytest.mark.few(1)
@pytest.mark.parametrize(("seeds", "depth", "tolerance"), [(300, 20, 1e-12), (4, 1000, 1e-10)])
def test_agrees_with_cwl_eval_per_query(metric, seeds, depth, tolerance):
    apart = list(compare(metric, seeds, depth))
    assert len(apart) >= seeds
    # not "> tolerance", which NaN would pass
    assert not [case for case in apart if not case[0] <= tolerance]


@pytest.mark.few(1)
@pytest.mark.parametrize("metric", ADAPTED, ids=lambda metric: metric.macro)
@pytest.mark.parametrize("min_rel", [0, 1])
def test_agrees_with_ir_measures_per_query(metric, min_rel):
    """By its names, which are ours, too, and its way to make gains of grades."""
    qrels, run, _ = make_collections(100, 20)
    (spelling,) = metric.tools["ir_measures"]
    slots = [*spelling.slots, *(slot for slot in ("T", "p") if slot in metric.parameters)]
    wanted = []
    for values in choose_values(slots):
        k = values.pop("k", None)
        arguments = {"min_rel": min_rel, "max_rel": MAX_REL} | {
            n: float(v) for n, v in values.items()
        }
        shown = ", ".join(f"{key}={value}" for key, value in arguments.items())
        wanted.append(f"{metric.names[0]}({shown})" + (f"@{k}" if k else ""))
    ours = sqlmetrics.evaluate(qrels, run, wanted).per_query
    theirs = ir_measures.iter_calc(
        [ir_measures.parse_measure(name) for name in wanted],
        [ir_measures.Qrel(query, doc, int(grade), "0") for query, doc, grade in qrels.iter_rows()],
        [ir_measures.ScoredDoc(*row) for row in run.iter_rows()],
    )
    expected = {(value.query_id, str(value.measure)): value.value for value in theirs}
    columns = dict(
        zip(
            (str(ir_measures.parse_measure(name)) for name in wanted), ours.columns[2:], strict=True
        )
    )
    rows = {row["query_id"]: row for row in ours.iter_rows(named=True)}
    assert len(expected) == 100 * len(wanted)
    for (query, name), value in expected.items():
        assert rows[query][columns[name]] == pytest.approx(value, rel=0, abs=1e-12), (query, name)
