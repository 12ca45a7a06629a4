"""Record how other tools score the cases of tests/recommended.py, in tests/recorded/, and the names
of what they measure, unless record_scores.py has them.

python -m pip install replay-rec==0.22.0 rectools==0.19.0 lenskit==2025.8.1 recmetrics==0.0.12 \
    recommenders==1.2.1 fairranktune==0.0.7 polars tensorboard
python -m pip install --no-deps recbole==1.2.1
python tools/record_recommenders.py
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))
import recommended as cases  # noqa: E402
import record_scores  # noqa: E402

FILE = TESTS / "recorded" / "recommendations.parquet"
SCHEMA = {
    "seed": pl.Int64,
    "tool": pl.String,
    "version": pl.String,
    "measure": pl.String,
    "query_id": pl.String,
    "score": pl.Float64,
}
# Our name of a metric, a user or None for all lists together, and the score.
Found = Iterator[tuple[str, str | None, float]]


def tabulate(lists: dict[str, list[str]]) -> pd.DataFrame:
    rows = [
        (user, item, place)
        for user, items in lists.items()
        for place, item in enumerate(items, start=1)
    ]
    return pd.DataFrame(rows, columns=["user_id", "item_id", "rank"])


def make_history(case: cases.Case) -> pd.DataFrame:
    """Each item of a user once, since some count interactions."""
    return pd.DataFrame(sorted({*case.history}), columns=["user_id", "item_id"])


def ask_replay(case: cases.Case, seed: int, k: int) -> Found:
    from replay.metrics import CategoricalDiversity, Coverage, PerUser, Surprisal, Unexpectedness

    def make(lists: dict[str, list[str]]) -> pl.DataFrame:
        frame = pl.DataFrame(tabulate(lists).to_dict("list"))
        return frame.select(query_id="user_id", item_id="item_id", rating=-pl.col("rank"))

    def score(metric, *tables: pl.DataFrame) -> Found:
        for user, value in metric(*tables)[f"{metric.__name__}@{k}"].items():
            yield f"{type(metric).__name__}@{k}", user, value

    run = make(case.lists)
    train = pl.DataFrame(make_history(case).to_dict("list")).rename({"user_id": "query_id"})
    yield from score(Surprisal(k, mode=PerUser()), run, train)
    baseline = {user: cases.rank(scores) for user, scores in case.baseline.items()}
    both = make({user: items for user, items in case.lists.items() if user in baseline})
    if not both.is_empty():
        yield from score(Unexpectedness(k, mode=PerUser()), both, make(baseline))
    if cases.is_whole(seed):  # an item has one category
        categories = {item: each[0] for item, (each, *_) in case.items.items()}
        named = run.with_columns(category_id=pl.col("item_id").replace_strict(categories))
        yield from score(CategoricalDiversity(k, mode=PerUser()), named)
    catalogue = pl.DataFrame({"query_id": "u0", "item_id": [*case.items]})
    yield f"ItemCoverage@{k}", None, Coverage(k)(run, catalogue)[f"Coverage@{k}"]


def ask_rectools(case: cases.Case, _seed: int, k: int) -> Found:
    from rectools import metrics
    from rectools.metrics.distances import PairwiseHammingDistanceCalculator

    reco, prior = tabulate(case.lists), make_history(case)
    relevant = [
        (user, item) for user, items in case.qrels.items() for item, x in items.items() if x >= 1
    ]
    interactions = pd.DataFrame(relevant, columns=["user_id", "item_id"])
    catalogue = [*case.items]
    baseline = tabulate({user: cases.rank(scores) for user, scores in case.baseline.items()})
    one_hot = pd.DataFrame(
        [[int(c in each) for c in "xyz"] for each, *_ in case.items.values()], index=catalogue
    )
    distance = PairwiseHammingDistanceCalculator(one_hot)
    found = {
        "Novelty": metrics.MeanInvUserFreq(k).calc_per_user(reco, prior),
        "ARP": metrics.AvgRecPopularity(k).calc_per_user(reco, prior),
        "Overlap": metrics.Intersection(k).calc_per_user(reco, baseline),
        "Serendipity": metrics.Serendipity(k).calc_per_user(reco, interactions, prior, catalogue),
        "ILD(distance='hamming')": metrics.IntraListDiversity(k, distance).calc_per_user(reco),
    }
    for name, scores in found.items():
        for user, score in scores.items():
            yield f"{name}@{k}", user, score
    covered = metrics.CatalogCoverage(k, normalize=True).calc(reco, catalogue)
    yield f"ItemCoverage@{k}", None, covered
    if k == 1:
        yield "UserCoverage", None, metrics.CoveredUsers(k).calc(reco, prior)


def ask_lenskit(case: cases.Case, _seed: int, k: int) -> Found:
    from lenskit.data import ItemList, from_interactions_df
    from lenskit.metrics.ranking import ExposureGini, ListGini, LogRankWeight, MeanPopRank

    data = from_interactions_df(make_history(case))
    lists = {user: ItemList(item_ids=items, ordered=True) for user, items in case.lists.items()}
    none = ItemList(item_ids=[])
    popular = MeanPopRank(data, n=k)
    for user, items in lists.items():
        yield f"MeanPopRank@{k}", user, popular.measure_list(items, none)
    size = len(case.items)
    ginis = {
        "Gini": ListGini(n=k, items=size),
        "Gini(exposure='discounted')": ExposureGini(
            n=k, items=size, weight=LogRankWeight(offset=1)
        ),
    }
    for name, gini in ginis.items():
        values = [gini.compute_list_data(items, none) for items in lists.values()]
        yield f"{name}@{k}", None, gini.global_aggregate(values)


def ask_recmetrics(case: cases.Case, _seed: int, k: int) -> Found:
    from sklearn.utils import fixes

    fixes.signature = inspect.signature  # which its plots import from there
    from recmetrics import metrics

    lists = {user: items[:k] for user, items in case.lists.items()}
    names = [*case.items]
    one_hot = pd.DataFrame(
        [[int(c in each) for c in "xyz"] for each, *_ in case.items.values()], index=names
    )
    vectors = pd.DataFrame([vector for *_, vector in case.items.values()], index=names)
    for user, items in lists.items():
        if len(items) > 1:
            alike = metrics.intra_list_similarity([items], one_hot)
            yield f"ILD@{k}", user, 1 - alike
            yield f"VectorILD@{k}", user, 1 - metrics.intra_list_similarity([items], vectors)
    if len(lists) > 1:
        yield f"Personalization@{k}", None, metrics.personalization([*lists.values()])


def ask_recommenders(case: cases.Case, _seed: int, k: int) -> Found:
    from recommenders.evaluation import python_evaluation

    reco = tabulate(case.lists)
    reco = reco[reco["rank"] <= k]
    catalogue = pd.DataFrame({"user_id": "nobody", "item_id": [*case.items]})
    named = {"col_user": "user_id", "col_item": "item_id"}
    covered = python_evaluation.catalog_coverage(catalogue, reco, **named)
    yield f"ItemCoverage@{k}", None, covered
    spread = python_evaluation.distributional_coverage(catalogue, reco, **named)
    yield f"Entropy@{k}", None, spread


def ask_fairranktune(case: cases.Case, _seed: int, k: int) -> Found:
    from FairRankTune.Metrics import EXP

    rankings = pd.DataFrame({user: pd.Series(items[:k]) for user, items in case.lists.items()})
    groups = {item: group for item, (_, group, _) in case.items.items()}
    ratio, _ = EXP(rankings, groups, "MinMaxRatio")
    yield f"ExposureRatio@{k}", None, ratio


def ask_recbole(case: cases.Case, seed: int, k: int) -> Found:
    from recbole.evaluator import metrics

    if not cases.is_whole(seed):
        return
    number = {item: place for place, item in enumerate(sorted(case.items))}
    matrix = np.array([[number[item] for item in items[:k]] for items in case.lists.values()])
    counts = {number[item]: len(users) for item, users in case.users.items()}

    def make(name: str, **values: float):
        metric = object.__new__(getattr(metrics, name))
        vars(metric).update(values)
        return metric

    yield f"ItemCoverage@{k}", None, make("ItemCoverage").get_coverage(matrix, len(number))
    yield f"Gini@{k}", None, make("GiniIndex").get_gini(matrix, len(number))
    popular = make("AveragePopularity")
    for user, row in zip(
        case.lists, popular.metric_info(popular.get_pop(matrix, counts)), strict=True
    ):
        yield f"ARP@{k}", user, row[-1]
    for tail in (0.1, 0.4, 2):
        metric = make("TailPercentage", tail=tail)
        rows = metric.metric_info(metric.get_tail(matrix, counts))
        for user, row in zip(case.lists, rows, strict=True):
            yield f"TailShare(tail={tail})@{k}", user, row[-1]


TOOLS = {
    "RePlay": ("replay-rec", ask_replay),
    "rectools": ("rectools", ask_rectools),
    "lenskit": ("lenskit", ask_lenskit),
    "recmetrics": ("recmetrics", ask_recmetrics),
    "recommenders": ("recommenders", ask_recommenders),
    "FairRankTune": ("fairranktune", ask_fairranktune),
    "RecBole": ("recbole", ask_recbole),
}

if __name__ == "__main__":
    for tool in TOOLS.keys() - record_scores.TOOLS.keys():
        record_scores.write_measures(tool)
    warnings.simplefilter("ignore")
    rows = [
        (seed, tool, version(package), *found)
        for tool, (package, ask) in TOOLS.items()
        for seed in cases.SEEDS
        for k in cases.CUTOFFS
        for found in ask(cases.draw_case(seed), seed, k)
    ]
    pl.DataFrame(rows, SCHEMA, orient="row").write_parquet(FILE, compression_level=19)
    print(pl.DataFrame(rows, SCHEMA, orient="row").group_by("tool", "version").len())
