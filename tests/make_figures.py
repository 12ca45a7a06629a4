"""Make figures.json: a small collection, and the figures of tools too large to install for tests.

python -m pip install ranx==0.3.21 scikit-learn==1.9.1 pytrec-eval-terrier==0.5.11 tqdm
python -m pip install --no-deps beir==2.2.0
python tests/make_figures.py
"""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from pathlib import Path

FILE = Path(__file__).with_name("figures.json")
QUERIES = 40
RANX = [
    *(f"{name}@{k}" for name in ("precision", "recall", "f1", "hit_rate") for k in (3, 20)),
    *(f"{name}@{k}" for name in ("mrr", "map", "ndcg", "ndcg_burges") for k in (1, 3, 20)),
    *("precision", "recall", "f1", "hit_rate", "hits", "mrr", "map", "r-precision"),
    *("dcg", "dcg_burges", "ndcg", "ndcg_burges", "rbp.80"),
    *("precision@3-l2", "recall@3-l2", "f1@3-l2", "mrr-l2", "map-l2", "r-precision-l2"),
]
BEIR_CUTOFFS = [1, 3, 5, 10, 100]


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


def ask_ranx(qrels: dict, run: dict) -> dict:
    from ranx import Qrels, Run, evaluate

    theirs = Run(run)
    means = evaluate(Qrels(qrels), theirs, RANX, make_comparable=True)
    by_query = {name: {q: float(x) for q, x in theirs.scores[name].items()} for name in RANX}
    return {"mean": {name: float(means[name]) for name in RANX}, "per_query": by_query}


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


def main() -> None:
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


if __name__ == "__main__":
    main()
