"""Gets scores from each tool, and compares them with ours.

tools.csv says how a tool writes a metric, with parameters in braces: a spelling. Every spelling is
tried, with several values in its braces, on random collections with ties, graded and negative
relevance, unjudged documents, queries without answer, without relevant documents or without
judgments, and lists shorter than the cut-off.

Tools that are in the development environment are asked as tests run. Scores of the others are in
tests/recorded/, made by record_scores.py and record_recommenders.py, or their formulas are in tests.
"""

from __future__ import annotations

import ast
import contextlib
import csv
import inspect
import math
import random
import re
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, partial
from importlib import metadata
from itertools import product
from pathlib import Path

import cwl.ruler.measures
import ir_measures
import numpy as np
import polars as pl
import pyndeval
import recommended
import record_scores
import test_vectors
from conftest import ROOT, make_qrels, make_run
from cwl.ruler import cwl_ruler

import sqlmetrics
from sqlmetrics import catalogue
from sqlmetrics.catalogue import Metric, Spelling, Value, parsing
from sqlmetrics.catalogue.measures import Measure

SEEDS = 400
QUERIES = 8
CUTOFFS = (1, 2, 3, 5, 10, 30, 1000)
METRICS = catalogue.all_metrics()
RECORDED = ROOT / "tests" / "recorded"
# Scores of 64 bits; of gdeval, which prints five digits; of torchmetrics, in 32 bits.
EXACT, FIVE_DIGITS, IN_32_BITS = 1e-12, 5.001e-6, 1e-6

# Values for the braces of spellings, for tools that run during the tests.
VALUES: dict[str, tuple[Value, ...]] = {
    "k": CUTOFFS,
    "rel": (1, 2),
    "p": (0.5, 0.95),
    "alpha": (0.25,),
    "beta": (0.5, 2),
    "beta_squared": (0.25, 4.0),
    "recall": (0.0, 0.1, 0.25, 0.3, 0.5, 0.7, 1.0),
    "recalls": (".25,.5,.75", "0.2,0.5,0.8", ".5", "0,.125,.25,.375,.5"),
    "multiple": (0.2, 0.5, 0.6, 1.0, 1.4, 1.5, 2.0),
    "gains": (((1, 3), (2, 9), (3, 27)),),
    "rel_ret": (3,),
    "nonrel_ret": (-1.5,),
    "rel_left": (-1,),
    "nonrel_left": (0,),
    "max_rel": (4,),
    "T": (1, 2.5),
    "L": (5, 100),
    "A": (0.3,),
    "b1": (0.9,),
    "b2": (0.5,),
    "R1": (2,),
    "R2": (5,),
    "rate": (0.2,),
    "halflife": (3, 224),
}

Scores = dict[tuple[str, str], float | str]
RUN = "all"  # in place of a query: the score of the run


@cache
def make_collection(*, lowest=-1, scores="tied", seeds=SEEDS):
    """Judgments and a run. Each seed is a collection of its own kind."""
    qrels, run = [], []
    for seed in range(seeds):
        chance = random.Random(seed)
        pool = [f"{chance.choice('abcXYZ019é')}{n}" for n in range(chance.choice([2, 5, 20, 60]))]
        highest = chance.choice([1, 2, 4])
        levels = chance.choice([1, 2, 5, 1000])
        for query in range(QUERIES):
            query_id = str(seed * QUERIES + query)
            if chance.random() < 0.9:
                for doc in chance.sample(pool, chance.randint(1, len(pool))):
                    grade = 0 if chance.random() < 0.4 else chance.randint(lowest, highest)
                    qrels.append((query_id, doc, float(grade)))
            if chance.random() < 0.9:
                for doc in chance.sample(pool, chance.randint(1, len(pool))):
                    score = chance.randint(-levels, levels) / 8
                    if scores == "close":  # apart as 64-bit floats, mostly tied as 32-bit ones
                        score = 1 + chance.randint(0, levels) * 1e-8
                    run.append((query_id, doc, score))
    return make_qrels(qrels), make_run(run)


def break_ties(run):
    """Scores are ranks from the bottom, and rows are in their order."""
    rank = pl.struct("score", "doc_id").rank("ordinal").over("query_id")
    run = run.with_columns(score=rank.cast(float))
    return run.sort("query_id", "score", descending=[False, True])


def keep_one_query(frame):
    """One query of each seed."""
    return frame.filter(pl.col("query_id").cast(int) % QUERIES == 0)


def to_dicts(frame, number):
    found = {}
    for query, doc, value in frame.select("query_id", "doc_id", frame.columns[-1]).iter_rows():
        found.setdefault(query, {})[doc] = number(value)
    return found


def assert_close(got, expected, tolerance=EXACT):
    # not "> tolerance", which NaN would pass
    apart = [pair for pair in expected if not abs(got[pair] - expected[pair]) <= tolerance]
    assert not apart, [(pair, got[pair], expected[pair]) for pair in apart[:5]]


# Spellings


@dataclass(frozen=True)
class Claim:
    """What tools.csv says of a tool: that it writes a metric of ours so."""

    metric: Metric
    spelling: Spelling
    name: str  # as the tool's user types it
    measure: Measure
    slots: tuple[tuple[str, Value], ...] = ()

    @property
    def ours(self) -> str:
        """Our name, with the parameters of the spelling as letters: ``AP@k``."""
        return re.sub(r"[{}]", "", self.spelling.ours)


def make_measure(metric: Metric, given: dict[str, Value]) -> Measure:
    """Our metric, with the arguments that are not its defaults, in the order of its parameters."""
    given = dict(given)
    aggregate = given.pop("aggregate", None)
    known = metric.parameters | metric.conventions
    assert given.keys() <= known.keys(), (metric.macro, given)
    told = ((n, given[n]) for n in known if n in given and given[n] != known[n].default)
    return Measure(metric, tuple(told), None if aggregate is None else str(aggregate))


def list_spellings(tool: str) -> Iterator[tuple[Metric, Spelling]]:
    for metric in METRICS:
        for spelling in metric.tools.get(tool, ()):
            yield metric, spelling


def fill(
    tool: str,
    values: dict[str, tuple[Value, ...]] = VALUES,
    given: dict[str, Value] | None = None,
    write: Callable[[Spelling, Value], str] = lambda spelling, value: str(value),
) -> list[Claim]:
    """The claims of a tool, with each of the values in place of the braces.

    ``given`` are our arguments for options that the tool takes besides the name.
    """
    claims = []
    for metric, spelling in list_spellings(tool):
        for each in product(*(values[slot] for slot in spelling.slots)):
            slots = dict(zip(spelling.slots, each, strict=True))
            name = spelling.text.format(**{s: write(spelling, v) for s, v in slots.items()})
            more = {k: v for k, v in (given or {}).items() if k in metric.parameters}
            arguments = more | dict(spelling.arguments) | slots
            if slots.keys() <= metric.parameters.keys():
                measure = make_measure(metric, arguments)
            else:  # as the name is read
                (measure,) = parsing.parse(name, tuple(more.items()))
            claims.append(Claim(metric, spelling, name, measure, tuple(slots.items())))
    return claims


def match(
    tool: str, texts: dict[str, str], given: dict[str, dict[str, Value]] | None = None
) -> list[Claim]:
    """The claims of a tool by the names that it was asked for.

    ``texts`` says how a spelling writes a name, without the options in ``given``.
    """
    claims = []
    for metric, spelling in list_spellings(tool):
        for name, text in texts.items():
            if (slots := read_slots(spelling, text)) is not None:
                options = (given or {}).get(name, {})
                more = {k: v for k, v in options.items() if k in metric.parameters}
                measure = make_measure(metric, more | dict(spelling.arguments) | slots)
                claims.append(Claim(metric, spelling, name, measure, tuple(slots.items())))
    return claims


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>\\[[^]]*\\]|[-.\\w]+)", re.escape(text)))


def read_slots(spelling: Spelling, text: str) -> dict[str, Value] | None:
    """The values in a name in place of the braces; gains are a list, for 1, 2, …"""
    found = _pattern(spelling.text).fullmatch(text)
    if not found:
        return None
    try:
        values = {slot: ast.literal_eval(value) for slot, value in found.groupdict().items()}
    except (ValueError, SyntaxError):  # a longer name: P_5 is not a rate
        return None
    return {
        slot: tuple(enumerate(map(float, value), start=1)) if isinstance(value, list) else value
        for slot, value in values.items()
    }


# Tools


@dataclass
class Trial:
    """Tables, the tool's scores for them, and the function and options that score them here."""

    claims: list[Claim]
    scores: Callable[[], Scores]
    qrels: pl.DataFrame
    run: pl.DataFrame
    options: dict[str, object] = field(default_factory=dict)
    tolerance: float = EXACT
    function: Callable[..., sqlmetrics.Scores] = sqlmetrics.evaluate


@dataclass(frozen=True)
class Tool:
    """A tool of the table: how it is called, from where, and what it is tried on."""

    title: str
    package: str  # or "", where its formulas are asked
    trials: Callable[[], Iterable[Trial]]
    is_live: bool = True
    note: str = ""

    @property
    def version(self) -> str:
        if self.is_live:
            return metadata.version(self.package)
        sources = [ROOT / "tools" / f"record_{name}.py" for name in ("scores", "recommenders")]
        text = "".join(source.read_text(encoding="utf-8") for source in sources)
        return re.search(rf"\b{self.package}==([\d.]*\d)", text)[1]

    @property
    def how(self) -> str:
        return "live" if self.is_live else "recorded" if self.package else "by its formula"


# trec_eval


def is_of_version_10(claim: Claim) -> bool:
    """Whether trec_eval 9, which can be asked, has no such metric."""
    return find_stem(claim.spelling) is None


@cache
def list_trec_eval() -> tuple[str, ...]:
    return tuple(record_scores.list_trec_eval())


def find_stem(spelling: Spelling) -> str | None:
    """trec_eval's name of a metric without its parameters."""
    text = spelling.text.partition("_{")[0]
    return text if text in list_trec_eval() else None


def write_for_trec_eval(spelling: Spelling, value: Value) -> str:
    if isinstance(value, tuple):
        return ",".join(f"{level}={gain}" for level, gain in value)
    is_point = spelling.slots in (("recall",), ("multiple",))
    return f"{value:.2f}" if is_point and isinstance(value, float) else str(value)


def list_rounds(claims: list[Claim]) -> list[list[str]]:
    """What trec_eval is asked for, one after another: it takes one list of parameters a metric."""
    rounds: list[dict[str, list[str]]] = [{}]
    for claim in claims:
        stem = find_stem(claim.spelling)
        parameters = claim.name.removeprefix(stem).removeprefix("_")
        can_join = claim.spelling.slots in (("k",), ("recall",), ("multiple",))
        for each in rounds:
            if stem not in each:
                each[stem] = [parameters]
                break
            if can_join:
                each[stem].append(parameters)
                break
        else:
            rounds.append({stem: [parameters]})
    return [
        [stem + "." * any(parts) + ",".join(filter(None, parts)) for stem, parts in each.items()]
        for each in rounds
    ]


def write_judgments(qrels, prefix):
    groups = [name for name in ("subtopic", "subgroup") if name in qrels.columns]
    rows = qrels.select("query_id", *groups, "doc_id", "relevance").iter_rows()
    return "".join(
        f"{prefix}{query} {' '.join(group) or 0} {doc} {level:g}\n"
        for query, *group, doc, level in rows
    )


def ask_trec_eval(claims, qrels, run, form, level, prefix) -> Scores:
    ranked = "".join(
        f"{prefix}{query} Q0 {doc} 0 {score!r} x\n" for query, doc, score in run.iter_rows()
    )
    judgments, scores = write_judgments(qrels, prefix), {}
    for names in list_rounds(claims):
        rows = record_scores.ask_trec_eval(judgments, ranked, form, names, level)
        wanted = {claim.name for claim in claims}
        scores |= {(q.removeprefix(prefix), n): x for q, n, x in rows if n in wanted}
    for query, name in list(scores):
        if name.startswith("gm_") and query != RUN:
            del scores[query, name]  # a logarithm
    return scores


TREC_EVAL = {"score_type": "float32", "queries": "answered"}


def try_trec_eval() -> Iterator[Trial]:
    def find(level, *, preferences=False, groups=False):
        return [
            claim
            for claim in fill("trec_eval", given={"rel": level}, write=write_for_trec_eval)
            if not is_of_version_10(claim)
            and not claim.name.startswith("relstring")
            and claim.name.startswith("prefs_") == preferences
            and ("_avgjg" in claim.name and not claim.name.startswith("prefs_")) == groups
        ]

    for scores, level in product(("tied", "close"), (1, 2)):
        qrels, run = make_collection(scores=scores)
        claims = find(level)
        asked = (claims, qrels, run, "qrels", level, f"{scores}{level}-")
        yield Trial(claims, lambda asked=asked: ask_trec_eval(*asked), qrels, run, TREC_EVAL)
    for name, form in (
        ("groups", "qrels_jg"),
        ("groups", "qrels_prefs"),
        ("graded", "qrels_prefs"),
        ("prefs", "prefs"),
    ):
        is_preference = form != "qrels_jg"
        qrels, run = read_collection(name)
        if (
            "subgroup" in qrels.columns
        ):  # here, the preferences of a subtopic are those of one order
            several = pl.col("subgroup").n_unique().over("query_id", "subtopic") > 1
            several = set(qrels.filter(several)["query_id"])
            qrels = qrels.filter(~pl.col("query_id").is_in(list(several)))
            run = run.filter(~pl.col("query_id").is_in(list(several)))
        claims = find(1, preferences=is_preference, groups=not is_preference)
        asked = (claims, qrels, run, form, 1, f"{form}-")
        options = TREC_EVAL | {"ties": "ascending" if is_preference else "descending"}
        yield Trial(claims, lambda asked=asked: ask_trec_eval(*asked), qrels, run, options)


# ir_measures


def find_in_ir_measures(name: str) -> ir_measures.Measure:
    """A metric, with the parameters without which its providers do not compute it."""
    measure = ir_measures.parse_measure(name)
    for more in ({}, {"rel": 1}, {"max_rel": 4}):
        try:
            told = measure(**more) if more else measure
            if ir_measures.DefaultPipeline.supports(told):
                return told
        except (ValueError, AssertionError, TypeError):
            continue
    raise LookupError(name)


def find_provider(measure: ir_measures.Measure) -> str:
    for provider in ir_measures.DefaultPipeline.providers:
        if provider.is_available() and provider.supports(measure):
            return provider.NAME
    raise LookupError(measure)


def ask_ir_measures(claims, qrels, run) -> Scores:
    groups = qrels["subtopic"] if "subtopic" in qrels.columns else ["0"] * len(qrels)
    rows = zip(qrels["query_id"], qrels["doc_id"], qrels["relevance"], groups, strict=True)
    judged = [ir_measures.Qrel(query, doc, int(grade), group) for query, doc, grade, group in rows]
    found = [ir_measures.ScoredDoc(*row) for row in run.iter_rows()]
    by_provider, scores = defaultdict(lambda: defaultdict(list)), {}
    for claim in claims:
        measure = find_in_ir_measures(claim.name)
        by_provider[find_provider(measure)][measure].append(claim.name)
    for provider, names in by_provider.items():
        asked = [([*names], judged, found)]
        if provider == "accuracy":  # it divides by zero where all that was found is relevant
            parts = zip(split_queries(judged), split_queries(found), strict=True)
            asked = [([name], *part) for part in parts for name in names]
        for question in asked:
            with contextlib.suppress(ZeroDivisionError):
                for each in ir_measures.iter_calc(*question):
                    scores |= {(each.query_id, n): each.value for n in names[each.measure]}
    return scores


def split_queries(records):
    parts = defaultdict(list)
    for record in records:
        parts[record.query_id].append(record)
    return [parts[query] for query in sorted(parts)]


def try_ir_measures() -> Iterator[Trial]:
    # its providers break ties in different ways, so there are none; one counts what is below 0
    qrels, run = make_collection(lowest=0)
    qrels = qrels.join(run, on="query_id", how="semi")
    run = break_ties(run).join(qrels, on="query_id", how="semi")
    scaled = fill("ir_measures", given={"max_rel": 4})
    claims = []
    for claim, other in zip(fill("ir_measures"), scaled, strict=True):
        theirs = find_in_ir_measures(claim.name)
        if find_provider(theirs) != "gdeval" and claim.name != "Accuracy@1":  # which has no value
            claims.append(other if "max_rel" in theirs.SUPPORTED_PARAMS else claim)
    plain = [claim for claim in claims if not claim.metric.is_by_subtopic]
    slow = [c for c in plain if find_provider(find_in_ir_measures(c.name)) == "cwl_eval"]
    fast = [claim for claim in plain if claim not in slow]
    yield Trial(fast, lambda: ask_ir_measures(fast, qrels, run), qrels, run)
    some, ranked = keep_one_query(qrels), keep_one_query(run)
    yield Trial(slow, lambda: ask_ir_measures(slow, some, ranked), some, ranked)
    by_group, lists = make_groups()
    lists = break_ties(lists)
    rest = [claim for claim in claims if claim.metric.is_by_subtopic and takes_cutoff(claim)]
    filled = lambda: fill_scores(ask_ir_measures(rest, by_group, lists))  # noqa: E731
    yield Trial(rest, filled, by_group, lists)
    scripted = [
        claim
        for claim in scaled
        if find_provider(find_in_ir_measures(claim.name)) == "gdeval"
        and dict(claim.slots)["k"] in (1, 3, 10)
    ]
    scores = lambda: ask_ir_measures(scripted, qrels, run)  # noqa: E731
    yield Trial(scripted, scores, qrels, run, tolerance=FIVE_DIGITS)


# gdeval


def ask_gdeval(claims, qrels, run) -> Scores:
    script = Path(ir_measures.__file__).parent / "bin" / "gdeval.pl"
    scores = {}
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, "qrels"), Path(folder, "run")]
        files[0].write_text(
            "".join(f"{q} 0 {doc} {grade:.0f}\n" for q, doc, grade in qrels.iter_rows()), "utf-8"
        )
        files[1].write_text(
            "".join(f"{q} Q0 {doc} 0 {score!r} x\n" for q, doc, score in run.iter_rows()), "utf-8"
        )
        for k in {dict(claim.slots)["k"] for claim in claims}:
            said = subprocess.run(
                ["perl", script, *files, str(k)], check=True, capture_output=True, text=True
            )
            header, *lines = (line.split(",") for line in said.stdout.splitlines())
            names = {f"{name.split('@')[0]}@{k}".lower(): name for name in header[2:]}
            for _, query, *values in lines:
                pairs = zip(header[2:], values, strict=True)
                scores |= {(query, name.lower()): float(value) for name, value in pairs}
            assert set(names) == {f"ndcg@{k}", f"err@{k}"}
    return {
        (q, c.name): scores[q, c.name.lower()] for q, _ in scores for c in claims if q != "amean"
    }


def try_gdeval() -> Iterator[Trial]:
    qrels, run = make_collection()
    claims = fill("gdeval", {"k": (1, 3, 20)}, {"max_rel": 4})
    options = {"queries": "answered, relevant"}
    scores = lambda: ask_gdeval(claims, qrels, run)  # noqa: E731
    yield Trial(claims, scores, qrels, run, options, FIVE_DIGITS)


# cwl_eval


def list_cwl_eval() -> dict[str, type]:
    found = {}
    for file in Path(cwl.ruler.measures.__file__).parent.glob("cwl_*.py"):
        module = __import__(f"cwl.ruler.measures.{file.stem}", fromlist=["_"])
        found |= {
            n: c for n, c in inspect.getmembers(module, inspect.isclass) if n.endswith("CWLMetric")
        }
    del found["CWLMetric"]  # what they are derived from
    return found


def ask_cwl_eval(claims, qrels, run, max_rel) -> Scores:
    """Over gains from 0 to 1; documents without judgment gain nothing."""
    classes, scores = list_cwl_eval(), {}
    metrics = {claim.name: eval(claim.name, classes) for claim in claims}
    for metric in metrics.values():  # one class forgets to
        vars(metric).update(vars(cwl_ruler.CWLMetric()) | vars(metric))
    judged = to_dicts(qrels, float)
    for (query,), rows in run.group_by("query_id", maintain_order=True):
        if query not in judged:
            continue
        grades = {doc: max(0.0, grade) / max_rel for doc, grade in judged[query].items()}
        gains = np.array([grades.get(doc, 0.0) for doc in rows["doc_id"]])
        costs = np.ones(len(gains))
        for name, metric in metrics.items():
            # ranks without documents add nothing to its AP, but the square of their number in time
            depth = 60 if name == "APCWLMetric()" else 1000
            ranking = cwl_ruler.Ranking(query, gains, costs, max_n=depth)
            ranking.total_qrel_gain = sum(grades.values())
            ranking.total_qrel_rels = sum(gain > 0 for gain in grades.values())
            scores[query, name] = float(metric.measure(ranking))
    return scores


def try_cwl_eval() -> Iterator[Trial]:
    """One query of each seed; for metrics without grades, all gains are 1."""
    qrels, run = make_collection()
    qrels, run = keep_one_query(qrels), break_ties(keep_one_query(run))
    binary = qrels.with_columns(pl.col("relevance").clip(upper_bound=1))
    values = VALUES | {"k": (1, 10), "T": (2.5,), "p": (0.95,), "L": (5,), "halflife": (3,)}
    claims = fill("cwl_eval", values, {"max_rel": 4})
    graded = [claim for claim in claims if "max_rel" in claim.metric.parameters]
    yield Trial(graded, lambda: ask_cwl_eval(graded, qrels, run, 4), qrels, run)
    rest = [claim for claim in claims if claim not in graded]
    yield Trial(rest, lambda: ask_cwl_eval(rest, binary, run, 1), binary, run)


# pyndeval


def make_groups(*, seeds=300):
    """Judgments by subtopic and a run. Each seed is a collection of its own kind."""
    from test_peers_diversity import make_collection

    return make_collection(seeds=seeds)


def takes_cutoff(claim: Claim) -> bool:
    """pyndeval takes cut-offs up to 20, and does not divide two metrics at the cut-off 1."""
    return dict(claim.slots).get("k", 20) in range(2, 21)


def ask_pyndeval(claims, qrels, run) -> Scores:
    rows = qrels.with_columns(pl.col("relevance").cast(int)).iter_rows()
    names = [claim.name for claim in claims]
    theirs = pyndeval.RelevanceEvaluator([*rows], names).evaluate(run.iter_rows())
    scores = {(query, name): x for query, row in theirs.items() for name, x in row.items()}
    return fill_scores(scores)


def fill_scores(scores: Scores) -> Scores:
    """With 0 where ndeval divides 0 by 0, since nothing is relevant."""
    return {pair: 0.0 if math.isnan(x) else x for pair, x in scores.items()}


def try_pyndeval() -> Iterator[Trial]:
    qrels, run = make_groups()
    claims = [claim for claim in fill("pyndeval") if takes_cutoff(claim)]
    options = {"ties": "ascending"}
    yield Trial(claims, lambda: ask_pyndeval(claims, qrels, run), qrels, run, options)


# Tools whose scores are in recorded/


@cache
def read_recorded(tool: str) -> pl.DataFrame:
    return pl.read_parquet(RECORDED / f"{tool}.parquet")


def list_recorded(tool: str) -> list[str]:
    return read_recorded(tool)["measure"].unique(maintain_order=True).to_list()


def list_files(tool: str) -> list[str]:
    """The files that have scores of a tool: its own, and that of all tools of recommendations."""
    own = [name for name in [FILES.get(tool, tool)] if (RECORDED / f"{name}.parquet").exists()]
    is_drawn = tool in recommended.read_recorded()["tool"]
    return own + ["recommendations"] * is_drawn


def read_collection(name: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    qrels, run = (pl.read_parquet(RECORDED / f"{name}_{kind}.parquet") for kind in ("qrels", "run"))
    return qrels.with_columns(pl.col("relevance").cast(float)), run


def try_recorded(
    file: str, tool: str, collection: str, texts: dict[str, str], given=None, **options: object
) -> Trial:
    claims = match(tool, texts, given)
    names = {claim.name for claim in claims}
    qrels, run = read_collection(collection)
    queries = set(qrels["query_id"])

    def read() -> Scores:
        rows = read_recorded(file).filter(pl.col("measure").is_in(list(names)))
        return {(q, name): value for q, name, value in rows.iter_rows() if q in queries}

    return Trial(claims, read, qrels, run, options)


def same(names: Iterable[str]) -> dict[str, str]:
    return {name: name for name in names}


def try_ranx() -> Iterator[Trial]:
    texts = {name: name.partition("-l")[0] for name in list_recorded("ranx")}
    only_2: dict[str, Value] = {"rel": 2, "gains": ((1.0, 0.0),)}
    given = {name: only_2 for name in texts if name.endswith("-l2")}
    yield try_recorded("ranx", "ranx", "collection", texts, given, preset="ranx")


def try_beir() -> Iterator[Trial]:
    """Measures of trec_eval without documents whose id is the query's, and its own with them."""
    names = list_recorded("beir")
    theirs = same(name for name in names if name.startswith(("NDCG", "MAP", "Recall", "P@")))
    trial = try_recorded("beir", "beir", "collection", theirs, preset="beir", queries="judged")
    trial.run = trial.run.filter(pl.col("query_id") != pl.col("doc_id"))
    yield trial
    own = same(name for name in names if name not in theirs)
    yield try_recorded("beir", "beir", "collection", own, ties="input")


def try_sklearn() -> Iterator[Trial]:
    """Ties are averaged, except with ignore_ties, which is tested only on lists without ties."""
    names = [name for name in list_recorded("scikit-learn") if not name.startswith(SETS)]
    averaged = same(n for n in names if "dcg" in n and "ignore_ties" not in n)
    yield try_recorded("scikit-learn", "sklearn", "table", averaged, ties="expected")
    rest = {n: re.sub(r"(, )?ignore_ties=True", "", n) for n in names if n not in averaged}
    yield try_recorded("scikit-learn", "sklearn", "table", rest)
    sets = same(name for name in list_recorded("scikit-learn") if name.startswith(SETS))
    given = dict.fromkeys(sets, IN_CATALOG)
    yield try_recorded("scikit-learn", "sklearn", "graded", sets, given)


SETS = tuple(record_scores.SETS)
IN_CATALOG: dict[str, Value] = {"corpus_size": len(record_scores.CATALOG)}


def try_torchmetrics() -> Iterator[Trial]:
    """nDCG averages ties; other metrics that depend on the order were asked where there are none."""
    names = list_recorded("torchmetrics")
    averaged = same(name for name in names if "DCG" in name)
    trial = try_recorded("torchmetrics", "torchmetrics", "table", averaged, ties="expected")
    yield replace(trial, tolerance=IN_32_BITS)
    rest = same(name for name in names if name not in averaged)
    trial = try_recorded("torchmetrics", "torchmetrics", "table", rest)
    yield replace(trial, tolerance=IN_32_BITS)


def try_rectools() -> Iterator[Trial]:
    """Two metrics count k documents as retrieved, so only lists of k or more are compared."""
    yield keep_long(try_graded("rectools"), "Accuracy", "MCC")
    yield from try_recommendations("rectools")


def keep_long(trial: Trial, *names: str) -> Trial:
    """The scores of metrics that begin so only where a list has k documents or more."""
    lengths = dict(trial.run.group_by("query_id").len().iter_rows())
    k = {claim.name: dict(claim.slots).get("k") for claim in trial.claims}
    read = trial.scores
    return replace(
        trial,
        scores=lambda: {
            (query, name): value
            for (query, name), value in read().items()
            if not name.startswith(names) or lengths.get(query, 0) >= k[name]
        },
    )


def try_collection(tool: str) -> Trial:
    return try_recorded(tool, tool, "collection", same(list_recorded(tool)))


def try_graded(tool: str) -> Trial:
    names = list_recorded(tool)
    given = dict.fromkeys(names, IN_CATALOG)
    return try_recorded(tool, tool, "graded", same(names), given)


def try_ntcireval() -> Iterator[Trial]:
    """The gains of grades 1, 2 and 3 are these, or given with a metric."""
    names = list_recorded("pyNTCIREVAL")
    shown = r"(, )?grades=\[1, 3, 7\]"
    texts = {name: re.sub(shown, "", name) for name in names}
    gains = {"gains": ((1.0, 1.0), (2.0, 3.0), (3.0, 7.0)), "max_rel": 7}
    given = {n: {"max_rel": 3} if text == n else gains for n, text in texts.items()}
    yield try_recorded("pyNTCIREVAL", "pyNTCIREVAL", "graded", texts, given)


def try_ragas() -> Iterator[Trial]:
    """It adds 1e-10 to a divisor, so that average precision is that much lower."""
    names = same(list_recorded("ragas"))
    precise = {name: text for name, text in names.items() if "ContextPrecisionWith" not in name}
    yield try_recorded("ragas", "ragas", "graded", precise)
    trial = try_recorded("ragas", "ragas", "graded", {n: n for n in names if n not in precise})
    yield replace(trial, tolerance=1e-9)


def try_mteb() -> Iterator[Trial]:
    """Measures of trec_eval, and its own, which sort by score and keep the order of ties."""
    names = list_recorded("mteb")
    own = same(name for name in names if name.startswith(("mrr", "R_cap", "Hole")))
    theirs = same(name for name in names if name not in own)
    yield try_recorded("mteb", "mteb", "collection", theirs, score_type="float32")
    yield try_recorded("mteb", "mteb", "collection", own, ties="input")


def try_learner(tool: str, ties: str, ones: str = "") -> Iterator[Trial]:
    """A query with nothing relevant scores 1 by names that match ``ones``, and 0 by others."""
    for empty in (1, 0):
        names = same(n for n in list_recorded(tool) if bool(re.match(ones, n)) == empty)
        given = {name: IN_QUARTERS for name in names if name.startswith(("ERR", "PFound"))}
        yield try_recorded(tool, tool, "table", names, given, ties=ties, no_relevant=empty)


IN_QUARTERS: dict[str, Value] = {"gains": tuple((n, n / 4) for n in (1.0, 2.0, 3.0, 4.0))}


# Recommendations


def match_ours(tool: str, names: Iterable[str]) -> list[Claim]:
    """The claims of a tool by our names of what it was asked for.

    Some tools take no cut-off, but lists that were cut.
    """
    claims = []
    for metric, spelling in list_spellings(tool):
        wanted = make_measure(metric, dict(spelling.arguments))
        for name in names:
            (measure,) = parsing.parse(name)
            given = dict(measure.arguments)
            rest = {key: x for key, x in given.items() if key not in {"k", *spelling.slots}}
            if measure.metric == metric and rest == dict(wanted.arguments):
                claims.append(Claim(metric, spelling, name, measure))
    return claims


def try_recommendations(tool: str) -> Iterator[Trial]:
    yield from try_lists(tool, recommended.read_recorded().filter(tool=tool))


def try_lists(tool: str, rows: pl.DataFrame) -> Iterator[Trial]:
    """Each drawn case, with what the tool has for our names and users, or for no user."""
    for (seed,), scores in rows.group_by("seed", maintain_order=True):
        tables = recommended.draw_case(seed).make_tables()
        qrels, run = tables.pop("qrels"), tables.pop("run")
        by_tolerance: dict[float, list[Claim]] = {}
        for claim in match_ours(tool, scores["measure"].unique(maintain_order=True)):
            close = recommended.find_tolerance(tool, claim.name)
            by_tolerance.setdefault(close, []).append(claim)
        columns = scores.select(pl.col("query_id").fill_null(RUN), "measure", "score")
        theirs = {(user, name): score for user, name, score in columns.iter_rows()}
        for close, claims in by_tolerance.items():
            names = {claim.name for claim in claims}
            wanted = {pair: score for pair, score in theirs.items() if pair[1] in names}
            yield Trial(
                claims, lambda wanted=wanted: wanted, qrels, run, tables, close, score_lists
            )


def score_lists(qrels, run, names, **tables) -> sqlmetrics.Scores:
    return sqlmetrics.evaluate(qrels, run, names, **tables)


def try_elliot() -> Iterator[Trial]:
    rows = [
        (seed, measure, user, score)
        for seed in recommended.SEEDS
        for k in recommended.CUTOFFS
        for measure, scores in recommended.score_by_hand(recommended.draw_case(seed), k).items()
        for user, score in scores.items()
    ]
    yield from try_lists(
        "elliot", pl.DataFrame(rows, ["seed", "measure", "query_id", "score"], orient="row")
    )


# Neighbours


def try_neighbours(tool: str) -> Iterator[Trial]:
    """Exact neighbours and those of two indexes, with and without ties."""
    claims = [
        Claim(metric, spelling, f"{spelling.text} {k}", make_measure(metric, given))
        for metric, spelling in list_spellings(tool)
        for k in (1, 3, 10, 20)
        for given in [dict(spelling.arguments) | ({"k": k} if "{k}" in spelling.ours else {})]
    ]
    for seed, ties in test_vectors.CASES:
        exact, indexes = test_vectors.draw(seed, ties=ties)
        for index in indexes.values():

            def score(exact=exact, index=index) -> Scores:
                scores = {}
                for claim in claims:
                    text, k = claim.name.split(" ")
                    found = test_vectors.BENCHMARKS[tool][text](exact, index, int(k))
                    queries = [RUN] if claim.measure.aggregate else [*exact]
                    values = np.atleast_1d(found)
                    scores |= {(q, claim.name): x for q, x in zip(queries, values, strict=True)}
                return scores

            tables = (test_vectors.make_frame(each) for each in (exact, index))
            yield Trial(claims, score, *tables, function=sqlmetrics.evaluate)


def list_registered() -> set[str]:
    return {measure.NAME for measure in ir_measures.measures.registry.values()}


TOOLS = {
    "trec_eval": Tool(
        "trec_eval", "pytrec_eval-terrier", try_trec_eval,
        note="The tests call the C code of trec_eval 9.0.8 in its wheel. It includes the metrics of preferences and judgment groups, which its Python interface does not offer. No package has version 10 or later, so the metrics that only these versions have are verified by worked examples. Their `rbp` divides gains by the highest gain of each query, as `scaled` does.",
    ),
    "ir_measures": Tool(
        "ir_measures", "ir_measures", try_ir_measures,
        note="It takes its scores from other tools. ERR, and nDCG with `dcg='exp-log2'`, come from gdeval with five digits. Runs have no ties here, since each of these tools breaks ties differently; `tests/test_conventions.py` compares runs with ties. Where nothing is relevant, its nNRBP is not a number, and ours is 0.",
    ),
    "ranx": Tool("ranx", "ranx", try_ranx, is_live=False),
    "cwl_eval": Tool(
        "cwl_eval", "cwl-eval", try_cwl_eval,
        note="Its gains are between 0 and 1; here they are `relevance / max_rel`. With graded judgments, metrics that have this parameter were given `max_rel=4`. Others, such as AP, were compared with gains of 0 and 1.",
    ),
    "gdeval": Tool("gdeval.pl", "ir_measures", try_gdeval, note="This is the script that ir_measures contains. It prints five digits."),
    "pyndeval": Tool(
        "pyndeval", "pyndeval", try_pyndeval,
        note="This is ndeval for Python. Cut-offs are 2 to 20: it takes none above 20, and at 1 it leaves out a division in two metrics. Where nothing is relevant, its nNRBP is not a number, and ours is 0.",
    ),
    "beir": Tool(
        "BEIR", "beir", try_beir, is_live=False,
        note="They were recorded before it rounds them to five digits.",
    ),
    "sklearn": Tool("scikit-learn", "scikit-learn", try_sklearn, is_live=False,
        note="Without `ignore_ties`, it averages DCG and nDCG over the orders of ties, as with `ties=\"expected\"`. With it, they were compared on runs without ties. Metrics of sets are over a catalogue of 63 documents (`corpus_size`).",
    ),
    "torchmetrics": Tool(
        "torchmetrics", "torchmetrics", try_torchmetrics, is_live=False,
        note="It computes in 32 bits, so differences below 1e-6 do not count. It averages nDCG over the orders of ties, as with `ties=\"expected\"`; other metrics that depend on the order were compared on runs without ties. It leaves out documents with a score of 0 or less.",
    ),
    "pyNTCIREVAL": Tool("pyNTCIREVAL", "pyNTCIREVAL", try_ntcireval, is_live=False,
        note="Grades have the gains 1, 2, 3 or 1, 3, 7. Where nothing is relevant, it divides by zero, and there is nothing to compare.",
    ),
    "lenskit": Tool(
        "LensKit", "lenskit", lambda: [try_graded("lenskit"), *try_recommendations("lenskit")], is_live=False,
        note="Its test items are our relevant documents, and `rating` is their relevance. ExposureGini has weights of 32 bits, so differences below 1e-7 do not count.",
    ),
    "rectools": Tool(
        "RecTools", "rectools", try_rectools, is_live=False,
        note="Its Accuracy and MCC count k documents as retrieved even where fewer were. They were compared on lists of k or more.",
    ),
    "recommenders": Tool(
        "Recommenders", "recommenders",
        lambda: [try_graded("recommenders"), *try_recommendations("recommenders")], is_live=False,
    ),
    "RePlay": Tool(
        "RePlay", "replay-rec", lambda: [try_graded("RePlay"), *try_recommendations("RePlay")], is_live=False,
        note="CategoricalDiversity was compared on items that have one category each.",
    ),
    "RecBole": Tool(
        "RecBole", "recbole", lambda: try_recommendations("RecBole"), is_live=False,
        note="It takes lists as a matrix, so all have the same length; their items are those that users had before.",
    ),
    "recmetrics": Tool("recmetrics", "recmetrics", lambda: try_recommendations("recmetrics"), is_live=False),
    "FairRankTune": Tool(
        "FairRankTune", "fairranktune", lambda: try_recommendations("FairRankTune"), is_live=False,
        note="They are those of `combo='MinMaxRatio'`.",
    ),
    "elliot": Tool(
        "Elliot", "", try_elliot, is_live=False,
        note="Its formulas were rewritten from its source, in `tests/recommended.py`.",
    ),
    **{
        tool: Tool(
            tool, "", partial(try_neighbours, tool), is_live=False,
            note="Its functions are in no package; they were rewritten from its source, in `tests/test_vectors.py`.",
        )
        for tool in test_vectors.BENCHMARKS
    },
    "ragas": Tool(
        "ragas", "ragas", try_ragas, is_live=False,
        note="These are its metrics over ids, and those over texts, with the ids as texts. It divides sums by the number found plus 1e-10, so differences below 1e-9 do not count there.",
    ),
    "llama_index": Tool(
        "LlamaIndex", "llama-index-core", lambda: [try_graded("llama_index")], is_live=False,
        note="These are its metrics over ids. It refuses queries with nothing expected or nothing retrieved.",
    ),
    "haystack": Tool(
        "Haystack", "haystack-ai", lambda: [try_graded("haystack")], is_live=False,
        note="It compares documents by their content. In its NDCG, the gain of a document is its score, or 1 without one.",
    ),
    "mteb": Tool(
        "mteb", "mteb", try_mteb, is_live=False,
        note="The names are those of its results. Scores of queries were recorded before it rounds them.",
    ),
    "mlflow": Tool(
        "MLflow", "mlflow-skinny", lambda: [keep_long(try_collection("mlflow"), "ndcg")], is_live=False,
        note="Scores are of each query. Its `ndcg_at_k` cuts the ideal ranking at the length of a list, so it was compared on lists of k or more. Where nothing is relevant and nothing was retrieved, its recall and nDCG are 1.",
    ),
    "pyvespa": Tool(
        "pyvespa", "pyvespa", lambda: [try_collection("pyvespa")], is_live=False,
        note="These are the scores of each query by VespaEvaluator. Judgments are a set of ids or, for nDCG alone, grades from 0 to 1.",
    ),
    "phoenix": Tool(
        "Arize Phoenix", "arize-phoenix", lambda: [try_collection("phoenix")], is_live=False,
        note="These are its RetrievalMetrics. They take the grades in the order of the list; documents that were not judged have 0.",
    ),
    "LightGBM": Tool(
        "LightGBM", "lightgbm", lambda: try_learner("LightGBM", "input"), is_live=False,
        note="A query with nothing relevant scores 1, as with `no_relevant=1`. Tied documents stay in the order of the input, as with `ties=\"input\"`. Its `label_gain` is `gains` here.",
    ),
    "XGBoost": Tool(
        "XGBoost", "xgboost-cpu", lambda: try_learner("XGBoost", "input", r"(ndcg|map)(@\d+)?(,|$)"),
        is_live=False,
        note="nDCG and MAP of a query with nothing relevant are 1, as with `no_relevant=1`; with a minus sign after their name, they are 0. Tied documents stay in the order of the input, as with `ties=\"input\"`. `map` and `pre` take labels of 0 and 1.",
    ),
    "CatBoost": Tool(
        "CatBoost", "catboost", lambda: try_learner("CatBoost", "worst", "NDCG|RecallAt"), is_live=False,
        note="Tied documents are in the order of their labels, lowest first, as with `ties=\"worst\"`. NDCG and RecallAt of a query with nothing relevant are 1, as with `no_relevant=1`. QueryAUC was compared with labels of 0 and 1, ERR and PFound with grades divided by 4, as with `gains`.",
    ),
}  # fmt: skip
# What each tool that is asked as tests run has, by itself, and those whose formulas are asked.
LISTS = {
    "trec_eval": lambda: {*list_trec_eval(), "dcg", "ideal_dcg", "rbp", "rbp_resid", "unj"},
    "ir_measures": list_registered,
    "cwl_eval": lambda: {*list_cwl_eval()},
    "gdeval": lambda: {"nDCG", "ERR"},
    "pyndeval": lambda: {*pyndeval.SUPPORTED_MEASURES},
    "elliot": lambda: {"EPC", "PopREO"},
    **{tool: partial(set, functions) for tool, functions in test_vectors.BENCHMARKS.items()},
}


def list_measures(tool: str) -> set[str]:
    """The names of a tool's metrics without parameters."""
    if tool in LISTS:
        return LISTS[tool]()
    rows = csv.DictReader((RECORDED / "measures.csv").open(encoding="utf-8", newline=""))
    return {row["measure"] for row in rows if row["tool"] == FILES.get(tool, tool)}


FILES = {"sklearn": "scikit-learn"}


def name_stem(tool: str, text: str) -> str:
    """The name in a spelling, without parameters."""
    if tool == "trec_eval":
        return re.sub(r"_(p=)?\{.*", "", text)
    if tool == "mteb":
        return text.partition("_at_{")[0]
    if tool in test_vectors.BENCHMARKS:
        return text
    return re.match(r"[^\W\d][\w-]*", text)[0]


# Comparison


@dataclass
class Result:
    """What came of a spelling: over how many scores, and the largest difference."""

    claim: Claim
    tolerance: float
    scored: set[tuple[int, str]] = field(default_factory=set)  # number of a trial, query
    difference: float = 0.0
    worst: tuple = ()

    @property
    def is_run_only(self) -> bool:
        """Whether the tool has scores of runs and none of their queries."""
        return all(query == RUN for _, query in self.scored)

    @property
    def queries(self) -> set[tuple[int, str]]:
        """The queries that have scores, or else the runs."""
        return {pair for pair in self.scored if self.is_run_only or pair[1] != RUN}

    @property
    def unit(self) -> str:
        """What has a score each."""
        if self.is_run_only:
            return "runs"
        return "users" if self.claim.metric.kind == "recommendations" else "queries"

    @property
    def agrees(self) -> bool:
        return self.difference <= self.tolerance  # NaN does not


def measure_difference(theirs: float | None, ours: float | None) -> float:
    """0 if neither has a score; infinite if one of them has none."""
    has_none = theirs is None or math.isnan(theirs)
    if ours is None or has_none:
        return 0.0 if ours is None and has_none else math.inf
    return abs(theirs - ours)


def compare(tool: str) -> dict[str, Result]:
    """The results of a tool by spelling."""
    results: dict[str, Result] = {}
    for number, trial in enumerate(TOOLS[tool].trials()):
        names = list(dict.fromkeys(claim.measure.canonical_name for claim in trial.claims))
        if not names:
            continue
        scores = trial.function(trial.qrels, trial.run, names, **trial.options)
        theirs: dict[str, dict[str, float]] = defaultdict(dict)
        for (query, name), value in trial.scores().items():
            theirs[name][query] = value
        columns = {
            m: dict(scores.per_query.select("query_id", m).iter_rows())
            for m in names
            if m in scores.per_query.columns
        }
        means = scores.mean.row(0, named=True)
        for claim in trial.claims:
            result = results.setdefault(claim.spelling.text, Result(claim, trial.tolerance))
            name = claim.measure.canonical_name
            ours = columns.get(name, {}) | {RUN: means[name]}
            assert theirs[claim.name], f"{tool} gave no score for {claim.name}"
            for query, value in theirs[claim.name].items():
                result.scored.add((number, query))
                apart = measure_difference(value, ours[query])
                if not apart <= result.difference:
                    result.difference = apart
                    result.worst = (number, query, claim.name, value, ours[query])
    return results


# The table

TABLE = ROOT / "docs" / "agreement.md"
STALE = "stale: docs/agreement.md\nto write it, type: python docs/build.py --agreement"
UNMATCHED = ROOT / "tests" / "unmatched.csv"


def read_unmatched(tool: str) -> dict[str, str]:
    """What a tool has and we have not, or not so, and why."""
    with UNMATCHED.open(encoding="utf-8", newline="") as file:
        return {row["measure"]: row["why"] for row in csv.DictReader(file) if row["tool"] == tool}


def is_worked(tool: str, metric: Metric, spelling: Spelling) -> bool:
    """Whether no tool can be asked, so that tests/expected has to do."""
    if tool != "trec_eval":
        return tool not in TOOLS
    return find_stem(spelling) in (None, "relstring")


def count_examples(metric: Metric) -> int:
    path = ROOT / "tests" / "expected" / f"{metric.macro}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        return sum(1 for _ in csv.DictReader(file))


def list_tools() -> list[str]:
    named = dict.fromkeys(tool for metric in METRICS for tool in metric.tools)
    return [*TOOLS, *(tool for tool in named if tool not in TOOLS)]


def list_rows(tool: str) -> list[tuple[str, str, str]]:
    """Of each row the tool's metric, our name, and how it is verified unless by scores."""
    rows = []
    for metric, spelling in list_spellings(tool):
        claim = Claim(metric, spelling, "", None)
        number = count_examples(metric) if is_worked(tool, metric, spelling) else 0
        how = f"worked examples, `tests/expected/{metric.macro}.csv`" if number else ""
        rows.append((spelling.text, claim.ours, how))
    rows.sort(key=lambda row: row[0].lower())
    return rows + [(name, "", f"not matched: {why}") for name, why in read_unmatched(tool).items()]


def write_table() -> str:
    parts = [
        "# Agreement with other tools",
        "Each table has the metrics of a tool, their names here, and the largest difference that a "
        "query has between the two scores. `{k}` in a name stands for the value of a parameter; "
        "parameters that a name leaves out have their defaults in both.",
        "The collections are random. They have ties, graded and negative relevance, unjudged "
        "documents, queries that are only in the run or only in the judgments, and lists shorter "
        "than the cut-off. Recommendations have random lists, histories and catalogues, and "
        "neighbours random distances.",
        "`python docs/build.py --agreement` writes this page from `sqlmetrics/catalogue/tools.csv` "
        "and `tests/unmatched.csv`; the tests compare the same scores.",
        ", ".join(f"[{tool}](#{name_anchor(tool)})" for tool in list_tools()),
    ]
    for tool in list_tools():
        results = compare(tool) if tool in TOOLS else {}
        parts.append(f"## {name_section(tool)}")
        if tool in TOOLS:
            files = " and ".join(f"`tests/recorded/{name}.parquet`" for name in list_files(tool))
            how = (
                "The tests compute its scores as they run."
                if TOOLS[tool].is_live
                else f"Its scores are recorded in {files}."
                if files
                else ""
            )
            parts.append(f"{how} {TOOLS[tool].note}".strip())
        lines = [f"| {tool} | sqlmetrics | verified | largest difference |", "|---|---|---|---|"]
        for theirs, ours, how in list_rows(tool):
            result, difference = results.get(theirs), ""
            if result:
                how = f"{TOOLS[tool].how}, {len(result.queries):,} {result.unit}"
                difference = f"{result.difference:.0e}" if result.difference else "0"
            cells = [quote(theirs), quote(ours) if ours else "none", how, difference or "–"]
            lines.append("| " + " | ".join(cells) + " |")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def name_section(tool: str) -> str:
    if tool not in TOOLS or not TOOLS[tool].package:
        return TOOLS[tool].title if tool in TOOLS else tool
    return f"{TOOLS[tool].title}, {TOOLS[tool].package} {TOOLS[tool].version}"


def name_anchor(tool: str) -> str:
    """What GitHub makes of a heading."""
    return re.sub(r"[^\w -]", "", name_section(tool).lower()).replace(" ", "-")


def quote(name: str) -> str:
    return f"`{name}`"


def read_table() -> dict[str, list[list[str]]]:
    """The cells of each section's rows, by the tool in the table's head."""
    tables: dict[str, list[list[str]]] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip(" `") for cell in line.strip("|").split(" | ")]
        if line.startswith("| ") and cells[1] == "sqlmetrics":
            rows = tables.setdefault(cells[0], [])
        elif line.startswith("| "):
            rows.append(cells)
    return tables
