"""Record the scores of other tools in tests/recorded.json and tests/recorded/, and their collections.

python tools/record_scores.py           all of it, where every tool is installed
python tools/record_scores.py lenskit   recorded.json, the collections, or one tool, by its name

Of recorded.json:

python -m pip install ranx==0.3.21 scikit-learn==1.9.1 pytrec-eval-terrier==0.5.11 tqdm
python -m pip install --no-deps beir==2.2.0

Of recorded/*.parquet besides:

python -m pip install polars torchmetrics==1.9.0 pyNTCIREVAL==0.0.3 lenskit==2025.8.1

and in another environment, since they do not work with pandas 3:

python -m pip install polars "pandas<3" scikit-learn scipy attrs typeguard tqdm
python -m pip install --no-deps rectools==0.19.0 recommenders==1.2.1 replay-rec==0.22.0

trec_eval is asked as the tests run: its C code, which the wheel of pytrec-eval-terrier holds whole,
the readers of all its formats and all its metrics. Only main() is missing, and written out below.

and in a third one:

python -m pip install polars ragas==0.4.3 "langchain-community<0.4" rapidfuzz llama-index-core==0.14.25 haystack-ai==3.4.1
python -m pip install pytrec-eval-terrier==0.5.11 scikit-learn==1.9.1
python -m pip install --no-deps mteb==2.18.1 mlflow-skinny==3.17.2 pyvespa==1.2.9 arize-phoenix==20.26.1

and in a fourth one, for learning to rank:

python -m pip install polars lightgbm==4.7.0 xgboost-cpu==3.2.0 catboost==1.2.10

measures.csv names what each tool measures. Each tool has a file of scores (query_id, metric, value),
with the metrics as its users write them. A value is that of one query: the tool's own per query, or
its score of a collection of that query alone. Where it fails, or divides by zero, there is no row.

| collection | its kind | asked |
|---|---|---|
| collection | ties, negative grades, unjudged documents, queries on one side only | ranx, BEIR, mteb, MLflow, pyvespa, Phoenix |
| table | every document judged and retrieved, scores above 0 | scikit-learn, torchmetrics, LightGBM, XGBoost, CatBoost |
| graded | grades from 0 to 3, unjudged documents, ties | trec_eval, tools that take lists or sets |
| groups | judgment groups, which the column subtopic holds, and grades from 0 to 3 | trec_eval |
| prefs | preferences in judgment groups and their subgroups, in columns | trec_eval |

Lists are in the order of trec_eval, without ties: by score, then by document, both descending.
"""

from __future__ import annotations

import ast
import ctypes
import importlib
import importlib.util
import inspect
import json
import math
import multiprocessing
import random
import sys
import tempfile
import types
import warnings
from functools import cache
from importlib.metadata import distribution, version
from itertools import product, takewhile
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
FILE = TESTS / "recorded.json"
FOLDER = TESTS / "recorded"
QUERIES = 40
SEEDS = 400
CUTOFFS = (1, 3, 10)
RANX = [
    *(f"{name}@{k}" for name in ("precision", "recall", "f1", "hit_rate") for k in (3, 20)),
    *(f"{name}@{k}" for name in ("mrr", "map", "ndcg", "ndcg_burges") for k in (1, 3, 20)),
    *("precision", "recall", "f1", "hit_rate", "hits", "mrr", "map", "r-precision"),
    *("dcg", "dcg_burges", "ndcg", "ndcg_burges", "rbp.80"),
    *("precision@3-l2", "recall@3-l2", "f1@3-l2", "mrr-l2", "map-l2", "r-precision-l2"),
]
RANX_STEMS = ["precision", "recall", "f1", "hit_rate", "hits", "mrr", "map"]
RANX_STEMS += ["dcg", "dcg_burges", "ndcg", "ndcg_burges"]
BEIR_CUTOFFS = [1, 3, 5, 10, 100]
CATALOG = [f"{letter}{number}" for number in range(9) for letter in "abXY09é"]
SETS = {
    "precision_score": [{}],
    "recall_score": [{}],
    "f1_score": [{}],
    "fbeta_score": [{"beta": 0.5}, {"beta": 2}],
    "jaccard_score": [{}],
    "accuracy_score": [{}],
    "balanced_accuracy_score": [{}],
    "matthews_corrcoef": [{}],
}
MOST_TORCH = ["MAP", "MRR", "FallOut", "HitRate", "NormalizedDCG", "Precision", "Recall", "AUROC"]


def make_collection() -> tuple[dict, dict]:
    """Judgments and a run of at most 15 documents a query, beyond which ranx does not keep ties."""
    chance = random.Random(7)
    qrels, run = {}, {}
    for number in range(QUERIES):
        query = f"q{number:02}"
        pool = [query, *(f"{chance.choice('abXY09é')}{n}" for n in range(20))]
        levels, step = chance.choice([1, 2, 5, 50]), chance.choice([0.125, 0.125, 1e-8])
        highest = chance.choice([0, 1, 4, 4])
        if number % 10 != 3:
            judged = chance.sample(pool, chance.randint(1, 15))
            qrels[query] = {doc: chance.choice([0, chance.randint(-1, highest)]) for doc in judged}
        if number % 10 != 7:
            found = chance.sample(pool, chance.randint(2, 15))
            run[query] = {doc: 1 + step * chance.randint(0, levels) for doc in found}
    return qrels, run


def make_table() -> tuple[dict, dict]:
    """The same where every document is judged and retrieved, for tools that take tables."""
    chance = random.Random(8)
    qrels, run = {}, {}
    for number in range(20):
        docs, levels = [f"d{n}" for n in range(8)], chance.choice([1, 2, 4, 20])
        highest = chance.choice([1, 4]) if number else 0
        qrels[f"s{number:02}"] = {doc: chance.randint(0, highest) for doc in docs}
        step = chance.choice([0.125, 1e-8])
        run[f"s{number:02}"] = {doc: 1 + step * chance.randint(1, levels) for doc in docs}
    return qrels, run


def ask_ranx(qrels: dict, run: dict, measures: list[str] = RANX) -> dict:
    from ranx import Qrels, Run, evaluate

    theirs = Run(run)
    means = evaluate(Qrels(qrels), theirs, measures, make_comparable=True)
    by_query = {name: {q: float(x) for q, x in theirs.scores[name].items()} for name in measures}
    return {"mean": {name: float(means[name]) for name in measures}, "per_query": by_query}


def ask_beir(qrels: dict, run: dict) -> dict:
    from beir.retrieval.evaluation import EvaluateRetrieval

    def copy() -> dict:  # it takes documents out
        return {query: dict(found) for query, found in run.items()}

    parts = EvaluateRetrieval.evaluate(qrels, copy(), BEIR_CUTOFFS)
    judged = {query: found for query, found in copy().items() if query in qrels}
    parts += tuple(
        EvaluateRetrieval.evaluate_custom(qrels, judged, BEIR_CUTOFFS, name)
        for name in ("mrr", "acc")
    )
    return {"mean": {name: float(value) for part in parts for name, value in part.items()}}


def ask_sklearn(qrels: dict, run: dict) -> dict:
    from sklearn.metrics import dcg_score, ndcg_score

    means, by_query = {}, {}
    for name, function in (("dcg_score", dcg_score), ("ndcg_score", ndcg_score)):
        for k in (None, 1, 3, 20):
            rows = {query: ([*qrels[query].values()], [*run[query].values()]) for query in qrels}
            key = f"{name}@{k}" if k else name
            by_query[key] = {q: float(function([a], [b], k=k)) for q, (a, b) in rows.items()}
            table = zip(*rows.values(), strict=True)
            means[key] = float(function(*map(list, table), k=k))
    return {"mean": means, "per_query": by_query}


def write_json() -> None:
    collection, table = make_collection(), make_table()
    parts = {
        "collection": collection,
        "table": table,
        "ranx": ask_ranx(*collection),
        "beir": ask_beir(*collection),
        "scikit-learn": ask_sklearn(*table),
    }
    for tool in ("ranx", "beir", "scikit-learn"):
        parts[tool]["version"] = version(tool)
    lines = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in parts.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


# The collections of recorded/: judgments as rows (query, document, relevance, …), runs as dicts.


def draw_lists(seed: int) -> tuple[dict, dict]:
    """Judgments and a list of at most 15 documents, beyond which ranx does not keep ties."""
    chance, query = random.Random(seed), f"q{seed:03}"
    pool = [query, *(f"{chance.choice('abXY09é')}{n}" for n in range(20))]
    levels, step = chance.choice([1, 2, 5, 50, 1000]), chance.choice([0.125, 0.125, 1e-8])
    highest = chance.choice([0, 1, 2, 4, 4])
    judged = chance.sample(pool, chance.randint(1, 15))
    found = chance.sample(pool, chance.randint(1, 15))
    qrels = {doc: chance.choice([0, chance.randint(-1, highest)]) for doc in judged}
    run = {doc: 1 + step * chance.randint(0, levels) for doc in found}
    return ({} if seed % 10 == 3 else qrels), ({} if seed % 10 == 7 else run)


def draw_table(seed: int) -> tuple[dict, dict]:
    """From 2 to 20 documents, in every second query with scores of their own."""
    chance = random.Random(seed)
    docs = [f"d{n}" for n in range(chance.randint(2, 20))]
    highest = chance.choice([1, 1, 2, 4])
    qrels = {doc: chance.choice([0, chance.randint(0, highest)]) for doc in docs}
    if seed % 20 in {5, 6}:  # all or none relevant
        qrels = {doc: (seed % 20 == 5) * chance.randint(1, highest) for doc in docs}
    elif len(set(map(bool, qrels.values()))) == 1:
        first, last = docs[0], docs[-1]
        qrels |= {first: 0, last: highest} if chance.random() < 0.5 else {first: highest, last: 0}
    levels = chance.choice([1, 2, 4, 20])
    scores = [chance.randint(1, levels) for _ in docs]
    if seed % 2:
        scores = chance.sample(range(1, 1000), len(docs))
    return qrels, {doc: score / 8 for doc, score in zip(docs, scores, strict=True)}


def draw_graded(seed: int) -> tuple[dict, dict]:
    chance = random.Random(seed)
    pool = chance.sample(CATALOG, chance.choice([2, 5, 20, 40]))
    judged = chance.sample(pool, chance.randint(1, len(pool)))
    found = chance.sample(pool, chance.randint(1, min(30, len(pool))))
    highest = chance.choice([1, 2, 3, 3])
    levels = chance.choice([1, 3, 10, 1000, 1000])
    qrels = {doc: chance.choice([0, chance.randint(0, highest)]) for doc in judged}
    if seed % 10:
        qrels[chance.choice(judged)] = highest
    return qrels, {doc: chance.randint(-levels, levels) / 8 for doc in found}


def draw_groups(seed: int) -> tuple[list, dict]:
    """Up to four judgment groups, whose documents overlap."""
    chance, rows = random.Random(seed), []
    pool = chance.sample(CATALOG, chance.choice([3, 8, 20]))
    for group in range(chance.randint(1, 4)):
        highest = chance.choice([0, 1, 3, 3])
        rows += [
            (doc, chance.choice([0, chance.randint(0, highest)]), f"g{group}")
            for doc in chance.sample(pool, chance.randint(1, len(pool)))
        ]
    found = chance.sample(pool, chance.randint(1, len(pool)))
    levels = chance.choice([1, 3, 1000])
    return rows, {doc: chance.randint(0, levels) / 8 for doc in found}


def draw_prefs(seed: int) -> tuple[list, dict]:
    """Groups that agree within themselves: each subgroup sees an order of the group's, in part.

    Documents of a group differ in level, except those that are not relevant to any group.
    """
    chance, rows = random.Random(seed), []
    pool = chance.sample(CATALOG, chance.choice([3, 6, 12]))
    for group in range(chance.randint(1, 3)):
        order = chance.sample(pool, len(pool))
        number = chance.randint(0, len(pool))
        level = {doc: max(0, number - place) for place, doc in enumerate(order)}
        subgroups = chance.choice([1, 1, 2, 3])
        coarse = chance.choice([1, 1, 2]) if subgroups == 1 else 1  # ties, where they cannot clash
        for subgroup in range(subgroups):
            scale = chance.choice([1, 0.5, 2.25])
            for doc in chance.sample(pool, chance.randint(2, len(pool))):
                value = math.ceil(level[doc] / coarse) * scale
                rows.append((doc, value, f"g{group}", f"s{subgroup}"))
    found = chance.sample(pool, chance.randint(1, len(pool)))
    levels = chance.choice([1, 3, 1000])
    return rows, {doc: chance.randint(0, levels) / 8 for doc in found}


def collect(name: str) -> tuple[dict, dict]:
    """Judgments and runs by query. Judgments are a dict, or rows where there are groups."""
    draw, letter = {
        "collection": (draw_lists, "q"),
        "table": (draw_table, "s"),
        "graded": (draw_graded, "d"),
        "groups": (draw_groups, "j"),
        "prefs": (draw_prefs, "p"),
    }[name]
    qrels, run = {}, {}
    for seed in range({"collection": 1000, "table": 800}.get(name, SEEDS)):
        judged, found = draw(seed)
        qrels |= {f"{letter}{seed:03}": judged} if judged else {}
        run |= {f"{letter}{seed:03}": found} if found else {}
    return qrels, run


def write(name: str, rows: list[tuple], schema: dict) -> None:
    import polars as pl

    FOLDER.mkdir(exist_ok=True)
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    frame.write_parquet(FOLDER / f"{name}.parquet", compression="zstd", compression_level=19)


def write_collections() -> None:
    import polars as pl

    ids = {"query_id": pl.String, "doc_id": pl.String}
    for name in ("collection", "table", "graded", "groups", "prefs"):
        qrels, run = collect(name)
        rows = [
            (query, *row)
            for query, judged in qrels.items()
            for row in (judged.items() if isinstance(judged, dict) else judged)
        ]
        columns = ids | {"relevance": pl.Float64 if name == "prefs" else pl.Int64}
        columns |= {"subtopic": pl.String} if name in {"groups", "prefs"} else {}
        columns |= {"subgroup": pl.String} if name == "prefs" else {}
        write(f"{name}_qrels", rows, columns)
        rows = [(query, *row) for query, found in run.items() for row in found.items()]
        write(f"{name}_run", rows, ids | {"score": pl.Float64})


def write_figures(tool: str, rows: list[tuple[str, str, float]]) -> None:
    import polars as pl

    rows = [(query, measure, float(value)) for query, measure, value in rows]
    rows = [row for row in rows if not math.isnan(row[2])]
    assert len({query for query, _, _ in rows}) >= 300
    schema = {"query_id": pl.String, "measure": pl.String, "value": pl.Float64}
    write(tool, sorted(rows, key=lambda row: (row[1], row[0])), schema)


def rank(found: dict) -> list[str]:
    """The documents of a list, in the order of trec_eval."""
    return sorted(found, key=lambda doc: (found[doc], doc.encode()), reverse=True)


def spell(name: str, options: dict) -> str:
    """A call of a function or class with its options: ``NDCG(n=3, gain='rating')``."""
    given = ", ".join(f"{key}={value!r}" for key, value in options.items() if value is not None)
    return f"{name}({given})"


def cut(key: str) -> list[dict]:
    return [{key: k} for k in (None, *CUTOFFS)]


def cross(*choices: list[dict]) -> list[dict]:
    """The options of every choice from each."""
    return [{k: v for part in parts for k, v in part.items()} for parts in product(*choices)]


# The tools of recorded/.


def freeze_ranx() -> list:
    """Over lists of at most 15 documents; queries without list count 0, those unjudged are out."""
    names = [f"{name}{k}" for name in RANX_STEMS for k in ("", *(f"@{k}" for k in CUTOFFS))]
    names += ["r-precision", "bpref"]
    names += [f"{name}-l2" for name in names] + ["rbp.50", "rbp.80", "rbp.95"]
    scores = ask_ranx(*collect("collection"), names)["per_query"]
    return [(query, name, x) for name, row in scores.items() for query, x in row.items()]


def freeze_beir() -> list:
    """Unrounded. It leaves out documents whose id is the query's, but not from its own metrics.

    Each query is asked alone, but Hole of the documents that are judged for any of them.
    """
    from beir.retrieval import custom_metrics, evaluation

    evaluation.round = custom_metrics.round = lambda value, _: value  # it keeps five digits
    evaluate = evaluation.EvaluateRetrieval
    qrels, run = collect("collection")
    rows = []
    for query in sorted(set(qrels) & set(run)):
        judged, found = {query: qrels[query]}, {query: run[query]}
        parts = list(evaluate.evaluate(judged, {query: dict(run[query])}, BEIR_CUTOFFS))
        names = ["mrr", "recall_cap", "acc"]
        if not any(grade > 0 for grade in qrels[query].values()):
            names.remove("recall_cap")  # it divides by zero
        parts += [evaluate.evaluate_custom(judged, found, BEIR_CUTOFFS, name) for name in names]
        rows += [(query, name, value) for part in parts for name, value in part.items()]
        known = {query: {doc: 0 for each in qrels.values() for doc in each}}
        holes = custom_metrics.hole(known, found, BEIR_CUTOFFS)
        rows += [(query, name, value) for name, value in holes.items()]
    return rows


def freeze_sklearn() -> list:
    """With ties left as they stand (``ignore_ties=True``) only where there are none.

    Metrics of sets are over every document there is, retrieved or not, relevant or not.
    """
    from sklearn import metrics

    asked = {
        (name, spell(name, options)): options
        for name in ("dcg_score", "ndcg_score")
        for options in cross(
            cut("k"),
            [{}, {"log_base": 10}] if name == "dcg_score" else [{}],
            [{}, {"ignore_ties": True}],
        )
    }
    single = [("average_precision_score", {})]
    single += [("roc_auc_score", {"max_fpr": part}) for part in (None, 0.1, 0.3, 0.5)]
    lists = ["label_ranking_average_precision_score", "coverage_error", "label_ranking_loss"]
    rows = []
    qrels, run = collect("table")
    for query in qrels:
        grades, scores = [*qrels[query].values()], [*run[query].values()]
        binary = [int(grade > 0) for grade in grades]
        tied = len(set(scores)) < len(scores)
        for (name, called), options in asked.items():
            if not (tied and "ignore_ties" in options):
                value = getattr(metrics, name)([grades], [scores], **options)
                rows.append((query, called, value))
        for name, options in single:
            if sum(binary) and (name != "roc_auc_score" or not all(binary)):
                value = getattr(metrics, name)(binary, scores, **options)
                rows.append((query, spell(name, options), value))
        rows += [
            (query, spell(name, {}), getattr(metrics, name)([binary], [scores])) for name in lists
        ]
    qrels, run = collect("graded")
    for query, judged in qrels.items():
        relevant = [int(judged.get(doc, 0) > 0) for doc in CATALOG]
        retrieved = [int(doc in run[query]) for doc in CATALOG]
        for name, several in SETS.items():
            for options in several:
                value = getattr(metrics, name)(relevant, retrieved, **options)
                rows.append((query, spell(name, options), value))
    return rows


def freeze_torchmetrics() -> list:
    """In 32 bits. Where scores are tied, only metrics that do not depend on their order.

    Scores are within 1, as AUROC takes those above 1 for logits: it puts them through a sigmoid
    function, after which the highest are tied.
    """
    import torch
    from torchmetrics import retrieval

    asked = [(name, options) for name in MOST_TORCH for options in cut("top_k")]
    asked += [("Precision", {"top_k": k, "adaptive_k": True}) for k in (3, 10)]
    asked += [("FallOut", {**o, "empty_target_action": "neg"}) for o in cut("top_k")]
    asked += [("RPrecision", {})]
    asked += [("AUROC", {"max_fpr": part}) for part in (0.1, 0.3, 0.5)]
    asked += [("RecallAtFixedPrecision", {"min_precision": part}) for part in (0.3, 0.5, 0.8)]
    asked += [("RecallAtFixedPrecision", {"min_precision": 0.5, "max_k": 3})]
    rows = []
    qrels, run = collect("table")
    for query in qrels:
        grades = torch.tensor([*qrels[query].values()])
        scores = torch.tensor([*run[query].values()]) / 128
        tied = len(set(scores.tolist())) < len(scores)
        for name, options in asked:
            if tied and name != "NormalizedDCG" and (name != "AUROC" or options.get("top_k")):
                continue
            target = grades if name == "NormalizedDCG" else (grades > 0).long()
            value = getattr(retrieval, f"Retrieval{name}")(**options)(
                scores, target, indexes=torch.zeros(len(scores), dtype=torch.long)
            )
            value = value[0] if name == "RecallAtFixedPrecision" else value
            rows.append((query, spell(f"Retrieval{name}", options), value.item()))
    return rows


def freeze_ntcireval() -> list:
    """With gains of 1, 2 and 3 for the grades, or ``grades=[1, 3, 7]``. Numbers of 0 to 3 count."""
    from pyNTCIREVAL import Labeler, metrics

    ks = [{"cutoff": k} for k in (*CUTOFFS, 1000)]
    betas = [{"beta": beta} for beta in (0.0, 1.0, 10.0)]
    stops, gammas = [{"stops": [1, 2, 3]}, {"stops": [1, 1, 4]}], [{"gamma": 0.5}, {"gamma": 0.95}]
    plain = {"RR": [{}], "Hit": ks, "Precision": ks}
    graded = {
        "AP": [{}, *ks],
        "QMeasure": cross(betas, [{}, *ks]),
        **dict.fromkeys(("OMeasure", "PMeasure", "PPlusMeasure"), betas),
        "ERR": [{}],
        "nERR": ks,
        "nDCG": cross([{"logb": 2}, {"logb": 10}], ks),
        "MSnDCG": ks,
        "RBP": [{"pr": 0.8}, {"pr": 0.95}],
        "NCUguP": stops,
        "NCUguBR": cross(stops, betas[1:]),
        "NCUrbP": gammas,
        "NCUrbBR": cross(gammas, betas[1:]),
    }
    rows = []
    qrels, run = collect("graded")
    for query in qrels:
        labeler = Labeler(qrels[query])
        found = labeler.label(rank(run[query]))
        levels = labeler.compute_per_level_doc_num(4)
        calls = [(name, options, {}) for name, several in plain.items() for options in several]
        calls += [
            (name, {**options, **shown}, {"xrelnum": levels, "grades": grades})
            for name, several in graded.items()
            for options in several
            for grades, shown in (([1, 2, 3], {}), ([1, 3, 7], {"grades": [1, 3, 7]}))
        ]
        for name, options, given in calls:
            try:
                value = getattr(metrics, name)(**{**given, **options}).compute(found)
            except ZeroDivisionError:  # nothing relevant
                continue
            rows.append((query, spell(name, options), value))
    return rows


def freeze_lenskit() -> list:
    """Documents of a grade above 0 are the test items, their grade the rating."""
    from lenskit.data import ItemList
    from lenskit.metrics import ranking

    offset = "LogRankWeight(offset=1)"
    ns, gains = cut("n"), [{}, {"gain": "rating"}]
    asked = {
        **dict.fromkeys(["Precision", "Recall", "RecipRank", "Hit", "AveragePrecision"], ns),
        "DCG": cross(ns, gains),
        "NDCG": cross(ns, gains, [{}, {"weight": offset}]),
        "RBP": cross(ns, [{}, {"patience": 0.5}], [{}, {"normalize": True}]),
    }
    rows = []
    qrels, run = collect("graded")
    for query, judged in qrels.items():
        good = {doc: grade for doc, grade in judged.items() if grade > 0}
        if not good:
            continue
        test = ItemList(item_ids=[*good], rating=[*map(float, good.values())])
        found = ItemList(item_ids=rank(run[query]), ordered=True)
        for name, several in asked.items():
            for options in several:
                called = spell(name, options).replace(repr(offset), offset)
                given = dict(options)
                if "weight" in given:
                    given["weight"] = ranking.LogRankWeight(offset=1)
                value = getattr(ranking, name)(**given).measure_list(found, test)
                rows.append((query, called, value))
    return rows


def freeze_rectools() -> list:
    """Documents of a grade above 0 are the interactions; the catalog is every document there is."""
    import pandas as pd
    from rectools import metrics

    ks = [{"k": k} for k in CUTOFFS]
    asked = {
        "Precision": cross(ks, [{}, {"r_precision": True}]),
        "F1Beta": cross(ks, [{}, {"beta": 2.0}]),
        "MAP": cross(ks, [{}, {"divide_by_k": True}]),
        "NDCG": cross(ks, [{}, {"log_base": 10}], [{}, {"divide_by_achievable": True}]),
        **dict.fromkeys(["Recall", "HitRate", "MRR", "Accuracy", "MCC", "PartialAUC", "PAP"], ks),
    }
    qrels, run = collect("graded")
    good = [(q, doc) for q, judged in qrels.items() for doc, grade in judged.items() if grade > 0]
    truth = pd.DataFrame(good, columns=["user_id", "item_id"])
    lists = [(q, doc, n) for q in run for n, doc in enumerate(rank(run[q]), 1)]
    found = pd.DataFrame(lists, columns=["user_id", "item_id", "rank"])
    rows = []
    for name, several in asked.items():
        for options in several:
            metric = getattr(metrics, name)(**options)
            catalog = {"catalog": CATALOG} if name in {"Accuracy", "MCC"} else {}
            values = metric.calc_per_user(found, truth, **catalog)
            rows += [(query, spell(name, options), value) for query, value in values.items()]
    return rows


def freeze_recommenders() -> list:
    """Documents of a grade above 0 are the truth; ``map`` is the mean average precision."""
    import pandas as pd
    from recommenders.evaluation import python_evaluation

    ks = [{"k": k} for k in CUTOFFS]
    scores = [{}, {"score_type": "raw"}, {"score_type": "exp"}]
    names = ["precision_at_k", "recall_at_k", "r_precision_at_k", "map", "map_at_k"]
    asked = [(name, options) for name in names for options in ks]
    asked += [("ndcg_at_k", o) for o in cross(ks, scores, [{}, {"discfun_type": "log2"}])]
    columns = ["userID", "itemID", "rating"]
    rows = []
    qrels, run = collect("graded")
    for query, judged in qrels.items():
        good = [(query, doc, float(grade)) for doc, grade in judged.items() if grade > 0]
        if not good:
            continue
        truth = pd.DataFrame(good, columns=columns)
        found = [(query, doc, float(-place)) for place, doc in enumerate(rank(run[query]))]
        found = pd.DataFrame(found, columns=[*columns[:2], "prediction"])
        for name, options in asked:
            value = getattr(python_evaluation, name)(truth, found, **options)
            rows.append((query, spell(name, options), value))
    return rows


def freeze_replay() -> list:
    """Documents of a grade above 0 are the ground truth, of the users who have any."""
    import polars as pl
    from replay import metrics

    qrels, run = collect("graded")
    good = [(q, doc) for q, judged in qrels.items() for doc, grade in judged.items() if grade > 0]
    truth = pl.DataFrame(good, ["query_id", "item_id"], orient="row")
    lists = [(q, doc, -float(n)) for q in run for n, doc in enumerate(rank(run[q]))]
    found = pl.DataFrame(lists, [*truth.columns, "rating"], orient="row")
    rows = []
    for name in ("HitRate", "MAP", "MRR", "NDCG", "Precision", "Recall", "RocAuc"):
        scores = getattr(metrics, name)([*CUTOFFS], mode=metrics.PerUser())(found, truth)
        for key, values in scores.items():
            measure = f"{name}({key.partition('@')[2]})"
            rows += [(query, measure, value) for query, value in values.items()]
    return rows


def list_ids() -> dict[str, tuple[list[str], list[str]]]:
    """Of each query with something relevant and something retrieved, the ids of both."""
    qrels, run = collect("graded")
    lists = {}
    for query, judged in qrels.items():
        good = [doc for doc, grade in judged.items() if grade > 0]
        if good and run[query]:
            lists[query] = good, rank(run[query])
    return lists


def freeze_ragas() -> list:
    """Documents of a grade above 0 are the references; their texts are their ids."""
    import asyncio

    from ragas import SingleTurnSample, metrics

    by_id = {name: getattr(metrics, name)() for name in RAGAS if name.startswith("ID")}
    exact = {"distance_measure": metrics.ExactMatch()}
    by_text = {
        "NonLLMContextPrecisionWithReference(distance_measure=ExactMatch())": (
            metrics.NonLLMContextPrecisionWithReference(**exact)
        ),
        "NonLLMContextRecall(_distance_measure=ExactMatch())": metrics.NonLLMContextRecall(
            _distance_measure=exact["distance_measure"]
        ),
    }

    async def ask() -> list:
        rows = []
        for query, (good, found) in list_ids().items():
            ids = SingleTurnSample(reference_context_ids=good, retrieved_context_ids=found)
            texts = SingleTurnSample(reference_contexts=good, retrieved_contexts=found)
            for name, metric in by_id.items():
                rows.append((query, f"{name}()", await metric.single_turn_ascore(ids)))
            for name, metric in by_text.items():
                rows.append((query, name, await metric.single_turn_ascore(texts)))
        return rows

    return asyncio.run(ask())


RAGAS = ["IDBasedContextPrecision", "IDBasedContextRecall"]
RAGAS += ["NonLLMContextPrecisionWithReference", "NonLLMContextRecall"]


def freeze_llama_index() -> list:
    """Documents of a grade above 0 are the expected ids."""
    from llama_index.core.evaluation.retrieval import metrics

    asked = {
        "HitRate": [{}, {"use_granular_hit_rate": True}],
        "MRR": [{}, {"use_granular_mrr": True}],
        "NDCG": [{}, {"mode": "exponential"}],
        **{name: [{}] for name in ("Precision", "Recall", "AveragePrecision")},
    }
    return [
        (query, spell(name, options), metric.compute(expected_ids=g, retrieved_ids=f).score)
        for name, several in asked.items()
        for options in several
        for metric in [getattr(metrics, name)(**options)]
        for query, (g, f) in list_ids().items()
    ]


def freeze_haystack() -> list:
    """Documents of a grade above 0 are the ground truth, compared by their content.

    NDCG is also asked with their grades as scores.
    """
    from haystack import Document
    from haystack.components import evaluators
    from haystack.components.evaluators.document_recall import RecallMode

    qrels, _ = collect("graded")
    lists = list_ids()
    found = [[Document(content=id) for id in ids] for _, ids in lists.values()]
    plain = [[Document(content=id) for id in ids] for ids, _ in lists.values()]
    scored = [
        [Document(content=id, score=float(qrels[query][id])) for id in ids]
        for query, (ids, _) in lists.items()
    ]
    asked = [
        *(("DocumentRecallEvaluator", {"mode": mode}) for mode in RecallMode),
        *((f"Document{name}Evaluator", {}) for name in ("MRR", "MAP", "NDCG")),
    ]
    rows = []
    for name, options in asked:
        evaluator = getattr(evaluators, name)(**options)
        called = spell(name, {key: str(value) for key, value in options.items()})
        for truth, more in ((plain, ""), *([(scored, " of scores")] if "NDCG" in name else [])):
            values = evaluator.run(ground_truth_documents=truth, retrieved_documents=found)
            pairs = zip(lists, values["individual_scores"], strict=True)
            rows += [(query, called + more, value) for query, value in pairs]
    return rows


@cache
def load_alone(package: str, path: str, *needed: str) -> types.ModuleType:
    """A module of a package without the package, which would import too much.

    What it ``needed`` of other modules, ``mteb.types.Result``, only holds what it is given.
    """
    folder = Path(importlib.util.find_spec(package).origin).parent
    for each in needed:
        name, _, attribute = each.rpartition(".")
        module = sys.modules.setdefault(name, types.ModuleType(name))
        setattr(module, attribute, lambda *_, **given: types.SimpleNamespace(**given))
    name = f"{package}_alone"
    spec = importlib.util.spec_from_file_location(name, folder / path)
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def load_mteb() -> types.ModuleType:
    """The module of its metrics; the package would import torch."""
    needed = "mteb.types.RetrievalEvaluationResult"
    return load_alone("mteb", "_evaluators/retrieval_metrics.py", needed)


def freeze_mteb() -> list:
    """By the names of its results: those of trec_eval, and its own of each query."""
    metrics = load_mteb()
    qrels, run = collect("collection")
    both = sorted(set(qrels) & set(run))
    judged = {query: qrels[query] for query in both}
    found = {query: run[query] for query in both}
    theirs = {"ndcg": "ndcg_cut", "map": "map_cut", "recall": "recall", "precision": "P"}
    theirs["hit_rate"] = "success"
    scores = metrics.calculate_retrieval_scores(found, judged, BEIR_CUTOFFS).all_scores
    rows = [
        (query, f"{name}_at_{k}", scores[query][f"{stem}_{k}"])
        for name, stem in theirs.items()
        for k in BEIR_CUTOFFS
        for query in both
    ]
    rows += [(query, "accuracy", scores[query]["recall_1"]) for query in both]
    own = {**metrics.mrr(judged, found, BEIR_CUTOFFS)}
    own |= metrics.hole(qrels, found, BEIR_CUTOFFS)  # known are the judgments of all queries
    for name, values in own.items():
        called = name.replace("MRR@", "mrr_at_")
        rows += [(query, called, value) for query, value in zip(both, values, strict=True)]
    good = [query for query in both if any(grade > 0 for grade in judged[query].values())]
    capped = metrics.recall_cap(judged, {query: found[query] for query in good}, BEIR_CUTOFFS)
    for name, values in capped.items():
        rows += [(query, name, value) for query, value in zip(good, values, strict=True)]
    return rows


def list_relevant(judged: dict) -> list[str]:
    return [doc for doc, grade in judged.items() if grade > 0]


def freeze_mlflow() -> list:
    """Over ids; a query without results has an empty list. With nothing relevant either, it is 1."""
    import pandas as pd

    needed = [f"mlflow.metrics.base.{name}" for name in ("MetricValue", "standard_aggregations")]
    needed.append("mlflow.environment_variables._MLFLOW_TESTING")
    module = load_alone("mlflow", "metrics/metric_definitions.py", *needed)
    qrels, run = collect("collection")
    asked = [query for query in qrels if query in run or list_relevant(qrels[query])]
    targets = pd.Series([list_relevant(qrels[query]) for query in asked])
    found = pd.Series([rank(run.get(query, {})) for query in asked])
    rows = []
    for name, k in product(("precision", "recall", "ndcg"), CUTOFFS):
        values = getattr(module, f"_{name}_at_k_eval_fn")(k)(found, targets).scores
        rows += [(q, f"{name}_at_k(k={k})", x) for q, x in zip(asked, values, strict=True)]
    return rows


def freeze_pyvespa() -> list:
    """One query at a time, of ids in a set and of grades from 0 to 1, where it has only nDCG.

    It leaves out queries with nothing in the set.
    """
    needed = "vespa.application.Vespa", "vespa.io.VespaQueryResponse"
    module = load_alone("vespa", "evaluation/_base.py", *needed)
    evaluator = object.__new__(module.VespaEvaluator)
    for name in ("accuracy", "precision_recall", "mrr", "ndcg", "map"):
        setattr(evaluator, f"{name}_at_k", CUTOFFS)
    qrels, run = collect("collection")
    rows = []
    for query, judged in qrels.items():
        hits = [(doc, 1.0) for doc in rank(run.get(query, {}))]
        grades = {doc: max(0, grade) / 4 for doc, grade in judged.items()}
        for truth, more in ((set(list_relevant(judged)), ""), (grades, " of grades")):
            evaluator.relevant_docs = module.validate_qrels({query: truth})
            evaluator.queries_ids = module.filter_queries({query: ""}, evaluator.relevant_docs)
            if evaluator.queries_ids:
                found = evaluator._compute_metrics([hits])
                rows += [(query, name + more, value) for name, value in found.items()]
    return rows


def freeze_phoenix() -> list:
    """Of the grades of each list, where documents without judgment have 0."""
    module = load_alone("phoenix", "metrics/retrieval_metrics.py")
    qrels, run = collect("collection")
    rows = []
    for query, judged in qrels.items():
        grades = [max(0, judged.get(doc, 0)) for doc in rank(run.get(query, {}))]
        metrics = module.RetrievalMetrics(grades)
        for name, options in [
            *(("ndcg", each) for each in cut("k")),
            *(("precision", each) for each in cut("k")),
            ("reciprocal_rank", {}),
            ("hit", {}),
        ]:
            rows.append((query, spell(name, options), getattr(metrics, name)(**options)))
    return rows


def write_mteb() -> None:
    """Cases of mteb's functions of several queries or runs: what they were given and said."""
    import numpy as np

    metrics = load_mteb()
    chance = random.Random(11)
    pool = [f"d{n}" for n in range(30)]
    cases = {"confidence": [], "nauc": [], "p_mrr": []}
    for _ in range(60):
        listed = [chance.randint(-20, 20) / 8 for _ in range(chance.randint(1, 9))]
        cases["confidence"].append((listed, metrics.confidence_scores(listed)))
        size = chance.randint(2, 60)
        sure = chance.sample(range(1000), size)
        scores = [chance.choice([0.0, 1.0, chance.random()]) for _ in range(size)]
        if len({*scores}) > 1:
            value = metrics.nauc(np.array(sure), np.array(scores))
            cases["nauc"].append((sure, scores, float(value)))
        before, after = ({}, {})
        for query in range(chance.randint(1, 5)):
            for run, end in ((before, "og"), (after, "changed")):
                found = chance.sample(pool, chance.randint(1, 25))
                run[f"{query}-{end}"] = {doc: -float(n) for n, doc in enumerate(found)}
        changed = {str(q): chance.sample(pool, chance.randint(1, 6)) for q in range(len(before))}
        value = metrics.calculate_pmrr(before, after, changed)
        cases["p_mrr"].append((changed, before, after, float(value)))
    text = ",\n".join(f"{json.dumps(name)}: {json.dumps(case)}" for name, case in cases.items())
    (FOLDER / "mteb.json").write_text("{\n" + text + "\n}\n", encoding="utf-8")


# Learning to rank. A query is a dataset of its own, whose scores come in place of a model's.


def list_tables() -> list[tuple]:
    """Of each query its labels and scores."""
    import numpy as np

    qrels, run = collect("table")
    return [
        (query, np.array([*judged.values()], dtype=float), np.array([*run[query].values()]))
        for query, judged in qrels.items()
    ]


def freeze_lightgbm() -> list:
    """A model without trees adds nothing to its initial scores."""
    import lightgbm
    import numpy as np

    rows, quiet = [], {"verbose": -1, "num_threads": 1}
    for query, labels, scores in list_tables():
        for more in ({}, {"label_gain": [0, 1, 2, 3, 4]}):
            given = {"group": [len(labels)], "init_score": scores, "params": quiet}
            data = lightgbm.Dataset(np.zeros((len(labels), 1)), label=labels, **given)
            asked = {"metric": ["ndcg", "map"], "eval_at": [*CUTOFFS], **more}
            model = lightgbm.Booster({"objective": "lambdarank", **asked, **quiet}, data)
            called = "".join(f", {key}={value}" for key, value in more.items())
            for _, name, value, *_ in model.eval_train():
                if not more or name.startswith("ndcg"):
                    rows.append((query, name + called, value))
    return rows


def freeze_xgboost() -> list:
    """A model without trees adds nothing to its margins. Some metrics take labels of 0 and 1."""
    import numpy as np
    import xgboost

    ends = ["", *(f"@{k}" for k in CUTOFFS)]
    graded = [f"ndcg{end}{empty}" for end in ends for empty in ("", "-")]
    binary = [f"map{end}{empty}" for end in ends for empty in ("", "-")]
    binary += [f"pre@{k}" for k in CUTOFFS]
    asked = [(graded, True), (graded, False), (binary, True)]
    rows = []
    for query, labels, scores in list_tables():
        for names, is_exponential in asked:
            given = {"base_margin": scores, "qid": np.zeros(len(labels), dtype=int)}
            target = (labels > 0).astype(float) if names is binary else labels
            data = xgboost.DMatrix(np.zeros((len(labels), 1)), label=target, nthread=1, **given)
            options = {"objective": "rank:ndcg", "eval_metric": names, "nthread": 1}
            if not is_exponential:
                options["ndcg_exp_gain"] = False
            text = xgboost.Booster(options, [data]).eval(data)
            called = "" if is_exponential else ", ndcg_exp_gain=False"
            for part in text.split("\t")[1:]:
                name, _, value = part.removeprefix("eval-").rpartition(":")
                rows.append((query, name + called, float(value)))
    return rows


def freeze_catboost() -> list:
    """Labels of ERR and PFound are probabilities: the grades divided by 4."""
    from catboost.utils import eval_metric

    tops = [[], *([f"top={k}"] for k in CUTOFFS)]
    gains = [[], ["type=Exp"], ["denominator=Position"], ["type=Exp", "denominator=Position"]]
    asked = [(name, top + gain) for name in ("NDCG", "DCG") for top in tops for gain in gains]
    names = ["MAP", "MRR", "PrecisionAt", "RecallAt", "ERR", "PFound"]
    asked += [(name, top) for name in names for top in tops]
    asked += [("PFound", [*top, "decay=0.7"]) for top in tops]
    asked += [("QueryAUC", ["type=Ranking"])]
    rows = []
    for query, labels, scores in list_tables():
        for name, options in asked:
            called = name + ":" * bool(options) + ";".join(options)
            target = labels / 4 if name in {"ERR", "PFound"} else labels
            if name == "QueryAUC":
                target = (labels > 0).astype(float)
            (value,) = eval_metric(target, scores, called, group_id=[0] * len(labels))
            rows.append((query, called, value))
    return rows


# trec_eval: the structures of trec_eval.h, and what trec_eval.c does with them.

Long, Text, Pointer = ctypes.c_long, ctypes.c_char_p, ctypes.c_void_p


def define(structure: str, /, **fields: type) -> type:
    return type(structure, (ctypes.Structure,), {"_fields_": [*fields.items()]})


Settings = define(
    "Settings",
    query_flag=Long, summary_flag=Long, debug_level=Long, debug_query=Text, relation_flag=Long,
    average_complete_flag=Long, judged_docs_only_flag=Long, num_docs_in_coll=Long,
    relevance_level=Long, max_num_docs_per_topic=Long, rel_info_format=Text, results_format=Text,
    zscore_flag=Long, meas_arg=Pointer,
)  # fmt: skip
Judged = define("Judged", qid=Text, rel_format=Text, q_rel_info=Pointer)
AllJudged = define("AllJudged", number=Long, room=Long, items=ctypes.POINTER(Judged))
Found = define("Found", qid=Text, run_id=Text, ret_format=Text, q_results=Pointer)
AllFound = define("AllFound", number=Long, room=Long, items=ctypes.POINTER(Found))
Value = define("Value", name=Text, value=ctypes.c_double)
Values = define(
    "Values", qid=Text, num_queries=Long, values=ctypes.POINTER(Value), number=Long, room=Long
)
Argument = define("Argument", measure=Text, parameters=Text)
Parameters = define("Parameters", text=Text, number=Long, values=Pointer)
Nickname = define("Nickname", name=Text, measures=ctypes.POINTER(Text))
Init, PerRun, PerQuery = (ctypes.CFUNCTYPE(ctypes.c_int, *[Pointer] * n) for n in (3, 4, 5))
Measure = define(
    "Measure",
    name=Text, explanation=Text, init=Init, calc=PerQuery, accumulate=PerRun, average=PerRun,
    print_single=Pointer, print_final=Pointer, params=Pointer, eval_index=Long,
)  # fmt: skip


def list_trec_eval() -> dict[str, Measure]:
    """The metrics of the C code by name."""
    import pytrec_eval_ext

    library = ctypes.CDLL(pytrec_eval_ext.__file__)
    number = ctypes.c_int.in_dll(library, "te_num_trec_measures").value
    measures = (ctypes.POINTER(Measure) * number).in_dll(library, "te_trec_measures")
    return {each.contents.name.decode(): each.contents for each in measures}


def list_nicknames() -> dict[str, list[str]]:
    """The sets of metrics of the C code by name."""
    import pytrec_eval_ext

    library = ctypes.CDLL(pytrec_eval_ext.__file__)
    number = ctypes.c_int.in_dll(library, "te_num_trec_measure_nicknames").value
    nicknames = (Nickname * number).in_dll(library, "te_trec_measure_nicknames")
    return {
        each.name.decode(): [name.decode() for name in takewhile(bool, each.measures)]
        for each in nicknames
    }


def ask_trec_eval(judgments: str, run: str, form: str, names: list[str], level: int = 1) -> list:
    """The lines of `run_trec_eval`, in a process of its own: the C code keeps what is freed later."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(run_trec_eval, (judgments, run, form, names, level))


def run_trec_eval(judgments: str, run: str, form: str, names: list[str], level: int = 1) -> list:
    """What ``trec_eval -q -R form -l level -m name …`` prints, with all digits.

    Names may have parameters, as in ``P.5,10``. The code remembers the last query by its id, so
    that other judgments need other ids.
    """
    import pytrec_eval_ext

    library, of = ctypes.CDLL(pytrec_eval_ext.__file__), ctypes.byref
    wanted = dict(name.partition(".")[::2] for name in names)
    asked = [measure for name, measure in list_trec_eval().items() if name in wanted]
    assert len(asked) == len(wanted) == len(names)
    given = [(name.encode(), text.encode()) for name, text in wanted.items() if text]
    arguments = (Argument * (len(given) + 1))(*given)
    settings = Settings(
        query_flag=1, relevance_level=level, max_num_docs_per_topic=2**31 - 1,
        rel_info_format=form.encode(), results_format=b"trec_results",
        meas_arg=ctypes.cast(arguments, Pointer) if given else None,
    )  # fmt: skip
    judged, found = AllJudged(), AllFound()
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, "judgments"), Path(folder, "run")]
        for file, text in zip(files, (judgments, run), strict=True):
            file.write_text(text, encoding="utf-8")
        readers = [library[f"te_get_{form}"], library.te_get_trec_results]
        for reader, file, into in zip(readers, files, (judged, found), strict=True):
            assert reader(of(settings), str(file).encode(), of(into)) == 1
    totals, store = (Value * 4000)(), (Value * 4000)()
    whole = Values(qid=b"all", values=totals, number=0, room=4000)
    size = ctypes.sizeof(Parameters)
    defaults = [(m.params, ctypes.string_at(m.params, size)) for m in asked if m.params]
    for measure in asked:
        assert measure.init(of(settings), of(measure), of(whole)) == 1
    place = {judged.items[n].qid: n for n in range(judged.number)}
    names = [slot.name.decode() for slot in totals[: whole.number]]
    rows = []
    for n in range(found.number):
        query = found.items[n].qid
        if query not in place:
            continue
        ctypes.memset(store, 0, ctypes.sizeof(store))
        ctypes.memmove(store, totals, whole.number * ctypes.sizeof(Value))  # their names
        for slot in store[: whole.number]:
            slot.value = 0
        values = Values(qid=query, values=store, number=whole.number, room=4000)
        theirs = of(judged.items[place[query]]), of(found.items[n])
        for measure in asked:
            assert measure.calc(of(settings), *theirs, of(measure), of(values)) != -1
            assert measure.accumulate(of(settings), of(measure), of(values), of(whole)) == 1
        rows += [(query.decode(), name, store[n].value) for n, name in enumerate(names)]
        whole.num_queries += 1
    for measure in asked:
        assert measure.average(of(settings), of(measure), of(judged), of(whole)) == 1
    for place, params in defaults:  # else they stay as they were given
        ctypes.memmove(place, params, size)
    return rows + [("all", name, totals[n].value) for n, name in enumerate(names)]


def list_measures(tool: str) -> list[str]:
    """The names of what a tool measures of rankings."""
    modules = {
        "torchmetrics": "torchmetrics.retrieval",
        "pyNTCIREVAL": "pyNTCIREVAL.metrics",
        "lenskit": "lenskit.metrics",
        "rectools": "rectools.metrics",
        "recommenders": "recommenders.evaluation.python_evaluation",
        "ragas": "ragas.metrics",
        "llama_index": "llama_index.core.evaluation.retrieval.metrics",
        "haystack": "haystack.components.evaluators",
    }
    if tool in FEW:
        return FEW[tool].split()
    if tool in SOURCES:
        return list_defined(*SOURCES[tool])
    if tool == "ranx":
        return sorted({*RANX_STEMS, "r-precision", "bpref", "rbp"})
    if tool == "beir":
        return ["Accuracy", "Hole", "MAP", "MRR", "NDCG", "P", "R_cap", "Recall"]
    if tool == "scikit-learn":  # of its metrics those of rankings, and of sets as far as asked
        ranking = "dcg_score ndcg_score average_precision_score label_ranking_loss coverage_error"
        ranking += " label_ranking_average_precision_score roc_auc_score top_k_accuracy_score"
        return sorted([*ranking.split(), *SETS, "precision_recall_curve", "roc_curve", "det_curve"])
    if tool in LEARNERS:
        return sorted(LEARNERS[tool].split())
    if tool == "mteb":  # of its results, without cut-offs, and of its tasks
        names = "ndcg map recall precision hit_rate accuracy mrr R_cap Hole nauc p-MRR"
        return sorted([*names.split(), "robustness_at_10", "paired_accuracy", "top_k_accuracy"])
    module = importlib.import_module(modules[tool])
    if tool == "ragas":
        found = inspect.getmembers(module, inspect.isclass)
        return sorted({name.lstrip("_") for name, _ in found if "Context" in name})
    if tool == "llama_index":
        base = module.BaseRetrievalMetric
        found = inspect.getmembers(module, inspect.isclass)
        return [name for name, kind in found if issubclass(kind, base) and kind is not base]
    if tool == "haystack":
        return sorted({name for name in dir(module) if name.startswith("Document")})
    if tool == "recommenders":
        found = inspect.getmembers(module, inspect.isfunction)
        own = [name for name, function in found if function.__module__ == module.__name__]
        return [n for n in own if not n.startswith(("_", "get_", "merge_", "lru_"))]
    if tool == "torchmetrics":
        return sorted(module.__all__)
    if tool == "lenskit":
        for part in ("ranking", "basic"):
            vars(module).update(vars(importlib.import_module(f"lenskit.metrics.{part}")))
    bases = {"Metric", "ListMetric", "GlobalMetric", "DecomposedMetric", "RankingMetricBase"}
    found = inspect.getmembers(module, inspect.isclass)
    if tool == "lenskit":
        found = [(name, kind) for name, kind in found if issubclass(kind, module.Metric)]
    if tool == "rectools":
        found = [pair for pair in found if hasattr(pair[1], "calc")]
        bases |= {name for name, _ in found if name not in module.__all__}
    return [name for name, _ in found if name not in bases]


# What tools of much else have for rankings.
FEW = {
    "mlflow": "ndcg_at_k precision_at_k recall_at_k",
    "phoenix": "hit ndcg precision reciprocal_rank",
    "pyvespa": "accuracy map mrr ndcg precision recall",
}
# The metrics of rankings that are not objectives, of the tools' own lists.
LEARNERS = {
    "LightGBM": "ndcg map auc average_precision",
    "XGBoost": "ndcg map pre auc aucpr",
    "CatBoost": "NDCG DCG FilteredDCG QueryAverage PFound PrecisionAt RecallAt MAP ERR MRR AUC"
    " QueryAUC PairAccuracy",
}
# The package of a tool and its files of metrics, which need not be imported to be listed.
SOURCES = {
    "RePlay": ("replay-rec", "replay/metrics/[!_]*.py"),
    "RecBole": ("recbole", "recbole/evaluator/metrics.py"),
    "recmetrics": ("recmetrics", "recmetrics/metrics.py"),
    "FairRankTune": ("fairranktune", "FairRankTune/Metrics/*.py"),
}
# What is defined there, and is not a metric.
NO_METRICS = {
    *("Metric", "OfflineMetrics", "Experiment", "TorchMetricsBuilder", "metrics_to_df"),
    *("MetricDuplicatesWarning", "make_confusion_matrix"),
    *("CalculationDescriptor", "Mean", "Median", "ConfidenceInterval", "PerUser"),
}


def list_defined(package: str, pattern: str) -> list[str]:
    """The classes and functions that files of a package define."""
    names = set()
    for file in distribution(package).files:
        if file.match(pattern):
            parts = ast.parse(file.read_text(encoding="utf-8")).body
            names |= {p.name for p in parts if isinstance(p, ast.ClassDef | ast.FunctionDef)}
    return sorted(name for name in names - NO_METRICS if not name.startswith("_"))


def write_measures(tool: str) -> None:
    """All names of a tool in measures.csv, after those of others."""
    path = FOLDER / "measures.csv"
    rows = path.read_text(encoding="utf-8").splitlines()[1:] if path.exists() else []
    rows = [row for row in rows if not row.startswith(f"{tool},")]
    rows += [f"{tool},{name}" for name in list_measures(tool)]
    path.write_text("\n".join(["tool,measure", *sorted(rows)]) + "\n", encoding="utf-8")


TOOLS = {
    "ranx": freeze_ranx,
    "beir": freeze_beir,
    "scikit-learn": freeze_sklearn,
    "torchmetrics": freeze_torchmetrics,
    "pyNTCIREVAL": freeze_ntcireval,
    "lenskit": freeze_lenskit,
    "rectools": freeze_rectools,
    "recommenders": freeze_recommenders,
    "RePlay": freeze_replay,
    "ragas": freeze_ragas,
    "llama_index": freeze_llama_index,
    "haystack": freeze_haystack,
    "mteb": freeze_mteb,
    "LightGBM": freeze_lightgbm,
    "XGBoost": freeze_xgboost,
    "CatBoost": freeze_catboost,
    "mlflow": freeze_mlflow,
    "pyvespa": freeze_pyvespa,
    "phoenix": freeze_phoenix,
}


def main() -> None:
    parts = sys.argv[1:] or ["recorded.json", "collections", *TOOLS]
    unknown = set(parts) - {"recorded.json", "collections", *TOOLS}
    assert not unknown, unknown
    for part in parts:
        if part == "recorded.json":
            write_json()
        elif part == "collections":
            write_collections()
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                write_figures(part, TOOLS[part]())
                write_measures(part)
            if part == "mteb":
                write_mteb()


if __name__ == "__main__":
    main()
