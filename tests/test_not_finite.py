"""NaN and infinity, in data and options: each function and command refuses them by name."""

from __future__ import annotations

import inspect
import math

import polars as pl
import pytest
from commands import BM25, NEURAL, QRELS, run_command

import sqlmetrics as sm
from sqlmetrics.analyses import list_options
from sqlmetrics.catalogue import list_analyses

J = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1, "d": 0}}
R = {"q1": {"a": 2.0, "b": 1.0}, "q2": {"c": 1.0, "d": 2.0}}
SCORES = pl.DataFrame(
    {
        "run_id": ["x"] * 4 + ["y"] * 4,
        "query_id": ["1", "2", "3", "4"] * 2,
        "AP": [0.1, 0.2, 0.3, 0.4, 0.2, 0.4, 0.1, 0.5],
        "RR": [0.1, 0.2, 0.3, 0.7, 0.2, 0.4, 0.1, 0.5],
    }
)
LOG = pl.DataFrame(
    {
        "page_id": [1, 1, 2, 2],
        "query_id": ["q1"] * 4,
        "doc_id": ["a", "b", "b", "a"],
        "position": [1.0, 2.0, 1.0, 2.0],
        "clicked": [0.0, 1.0, 1.0, 0.0],
        "time_to_click": [None, 1.0, 1.0, None],
        "dwell_time": [None, 1.0, 1.0, None],
        "response_time": [None, 1.0, 1.0, None],
    }
)
USERS = pl.DataFrame(
    {
        "user_id": range(8),
        "variant": ["A", "B"] * 4,
        "numerator": [1.0, 2.0, 3.0, 4.0, 2.0, 3.0, 5.0, 6.0],
        "denominator": [1.0, 2.0] * 4,
        "before": [1.0, 2.0, 3.0, 4.0, 3.0, 2.0, 1.0, 0.0],
        "before_denominator": [1.0, 2.0] * 4,
    }
)
PAGES = pl.DataFrame(
    {
        "page_id": [1, 1, 2, 2],
        "clicked": [0.0, 1.0, 1.0, 0.0],
        "position": [1.0, 2.0, 1.0, 2.0],
        "rank_a": [1.0, 2.0, 1.0, 2.0],
        "rank_b": [2.0, 1.0, 2.0, 1.0],
    }
)
RATINGS = pl.DataFrame(
    {
        "query_id": ["q"] * 4,
        "doc_id": ["a", "b"] * 2,
        "judge": ["x", "x", "y", "y"],
        "relevance": [1.0, 0.0, 1.0, 1.0],
    }
)
DRAWN = pl.DataFrame(
    {
        "query_id": ["q1"] * 4,
        "doc_id": ["a", "b", "c", "d"],
        "stratum": ["1", "1", "2", "2"],
        "relevance": [1.0, 0.0, 1.0, -1.0],
    }
)
PASSAGES = pl.DataFrame({"passage_id": ["a", "b", "c", "d"], "doc_id": ["e", "e", "f", "f"]})
PAIRS = pl.DataFrame({"query_id": ["q1", "q1", "q2"], "doc_id": ["a", "b", "a"]})
NEAR = {"q1": {"a": 0.1, "b": 0.2}}
LOOKED = pl.DataFrame({"position": [1.0, 2.0], "examination": [1.0, 0.5]})


def put(frame, column, value):
    """The frame with another first value of a column."""
    return frame.with_columns(pl.Series(column, [value, *frame[column].to_list()[1:]]))


def judge(value):
    return {**J, "q1": {"a": value, "b": 0}}


def weigh(value):
    topics = pl.DataFrame({"query_id": ["q1", "q2"], "traffic": [value, 1.0]})
    return sm.evaluate(J, R, "AP", weight="traffic", topics=topics)


def keep_baseline(value):
    return put(SCORES.filter(run_id="x").drop("run_id"), "AP", value)


# By function: what is given, how, and what the message names beside the value.
DATA = {
    "evaluate": {"relevance": lambda v: sm.evaluate(judge(v), R, "AP"), "traffic": weigh},
    "roc_curve": {"relevance": lambda v: sm.roc_curve(judge(v), R)},
    "compare": {"AP": lambda v: sm.compare(put(SCORES, "AP", v))},
    "compare_orders": {
        "AP": lambda v: sm.compare_orders(put(SCORES, "AP", v)),
        "RR": lambda v: sm.compare_orders(SCORES, put(SCORES, "RR", v)),
    },
    "gate": {
        "AP": lambda v: sm.gate(put(SCORES.filter(run_id="y"), "AP", v), fail_under={"AP": 0.1}),
        "AP ": lambda v: sm.gate(
            SCORES.filter(run_id="y"), baseline=keep_baseline(v), max_loss={"AP": 0.1}
        ),
    },
    "bounds": {"relevance": lambda v: sm.bounds(judge(v), R, "AP")},
    "agree": {
        "relevance": lambda v: sm.agree(judge(v), J),
        "relevance ": lambda v: sm.agree(J, judge(v)),
        "by judge x": lambda v: sm.agree(put(RATINGS, "relevance", v)),
    },
    "estimate": {
        "automatic": lambda v: sm.estimate(put(SCORES, "AP", v), SCORES),
        "human": lambda v: sm.estimate(SCORES, put(SCORES, "AP", v)),
    },
    "to_judge": {"relevance": lambda v: sm.to_judge(judge(v), R)},
    "leave_out": {"relevance": lambda v: sm.leave_out(judge(v), {"x": R, "y": R}, "AP")},
    "abstention": {"relevance": lambda v: sm.abstention(judge(v), R, "AP")},
    "follow": {"relevance": lambda v: sm.follow(judge(v), R, R)},
    "infer": {"relevance": lambda v: sm.infer(put(DRAWN, "relevance", v), R)},
    "clicks": {
        column: lambda v, column=column: sm.clicks(put(LOG, column, v))
        for column in (*("position", "clicked"), *LOG.columns[-3:])
    },
    "neighbours": {
        "distance": lambda v: sm.neighbours({"q1": {"a": v, "b": 0.2}}, NEAR, "ANNRecall@1"),
        "distance ": lambda v: sm.neighbours(NEAR, {"q1": {"a": v}}, "ANNRecall@1"),
    },
    "judge": {"clicked": lambda v: sm.judge(put(LOG, "clicked", v))},
    "examination": {"clicked": lambda v: sm.examination(put(LOG, "clicked", v))},
    "replay": {
        "examination": lambda v: sm.replay(LOG, R, examination=put(LOOKED, "examination", v)),
        "clicked": lambda v: sm.replay(put(LOG, "clicked", v), R, examination=LOOKED),
    },
    "experiment": {
        column: lambda v, column=column: sm.experiment(put(USERS, column, v))
        for column in USERS.columns[2:]
    },
    "interleaving": {
        column: lambda v, column=column: sm.interleaving(put(PAGES, column, v))
        for column in PAGES.columns[1:]
    },
    "bridge": {
        "offline": lambda v: sm.bridge(put(SCORES, "AP", v), SCORES),
        "online": lambda v: sm.bridge(SCORES, put(SCORES, "AP", v)),
    },
}
RUNS = {
    "evaluate": lambda run: sm.evaluate(J, run, "AP"),
    "roc_curve": lambda run: sm.roc_curve(J, run),
    "bounds": lambda run: sm.bounds(J, run, "AP"),
    "to_judge": lambda run: sm.to_judge(J, run),
    "leave_out": lambda run: sm.leave_out(J, {"x": run, "y": R}, "AP"),
    "abstention": lambda run: sm.abstention(J, run, "AP"),
    "follow": lambda run: sm.follow(J, R, run),
    "fuse": lambda run: sm.fuse({"x": run, "y": R}),
    "tune": lambda run: sm.tune(J, {"x": run, "y": R}),
    "collapse": lambda run: sm.collapse(run, PASSAGES),
    "infer": lambda run: sm.infer(DRAWN, run),
    "replay": lambda run: sm.replay(LOG, run, examination=LOOKED),
    "explain_query": lambda run: sm.explain_query(J, run, "q1"),
    "recommendations": lambda run: sm.recommendations(run, "ARP", history=PAIRS),
}
OPTIONS = {
    "evaluate": {
        **{
            name: lambda v, name=name: sm.evaluate(J, R, "AP", **{name: v})
            for name in ("rel", "depth", "no_relevant")
        },
        "max_rel": lambda v: sm.evaluate(J, R, f"ERR(max_rel={v})@3"),
        "p": lambda v: sm.evaluate(J, R, f"RBP(p={v})@3"),
        "gains": lambda v: sm.evaluate(J, R, f"nDCG(gains={{1: {v}}})@3"),
        "base": lambda v: sm.evaluate(J, R, f"nDCG(base={v})@3"),
    },
    "check": {
        "rel": lambda v: sm.check(J, R, rel=v),
        "max_rel": lambda v: sm.check(J, R, max_rel=v),
    },
    "sql": {"rel": lambda v: sm.sql("AP", rel=v, dialect="postgres")},
    "compare": {
        name: lambda v, name=name: sm.compare(SCORES, **{name: v})
        for name in ("alpha", "within", "permutations", "samples", "seed")
    },
    "compare_orders": {"p": lambda v: sm.compare_orders(SCORES, p=v)},
    "gate": {
        "fail_under": lambda v: sm.gate(SCORES, "y", fail_under={"AP": v}),
        "max_loss": lambda v: sm.gate(SCORES, "y", baseline="x", max_loss={"AP": v}),
        "max_loss of AP": lambda v: sm.gate(SCORES, "y", baseline="x", max_loss={"AP": f"{v}%"}),
        "alpha": lambda v: sm.gate(SCORES, "y", fail_under={"AP": 0.1}, alpha=v),
    },
    "bounds": {
        "max_rel": lambda v: sm.bounds(J, R, "AP", max_rel=v),
        "rel": lambda v: sm.bounds(J, R, "AP", rel=v),
    },
    "agree": {
        name: lambda v, name=name: sm.agree(J, J, **{name: v})
        for name in ("alpha", "samples", "seed", "rel")
    },
    "estimate": {"alpha": lambda v: sm.estimate(SCORES, SCORES, alpha=v)},
    "to_judge": {
        name: lambda v, name=name: sm.to_judge(J, R, **{name: v})
        for name in ("rel", "depth", "budget")
    },
    "leave_out": {
        name: lambda v, name=name: sm.leave_out(J, {"x": R, "y": R}, "AP", **{name: v})
        for name in ("rel", "pool_depth")
    },
    "infer": {
        "a cut-off": lambda v: sm.infer(DRAWN, R, (v,)),
        "depth": lambda v: sm.infer(DRAWN, R, depth=v),
    },
    "clicks": {"percentile": lambda v: sm.clicks(LOG, f"ResponseTime(percentile={v})")},
    "judge": {
        name: lambda v, name=name: sm.judge(LOG, "pbm", **{name: v})
        for name in ("smoothing", "steps", "least_pages")
    },
    "examination": {
        name: lambda v, name=name: sm.examination(LOG, **{name: v})
        for name in ("steps", "least_pages")
    },
    "replay": {
        name: lambda v, name=name: sm.replay(LOG, R, examination=LOOKED, **{name: v})
        for name in ("k", "clip")
    },
    "experiment": {
        "alpha": lambda v: sm.experiment(USERS, alpha=v),
        "the share": lambda v: sm.experiment(USERS, shares={"A": v, "B": 0.5}),
    },
    "fuse": {
        **{
            name: lambda v, name=name, method=method: sm.fuse({"x": R, "y": R}, method, **{name: v})
            for name, method in (
                *(("k", "rrf"), ("p", "rbc"), ("sigma", "logn_isr"), ("gamma", "comb_gmnz")),
                *(("parts", "probfuse"), ("width", "slidefuse"), ("rel", "posfuse")),
                ("depth", "rrf"),
            )
        },
        "weights": lambda v: sm.fuse({"x": R, "y": R}, weights={"x": v, "y": 1}),
    },
    "explain_query": {
        name: lambda v, name=name: sm.explain_query(J, R, "q1", "AP", **{name: v})
        for name in ("k", "rel", "depth", "no_relevant")
    },
    "recommendations": {
        "tail": lambda v: sm.recommendations(R, f"TailShare(tail={v})@1", history=PAIRS),
    },
    "tune": {
        **{
            name: lambda v, name=name: sm.tune(J, {"x": R, "y": R}, **{name: v})
            for name in ("share", "depth", "seed", "alpha")
        },
        "k": lambda v: sm.tune(J, {"x": R, "y": R}, settings=[{"k": v}]),
    },
    "interleaving": {"alpha": lambda v: sm.interleaving(PAGES, alpha=v)},
    "bridge": {"alpha": lambda v: sm.bridge(SCORES, SCORES, alpha=v)},
    "neighbours": {"epsilon": lambda v: sm.neighbours(NEAR, NEAR, f"ANNRecall(epsilon={v})@1")},
}
# What an analysis takes, by the names of its tables.
GIVEN = {"qrels": J, "run": R}
OPTIONS |= {
    name: {
        option.name: lambda v, name=name, file=file, option=option.name: getattr(sm, name)(
            **{table: GIVEN[table] for table in file.inputs}, **{option: v}
        )
        for option in list_options(file)
        if option.rule.is_number
    }
    for name, file in list_analyses().items()
}
# What takes no numbers, or refuses nothing: it lists or explains what is there.
OTHERS = {
    "add_metric", "check_log", "collapse", "explain", "install", "metrics", "plot", "presets", "query",
    "remove_metric",     "translate", "uninstall",
}  # fmt: skip
VALUES = (math.nan, math.inf, -math.inf)


def list_cases(table):
    return [
        pytest.param(call, what, value, id=f"{function} {what} {value}")
        for function, calls in table.items()
        for what, call in calls.items()
        for value in VALUES
    ]


def test_every_function_that_takes_numbers_is_tried():
    public = {name for name in sm.__all__ if inspect.isfunction(getattr(sm, name))}
    tried = {*DATA, *OPTIONS, *OTHERS}
    assert public == tried, f"add calls to DATA or OPTIONS, or a name to OTHERS: {public ^ tried}"


@pytest.mark.few(40)
@pytest.mark.parametrize(("call", "what", "value"), list_cases(DATA) + list_cases(OPTIONS))
def test_what_is_not_finite_is_refused_by_name(call, what, value):
    with pytest.raises(sm.SqlMetricsError) as error:
        call(value)
    said = str(error.value)
    assert what.strip() in said
    # positions and clicks are whole numbers, and the message says which of them is not one
    assert str(value).lstrip("-") in said or what in ("position", "clicked")


@pytest.mark.parametrize("function", RUNS)
def test_a_score_of_a_run_that_is_not_a_number_is_refused(function):
    with pytest.raises(sm.InputError, match="score 'nan' for document a of query q1"):
        RUNS[function]({**R, "q1": {"a": math.nan, "b": 1.0}})


@pytest.mark.parametrize(("score", "rr"), [(math.inf, 1.0), (-math.inf, 0.5)])
def test_an_infinite_score_of_a_run_is_the_first_or_the_last(score, rr):
    run = {"q1": {"a": score, "b": 1.0}}
    assert sm.evaluate({"q1": {"a": 1}}, run, "RR").mean["RR"].item() == rr


COMMANDS = {
    "evaluate": (["--rel"], ["--no-relevant"]),
    "check": (["--rel"], ["--max-rel"]),
    "compare": (["--alpha"],),
    "gate": (
        ["--fail-under", "AP=0.1", "--alpha"],
        ["--fail-under", "AP="],
        ["--max-loss", "AP="],
    ),
    "bounds": (["--max-rel"], ["--rel"]),
    "to-judge": (["--rel"],),
    "leave-out": (["--rel"],),
    "agree": (["--alpha"],),
    "tune": (["--share"], ["--alpha"]),
}


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
@pytest.mark.parametrize(
    ("command", "options"),
    [(command, options) for command, each in COMMANDS.items() for options in each],
)
def test_a_command_refuses_an_option_that_is_not_finite(command, options, value):
    *before, last = options
    given = [*before, f"{last}{value}"] if last.endswith("=") else [*before, f"{last}={value}"]
    runs = [BM25, NEURAL]
    metrics = [] if command in ("check", "to-judge", "gate") else ["-m", "AP"]
    status, _, said = run_command(command, QRELS, *runs, *metrics, *given)
    assert status == 2
    assert value.lstrip("-") in said
    assert "Traceback" not in said


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    tables = {"log": LOG, "users": USERS, "pages": PAGES, "scores": SCORES, "looked": LOOKED}
    for name, table in tables.items():
        table.write_csv(folder / f"{name}.csv")
    (folder / "run.csv").write_text("query_id,doc_id,score\nq1,a,1\n")
    return folder


@pytest.mark.parametrize("value", ["nan", "inf", "-inf"])
@pytest.mark.parametrize(
    "call",
    [
        "judge log.csv --smoothing=",
        "replay log.csv run.csv --examination looked.csv --clip=",
        "experiment users.csv --alpha=",
        "experiment users.csv --share B=0.5 --share A=",
        "interleaving pages.csv --alpha=",
        "bridge scores.csv scores.csv --alpha=",
    ],
)
def test_a_command_about_users_refuses_an_option_that_is_not_finite(files, call, value):
    words = [str(files / word) if word.endswith(".csv") else word for word in call.split()]
    status, _, said = run_command(*words[:-1], f"{words[-1]}{value}")
    assert status == 2
    assert value.lstrip("-") in said
    assert "Traceback" not in said
