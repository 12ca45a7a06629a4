"""Every SQL file keeps the rules by which the catalogue, the documentation and the tests read it."""

from __future__ import annotations

import duckdb
import pytest
from conftest import ROOT

import sqlmetrics
from sqlmetrics import catalogue, measures

FILES = [file for folder in catalogue.files().values() for file in folder.values()]
METRICS = catalogue.all_metrics()
KEYS = {
    "name",
    "aliases",
    "trec_eval",
    "relation",
    "range",
    "empty",
    "over queries",
    "agrees",
    "source",
}
OPTIONAL = {"aliases", "trec_eval", "over queries", "agrees"}


@pytest.fixture(scope="module")
def con():
    con = duckdb.connect()
    for file in FILES:
        if file.path.stem != "counting":
            con.execute(file.text)
    return con


def list_macros(con, name):
    query = "SELECT function_type, parameters FROM duckdb_functions() WHERE function_name = ? AND NOT internal"
    return dict(con.execute(query, [name]).fetchall())


def name_file(file):
    return f"{file.folder}/{file.path.stem}"


@pytest.mark.parametrize("file", FILES, ids=name_file)
def test_a_file_defines_macros_of_its_own_name_only(file):
    names = {statement.macro for statement in file.statements}
    assert names == {"ranked" if file.folder == "plans" else file.path.stem}
    assert len(duckdb.extract_statements(file.text)) == len(file.statements)
    assert file.text.count("CREATE OR REPLACE MACRO ") == len(file.statements)


@pytest.mark.parametrize("file", FILES, ids=name_file)
def test_signatures_are_read_as_duckdb_reads_them(file, con):
    macros = list_macros(con, file.statements[0].macro)
    for statement in file.statements:
        kind = "table_macro" if statement.is_table else "macro"
        assert macros[kind] == list(statement.parameters)


@pytest.mark.parametrize("file", FILES, ids=name_file)
def test_the_header_explains_every_parameter(file):
    assert file.summary.endswith(".")
    explained = set(file.header)
    if file.folder == "metrics":
        explained |= set(catalogue.find("relations", file.header["relation"]).header)
        explained |= {"j", "qrels", "run"}
    for statement in file.statements:
        assert set(statement.parameters) <= explained


@pytest.mark.parametrize(
    "file", [f for f in FILES if f.folder in ("metrics", "relations")], ids=name_file
)
def test_metrics_and_relations_have_nothing_that_only_duckdb_has(file):
    code = "\n".join(line for line in file.text.splitlines() if not line.startswith("--"))
    words = ["FILTER", "list(", "log2", "::", "read_", "GROUP BY ALL", "QUALIFY", "EXCLUDE"]
    if file.folder == "metrics":
        words += ["OVER (", "query_table"]
    assert not [word for word in words if word in code]


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.macro)
def test_a_metric_header_has_the_keys_there_are_and_no_others(metric):
    keys = set(metric.file.header)
    assert keys - set(metric.own_parameters) <= KEYS
    assert keys >= KEYS - OPTIONAL


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.macro)
def test_a_metric_is_an_aggregate_and_a_query_of_the_same_parameters(metric):
    aggregate, query = sorted(metric.file.statements, key=lambda s: s.is_table)
    assert not aggregate.is_table
    assert query.is_table
    assert aggregate.inputs == ["j"]
    assert query.inputs == ["qrels", "run"]
    for name in set(aggregate.parameters) - {"j"}:
        assert aggregate.parameters[name] == query.parameters[name]


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.macro)
def test_every_default_keeps_its_own_rule_and_strings_keep_none(metric):
    for parameter in metric.parameters.values():
        assert parameter.find_problem(parameter.default) is None
        assert parameter.find_problem("no such thing") is not None


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.macro)
def test_reading_a_printed_name_gives_the_same_measure(metric):
    for name in (*metric.names, *metric.aliases, *metric.trec_names, metric.macro):
        spelled = name.replace("@k", "@7").replace("_k", "_7")
        (measure,) = measures.parse(spelled)
        assert measure.metric == metric
        assert measures.parse(measure.name) == [measure]
        assert measures.parse(measure.trec_name) == [measure]
    for parameter in metric.parameters.values():
        others = (0.25, 3, "exponential")
        value = next(v for v in others if parameter.find_problem(v) is None)
        measure = measures.Measure(metric, ((parameter.name, value),))
        assert measures.parse(measure.name) == [measure]


def test_no_name_means_two_metrics():
    names = [
        name.lower()
        for metric in METRICS
        for name in {n.removesuffix("@k").lower() for n in (*metric.names, *metric.aliases)}
    ]
    assert len(names) == len(set(names))


def test_the_frame_of_metrics_has_a_row_for_each_file():
    frame = sqlmetrics.metrics()
    assert frame["macro"].to_list() == [
        path.stem for path in sorted(ROOT.glob("sql/metrics/*.sql"))
    ]
    assert frame.null_count().sum_horizontal().item() == 0


def test_the_summaries_become_comments_that_duckdb_shows():
    con = duckdb.connect()
    con.execute(sqlmetrics.sql())
    query = "SELECT DISTINCT comment FROM duckdb_functions() WHERE function_name = 'rr'"
    assert con.execute(query).fetchall() == [(catalogue.find("metrics", "rr").summary,)]
