"""A preset gives the scores of the tool that it is named after, even if scores are tied.

ranx, BEIR and scikit-learn are large: their scores are in recorded.json, and record_scores.py asks
them again.
"""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
from ctypes import c_float
from functools import cache
from math import fsum, log2
from pathlib import Path

import duckdb
import ir_measures
import polars as pl
import pytest
import pytrec_eval
from commands import run_command
from conftest import ROOT, install_copy, make_qrels, make_run
from ir_measures.bin import msmarco_eval
from peers import (
    CUTOFFS,
    EXACT,
    FIVE_DIGITS,
    VALUES,
    assert_close,
    fill,
    find_in_ir_measures,
    find_provider,
    find_stem,
    make_collection,
    to_dicts,
)

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.catalogue import conventions, parsing
from sqlmetrics.inputs.streams import Stream

PRESETS = sm.presets()["preset"].to_list()
# The names that pytrec_eval accepts: scores of a query, except preferences and judgment groups.
# With judged_only, its 11pt_avg is not a number if nothing judged was retrieved.
TREC_NAMES = [
    claim.name
    for claim in fill("trec_eval", {**VALUES, "k": (1, 3, 10, 1000)})
    if claim.spelling.slots in ((), ("k",))
    and find_stem(claim.spelling)
    and not re.match("gm_|num_q|relstring|prefs_|.*_avgjg|yaap|11pt_avg", claim.name)
]
RECORDED = json.loads((ROOT / "tests" / "recorded.json").read_text(encoding="utf-8"))


@cache
def collect(lowest=-1):
    """Queries with many ties, and queries with scores that only 32-bit floats take for ties."""
    tied = make_collection(lowest=lowest, seeds=80)
    close = make_collection(lowest=lowest, seeds=80, scores="close")
    apart = pl.col("query_id").cast(int) + 100_000
    return tuple(
        pl.concat([a, b.with_columns(apart.cast(str))]) for a, b in zip(tied, close, strict=True)
    )


def read_per_query(result, names=None):
    """The scores by query and metric, which ``names`` calls otherwise."""
    names = names or {measure.name: measure.name for measure in result.metrics}
    return {
        (row["query_id"], name): row[ours]
        for row in result.per_query.iter_rows(named=True)
        for name, ours in names.items()
    }


def read_means(result, names):
    (row,) = result.mean.iter_rows(named=True)
    return {name: row[ours] for name, ours in names.items()}


def name_ours(names, rel=None):
    """Our name for each of trec_eval's."""
    return {name: parsing.parse(name, (("rel", rel),) if rel else ())[0].name for name in names}


def cut(run, depth):
    """The first documents of each query, as trec_eval orders them."""
    lists = {}
    for query, doc, score in run.iter_rows():
        lists.setdefault(query, []).append((c_float(score).value, doc.encode(), doc, score))
    return make_run(
        (query, doc, score)
        for query, docs in lists.items()
        for _, _, doc, score in sorted(docs, reverse=True)[:depth]
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("preset", ["pytrec_eval", "trec_eval-9"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"rel": 2},
        {"judged_only": True},
        {"depth": 3},
        {"depth": 3, "judged_only": True, "rel": 2},
    ],
    ids=str,
)
def test_presets_of_trec_eval_9_give_the_scores_of_pytrec_eval(preset, options):
    qrels, run = collect()
    ours = sm.evaluate(qrels, run, TREC_NAMES, preset=preset, **options)
    names = name_ours(TREC_NAMES, options.get("rel"))
    evaluator = pytrec_eval.RelevanceEvaluator(
        to_dicts(qrels, int),
        {re.sub(r"_(\d+)$", r".\1", name) for name in TREC_NAMES},
        relevance_level=options.get("rel", 1),
        judged_docs_only_flag=options.get("judged_only", False),
    )
    theirs = evaluator.evaluate(to_dicts(cut(run, options.get("depth")), float))
    got = read_per_query(ours, names)
    expected = {(query, n): row[n] for query, row in theirs.items() for n in TREC_NAMES}
    assert len(theirs) > 800
    assert set(got) == set(expected)
    assert_close(got, expected)
    means = {
        name: pytrec_eval.compute_aggregated_measure(name, [row[name] for row in theirs.values()])
        for name in TREC_NAMES
    }
    assert_close(read_means(ours, names), means)


def test_preset_of_trec_eval_10_compares_64_bits_and_counts_every_judged_query():
    """No package has trec_eval 10: its order is given to pytrec_eval as scores without ties."""
    qrels, run = collect()
    ours = sm.evaluate(qrels, run, TREC_NAMES, preset="trec_eval-10")
    names = name_ours(TREC_NAMES)
    ranked = {
        query: {
            doc: place for place, (_, doc) in enumerate(sorted((s, d) for d, s in docs.items()))
        }
        for query, docs in to_dicts(run, float).items()
    }  # text sorts as its bytes do
    asked = {re.sub(r"_(\d+)$", r".\1", name) for name in TREC_NAMES}
    theirs = pytrec_eval.RelevanceEvaluator(to_dicts(qrels, int), asked).evaluate(
        {
            query: {doc: float(place) for doc, place in docs.items()}
            for query, docs in ranked.items()
        }
    )
    expected = {}
    for query, docs in to_dicts(qrels, int).items():
        missing = dict.fromkeys(TREC_NAMES, 0.0) | {"num_rel": sum(r >= 1 for r in docs.values())}
        expected |= {(query, n): theirs.get(query, missing)[n] for n in TREC_NAMES}
    got = read_per_query(ours, names)
    assert set(got) == set(expected)
    assert_close(got, expected)
    assert_close(read_means(ours, names), average(expected))


def average(scores):
    """Means by metric; counts are summed."""
    columns = {}
    for (_, name), value in scores.items():
        columns.setdefault(name, []).append(value)
    return {
        name: fsum(values) / (1 if str(name).startswith(("num_", "Num")) else len(values))
        for name, values in columns.items()
    }


def test_preset_of_trec_eval_10_gives_its_rbp():
    """By its definition: gains over the highest of the query, p = 0.9 unless it is named.

    The residual is 0 unless a retrieved document is unjudged, as in m_rbp_resid.c.
    """
    qrels, run = collect()
    ours = sm.evaluate(qrels, run, "rbp rbp_p=0.8 RBP_resid", preset="trec_eval-10")
    judged, ranked = to_dicts(qrels, int), to_dicts(run, float)
    expected = {}
    for query, grades in judged.items():
        docs = sorted((score, doc) for doc, score in ranked.get(query, {}).items())[::-1]
        highest = max([1, *grades.values()])
        for name, p in (("rbp", 0.9), ("rbp_p=0.8", 0.8)):
            gains = (max(0, grades.get(doc, 0)) / highest for _, doc in docs)
            expected[query, name] = (1 - p) * fsum(g * p**n for n, g in enumerate(gains))
        unjudged = [0.9**n for n, (_, doc) in enumerate(docs) if grades.get(doc, -1) < 0]
        below = 0.9 ** len(docs) if unjudged else 0
        expected[query, "RBP_resid"] = below + 0.1 * fsum(unjudged)
    columns = [measure.name for measure in ours.metrics]
    names = dict(zip(("rbp", "rbp_p=0.8", "RBP_resid"), columns, strict=True))
    got = read_per_query(ours, names)
    assert set(got) == set(expected)
    assert_close(got, expected)


# What ir_measures does not take from pytrec_eval, and how it orders ties there.
PROVIDERS = {
    "cwl_eval": {"ties": "input", "score_type": "float64"},
    "judged": {"ties": "ascending", "score_type": "float64"},
    "msmarco": {"ties": "ascending", "score_type": "float64"},
    "gdeval": {"score_type": "float64"},
}


def list_of_ir_measures():
    """Its metrics by our names and by the provider that it takes them from."""
    found = {}
    for claim in fill("ir_measures", {**VALUES, "k": sorted({*CUTOFFS, 20})}):
        measure = find_in_ir_measures(claim.name)
        provider = find_provider(measure)
        k = dict(claim.slots).get("k")
        if provider == "cwl_eval" and claim.name != "RBP":  # the others are as this one, but slow
            continue
        if provider in ("pytrec_eval", *PROVIDERS) and (k in (1, 3, 20) or provider != "gdeval"):
            found.setdefault(provider, {})[claim.measure.name] = measure
    return found


IR_MEASURES = list_of_ir_measures()


def test_ir_measures_takes_measures_from_these_providers():
    assert set(IR_MEASURES) == {"pytrec_eval", *PROVIDERS}


@pytest.mark.thorough
@pytest.mark.parametrize("provider", IR_MEASURES)
def test_preset_of_ir_measures_gives_its_scores(provider):
    if provider == "gdeval" and not shutil.which("perl"):
        pytest.skip("gdeval is a script in Perl")
    wanted = IR_MEASURES[provider]
    qrels, run = collect(lowest=0 if provider == "judged" else -1)  # it counts those below 0
    ours = sm.evaluate(qrels, run, [*wanted], preset="ir_measures", **PROVIDERS.get(provider, {}))
    theirs = ir_measures.calc(
        list(wanted.values()),
        [ir_measures.Qrel(query, doc, int(grade), "0") for query, doc, grade in qrels.iter_rows()],
        [ir_measures.ScoredDoc(*row) for row in run.iter_rows()],
    )
    expected = {(value.query_id, str(value.measure)): value.value for value in theirs.per_query}
    means = {str(measure): value for measure, value in theirs.aggregated.items()}
    names = {str(measure): name for name, measure in wanted.items()}
    got, got_means = read_per_query(ours, names), read_means(ours, names)
    assert set(got) == set(expected)
    answered = set(run["query_id"])
    for name in {"NumRel", "NumQ"} & set(names):  # where it says 0 of a query without answer
        got |= {pair: 0.0 for pair in got if pair[1] == name and pair[0] not in answered}
        got_means[name] = fsum(value for pair, value in got.items() if pair[1] == name)
    tolerance = FIVE_DIGITS if provider == "gdeval" else EXACT
    assert_close(got, expected, tolerance)
    assert_close(got_means, means, tolerance)


@pytest.mark.few(1)
@pytest.mark.parametrize("provider", PROVIDERS)
def test_ties_of_those_providers_are_not_those_of_the_preset(provider):
    """Else the preset would need no options beside it."""
    qrels, run = collect(lowest=0)
    as_preset = sm.evaluate(qrels, run, [*IR_MEASURES[provider]], preset="ir_measures").mean
    as_theirs = sm.evaluate(
        qrels, run, [*IR_MEASURES[provider]], preset="ir_measures", **PROVIDERS[provider]
    ).mean
    assert not as_preset.equals(as_theirs)


@pytest.mark.few(1)
@pytest.mark.skipif(not shutil.which("perl"), reason="gdeval is a script in Perl")
@pytest.mark.parametrize("k", [1, 3, 20])
def test_preset_of_gdeval_gives_its_scores(k, tmp_path):
    qrels, run = collect()
    (tmp_path / "qrels").write_text(
        "".join(f"{q} 0 {doc} {grade:.0f}\n" for q, doc, grade in qrels.iter_rows()), "utf-8"
    )
    (tmp_path / "run").write_text(
        "".join(f"{q} Q0 {doc} 0 {score!r} x\n" for q, doc, score in run.iter_rows()), "utf-8"
    )
    script = Path(ir_measures.__file__).parent / "bin" / "gdeval.pl"
    said = subprocess.run(
        ["perl", script, tmp_path / "qrels", tmp_path / "run", str(k)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    rows = (line.split(",") for line in said.stdout.splitlines()[1:])
    theirs = {query: {"ndcg": float(ndcg), "err": float(err)} for _, query, ndcg, err in rows}
    names = {"ndcg": f"nDCG@{k}", "err": f"ERR@{k}"}
    ours = sm.evaluate(qrels, run, f"nDCG@{k} ERR@{k}", preset="gdeval")
    expected = {(query, name): row[name] for query, row in theirs.items() for name in names}
    got = read_per_query(ours, names)
    assert set(got) == set(expected)
    assert_close(got, expected, FIVE_DIGITS)
    assert_close(read_means(ours, names), average(expected), FIVE_DIGITS)


def make_ranked():
    """Judgments that are all relevant, and a run that has ranks but no scores, in any order."""
    chance = random.Random(3)
    qrels, run = [], []
    for query in range(1, 300):
        docs = chance.sample(range(1, 100), 30)
        if query % 10:
            qrels += [
                (str(query), str(doc), 1.0) for doc in chance.sample(docs, chance.randint(1, 3))
            ]
        if query % 7:
            found = chance.sample(docs, chance.randint(1, 30))
            run += [(str(query), str(doc), rank) for rank, doc in enumerate(found, start=1)]
    chance.shuffle(run)
    ranked = pl.DataFrame(run, ["query_id", "doc_id", "rank"], orient="row")
    return make_qrels(qrels), ranked


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("k", [1, 10])
def test_preset_of_msmarco_gives_the_scores_of_its_script(k, tied):
    qrels, run = make_ranked()
    wanted = msmarco_eval.load_reference_from_stream(
        f"{query}\t0\t{doc}\t1" for query, doc, _ in qrels.iter_rows()
    )
    ranked = msmarco_eval.load_candidate_from_stream(
        f"{query}\t{doc}\t{rank}" for query, doc, rank in run.iter_rows()
    )
    theirs = msmarco_eval.compute_metrics(wanted, ranked, max_rank=k)[f"MRR @{k} by query"]
    expected = {(str(query), f"RR@{k}"): theirs.get(query, 0.0) for query in wanted}
    if tied:
        run = run.with_columns(score=pl.lit(1.0))
    ours = sm.evaluate(qrels, run, f"RR@{k}", preset="msmarco")
    got = read_per_query(ours)
    assert set(got) == set(expected)
    assert_close(got, expected)
    # the script's own mean, which this copy of it leaves out
    assert ours.mean[f"RR@{k}"].item() == pytest.approx(
        fsum(theirs.values()) / len(wanted), abs=EXACT
    )


def translate_ranx(name):
    """Our metric for one of ranx, and how many times as large its score is."""
    name, _, rel = name.partition("-l")
    stem, _, k = name.partition("@")
    if stem == "rbp.80":  # the grades themselves are the gains
        return "RBP(p=0.8, max_rel=4)", 4
    stems = {
        "precision": "P" if k else "SetP", "recall": "R" if k else "SetR", "f1": "F" if k else "SetF",
        "hit_rate": "Success", "hits": "hits", "mrr": "RR", "map": "AP", "r-precision": "Rprec",
        "dcg": "DCG", "dcg_burges": "DCG(gain=exponential)",
        "ndcg": "nDCG", "ndcg_burges": "nDCG(gain=exponential)",
    }  # fmt: skip
    return stems[stem] + (f"(rel={rel})" if rel else "") + (f"@{k}" if k else ""), 1


def test_preset_of_ranx_gives_its_scores():
    qrels, run = RECORDED["collection"]
    theirs = RECORDED["ranx"]
    assert max(map(len, run.values())) <= 15
    asked = {name: translate_ranx(name) for name in theirs["mean"]}
    ours = sm.evaluate(qrels, run, [measure for measure, _ in asked.values()], preset="ranx")
    names = {name: parsing.parse(measure)[0].name for name, (measure, _) in asked.items()}
    got = {
        (query, name): value * asked[name][1]
        for (query, name), value in read_per_query(ours, names).items()
    }
    expected = {(q, n): x for n, row in theirs["per_query"].items() for q, x in row.items()}
    assert set(got) == set(expected)
    assert_close(got, expected)
    means = {name: value * asked[name][1] for name, value in read_means(ours, names).items()}
    assert_close(means, theirs["mean"])


def test_preset_of_beir_gives_its_scores():
    qrels, run = RECORDED["collection"]
    assert any(query in docs for query, docs in run.items()), "it drops these"
    theirs = RECORDED["beir"]["mean"]
    custom = {"MRR", "Accuracy"}  # computed by itself, not by pytrec_eval
    stems = {"NDCG": "nDCG", "MAP": "AP", "Recall": "R", "P": "P"}
    stem_of = {name: name.partition("@")[0] for name in theirs}
    names = {
        name: name.replace(stem, stems[stem]) for name, stem in stem_of.items() if stem in stems
    }
    assert {stem_of[name] for name in set(theirs) - set(names)} == custom
    ours = sm.evaluate(qrels, run, list(names.values()), preset="beir")
    assert_close(read_means(ours, names), {name: theirs[name] for name in names}, FIVE_DIGITS)


def test_own_measures_of_beir_drop_nothing_and_keep_ties_in_input_order():
    qrels, run = RECORDED["collection"]
    theirs = {n: x for n, x in RECORDED["beir"]["mean"].items() if n.startswith(("MRR", "Acc"))}
    names = {name: name.replace("MRR", "RR").replace("Accuracy", "Success") for name in theirs}
    ours = sm.evaluate(qrels, run, list(names.values()), ties="input")
    assert_close(read_means(ours, names), theirs, FIVE_DIGITS)


def test_preset_of_scikit_learn_gives_its_scores():
    qrels, run = RECORDED["table"]
    theirs = RECORDED["scikit-learn"]
    names = {
        name: name.replace("ndcg_score", "nDCG").replace("dcg_score", "DCG")
        for name in theirs["mean"]
    }
    ours = sm.evaluate(qrels, run, list(names.values()), preset="sklearn")
    got = read_per_query(ours, names)
    expected = {(q, n): x for n, row in theirs["per_query"].items() for q, x in row.items()}
    assert set(got) == set(expected)
    assert_close(got, expected)
    assert_close(read_means(ours, names), theirs["mean"])


def test_presets_are_a_row_each_and_are_all_used_by_these_tests():
    frame = sm.presets()
    assert frame.columns == [
        *("preset", "ties", "score_type", "queries", "exclude", "parameters", "tool")
    ]
    assert set(frame.dtypes) == {pl.String}
    assert frame["preset"].is_unique().all()
    assert all(frame["tool"].str.len_chars() > 0)
    source = Path(__file__).read_text(encoding="utf-8")
    tested = set(re.findall(r'preset="([\w-]+)"', source)) | {"pytrec_eval", "trec_eval-9"}
    assert set(frame["preset"]) == tested
    for name, *values in frame.select("preset", "ties", "score_type").iter_rows():
        chosen = sm.Conventions.of(name)
        assert [chosen.ties, chosen.score_type] == values


@pytest.mark.parametrize("name", ["TREC_EVAL-9", "trec-eval-9", "trec eval 9"])
def test_presets_are_found_however_they_are_spelled(name):
    assert sm.Conventions.of(name) == sm.Conventions.of("trec_eval-9")


# q1 to q3 have something relevant, q4 and q5 have not. x is not judged.
COVERED = {
    "q1": {"a": 1, "b": 2},
    "q2": {"a": 1},
    "q3": {"a": 2, "b": 0},
    "q4": {"a": 0},
    "q5": {"a": -1},
}
RUNS = {
    "all": {query: {"a": 1.0, "b": 2.0} for query in [*COVERED, "x"]},
    "none judged": {"q1": {"z": 1.0}, "q4": {"z": 1.0}, "q5": {"a": 1.0}},
    "some": {"q1": {"a": 2.0, "z": 3.0}, "q4": {"a": 1.0}, "x": {"a": 1.0}, "y": {"a": 1.0}},
}
UNJUDGED = [
    "all: no judgments for 1 of its queries (x); they are left out",
    "some: no judgments for 2 of its queries (x, y); they are left out",
]
MISSING = "{}: no results for {}"
POPULATIONS = {
    "judged": (
        {"all": "12345", "none judged": "12345", "some": "12345"},
        [
            MISSING.format("none judged", "2 of 5 judged queries (q2, q3); they score 0"),
            MISSING.format("some", "3 of 5 judged queries (q2, q3, q5); they score 0"),
        ],
    ),
    "answered": (
        {"all": "12345", "none judged": "145", "some": "14"},
        [
            MISSING.format("none judged", "2 of 5 judged queries (q2, q3); they are left out"),
            MISSING.format("some", "3 of 5 judged queries (q2, q3, q5); they are left out"),
        ],
    ),
    "relevant": (
        {"all": "123", "none judged": "123", "some": "123"},
        [
            MISSING.format("none judged, some", "2 of 5 judged queries (q2, q3); they score 0"),
        ],
    ),
    "answered, relevant": (
        {"all": "123", "none judged": "1", "some": "1"},
        [
            MISSING.format(
                "none judged, some", "2 of 5 judged queries (q2, q3); they are left out"
            ),
        ],
    ),
}


@pytest.mark.thorough
def test_many_runs_have_one_note():
    qrels = {f"q{n}": {"a": 1} for n in range(9)}
    runs = {f"r{n}": {f"q{i}": {"a": 1.0} for i in range(1 + n % 8)} for n in range(100)}
    assert sm.evaluate(qrels, runs, "AP").notes == (
        "r0, r1, r10 and 97 more: no results for 1 to 8 of 9 judged queries; they score 0",
    )


@pytest.mark.few(1)
@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("queries", POPULATIONS)
def test_each_run_is_averaged_over_the_queries_that_count(queries, judged_only):
    counted, missing = POPULATIONS[queries]
    result = sm.evaluate(COVERED, RUNS, "R@1 NumRet", queries=queries, judged_only=judged_only)
    got = {
        run: "".join(rows["query_id"].str.strip_prefix("q"))
        for (run,), rows in result.per_query.group_by("run_id", maintain_order=True)
    }
    assert got == counted
    without = "2 of 5 judged queries have no relevant documents; they are left out"
    notes = [*UNJUDGED, *missing, *([without] if "relevant" in queries else [])]
    said = [n for n in result.notes if "documents judged" not in n and "1, 2, 3" not in n]
    assert sorted(said) == sorted(notes)
    for run, mean, retrieved in result.mean.iter_rows():
        rows = result.per_query.filter(run_id=run)
        assert mean == pytest.approx(fsum(rows["R@1"]) / len(counted[run]), abs=EXACT)
        assert retrieved == rows["NumRet"].sum()
        if run == "none judged":  # its q1 and q4 have unjudged documents alone
            assert rows.filter(query_id="q1")["NumRet"].item() == (0 if judged_only else 1)


@pytest.mark.parametrize(
    "queries", [["relevant", "answered"], "relevant answered", ("answered", "relevant")]
)
def test_queries_may_be_named_in_any_way(queries):
    assert set(sm.Conventions(queries=queries).queries) == {"answered", "relevant"}


def test_a_query_is_relevant_by_the_rel_of_all_measures():
    result = sm.evaluate(COVERED, RUNS["all"], "R@1", queries="relevant", rel=2)
    assert result.per_query["query_id"].to_list() == ["q1", "q3"]
    assert "3 of 5 judged queries have no relevant documents; they are left out" in result.notes


def test_a_run_without_a_query_that_counts_is_refused():
    runs = {"good": RUNS["all"], "bad": {"q4": {"a": 1.0}, "x": {"a": 1.0}}}
    scores = sm.evaluate(COVERED, runs, "RR", queries="relevant").mean
    assert scores.rows() == [("good", pytest.approx(2 / 3)), ("bad", 0.0)]


def test_rel_is_that_of_every_measure_that_names_no_other():
    result = sm.evaluate(COVERED, RUNS["some"], "R@1 R(rel=1)@2 RBP nDCG@1", rel=2)
    named = [m.canonical_name for m in result.metrics]
    assert named == ["R(rel=2)@1", "R(rel=1)@2", "RBP(rel=2)", "nDCG@1"]
    one_by_one = sm.evaluate(COVERED, RUNS["some"], "R(rel=2)@1 R@2 RBP(rel=2) nDCG@1")
    assert result.per_query.rows() == one_by_one.per_query.rows()
    otherwise = sm.evaluate(COVERED, RUNS["some"], "R@1 R@2 RBP nDCG@1")
    assert result.per_query.rows() != otherwise.per_query.rows()


OPTIONS = {
    "ties": "ascending",
    "score_type": "float64",
    "depth": 2,
    "judged_only": True,
    "rel": 2,
    "queries": ("judged",),
    "repeated": "first",
}


@pytest.mark.parametrize("preset", PRESETS)
def test_an_option_beside_a_preset_wins(preset):
    by_preset = sm.Conventions.of(preset)
    for option, value in OPTIONS.items():
        chosen = sm.Conventions.of(preset, **{option: value})
        assert getattr(chosen, option) == value
        kept = [o for o in ("ties", "score_type", "depth", "judged_only", "queries") if o != option]
        assert [getattr(chosen, o) for o in kept] == [getattr(by_preset, o) for o in kept]
    assert sm.Conventions.of(preset, **OPTIONS).parameters[-1] == ("rel", 2)


def test_a_parameter_of_a_measure_wins_over_the_preset():
    names = [
        m.canonical_name
        for m in sm.evaluate(
            COVERED, RUNS["all"], "nDCG nDCG(gain=linear)@1", preset="gdeval"
        ).metrics
    ]
    assert names == ["nDCG(gain='exponential')", "nDCG(gain='linear')@1"]


EXPECTED = catalogue.files()["expected"]
MEASURES = parsing.parse(
    "nDCG@5 nDCG(gain=exponential) AP R@3 RR ERR@5 RBP(p=0.5) Bpref NumRel NumRet"
)
TIES = re.findall(r"'(\w+)'", catalogue.find_file("judged").header["ties"].partition(";")[0])
COMBINATIONS = [
    *({"preset": preset} for preset in PRESETS),
    *({"ties": ties} for ties in [*TIES, "expected"]),
    *({"queries": queries} for queries in POPULATIONS),
    *({"depth": 3}, {"judged_only": True}, {"rel": 2}, {"rel": 1.5, "queries": "relevant"}),
    {"ties": "expected", "depth": 4, "rel": 2, "queries": "answered"},
    {"ties": "worst", "depth": 4, "judged_only": True, "rel": 2, "queries": "answered, relevant"},
    {"preset": "gdeval", "ties": "input", "depth": 2, "queries": "relevant"},
]


@cache
def connect(score_type):
    """Tables qrels and run, which holds two runs with ranks that do not go with the scores."""
    qrels, run = make_collection(seeds=12)
    chance = random.Random(5)
    rank = pl.Series("rank", chance.sample(range(1, 100_000), len(run)))
    query = pl.col("query_id").cast(int)
    runs = [
        run.with_columns(rank, run_id=pl.lit("one")),
        run.with_columns(rank.reverse(), run_id=pl.lit("two"), score=-pl.col("score")).filter(
            query > 20
        ),
    ]
    con = duckdb.connect()
    for name, frame in {"qrels": qrels, "run": pl.concat(runs)}.items():
        con.register("frame", Stream(frame))
        con.execute(f"CREATE TABLE {name} AS FROM frame")
    if score_type == "float32":
        con.execute("ALTER TABLE run ALTER score TYPE FLOAT")
    install_copy(con)
    return con


def list_rows(found):
    return [(run, query, pytest.approx(scores, rel=0, abs=EXACT)) for run, query, *scores in found]


@pytest.mark.few(1)
@pytest.mark.parametrize("options", COMBINATIONS, ids=str)
def test_sql_and_the_statement_of_the_result_give_the_rows_of_evaluate(options):
    chosen = conventions.choose(None, options)
    con = connect(chosen.score_type)
    wanted = [
        m.name for m in MEASURES if not chosen.expects or f"expected_{m.metric.macro}" in EXPECTED
    ]
    # a cursor does not see the temporary macros of another
    result = sm.evaluate("qrels", "run", wanted, con=con.cursor(), **options)
    rows = [(run, query, scores) for run, query, *scores in result.per_query.iter_rows()]
    assert {run for run, *_ in rows} == {"one", "two"}
    script = sm.sql(wanted, **options)
    assert list_rows(con.cursor().execute(script).fetchall()) == rows
    statement = con.cursor().execute(result.sql)
    assert [name for name, *_ in statement.description] == result.per_query.columns
    assert list_rows(statement.fetchall()) == rows


# On a connection of the user's


@pytest.fixture
def con():
    with duckdb.connect() as con:
        yield con


@pytest.mark.thorough
@pytest.mark.parametrize("collation", ["NOCASE", "NOACCENT"])
def test_query_ids_are_compared_as_bytes_whatever_the_collation(con, collation):
    ids = ("Q1", "q1") if collation == "NOCASE" else ("é", "e")
    con.execute(f"PRAGMA default_collation = {collation}")
    values = "(VALUES (?, 'a', 1), (?, 'a', 0)) t(query_id, doc_id, {})"
    con.execute("CREATE TABLE qrels AS SELECT * FROM " + values.format("relevance"), ids)
    con.execute("CREATE TABLE run AS SELECT * FROM " + values.format("score"), ids)
    found = sm.evaluate("qrels", "run", "RR", con=con, queries="relevant")
    assert found.per_query.rows() == [("run", ids[0], 1.0)]
    assert found.notes == ("1 of 2 judged queries have no relevant documents; they are left out",)
    sm.install(con)
    assert con.execute(found.sql).fetchall() == [("run", ids[0], 1.0)]


def test_input_order_needs_a_connection_that_keeps_it(con):
    con.execute("SET preserve_insertion_order = false")
    with pytest.raises(sm.InputError, match="preserve_insertion_order = true"):
        sm.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "AP", con=con, ties="input")


def test_the_statement_runs_when_only_one_run_has_ranks(con):
    con.execute("CREATE TABLE qrels AS SELECT 'q' AS query_id, 'a' AS doc_id, 1 AS relevance")
    con.execute("CREATE TABLE r1 AS SELECT 'q' AS query_id, 'a' AS doc_id, 1.0 AS score, 1 AS rank")
    con.execute("CREATE TABLE r2 AS SELECT 'q' AS query_id, 'a' AS doc_id, 1.0 AS score")
    found = sm.evaluate("qrels", ["r1", "r2"], "AP", con=con)
    install_copy(con)
    assert con.execute(found.sql).fetchall() == found.per_query.rows()


def test_macros_of_the_user_are_theirs_again_after_the_call(con):
    con.execute("CREATE MACRO rr(x) AS x * 3")
    sm.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "RR AP", con=con)
    sm.check({"q": {"a": 1}}, {"q": {"a": 1.0}}, con=con)
    assert con.execute("SELECT rr(2)").fetchall() == [(6,)]
    left = (
        "SELECT function_name FROM duckdb_functions() WHERE database_name = 'temp' AND NOT internal"
    )
    assert con.execute(left).fetchall() == []


def test_a_refusal_in_a_transaction_has_a_reason(con):
    con.execute("BEGIN")
    with pytest.raises(sm.InputError, match=r"relevance 9\.0 is above max_rel 4"):
        sm.evaluate({"q": {"a": 9}}, {"q": {"a": 1.0}}, "ERR", con=con)


def test_judgments_without_anything_relevant_are_noted():
    found = sm.evaluate({"q": {"a": 0.5}}, {"q": {"a": 1.0}}, "AP")
    assert found.notes == (
        "AP and others are 0: no relevance is 1 or more; name the lowest relevant grade "
        "(rel=0.5 at least) or score gains (nDCG)",
    )


def test_measures_of_ir_measures_are_understood():
    found = sm.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, [ir_measures.nDCG @ 10, ir_measures.AP])
    assert found.mean.columns == ["run_id", "nDCG@10", "AP"]


LABELS = {"a": "E", "b": " s", "c": "Complement", "d": "irrelevant"}
GRADED = 1 + 3 / log2(3) + 2 / 2  # c, a, b


@pytest.mark.parametrize(
    "ask",
    [
        lambda *given, **how: sm.explain_query(*given, "q", "DCG", **how).documents.to_dicts(),
        lambda *given, **how: sm.bounds(*given, "DCG", **how).per_query.to_dicts(),
        lambda *given, **how: sm.pool_bias(*given, "DCG", **how).to_dicts(),
        lambda *given, **how: sm.to_judge(*given, **how).to_dicts(),
        lambda *given, **how: sm.precision_recall_curve(*given, **how).to_dicts(),
        lambda *given, **how: sm.tune(*given, "DCG", methods=["rrf"], **how).settings.to_dicts(),
    ],
)
def test_words_are_grades_wherever_judgments_are_given(ask):
    lists = {q: {"a": 3.0, "b": 2.0, "c": 1.0} for q in "qr"}
    runs = {"old": lists, "new": {q: {"b": 1.0, "d": 0.5} for q in "qr"}}
    runs = lists if "explain_query" in ask.__code__.co_names else runs
    words, numbers = (
        {q: {"a": low, "b": high} for q in "qr"} for low, high in (("fair", "good"), (1, 3))
    )
    assert ask(words, runs, grades={"good": 3, "fair": 1}) == ask(numbers, runs)


@pytest.mark.parametrize("form", ["dict", "frame", "parquet", "csv", "trec", "kept", "table"])
@pytest.mark.parametrize("grades", ["esci", "numbers"])
def test_words_are_judgments_with_the_grades_that_they_are_given(tmp_path, con, form, grades):
    run = {"q1": {"c": 3.0, "a": 2.0, "b": 1.0}}
    given = (
        {"e": 3, "S": "2", "complement": 1.0, "Irrelevant": 0} if grades == "numbers" else grades
    )
    frame = pl.DataFrame({"query_id": "q1", "doc_id": [*LABELS], "esci_label": [*LABELS.values()]})
    frame.write_csv(tmp_path / "csv")
    frame.write_parquet(tmp_path / "parquet")
    lines = (f"q1 0 {doc} {label.strip()}\n" for doc, label in LABELS.items())
    (tmp_path / "trec").write_text("".join(lines))
    con.register("labels", frame.to_arrow())
    kept = sm.Judgments(frame)
    forms = {"dict": {"q1": LABELS}, "frame": frame, "kept": kept, "table": "labels"}
    options = {"con": con} if form == "table" else {}
    found = sm.evaluate(
        forms.get(form, tmp_path / form), run, "DCG@3 Rprec", grades=given, **options
    )
    assert found.mean.row(0)[1:] == pytest.approx((GRADED, 1.0))


def test_numbers_among_words_stay_numbers(tmp_path):
    (tmp_path / "csv").write_text("query_id,doc_id,label\nq1,a,E\nq1,b,2\nq1,c,1\n")
    run = {"q1": {"c": 3.0, "a": 2.0, "b": 1.0}}
    found = sm.evaluate(tmp_path / "csv", run, "DCG@3", grades={"E": 3})
    assert found["DCG@3"] == pytest.approx(GRADED)


def test_kept_judgments_have_the_grades_of_each_call():
    kept = sm.Judgments({"q1": {"a": "good", "b": "bad"}})
    run = {"q1": {"a": 1.0}}
    scores = [sm.evaluate(kept, run, "DCG", grades={"good": x, "bad": 0})["DCG"] for x in (1, 2)]
    assert scores == [1.0, 2.0]


def test_words_without_a_grade_are_refused_with_all_of_them():
    said = (
        "relevance 'fair' for document b of query q1; say which grade each word is: "
        "grades={'fair': …}"
    )
    run = {"q1": {"a": 1.0}}
    with pytest.raises(sm.InputError) as error:
        sm.evaluate({"q1": {"a": "good", "b": "fair"}}, run, "AP", grades={"good": 1})
    assert said in str(error.value)
    with pytest.raises(sm.InputError, match=r"'E': …, 'S': …\}; 'esci' has those of Amazon's"):
        sm.evaluate({"q1": {"a": "E", "b": "S"}}, run, "AP")


@pytest.mark.parametrize("grades", ["words", {"E": "high"}, {"E": float("nan")}, [1]])
def test_grades_that_are_none_are_refused(grades):
    with pytest.raises(sm.InputError, match="grades"):
        sm.evaluate({"q1": {"a": "E"}}, {"q1": {"a": 1.0}}, "AP", grades=grades)


def test_sql_refuses_grades_of_words():
    with pytest.raises(sm.InputError, match="name a view with numbers and no repeats"):
        sm.sql("AP", grades="esci")


def test_the_command_takes_grades_by_pairs_and_by_name(tmp_path):
    (tmp_path / "qrels.csv").write_text("query_id,doc_id,label\nq1,a,E\nq1,b,S\nq1,c,C\n")
    (tmp_path / "run.csv").write_text("query_id,doc_id,score\nq1,c,3\nq1,a,2\nq1,b,1\n")
    files = str(tmp_path / "qrels.csv"), str(tmp_path / "run.csv")
    for given in (["esci"], ["E=3,S=2,C=1"], ["E=3,S=2", "--grades", "C=1"]):
        status, printed, _ = run_command("evaluate", *files, "-m", "DCG@3", "--grades", *given)
        assert (status, printed.split()[-1]) == (0, "3.8928")


# b is ranked by its best row, before a; without it, the list is refused.
REPEATED = pl.DataFrame(
    {"query_id": ["q"] * 4, "doc_id": ["b", "a", "b", "b"], "score": [3.0, 2.0, 1.0, 3.0]}
)


@pytest.mark.parametrize("form", ["polars", "pandas", "csv", "trec", "parquet", "table", "parts"])
@pytest.mark.parametrize("ties", ["descending", "input", "expected"])
def test_the_first_of_a_repeated_document_may_be_kept(tmp_path, form, ties):
    run, options = REPEATED, {}
    if form == "pandas":
        run = REPEATED.to_pandas()
    elif form == "table":
        con = duckdb.connect()
        con.register("repeated", REPEATED.to_arrow())
        run, options = "repeated", {"con": con}
    elif form != "polars":
        run = tmp_path / f"run.{form}"
        if form == "csv":
            REPEATED.write_csv(run)
        elif form == "trec":
            rows = REPEATED.iter_rows()
            run.write_text("".join(f"{q} Q0 {d} 0 {score} tag\n" for q, d, score in rows))
        elif form == "parquet":
            REPEATED.write_parquet(run)
        else:
            run.mkdir()
            REPEATED.write_csv(run / "part-00000.csv")
    options |= {"ties": ties, "metrics": "RR NumRet"}
    with pytest.raises(sm.InputError, match="document b appears 3 times"):
        sm.evaluate({"q": {"a": 1}}, run, **options)
    scores = sm.evaluate({"q": {"a": 1}}, run, repeated="first", **options)
    assert (scores["RR"], scores["NumRet"]) == (0.5, 2)
    said = "2 rows of documents with a better one; left out"
    assert any(said in note for note in scores.notes)


def test_lists_and_ranks_keep_the_first_of_a_repeated_document():
    lists = {"q": ["b", "a", "b"], "r": ["c", "c"]}
    judged = {"q": {"a": 1}, "r": {"c": 1}}
    scores = sm.evaluate(judged, lists, "RR", repeated="first")
    assert scores.per_query["RR"].to_list() == [0.5, 1.0]
    ranked = REPEATED.drop("score").with_columns(rank=pl.Series([1, 2, 3, 4]))
    assert sm.evaluate(judged, ranked, "RR", repeated="first", queries="answered")["RR"] == 0.5


def test_runs_that_repeat_nothing_are_the_same_with_and_without_the_first():
    asked = {run: sm.evaluate(COVERED, RUNS[run], "AP nDCG", repeated="first") for run in RUNS}
    for run, scores in asked.items():
        assert scores.mean.equals(sm.evaluate(COVERED, RUNS[run], "AP nDCG").mean)


def test_repeated_documents_are_kept_only_here():
    with pytest.raises(sm.InputError, match="repeated must be 'refuse' or 'first', not 'last'"):
        sm.Conventions(repeated="last")
    with pytest.raises(sm.InputError, match="sql takes no grades or repeated"):
        sm.sql("AP", repeated="first")
