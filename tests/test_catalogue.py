"""Every SQL file keeps the rules by which the catalogue, the documentation and the tests read it."""

from __future__ import annotations

import re

import duckdb
import pytest
from conftest import ROOT

import sqlmetrics
from sqlmetrics import catalogue, measures

FILES = [file for folder in catalogue.files().values() for file in folder.values()]
METRICS = catalogue.all_metrics()
OPTIONAL = {"aliases", "nicknames", "over queries", "differs"}
TOOLS = {
    "trec_eval",
    "ir_measures",
    "ranx",
    "cwl_eval",
    "gdeval",
    "pyndeval",
    "beir",
    "sklearn",
    "torchmetrics",
    "pyNTCIREVAL",
    "lenskit",
    "rectools",
    "recommenders",
    "elastic",
    "quepid",
}


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
        for relation in catalogue.list_relations(file.header["relation"]):
            explained |= set(catalogue.find("relations", relation).header)
        explained |= {"j", "qrels", "run"}
    for statement in file.statements:
        assert set(statement.parameters) <= explained


@pytest.mark.parametrize(
    "file", [f for f in FILES if f.folder in ("metrics", "relations")], ids=name_file
)
def test_metrics_and_relations_have_nothing_that_only_duckdb_has(file):
    code = "\n".join(line for line in file.text.splitlines() if not line.startswith("--"))
    words = ["FILTER", "list(", "log2", "::", "read_", "GROUP BY ALL", "QUALIFY", "EXCLUDE"]
    words += ["list_", "range(", "unnest", "lambda"]
    if file.folder == "metrics":
        words += ["OVER (", "query_table"]
    assert not [word for word in words if word in code]


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.macro)
def test_a_metric_header_has_the_keys_there_are_and_no_others(metric):
    keys = set(metric.file.header)
    assert keys - set(metric.parameters) - catalogue.KEYS <= TOOLS
    assert keys >= catalogue.KEYS - OPTIONAL


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
def test_strings_that_are_not_quoted_in_its_rule_are_no_value_of_a_parameter(metric):
    for parameter in metric.parameters.values():
        assert parameter.find_problem("no such thing") is not None


VALUES = (0.25, 3, 1, True, "exponential", ((1, 3), (2, 9.5)))


def list_values(parameter):
    """Values that a parameter may take, besides its default."""
    words = re.findall(r"'([\w-]+)'", parameter.meaning.partition(";")[0])
    values = [v for v in (*VALUES, *words) if parameter.find_problem(v) is None]
    return [v for v in values if v != parameter.default]


def fill_required(metric):
    """Arguments without which there is no measure."""
    return tuple((p.name, list_values(p)[0]) for p in metric.parameters.values() if p.is_required)


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.macro)
def test_reading_a_printed_name_gives_the_same_measure(metric):
    required = fill_required(metric)
    plain = measures.Measure(metric, required)
    if len(metric.names) == 1 and "@" in metric.names[0]:
        value = list_values(metric.parameters[metric.cutoff])[0]
        plain = measures.Measure(metric, (*required, (metric.cutoff, value)))
    assert measures.parse(plain.name) == [plain]
    assert measures.parse(plain.trec_name) == [plain]
    for parameter in metric.parameters.values():
        if parameter.name in dict(plain.arguments):
            continue
        for value in list_values(parameter):
            given = dict(plain.arguments) | {parameter.name: value}
            ordered = tuple((name, given[name]) for name in metric.parameters if name in given)
            measure = measures.Measure(metric, ordered)
            assert measures.parse(measure.name) == [measure]
            assert measures.parse(measure.trec_name) == [measure]


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.macro)
def test_every_name_in_a_header_is_understood(metric):
    required = ", ".join(f"{name}={value}" for name, value in fill_required(metric))
    for name in (*metric.names, *(s.text for s in metric.aliases), metric.macro):
        stem, at, parameter = name.partition("@")
        if not at and not any("@" not in each for each in metric.names):
            at, parameter = "@", metric.cutoff
        value = list_values(metric.parameters[parameter])[0] if at else ""
        (measure,) = measures.parse(
            f"{stem}({required}){at}{value}" if required else f"{stem}{at}{value}"
        )
        assert measure.metric == metric
    for tool in ("trec_eval", "ir_measures", "ranx"):
        for spelling in metric.tools.get(tool, ()):
            text = spelling.text.replace("{gains}", "1=3,2=9")
            text = re.sub(r"(?<=rbp)\{p\}", ".95", text)
            text = re.sub(
                r"\{(\w+)\}", lambda m: str(list_values(metric.parameters[m[1]])[0]), text
            )
            found = measures.parse(text)
            assert {measure.metric for measure in found} == {metric}, text
            for measure in found:
                arguments = dict(measure.arguments) | {"over": measure.over}
                assert dict(spelling.arguments).items() <= arguments.items(), text


def test_no_name_means_two_metrics():
    names = [
        name.lower()
        for metric in METRICS
        for name in {
            n.partition("@")[0].lower() for n in (*metric.names, *(s.text for s in metric.aliases))
        }
    ]
    assert not {name for name in names if names.count(name) > 1}


def test_the_frame_of_metrics_has_a_row_for_each_file():
    frame = sqlmetrics.metrics()
    assert frame["macro"].to_list() == sorted(p.stem for p in ROOT.glob("sql/metrics/*/*.sql"))
    assert frame.null_count().sum_horizontal().item() == 0


def test_the_summaries_become_comments_that_duckdb_shows():
    con = duckdb.connect()
    con.execute(sqlmetrics.sql())
    query = "SELECT DISTINCT comment FROM duckdb_functions() WHERE function_name = 'rr'"
    assert con.execute(query).fetchall() == [(catalogue.find("metrics", "rr").summary,)]
