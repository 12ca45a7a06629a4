"""Results: what functions return, as tables for people."""

from __future__ import annotations

import json
from html import unescape

import polars as pl
import pytest
from conftest import ROOT
from messages import assert_message

import sqlmetrics as sm
from sqlmetrics.result import Result, Table, name_interval, shorten, show_range, show_signed

QRELS, BM25, NEURAL = (str(ROOT / "examples" / f"{n}.csv") for n in ("qrels", "bm25", "neural"))

# b is better than a by both metrics, c by none; of FallOut, a lower score is better
SCORES = pl.DataFrame(
    {
        "run_id": ["a"] * 6 + ["b"] * 6 + ["c_1"] * 6,
        "query_id": [*"123456"] * 3,
        "AP": [
            *(0.1, 0.2, 0.3, 0.4, 0.5, 0.7),
            *(0.3, 0.4, 0.6, 0.6, 0.8, 0.8),
            *(0.1, 0.2, 0.3, 0.4, 0.5, 0.6),
        ],
        "FallOut": [
            *(0.5, 0.6, 0.5, 0.6, 0.5, 0.6),
            *(0.1, 0.2, 0.1, 0.2, 0.1, 0.3),
            *(0.7, 0.5, 0.6, 0.5, 0.6, 0.5),
        ],
    }
)

RESULTS = {
    "Scores": lambda: sm.evaluate(QRELS, [BM25, NEURAL], "AP RR"),
    "Comparison": lambda: sm.compare(SCORES, "a", test="sign"),
    "Gate": lambda: sm.gate(SCORES, "b", baseline="a", max_loss={"AP": 0.1}),
    "Bounds": lambda: sm.bounds(QRELS, BM25, "AP"),
    "Documents": lambda: sm.explain_query(QRELS, [BM25, NEURAL], "bread"),
    "Tuning": lambda: sm.tune(QRELS, [BM25, NEURAL], "RR", methods=["rrf"]),
}


def test_every_result_is_tried():
    found = (getattr(sm, name) for name in sm.__all__)
    kinds = {each for each in found if isinstance(each, type) and issubclass(each, Result)}
    assert kinds == {*Result.__subclasses__()}
    assert {each.__name__ for each in kinds} == {*RESULTS}


@pytest.mark.few(1)
@pytest.mark.parametrize("name", RESULTS)
def test_every_result_is_written_in_all_layouts(name):
    found = RESULTS[name]()
    plain, notebook = found.write(), found._repr_html_()
    assert repr(found) == str(found) == "\n".join([plain.rstrip(), *found.notes])
    cells = [cell for row in next(iter(found.tables())).frame.rows() for cell in row if cell]
    assert str(cells[0]) in plain
    starts = {"markdown": "|", "latex": r"\begin{tabular}", "html": "<table>"}
    for layout, start in starts.items():
        text = unescape(found.write(layout))
        assert start in text
        assert str(cells[0]) in text
        method = found.method
        if layout == "latex":
            method = method.replace("▲▼", "† higher, ‡ lower")
        assert method in text
    for note in found.notes:
        assert f"<li>{note}</li>" in unescape(notebook)
    assert notebook.startswith(found.write("html"))
    assert found.write("json").lstrip()[0] in "[{"
    with pytest.raises(sm.InputError, match=r"layout must be 'plain', 'markdown', .*, not 'pdf'"):
        found.write("pdf")


@pytest.mark.parametrize(
    ("layout", "said"),
    [
        ("x.json", "write returns text; to save it, write Path('x.json').write_text(…('json'))"),
        ("a/x.tex", "write returns text; to save it, write Path('a/x.tex').write_text(…('latex'))"),
        ("x.csv", "layout must be …; frames write these: .frame.write_csv('x.csv')"),
        ("csv", "layout must be …; frames write these: .frame.write_csv('x.csv')"),
    ],
)
def test_a_file_that_write_is_given_is_answered_with_what_writes_it(layout, said):
    with pytest.raises(sm.InputError) as refused:
        RESULTS["Scores"]().write(layout)
    assert_message(said, str(refused.value))


def test_the_text_of_scores_as_json_has_the_means():
    scores = sm.evaluate(QRELS, BM25, "RR")
    assert json.loads(scores.write("json")) == [{"run_id": "bm25", "RR": scores["RR"]}]


def test_counts_have_no_decimals_in_tables():
    scores = sm.evaluate(QRELS, BM25, "num_q RR NumRelRet NumRelRet(aggregate='mean')")
    table = next(scores.tables())
    assert [row.split()[1::2] for row in table.write().splitlines()][1] == ["4", "5"]
    assert table.write().splitlines()[1].split()[-1] == "1.2500"


def test_a_small_p_is_not_0_in_a_table():
    frame = pl.DataFrame({"p": [1e-9, 0.00004, 0.0], "p_split": [0.5] * 3, "part": [1e-9] * 3})
    assert [line.split() for line in Table(frame).write().splitlines()[1:]] == [
        ["<0.0001", "0.5000", "0.0000"],
        ["<0.0001", "0.5000", "0.0000"],
        ["0.0000", "0.5000", "0.0000"],
    ]


def test_scores_contain_their_metrics():
    scores = sm.evaluate(QRELS, [BM25, NEURAL], "MAP nDCG@10")
    assert [*scores] == ["MAP", "nDCG@10"]
    assert len(scores) == 2
    for name in ("MAP", ("MAP", "bm25")):
        assert name in scores
    for name in ("AP", ("MAP", "other"), ("MAP", 3), ("RR", "bm25"), 0, None):
        assert name not in scores


def test_the_best_mean_of_each_metric_is_bold_in_latex():
    run = {"q": {"r": 2.0, "n": 1.0}}
    runs = {"low": {"q": {"n": 2.0, "r": 1.0}}, "high": run, "also": run}
    scores = sm.evaluate({"q": {"r": 1, "n": 0}}, runs, "RR FallOut@1 R@2 NumRet Relstring")
    assert scores.write("latex", 2).splitlines() == [
        r"\begin{tabular}{lrrrrl}",
        r"\toprule",
        r"run\_id &            RR &     FallOut@1 &  R@2 & NumRet & Relstring \\",
        r"\midrule",
        r"low     &          0.50 &          1.00 & 1.00 &      2 &           \\",
        r"high    & \textbf{1.00} & \textbf{0.00} & 1.00 &      2 &           \\",
        r"also    & \textbf{1.00} & \textbf{0.00} & 1.00 &      2 &           \\",
        r"\bottomrule",
        r"\end{tabular}",
        "% Bold: the best score of each metric.",
    ]


def test_what_differs_from_the_baseline_has_a_dagger_in_latex():
    found = sm.compare(SCORES, "a", test="sign", correction="none", alpha=0.1)
    kept = ["metric", "run", "mean", ""]
    table = next(found.tables())
    text = Table(table.frame.select(kept), scores=table.scores, best=table.best).write("latex")
    assert text.splitlines()[2:-2] == [
        r"metric  & run  & mean                         \\",
        r"\midrule",
        r"AP      & a    & 0.3667                       \\",
        r"AP      & b    & \textbf{0.5833}$^{\dagger}$  \\",
        r"AP      & c\_1 & 0.3500                       \\",
        r"FallOut & a    & 0.5500                       \\",
        r"FallOut & b    & \textbf{0.1667}$^{\ddagger}$ \\",
        r"FallOut & c\_1 & 0.5667                       \\",
    ]
    whole = found.write("latex")
    assert "▲" not in whole
    assert "▼" not in whole
    assert whole.splitlines()[-2].startswith("% p-values are from sign tests")
    assert whole.splitlines()[-2].endswith("† higher, ‡ lower: significant at 0.1.")


def test_letters_of_beaten_runs_are_superscripts_in_latex():
    found = sm.compare(SCORES, all_pairs=True, test="sign", correction="none", alpha=0.1)
    assert found.write("latex").splitlines()[:-2] == [
        r"\begin{tabular}{llll}",
        r"\toprule",
        r"  & run  & AP                     & FallOut                \\",
        r"\midrule",
        r"a & b    & \textbf{0.5833}$^{bc}$ & \textbf{0.1667}$^{bc}$ \\",
        r"b & a    & 0.3667                 & 0.5500                 \\",
        r"c & c\_1 & 0.3500                 & 0.5667                 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_the_best_of_a_segment_is_bold():
    scores = SCORES.with_columns(lang=pl.when(pl.col("query_id") < "4").then(pl.lit("en")))
    scores = scores.with_columns(pl.col("lang").fill_null("de"))
    found = sm.compare(scores, "a", metrics="AP", by="lang")
    (table,) = found.tables()
    shown = table.frame.with_row_index("row").select("row", "lang", "run").rows()
    assert {shown[row][1:] for row, _ in table.best} == {("de", "b"), ("en", "b")}
    (letters,) = sm.compare(scores, all_pairs=True, metrics="AP", by="lang").tables()
    shown = letters.frame.select("lang", "run").rows()
    assert {(*shown[row], column) for row, column in letters.best} == {
        ("de", "b", "AP"),
        ("en", "b", "AP"),
    }


def test_letters_of_two_characters_are_parted_in_latex():
    table = Table(pl.DataFrame({"run": ["[x]"], "AP": ["0.5000 y ab"]}), scores=["AP"])
    assert r"{[}x] & 0.5000$^{y,ab}$ \\" in table.write("latex")


def test_the_queries_that_changed_are_a_second_table():
    found = sm.compare(SCORES, "a", metrics="AP")
    one, two = found.tables(queries=1)
    assert one.frame.equals(next(found.tables()).frame)
    changes = [("b", "3", "better"), ("c_1", "6", "worse")]
    assert two.frame.select("run_id", "query_id", "change").rows() == changes
    assert found.write(queries=1).startswith(found.write())
    twice = pl.concat(SCORES.filter(run_id="a").with_columns(run_id=pl.lit(n)) for n in "ax")
    same = sm.compare(twice, "a", metrics="AP")
    assert same.write(queries=1) == f"{same.write()}\nNo query has changed.\n"


def test_notes_that_are_alike_are_shortened():
    notes = [f"note {n}" for n in range(7)]
    assert shorten(notes[:5]) == notes[:5]
    assert shorten(notes) == [*notes[:4], "… and 3 more notes like these"]


def test_intervals_are_named_and_written():
    assert name_interval(0.95, 0.95, None) == "95% interval"
    assert name_interval(0.95, 0.9) == name_interval(None) == "interval"
    ends = [(-1.0, 2.0), (-float("inf"), 2.0), (-1.0, float("inf")), (None, None)]
    shown = ["-1.0 to 2.0", "below 2.0", "above -1.0", ""]
    assert [show_range(*each, str) for each in ends] == shown


@pytest.mark.parametrize(("value", "shown"), [(-1e-17, "+0.00"), (0.0, "+0.00"), (-0.01, "-0.01")])
def test_no_difference_has_no_minus(value, shown):
    assert show_signed(value, 2) == shown
