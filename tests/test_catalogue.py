"""Every SQL file follows the rules by which the catalogue, documentation and tests read it."""

from __future__ import annotations

import contextlib
import csv
import re

import duckdb
import pytest
from conftest import ROOT

import sqlmetrics
from sqlmetrics import MetricError, catalogue
from sqlmetrics.catalogue import measures, parsing
from sqlmetrics.macros import create as macros
from sqlmetrics.macros import statements

FILES = [file for folder in catalogue.files().values() for file in folder.values()]
METRICS = catalogue.all_metrics("runs")
REQUIRED = {"name", "formula", "relation", "range", "no relevant", "source"}


@pytest.fixture(scope="module")
def con():
    con = duckdb.connect()
    for file in macros.sort_files(FILES):
        con.execute(file.text)
    return con


@pytest.fixture(scope="module")
def signatures(con):
    """By macro and type, the parameters as DuckDB reads them."""
    query = (
        "SELECT function_name, function_type, parameters FROM duckdb_functions() WHERE NOT internal"
    )
    return {(name, kind): parameters for name, kind, parameters in con.execute(query).fetchall()}


def test_a_file_defines_macros_of_its_own_name_only():
    for file in FILES:
        names = {statement.macro for statement in file.statements}
        assert names == {file.path.stem}, file.path
        assert len(duckdb.extract_statements(file.text)) == len(file.statements), file.path
        assert file.text.count("CREATE OR REPLACE MACRO ") == len(file.statements), file.path


def test_signatures_are_read_as_duckdb_reads_them(signatures):
    for file in FILES:
        for statement in file.statements:
            kind = "table_macro" if statement.is_table else "macro"
            assert signatures[statement.macro, kind] == list(statement.parameters), file.path


def test_the_header_explains_every_parameter():
    for file in FILES:
        assert file.summary.endswith("."), file.path
        explained = {*file.header}
        for statement in file.statements:
            if "relation" in file.header:  # whose rows are the first
                explained.add(statement.inputs[0])
            assert set(statement.parameters) <= explained, file.path


def test_every_parameter_with_a_default_has_a_rule_that_its_default_keeps_or_must_be_given():
    for file in filter(lambda file: file.folder in ("metrics", "relations", "ranking"), FILES):
        (statement,) = file.statements
        for name, default in statement.parameters.items():
            if default is not None:
                parameter = file.options[name]
                assert parameter.meaning, file.path
                assert parameter.is_required == (
                    default == "NULL" and not parameter.rule.allows_null
                )


def test_a_parameter_that_is_as_for_another_has_its_type():
    for file in FILES:
        (statement,) = file.statements
        for name, kind in statement.types.items():
            if other := re.match(r"as for (\w+)", file.header[name]):
                (known,) = catalogue.find_file(other[1]).statements
                assert known.types.get(name, kind) == kind, file.path


def test_types_are_read_whatever_they_are_of(tmp_path):
    path = tmp_path / "f.sql"
    path.write_text(
        "-- F.\nCREATE OR REPLACE MACRO f(\n    j, a BIGINT := NULL, b MAP (DOUBLE, DOUBLE) := NULL,"
        " c := 'a, b := (', d double := -1\n) AS coalesce(a, d);\n"
    )
    (statement,) = catalogue.SqlFile("metrics", path).statements
    defaults = {"j": None, "a": "NULL", "b": "NULL", "c": "'a, b := ('", "d": "-1"}
    assert statement.parameters == defaults
    assert statement.types == {"a": "BIGINT", "b": "MAP(DOUBLE,DOUBLE)", "d": "DOUBLE"}
    assert statement.body == "coalesce(a, d)"


def test_a_variant_is_a_line_of_the_header_or_a_file():
    rate, ranked = catalogue.find_file("rate"), catalogue.find_file("ranked")
    assert catalogue.choose(rate, "bare", "plain") == rate
    sums = catalogue.choose(rate, "plain", "two_sums").statement
    assert sums.body == "{ 'part': 1e0 * part, 'whole': 1e0 * whole }"
    assert (sums.macro, sums.inputs, sums.is_table) == ("rate", ["part", "whole"], False)
    found = catalogue.choose(catalogue.find_file("neighbours"), "numbered").statement
    assert (found.is_table, found.body) == (True, "SELECT * FROM query_table(found)")
    assert found.types == catalogue.find_file("neighbours").statement.types
    folders = [
        catalogue.choose(ranked, *names).path.parent.name
        for names in (["plain"], ["plain", "spark"])
    ]
    assert folders == ["plain", "spark"]


def test_no_line_is_longer_than_120_characters():
    for file in FILES:
        assert max(map(len, file.text.splitlines())) <= 120, file.path


def test_metrics_and_relations_have_nothing_that_only_duckdb_has():
    for file in filter(lambda file: file.folder in ("metrics", "relations"), FILES):
        code = "\n".join(line for line in file.text.splitlines() if not line.startswith("--"))
        words = ["FILTER", "list(", "log2", "::", "read_", "GROUP BY ALL", "QUALIFY", "EXCLUDE"]
        words += ["list_", "range(", "unnest", "lambda"]
        if file.folder == "metrics":
            words += ["OVER (", "query_table"]
        assert not [word for word in words if word in code], file.path


def test_names_of_tools_stand_for_names_of_ours_as_results_show_them():
    path = ROOT / "sqlmetrics" / "catalogue" / "tools.csv"
    rows = [*csv.DictReader(path.read_text(encoding="utf-8").splitlines())]
    valid = {"k": "7", "gains": "{1: 3}", "stops": "{1: 0.3}", "max_rel": "5", "rel": "2"}
    valid |= {"points": "5", "lowest": "0.1", "base": "3"}
    metrics = catalogue.all_metrics()
    assert sum(len(spelled) for m in metrics for spelled in m.tools.values()) == len(rows)
    for row in rows:
        name = re.sub(r"\{([a-zA-Z]\w*)\}", lambda m: valid.get(m[1], "0.25"), row["ours"])
        name = re.sub(r"^(ACC|BalancedACC|MCC)\b", r"\1(corpus_size=1000)", name)  # required
        (measure,) = parsing.parse(name)
        assert measure.canonical_name == name, row
        assert set(re.findall(r"\{(\w+)\}", row["ours"])) <= measure.metric.parameters.keys()


def test_a_metric_header_has_the_keys_there_are_and_no_others():
    for metric in METRICS:
        assert set(metric.file.header) >= REQUIRED, metric


def test_an_unknown_key_is_an_error_with_file_and_line(tmp_path):
    path = tmp_path / "rr.sql"
    path.write_text(catalogue.find_file("rr").text.replace("-- aliases:", "-- alises:"))
    with pytest.raises(ValueError, match=rf"{path}:3: the header line has unknown key 'alises'"):
        assert catalogue.SqlFile("metrics", path).header


def test_the_query_of_a_metric_takes_its_parameters_and_those_of_its_relations():
    for metric in METRICS:
        assert not metric.file.statement.is_table, metric
        assert metric.file.statement.inputs == ["j"], metric
        parameters, _ = statements.write_own_table(metric.file)
        assert [*parameters][:2] == ["qrels", "run"], metric
        assert {"ties", "depth", "judged_only", "rel"} <= set(parameters), metric
        for name, parameter in (metric.parameters | metric.conventions).items():
            assert catalogue.read_arguments(f"x={parameters[name]}")["x"] == parameter.default, (
                metric
            )


def test_a_parameter_allows_only_the_strings_quoted_in_its_rule():
    for metric in METRICS:
        for parameter in metric.parameters.values():
            assert parameter.find_problem("no such thing") is not None, metric


VALUES = (0.25, 3, 1, True, "exponential", ((1, 3), (2, 9.5)))


def list_values(parameter):
    """Values that a parameter may take, besides its default."""
    values = [v for v in (*VALUES, *parameter.rule.words) if parameter.find_problem(v) is None]
    return [v for v in values if v != parameter.default]


def fill_required(metric):
    """The required arguments of a metric."""
    return tuple((p.name, list_values(p)[0]) for p in metric.parameters.values() if p.is_required)


def test_reading_a_printed_name_gives_the_same_measure():
    for metric in METRICS:
        required = fill_required(metric)
        plain = measures.Measure(metric, required)
        if len(metric.names) == 1 and "@" in metric.names[0]:
            value = list_values(metric.parameters[metric.cutoff])[0]
            plain = measures.Measure(metric, (*required, (metric.cutoff, value)))
        assert parsing.parse(plain.name) == [plain], metric
        assert parsing.parse(plain.write_trec_name()) == [plain], metric
        for parameter in metric.parameters.values():
            if parameter.name in dict(plain.arguments):
                continue
            for value in list_values(parameter):
                given = dict(plain.arguments) | {parameter.name: value}
                ordered = tuple((name, given[name]) for name in metric.parameters if name in given)
                measure = measures.Measure(metric, ordered)
                assert parsing.parse(measure.name) == [measure], metric
                assert parsing.parse(measure.write_trec_name()) == [measure], metric


def test_every_name_in_a_header_is_understood():
    for metric in METRICS:
        required = ", ".join(f"{name}={value}" for name, value in fill_required(metric))
        for name in (*metric.names, *(s.text for s in metric.aliases), metric.macro):
            stem, at, parameter = name.partition("@")
            if not at and not any("@" not in each for each in metric.names):
                at, parameter = "@", metric.cutoff
            value = list_values(metric.parameters[parameter])[0] if at else ""
            (measure,) = parsing.parse(
                f"{stem}({required}){at}{value}" if required else f"{stem}{at}{value}"
            )
            assert measure.metric == metric, metric
        # what a tool implies by a name of ours holds with its preset
        presets = {"trec_eval": "trec_eval-10", "ir_measures": "ir_measures", "ranx": "ranx"}
        for tool, preset in presets.items():
            agreed = sqlmetrics.Conventions.of(preset).parameters
            for spelling in metric.tools.get(tool, ()):
                text = spelling.text.replace("{gains}", "1=3,2=9").replace("{recalls}", ".2,.5,.8")
                text = re.sub(r"(?<=rbp)\{p\}", ".95", text)
                for slot in re.findall(r"\{(\w+)\}", text):
                    text = text.replace(f"{{{slot}}}", str(list_values(metric.parameters[slot])[0]))
                found = parsing.parse(text, agreed)
                assert {measure.metric for measure in found} == {metric}, text
                for measure in found:
                    arguments = dict(measure.arguments) | {"aggregate": measure.aggregate}
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


def list_names():
    """All names without parameters in them that are understood, by metrics and tools."""
    for metric in METRICS:
        yield from (name.partition("@")[0] for name in metric.names)
        tools = ("trec_eval", "ir_measures", "ranx")
        spellings = [*metric.aliases, *(s for t in tools for s in metric.tools.get(t, ()))]
        yield from (s.text for s in spellings if not re.search(r"[{(@]", s.text))


def test_names_that_differ_by_case_alone_mean_the_same():
    """Except for cut-offs: trec_eval's ``recall`` has nine, ``Recall`` none."""
    meant = {}
    for name in list_names():
        with contextlib.suppress(MetricError):  # which needs a cut-off, or a parameter
            arguments = {
                (m.metric, m.aggregate, *(a for a in m.arguments if a[0] != m.metric.cutoff))
                for m in parsing.parse(name)
            }
            meant.setdefault(name.lower(), {})[name] = arguments
    several = [names for names in meant.values() if len(names) > 1]
    assert {"rbp", "RBP"} in map(set, several)
    assert not [names for names in several if len(set(map(frozenset, names.values()))) > 1]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("-mP.5 -mmap", "P@5 AP"),
        ("-m P.5,10 -m map", "P@5 P@10 AP"),
        ("11pt_avg..25,.5,.75", "iP11(points=3, lowest=0.25, highest=0.75)"),
        ("11pt_avg_0.2,0.5,0.8", "iP11(points=3, lowest=0.2, highest=0.8)"),
        ("J@10", "Judged@10"),
        ("HR@10", "Success@10"),
        ("ARHR", "RR"),
        ("AveragePrecision", "AP"),
        ("map_at_10", "AP@10"),
        ("ndcg_at_5,10", "nDCG@5 nDCG@10"),
        ("precision_at_10", "P@10"),
        ("iprec_at_recall_0.10", "IPrec@0.1"),
        ("rbp_p5", "RBP(p=0.5, gain='linear', scaled=True)"),
        ("rbp_p=0.5", "RBP(p=0.5, gain='linear', scaled=True)"),
        ("rbp.5", "RBP(p=0.5, gain='linear')"),
        ("rbp", "RBP"),
        ("rbp_resid_p=0.5", "RBP_resid(p=0.5, needs_unjudged=True)"),
        ("rbp_resid.p=0.6", "RBP_resid(p=0.6, needs_unjudged=True)"),
        ("rbp_resid.7", "RBP_resid(p=0.7, needs_unjudged=True)"),
        ("rbp_resid", "RBP_resid"),
        ("ndcg_cut.10,20,23.4", "nDCG@10,20,23"),  # as in trec_eval's own test
        ("P.5.9", "P@5"),
        ("qrels_prefs", "prefs"),
        ("runid map", "AP"),
    ],
)
def test_names_of_other_tools_are_understood(name, meant):
    assert parsing.parse(name) == parsing.parse(meant)


def test_a_name_may_be_chosen_for_the_column_of_a_metric():
    named = parsing.parse(
        "nDCG(gain='exponential')@10 AS quality, AP as Überblick P@5,10 nDCG@10 AP"
    )
    assert [m.name for m in named[:2]] == ["quality", "Überblick"]
    assert [m.canonical_name for m in named] == [
        "nDCG(gain='exponential')@10",
        "AP",
        "P@5",
        "P@10",
        "nDCG@10",
        "AP",
    ]
    assert [m.name for m in parsing.parse(["AP", "AS", "first"])] == ["first"]
    assert [line.name for line in parsing.list_trec_lines("map AS first P_5")] == ["P_5", "first"]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("AP AS x nDCG AS X", "two metrics are named 'X'; choose with AS"),
        ("nDCG AS ap AP", "two metrics are named 'AP'; choose with AS"),
        ("P@5,10 AS x", "'P@5,10 AS x': AS takes a name of letters, digits and _ for one column"),
        ("AP AS a-b", "'AP AS a-b': AS takes a name of letters, digits and _"),
        ("AP AS Query_ID", "'AP AS Query_ID': AS takes a name"),
        ("official AS x", "'official AS x': AS takes a name"),
        ("AP AS", "No metric named 'AS'"),
    ],
)
def test_a_chosen_name_is_of_one_column_of_scores(names, said):
    with pytest.raises(MetricError, match=f"^{re.escape(said)}"):
        parsing.parse(names)


def test_a_preset_reads_names_as_the_tool_does():
    for preset, name, meant in [
        ("trec_eval-10", "rbp", "RBP(p=0.9, gain='linear', scaled=True)"),
        ("trec_eval-10", "RBP", "RBP(p=0.9, gain='linear', scaled=True)"),
        ("trec_eval-10", "RBP(max_rel=2)", "RBP(p=0.9, gain='linear', max_rel=2)"),
        ("trec_eval-10", "rbp_resid", "RBP_resid(p=0.9, needs_unjudged=True)"),
        ("trec_eval-9", "rbp", "RBP"),
        ("ir_measures", "Compat(normalize=False)", "Compat(ranks=None, normalized=False)"),
    ]:
        agreed = sqlmetrics.Conventions.of(preset).parameters
        assert [m.canonical_name for m in parsing.parse(name, agreed)] == [meant]
    (compat,) = parsing.parse("Compat(normalize=False)")
    assert compat.canonical_name == "Compat(normalized=False)"


def test_all_trec_is_that_of_the_version():
    old, new = (
        [line.name for line in parsing.list_trec_lines("all_trec", agreed)]
        for agreed in ((), sqlmetrics.Conventions.of("trec_eval-10").parameters)
    )
    assert new == [*old, "rbp", "rbp_resid", "unj_5", "unj_10", "unj_20"]


def test_the_frame_of_metrics_has_a_row_for_each_file():
    frame = sqlmetrics.metrics()
    assert frame["macro"].to_list() == sorted(p.stem for p in ROOT.glob("sql/*/metrics/**/*.sql"))
    assert frame.null_count().sum_horizontal().item() == 0


@pytest.mark.thorough
def test_the_summaries_become_comments_that_duckdb_shows():
    con = duckdb.connect()
    con.execute(sqlmetrics.sql())
    query = """
        SELECT function_type, comment FROM duckdb_functions()
        WHERE function_name IN ('err', 'cascade') ORDER BY ALL
    """
    err, cascade = (catalogue.find_file(f).summary for f in ("err", "cascade"))
    assert con.execute(query).fetchall() == [
        ("macro", f"{err} Rows from: cascade(judged). [sqlmetrics]"),
        ("table_macro", f"{err} [sqlmetrics]"),
        ("table_macro", f"{cascade} [sqlmetrics]"),
    ]


def test_what_relations_say_of_their_judgments_is_known():
    said = {file.header.get("judgments") for file in catalogue.files()["relations"].values()}
    assert said == {None, "by subtopic", "of all queries"}
