"""Recommendations for tests: written out by hand, or drawn at random."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import polars as pl

# What record_recommenders.py recorded.
RECORDED = Path(__file__).parent / "recorded" / "recommendations.parquet"
# Where a tool computes with 32-bit numbers.
CLOSE = {("lenskit", "Gini(exposure='discounted')"): 1e-7}
# How many cases are drawn, and the cut-offs that metrics are compared at.
SEEDS = range(24)
CUTOFFS = (1, 3, 10)


@dataclass
class Case:
    """Lists, what users had, and a catalogue; users and items by name.

    ``items`` have categories, a group and a vector. A list is a score for each item.
    """

    run: dict[str, dict[str, float]]
    history: list[tuple[str, str]] = field(default_factory=list)
    items: dict[str, tuple[list[str], str | None, list[float] | None]] = field(default_factory=dict)
    qrels: dict[str, dict[str, int]] = field(default_factory=dict)
    baseline: dict[str, dict[str, float]] = field(default_factory=dict)

    @property
    def lists(self) -> dict[str, list[str]]:
        """The items of each list in their order: by score, then by name, descending."""
        return {user: rank(scores) for user, scores in self.run.items()}

    @property
    def users(self) -> dict[str, set[str]]:
        """The users who had each item."""
        users: dict[str, set[str]] = {}
        for user, item in self.history:
            users.setdefault(item, set()).add(user)
        return users

    @property
    def num_users(self) -> int:
        return len({user for user, _ in self.history})

    def make_tables(self) -> dict[str, pl.DataFrame | dict]:
        """What `evaluate` takes, as far as there is any."""
        ids = {"query_id": pl.String, "doc_id": pl.String}
        tables: dict[str, pl.DataFrame | dict] = {"run": make_rows(self.run, "score")}
        if self.history:
            tables["history"] = pl.DataFrame(self.history, ids, orient="row")
        if self.items:
            rows = [
                (item, category, group, vector)
                for item, (categories, group, vector) in self.items.items()
                for category in categories or [None]
            ]
            schema = {"doc_id": pl.String, "category": pl.String, "group_id": pl.String}
            schema["features"] = pl.List(pl.Float64)
            tables["items"] = pl.DataFrame(rows, schema, orient="row")
        if self.qrels:
            tables["qrels"] = make_rows(self.qrels, "relevance")
        if self.baseline:
            tables["baseline"] = make_rows(self.baseline, "score")
        return tables


def rank(scores: dict[str, float]) -> list[str]:
    return sorted(scores, key=lambda item: (scores[item], item), reverse=True)


def make_rows(nested: dict, value: str) -> pl.DataFrame:
    schema = {"query_id": pl.String, "doc_id": pl.String, value: pl.Float64}
    rows = [(user, item, float(x)) for user, items in nested.items() for item, x in items.items()]
    return pl.DataFrame(rows, schema, orient="row")


def read_lists(text: str) -> dict[str, dict[str, float]]:
    """``a b | c``: the lists of users u1 and u2, the first item first; ``|  |`` has none for u2."""
    parts = (part.split() for part in text.split("|"))
    return {
        f"u{number}": {item: -float(place) for place, item in enumerate(items)}
        for number, items in enumerate(parts, start=1)
        if items
    }


def read_case(row: dict[str, str]) -> Case:
    """A worked example.

    Lists, baseline, history and relevant items are written as in `read_lists`, items as
    ``a:x+y:g=1,0``: categories x and y, group g, and a vector.
    """
    items = {}
    for token in row["items"].split():
        named, _, vector = token.partition("=")
        name, categories, group, *_ = [*named.split(":"), "", ""]
        values = [float(value) for value in vector.split(",")] if vector else None
        items[name] = (categories.split("+") if categories else [], group or None, values)
    history = [(user, item) for user, had in read_lists(row["history"]).items() for item in had]
    relevant = read_lists(row["relevant"])
    qrels = {user: dict.fromkeys(found, 1) for user, found in relevant.items()}
    return Case(read_lists(row["lists"]), history, items, qrels, read_lists(row["baseline"]))


def draw_case(seed: int) -> Case:
    """Users, items and lists at random, with tied scores.

    In every third case, all lists have five items, and users had each of them. In the others, lists
    are of any length, items are new, and users have no list, no history or nothing relevant.
    """
    draw = random.Random(seed)
    is_full = is_whole(seed)
    users = [f"u{number}" for number in range(draw.randint(2, 8))]
    names = [f"i{number}" for number in range(draw.randint(6, 10))]
    items = {
        name: (
            draw.sample(["x", "y", "z"], 1 if is_full else draw.randint(1, 3)),
            draw.choice(["g", "h"]) if number > 1 else "gh"[number],
            [draw.gauss(0, 1) for _ in range(4)],
        )
        for number, name in enumerate(names)
    }
    known = names if is_full else names[: draw.randint(3, len(names))]
    had = {user: draw.sample(known, draw.randint(1, len(known))) for user in users}
    if not is_full:
        had.pop(draw.choice(users))
    history = [(user, item) for user, each in had.items() for item in each]
    history += [(draw.choice([*had]), item) for item in known] if is_full else history[:2]

    def draw_lists() -> dict[str, dict[str, float]]:
        length = draw.randint(1, len(names))
        return {
            user: {item: draw.choice([0.1, 0.2, 0.3, draw.random()]) for item in chosen}
            for user in users
            if (chosen := draw.sample(names, 5 if is_full else draw.randint(0, length)))
        }

    run = draw_lists()
    while not run:
        run = draw_lists()
    qrels = {
        user: {item: draw.choice([0, 1, 2]) for item in draw.sample(names, draw.randint(1, 5))}
        for user in users
        if is_full or draw.random() < 0.8
    }
    baseline = draw_lists()
    return Case(run, history, items, qrels or {users[0]: {names[0]: 1}}, baseline or run)


def is_whole(seed: int) -> bool:
    """Whether a case is one that tools take which need lists of one length."""
    return seed % 3 == 0


@cache
def read_recorded() -> pl.DataFrame:
    """The scores of other tools: seed, tool, version, measure by our name, query_id and score."""
    return pl.read_parquet(RECORDED)


def find_tolerance(tool: str, measure: str) -> float:
    return CLOSE.get((tool, measure.partition("@")[0]), 1e-12)


def score_by_hand(case: Case, k: int) -> dict[str, dict[str | None, float | None]]:
    """Scores by the published formulas of tools that tests do not install, from their source.

    They are by metric and user; None is the user of a score of all lists.
    """
    lists = {user: items[:k] for user, items in case.lists.items()}
    relevant = {
        user: {item for item, grade in grades.items() if grade >= 1}
        for user, grades in case.qrels.items()
    }
    return {
        f"EPC@{k}": epc_of_elliot(case, lists, relevant),
        f"PopREO@{k}": {None: pop_reo_of_elliot(case, lists, relevant)},
        f"AWRF(discount='clipped')@{k}": awrf_of_trec(case, lists),
        f"Miscalibration@{k}": miscalibration_of_steck(case, lists),
        f"Entropy(exposure='discounted')@{k}": {None: entropy(lists)},
    }


def epc_of_elliot(case, lists, relevant):
    """elliot/evaluation/metrics/novelty/EPC/epc.py."""
    novelty = {item: 1 - len(users) / case.num_users for item, users in case.users.items()}
    scores = {}
    for user, items in lists.items():
        if not relevant.get(user):
            scores[user] = None
            continue
        discounts = [math.log(2) / math.log(place + 2) for place in range(len(items))]
        found = math.fsum(
            discount * novelty.get(item, 1)
            for item, discount in zip(items, discounts, strict=True)
            if item in relevant[user]
        )
        scores[user] = found / math.fsum(discounts)
    return scores


def pop_reo_of_elliot(case, lists, relevant):
    """elliot/evaluation/metrics/bias/pop_reo/pop_reo.py, with Popularity of its data sets."""
    counts = {item: len(users) for item, users in case.users.items()}
    ordered = sorted(counts, key=lambda item: (-counts[item], item))
    left, head = 0.8 * sum(counts.values()), []
    for item in ordered:
        head.append(item)
        left -= counts[item]
        if left <= 0:
            break
    groups = {*head}, {*ordered} - {*head}
    had = {user: {item for who, item in case.history if who == user} for user in lists}
    shares = []
    for group in groups:
        hits = sum(
            len({*items} & relevant.get(user, set()) & group - had[user])
            for user, items in lists.items()
        )
        asked = sum(len(relevant.get(user, set()) & group - had[user]) for user in lists)
        if not asked:
            return None
        shares.append(hits / asked)
    mean = sum(shares) / 2
    deviation = math.sqrt(sum((share - mean) ** 2 for share in shares) / 2)
    return deviation / mean if mean else None


def awrf_of_trec(case, lists):
    """The script of metrics of the TREC 2021 Fair Ranking Track, with shares of the catalogue."""
    groups = sorted({group for _, group, _ in case.items.values()})
    target = [sum(g == group for _, g, _ in case.items.values()) for group in groups]
    scores = {}
    for user, items in lists.items():
        shown = dict.fromkeys(groups, 0.0)
        for place, item in enumerate(items, start=1):
            shown[case.items[item][1]] += 1 / math.log2(max(place, 2))
        p = [value / sum(shown.values()) for value in shown.values()]
        q = [value / sum(target) for value in target]
        m = [(a + b) / 2 for a, b in zip(p, q, strict=True)]

        def diverge(x, m=m):
            return sum(a * math.log(a / b) for a, b in zip(x, m, strict=True) if a)

        scores[user] = 1 - (diverge(p) + diverge(q)) / 2
    return scores


def miscalibration_of_steck(case, lists, alpha=0.01):
    """Steck 2018, equations 2 to 6, with the discount of nDCG as the weight of a rank."""

    def distribute(weights):
        shares = {}
        for item, weight in weights.items():
            categories = case.items[item][0]
            for category in categories:
                shares[category] = shares.get(category, 0) + weight / len(categories)
        total = sum(shares.values())
        return {category: share / total for category, share in shares.items()}

    scores = {}
    for user, items in lists.items():
        had = {item for who, item in case.history if who == user}
        if not had:
            scores[user] = None
            continue
        wanted = distribute(dict.fromkeys(had, 1))
        shown = distribute({item: 1 / math.log2(place + 2) for place, item in enumerate(items)})
        scores[user] = math.fsum(
            p * math.log(p / ((1 - alpha) * shown.get(category, 0) + alpha * p))
            for category, p in wanted.items()
        )
    return scores


def entropy(lists):
    """The entropy, in bits, of the exposure of items, 1 / log2(rank + 1) each."""
    shown: dict[str, float] = {}
    for items in lists.values():
        for place, item in enumerate(items):
            shown[item] = shown.get(item, 0) + 1 / math.log2(place + 2)
    total = math.fsum(shown.values())
    return -math.fsum(x / total * math.log2(x / total) for x in shown.values())
