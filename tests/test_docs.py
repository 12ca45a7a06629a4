"""The pages in docs/ are those of the headers, and the scores in them are what comes out."""

from __future__ import annotations

import re
from functools import partial

import pytest
from conftest import ROOT

import sqlmetrics
from sqlmetrics import catalogue
from sqlmetrics.cli.pages import describe, write_table

DOCS = ROOT / "docs"
INDEX = DOCS / "metrics.md"
SAME_NAME = DOCS / "same-name.md"
METRICS = catalogue.all_metrics()
FAMILIES = {
    "counts": "Counts: how many documents and queries",
    "sets": "Sets: what is among the first k, whatever the order",
    "precision": "Precision over the ranks of relevant documents",
    "gains": "Gains: graded relevance, discounted by rank",
    "users": "Users: how far they read, and what they find",
    "pairs": "Pairs: which of two documents comes first",
    "diversity": "Diversity: subtopics of a query, and how soon they are covered",
}


def link(metric, folder="metrics/"):
    return f"[{', '.join(metric.names)}]({folder}{metric.macro}.md)"


def write_index() -> str:
    parts = [
        "# Metrics",
        f"All {len(METRICS)}, by family. A page has the parameters, the tools that give the same "
        "figures with their names for it, and the SQL; `sqlmetrics metrics NAME` prints it. What "
        "goes by one name and gives different scores is on [another page](same-name.md), and how "
        "each score was checked on [a third](agreement.md).",
        "In formulas, R is the number of relevant documents of the query, N that of documents "
        "judged not relevant, P@k precision, relevant@k the relevant documents among the first k, "
        "and so on. Unless a page says otherwise, a document gains its relevance.",
    ]
    for family, title in FAMILIES.items():
        rows = [
            [
                link(metric),
                metric.file.header["formula"],
                ", ".join(dict.fromkeys(f"`{name}`" for name in list_other_names(metric))),
            ]
            for metric in METRICS
            if metric.family == family
        ]
        parts += [f"## {title}", write_table(["metric", "formula", "also called"], rows)]
    return "\n\n".join(parts) + "\n"


def list_other_names(metric):
    """Names by which it is understood without arguments that change it."""
    spellings = [
        *metric.aliases,
        *(s for t in ("trec_eval", "ranx") for s in metric.tools.get(t, ())),
    ]
    return [re.sub(r"\{(\w+)\}", r"\1", s.text) for s in spellings if not s.arguments]


# A row of the table ends with what to ask for, in backticks, and what comes out for it.
ROW = re.compile(
    r"(?P<before>\|[^\n]*\| `(?P<measure>[^`\n]+)`(?: with `(?P<options>[^`\n]+)`)? \| )(?P<figure>[^|\n]*) \|"
)


def write_figures(text: str) -> str:
    """The page, with the scores that come out for the example on it."""

    def fill(row: re.Match[str]) -> str:
        options = catalogue.read_arguments(row["options"] or "")
        files = (DOCS / "example" / name for name in ("qrels.csv", "run.csv"))
        scores = sqlmetrics.evaluate(*files, row["measure"], **options)
        return f"{row['before']}{scores.mean[0, 1]:.4f} |"

    return ROW.sub(fill, text)


# What each generated page should hold.
PAGES = {DOCS / "metrics" / f"{m.macro}.md": partial(describe, m) for m in METRICS} | {
    INDEX: write_index,
    SAME_NAME: lambda: write_figures(SAME_NAME.read_text("utf-8")),
}


def test_every_family_has_a_title():
    assert {metric.family for metric in METRICS} == set(FAMILIES)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_is_what_the_headers_say(path):
    assert path.read_text(encoding="utf-8") == PAGES[path]()


def test_every_page_belongs_to_a_metric():
    assert {p.stem for p in DOCS.glob("metrics/*.md")} == {m.macro for m in METRICS}


def test_one_name_has_different_figures_on_the_page_of_those():
    _, *sections = SAME_NAME.read_text(encoding="utf-8").split("\n## ")
    for section in sections:
        figures = [row["figure"] for row in ROW.finditer(section)]
        assert len(set(figures)) > 1, section


def write_pages() -> None:
    for path in DOCS.glob("metrics/*.md"):
        path.unlink()
    for path, write in PAGES.items():
        path.write_text(write(), encoding="utf-8")
