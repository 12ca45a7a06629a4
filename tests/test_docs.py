"""What docs/build.py writes is up to date: the list of metrics, the tables, the scores in them."""

from __future__ import annotations

import builtins
import importlib.util
import inspect
import re
import subprocess
import sys

import pytest
from commands import run
from conftest import ROOT

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.catalogue.headers import VARIANTS
from sqlmetrics.catalogue.parsing import find_metrics
from sqlmetrics.cli.from_headers import app
from sqlmetrics.inputs import columns
from sqlmetrics.macros import statements
from sqlmetrics.report import Report
from sqlmetrics.translate.features import ENGINES


def load_build():
    """docs/build.py, which is a script and in no package."""
    spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


build = load_build()


def assert_fresh(path, text):
    if path.read_text(encoding="utf-8") != text:
        pytest.fail(build.explain_stale([path]))


def test_every_family_has_a_title():
    assert {metric.family for metric in catalogue.all_metrics()} == set(build.FAMILIES)


def test_the_page_of_each_metric_is_written_to_a_folder(tmp_path, monkeypatch):
    some = [m for m in catalogue.all_metrics() if m.macro in ("ndcg", "ctr", "gini")]
    monkeypatch.setattr(catalogue, "all_metrics", lambda *_: some)  # the site has those of all
    build.write_metrics(tmp_path / "pages")
    monkeypatch.undo()
    pages = {path.stem: path for path in (tmp_path / "pages").iterdir()}
    assert {*pages} == {metric.macro for metric in some}
    assert run("metrics", "nDCG", "-f", "markdown") == pages["ndcg"].read_text(encoding="utf-8")


def test_the_index_of_metrics_is_what_the_headers_say():
    assert_fresh(build.INDEX, build.write_index())


def test_the_stub_has_the_functions_of_analyses_as_their_headers_say():
    assert_fresh(build.STUB, build.write_stub())


def test_tables_are_those_of_the_headers_and_files():
    pages = [*build.list_pages(), build.CHINESE]
    texts = {path: path.read_text(encoding="utf-8") for path in pages}
    found = [name for text in texts.values() for _, name, _ in build.TABLE.findall(text)]
    assert {*found} == {*build.TABLES}
    for path, text in texts.items():
        assert_fresh(path, build.write_tables(text))


def test_scores_are_those_of_the_example():
    text = build.SAME_NAME.read_text(encoding="utf-8")
    assert_fresh(build.SAME_NAME, build.write_scores(text))


def test_one_name_has_different_scores_on_the_page_of_those():
    _, *sections = build.SAME_NAME.read_text(encoding="utf-8").split("\n## ")
    for section in sections:
        scores = [row["score"] for row in build.ROW.finditer(section)]
        assert len(set(scores)) > 1, section


def test_an_output_is_filled_in_where_words_differ():
    page = "```sh\necho 2\n```\n\n```text\n1\n```\n\n```sh\necho a  b\n```\n\n```text\na b\n```\n"
    printed = {"echo 2\n": "2\n", "echo a  b\n": "a  b\n"}
    assert build.fill_blocks(page, printed) == page.replace("\n1\n", "\n2\n")


def test_what_is_stale_is_named_with_the_command(tmp_path):
    said = build.explain_stale([build.INDEX, build.README])
    assert said.splitlines() == [
        "stale: docs/metrics.md, README.md",
        "to write the generated parts, type: python docs/build.py",
    ]
    command = [sys.executable, build.DOCS / "build.py", "--help"]
    usage = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert all(option in usage for option in ("--check", "--metrics", "--agreement", "--engines"))


def test_an_engine_that_there_is_not_is_refused():
    with pytest.raises(SystemExit, match="no engine named 'mars'; there are duckdb, spark, postg"):
        build.write_engines(["mars"])


FILES = [file for folder in catalogue.files().values() for file in folder.values()]
MACROS = {each.macro: {*each.parameters} for file in FILES for each in file.statements}
MACROS["sqlmetrics_version"] = set()
QUERIES = {m.macro: {*statements.write_own_table(m.file)[0]} for m in catalogue.all_metrics()}
RETURNED = {key for file in FILES for key in file.header if key.startswith("returns ")}
COLUMNS = {key.removeprefix("returns ") for key in RETURNED} | {*columns.NAMES}
COMMANDS = {
    name: {
        option for each in app.make(name).params for option in (*each.opts, *each.secondary_opts)
    }
    for name in app.commands
}


def list_keywords(each):
    is_error = inspect.isclass(each) and issubclass(each, Exception)
    return [] if is_error else inspect.signature(each).parameters


CALLED = {name: getattr(sm, name) for name in sm.__all__}
KEYWORDS = {name for each in CALLED.values() for name in list_keywords(each)}
KEYWORDS = KEYWORDS.union(*MACROS.values(), *QUERIES.values(), VARIANTS)
RESULTS = [each for each in (*CALLED.values(), Report) if inspect.isclass(each)]
ATTRIBUTES = {name for each in RESULTS for name in (*dir(each), *each.__annotations__)}
# of pytrec_eval, ClickHouse and Elasticsearch
FOREIGN = {"judged_docs_only_flag", "join_use_nulls"}
FOREIGN |= {"ignore_unlabeled", "relevant_rating_threshold"}
BLOCK = re.compile(r"```.*?```", re.DOTALL)


def is_metric(name):
    try:
        return bool(find_metrics([name]))
    except sm.MetricError:
        return False


def find_unknown(span):
    """What a text in backticks names that does not exist, by its form: ``--x``, ``sm.x``, ``x(``."""
    if re.match(r"(dbt|duckdb|pip|python) ", span):
        return
    command = next((name for name in re.findall(r"[a-z-]+", span) if name in COMMANDS), None)
    options = COMMANDS[command] if command else set().union(*COMMANDS.values())
    for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", span):
        if option not in options | {"--help", "--help-all", "--sql"}:
            yield f"option {option}"
    for name in re.findall(r"sqlmetrics ([a-z-]+)", span):
        if name not in COMMANDS:
            yield f"command {name}"
    for name in re.findall(r"\bsm\.(\w+)", span):
        if name not in CALLED:
            yield f"function sm.{name}"
    for name in re.findall(r"^(?:result|scores|found|report)\.(\w+)", span):
        if name not in ATTRIBUTES:
            yield f"attribute {name}"
    for name in re.findall(r"\b[a-z]\.([a-z_]\w*)", span):
        if name not in COLUMNS:
            yield f"column {name}"
    for dotted, name in re.findall(r"([\w.]*\.)?\b([a-z]\w*)\(", span):
        if not dotted and name not in {*MACROS, *CALLED, *dir(builtins)} and not is_metric(name):
            yield f"macro {name}"
    macro = re.search(r"\b(\w+)\(", span)
    for name in re.findall(r"\b(\w+) :=", span):
        known = MACROS.get(macro[1], set()) | QUERIES.get(macro[1], set()) if macro else KEYWORDS
        if name not in known:
            yield f"parameter {name}"
    for name in re.findall(r"^(\w+)=(?:[\"'{\d]|True|False|$)", span):
        if name not in KEYWORDS:
            yield f"parameter {name}"
    known = COLUMNS | MACROS.keys() | CALLED.keys() | KEYWORDS | ATTRIBUTES | FOREIGN
    if re.fullmatch(r"[a-z]+(_[a-z0-9]+)+", span) and span not in known and not is_metric(span):
        yield f"name {span}"


@pytest.mark.parametrize("page", [*build.list_pages(), build.CHINESE], ids=lambda page: page.stem)
def test_what_a_page_names_in_backticks_exists(page):
    text = page.read_text(encoding="utf-8")
    ran = {*re.findall(r"\w+", " ".join(BLOCK.findall(text)))}  # what runs, or is printed, exists
    spans = {" ".join(s.split()) for s in re.findall(r"`([^`]+)`", BLOCK.sub("", text))} - ran
    if page in (build.AGREEMENT, build.SAME_NAME, build.INDEX, build.DOCS / "rag.md"):
        spans = {span for span in spans if "--" in span}  # the others are names of other tools
    assert not [(span, *found) for span in spans if (found := [*find_unknown(span)])]


LISTS = {
    "plain-sql": ENGINES,
    "python": [name for name in sm.__all__ if inspect.isfunction(getattr(sm, name))],
    "command-line": app.commands,
}


@pytest.mark.parametrize("page", LISTS)
def test_a_page_lists_all_that_there_are(page):
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    assert [name for name in LISTS[page] if not re.search(rf"`(sm\.)?{name}[`(]", text)] == []


@pytest.mark.parametrize(
    "span",
    [
        *(
            "--maxrel",
            "sqlmetrics evalute",
            "compare --strict",
            "sm.cruve",
            "result.means",
            "j.answered = 1",
        ),
        *("ncdg(j)", "ndcg(j, cut := 10)", "poled := TRUE", "tie='rank'", "has_answers"),
    ],
)
def test_what_does_not_exist_is_found(span):
    assert [*find_unknown(span)]
