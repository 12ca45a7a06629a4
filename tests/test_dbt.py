"""The dbt package: its generated files are current, and its scores are those of evaluate."""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import duckdb
import engines
import jinja2
import polars as pl
import pytest
import yaml
from conftest import ROOT, name_measures

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.catalogue import parsing
from sqlmetrics.fusing import methods

sys.path.insert(0, str(ROOT / "dbt"))
import write_package

PACKAGE = ROOT / "dbt"
EXAMPLE = ROOT / "examples" / "dbt"
# Those that need recursion, or a term for each rank.
WITHOUT = {"alpha_ndcg", "nerr_ia", "nnrbp", "relstring"}


@pytest.mark.thorough
def test_the_package_is_current():
    written = {
        path.name: path.read_text(encoding="utf-8") for path in write_package.FOLDER.iterdir()
    }
    wanted = write_package.write_package()
    stale = [name for name in {**written, **wanted} if written.get(name) != wanted.get(name)]
    assert stale == [], "run python dbt/write_package.py"


def test_the_version_is_that_of_sqlmetrics():
    project = write_package.PROJECT.read_text(encoding="utf-8")
    assert yaml.safe_load(project)["version"] == sm.__version__
    assert write_package.write_project() == project


def read_descriptions():
    """The macros that are described, each with the description of its arguments."""
    described = {}
    for path in (PACKAGE / "macros").rglob("*.yml"):
        for entry in yaml.safe_load(path.read_text(encoding="utf-8"))["macros"]:
            assert entry["description"], entry["name"]
            arguments = {a["name"]: a["description"] for a in entry.get("arguments", [])}
            described[entry["name"]] = arguments
    return described


def test_every_macro_that_users_call_is_described_with_its_arguments():
    """The parts of others, and the words of adapters, are not theirs to call."""
    defined = {}
    for path in (PACKAGE / "macros").rglob("*.sql"):
        if path.stem in ("parts", "words", "rules"):
            continue
        text = path.read_text(encoding="utf-8")
        for kind, name, signature in re.findall(r"{% (macro|test) (\w+)\((.*?)\) -?%}", text):
            if "__" not in name:  # which are those of adapters
                arguments = [each.partition("=")[0] for each in signature.split(", ")]
                defined["test_" * (kind == "test") + name] = [each for each in arguments if each]
    described = {name: [*arguments] for name, arguments in read_descriptions().items()}
    assert described == defined


def test_descriptions_are_in_the_words_of_dbt():
    described = {
        (name, argument): line
        for name, arguments in read_descriptions().items()
        for argument, line in arguments.items()
    }
    assert described["ap", "k"].endswith("none for the whole ranking (default none)")
    assert described["judged", "judged_only"].startswith("true or false; ")
    assert described["judged", "judged_only"].endswith("(default false)")
    assert described["rbp", "p"].endswith("(default 0.8)")
    assert described["judged", "qrels"].startswith("relation of judgments")
    strange = re.compile(r"table or file|\bMAP\b|default (NULL|TRUE|FALSE)|'input'")
    assert [line for line in described.values() if strange.search(line)] == []


class RefusedError(Exception):
    """What a macro raises when it is compiled."""


class Returned(Exception):  # noqa: N818 - as dbt does it
    """What a macro returns that is not text."""


def take_returned(macro):
    def call(*given, **named):
        try:
            return macro(*given, **named)
        except Returned as returned:
            return returned.args[0]

    return call


@cache
def load_macros(adapter="duckdb"):
    """The macros for an adapter, called as dbt calls them but without a project."""

    def refuse(message):
        raise RefusedError(message)

    def give_back(value):
        raise Returned(value)

    def dispatch(name, package):
        return getattr(macros, f"{adapter}__{name}", None) or getattr(macros, f"default__{name}")

    environment = jinja2.Environment(extensions=["jinja2.ext.do"], autoescape=False)
    macros = SimpleNamespace()
    environment.globals = environment.globals | {
        "sqlmetrics": macros,
        "adapter": SimpleNamespace(
            dispatch=dispatch, get_columns_in_relation=lambda relation: relation.columns
        ),
        "execute": True,
        "load_relation": lambda relation: relation if relation.columns else None,
        "exceptions": SimpleNamespace(raise_compiler_error=refuse),
        "return": give_back,
        "target": SimpleNamespace(type=adapter),
        "ref": lambda name: name,
    }
    for path in (PACKAGE / "macros").rglob("*.sql"):
        if path.parent.name != "tests":  # whose tag is dbt's own
            module = environment.from_string(path.read_text(encoding="utf-8")).module
            vars(macros).update(
                {
                    name: take_returned(macro)
                    for name, macro in vars(module).items()
                    if isinstance(macro, jinja2.runtime.Macro)
                }
            )
    return environment


def find_refusal(template, adapter="duckdb"):
    """What a macro says against the arguments that it is called with, or None."""
    try:
        load_macros(adapter).from_string(template).render(inf=math.inf, nan=math.nan)
    except RefusedError as refused:
        return str(refused)
    return None


VALUES = (None, True, False, -3, 0, 0.5, 1, 1.5, 7, 2**31, math.inf, math.nan, {1: 10}, "", "cubic")
# What metrics want, and no default gives.
NEEDED = {"corpus_size": 9, "k": 5}


def list_parameters():
    """The parameters of each metric and, by one of its metrics, of each relation."""
    metrics = [metric for metric in catalogue.ranking_metrics() if metric.macro not in WITHOUT]
    for metric in metrics:
        yield pytest.param(metric, metric.own_parameters, id=metric.macro)
    for relation, metric in {metric.relation: metric for metric in metrics}.items():
        parameters = metric.relation_parameters | metric.conventions
        yield pytest.param(metric, parameters, id=relation)


@pytest.mark.few(1)
@pytest.mark.parametrize(("metric", "parameters"), [*list_parameters()])
def test_a_macro_accepts_the_values_that_python_accepts(metric, parameters):
    needed = {n: NEEDED[n] for n, p in metric.parameters.items() if p.is_required}
    for name, parameter in parameters.items():
        words = re.findall(r"'([\w-]+)'", parameter.meaning.partition(";")[0])
        for value in (*VALUES, *words):
            if value == "input":
                continue
            refused = find_refusal(write_model(metric, needed | {name: value}))
            of_python = tuple(value.items()) if isinstance(value, dict) else value
            if parameter.find_problem(of_python):
                assert refused.startswith(f"{name} cannot be {value!r}; it must be ")
            else:
                assert refused is None or "must be above min_rel" in refused


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("rbp(p=7)", "p cannot be 7; it must be a number between 0 and 1"),
        ("precision_at(k=-3)", "k cannot be -3; it must be a whole number, 1 or more, or none"),
        ("precision_at(k='10')", "k cannot be '10'; it must be a whole number, 1 or more, or none"),
        ("tn_at(k=3)", "corpus_size cannot be None; it must be a whole number, 1 or more"),
        (
            "dcg(gain='cubic')",
            "gain cannot be 'cubic'; it must be one of binary, linear, exponenti",
        ),
        ("judged('q', 'r', judged_only=1)", "judged_only cannot be 1; it must be true or false"),
        (
            "judged('q', 'r', gains=1)",
            "gains cannot be 1; it must be {relevance: gain, …}, or none",
        ),
        ("subtopics('q', 'r', ties='cubic')", "it must be one of descending, ascending, rank, bes"),
        ("expected_ndcg(ideal='retrieved')", "it must be one of judged, uncut, perfect"),
        ("expected_precision_at(k=0)", "k cannot be 0; it must be a whole number, 1 or more"),
        ("ndcg(10)", "j cannot be 10; it must be the alias of the rows, such as 'j'"),
        ("ap('j.rank')", "j cannot be 'j.rank'; it must be the alias of the rows, such as 'j'"),
        ("expected_ndcg(10)", "j cannot be 10; it must be the alias of the rows, such as 'j'"),
        ("rrf('c.rank')", "c cannot be 'c.rank'; it must be the alias of the rows, such as 'j'"),
        ("rrf(k=-1)", "k cannot be -1; it must be a number, 0 or more"),
        (
            "candidates('r', 'borda')",
            "it must be one of min_max, max, sum, z_score, rank, relative",
        ),
        ("cwl_stretches('j', min_rel=2, max_rel=1)", "max_rel 1 must be above min_rel 2"),
        ("greedy_ranking('t', 0.5)", "greedy_ranking cannot be computed by duckdb"),
    ],
)
def test_invalid_arguments_of_a_macro_are_refused_with_the_rule(call, message):
    assert message in find_refusal(f"{{{{ sqlmetrics.{call} }}}}")


@pytest.mark.parametrize("relation", ["judged", "subtopics"])
def test_a_run_without_a_column_is_refused_with_advice(relation):
    def compile_with(*columns):
        names = [SimpleNamespace(name=name) for name in columns]
        given = SimpleNamespace(columns=names, is_cte=False)
        template = f"{{{{ sqlmetrics.{relation}('qrels', run) }}}}"
        load_macros().from_string(template).render(run=given)

    with pytest.raises(
        RefusedError, match=r"no column run_id; the columns are query_id, doc_id, s"
    ):
        compile_with("query_id", "doc_id", "score")
    with pytest.raises(RefusedError, match=r"no column score.*: select … as score from …"):
        compile_with("RUN_ID", "QUERY_ID", "DOC_ID", "sim")
    compile_with("RUN_ID", "QUERY_ID", "DOC_ID", "SCORE", "rank")
    compile_with()  # which is not there yet


@pytest.mark.parametrize("relation", ["judged", "subtopics", "restricted"])
def test_ties_in_the_order_of_the_input_are_refused(relation):
    refused = find_refusal(f"{{{{ sqlmetrics.{relation}('qrels', 'run', ties='input') }}}}")
    assert refused == ("ties cannot be 'input'; the rows of a table have no order; use other ties")


@pytest.mark.few(1)
@pytest.mark.parametrize("adapter", ["clickhouse", "redshift"])
@pytest.mark.parametrize("call", ["judged('qrels', 'run')", "ndcg()"])
def test_an_adapter_without_macros_is_refused_with_advice(adapter, call):
    refused = find_refusal(f"{{{{ sqlmetrics.{call} }}}}", adapter)
    name = call.partition("(")[0]
    assert refused.startswith(f"{name} cannot be computed by {adapter}: it")
    assert refused.endswith(f"; generate the query with sqlmetrics sql --dialect {adapter}")


@pytest.mark.thorough
@pytest.mark.parametrize("adapter", write_package.ADAPTERS)
def test_every_metric_compiles_for_an_adapter(adapter):
    refused = {}
    for metric in catalogue.ranking_metrics():
        if metric.macro not in WITHOUT:
            needed = {n: NEEDED[n] for n, p in metric.parameters.items() if p.is_required}
            refused[metric.macro] = find_refusal(write_model(metric, needed), adapter)
    reasons = {reason.partition(": ")[2] for reason in refused.values() if reason}
    ranks = "it does not support sums over a variable number of ranks"
    assert reasons == ({ranks} if adapter == "snowflake" else set())


def test_no_error_that_arguments_decide_is_left_out():
    """An error is in SQL where rows decide, and raised by Jinja where arguments do."""
    macros = {}
    for path in write_package.FOLDER.glob("*.sql"):
        for macro in path.read_text(encoding="utf-8").split("{% macro ")[1:]:
            macros[macro.partition("(")[0]] = macro
    for _, _, statement in write_package.keep_needed(write_package.list_files()):
        raised = len(re.findall(r"\berror\(", statement.body))
        names = [prefix + statement.macro for prefix in ("duckdb__", "default__", "")]
        body = next(macros[name] for name in names if name in macros)
        assert len(re.findall(r"\berror\(|compiler_error\(", body)) >= raised, names


def run_dbt(folder, *arguments, **environment):
    done = subprocess.run(
        [Path(sys.executable).with_name("dbt"), *arguments],
        cwd=folder,
        env={**os.environ, "DBT_PROFILES_DIR": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


@pytest.fixture(params=["duckdb", "postgres"])
def target(request):
    """A target, the environment that it needs, and how to ask it."""
    if request.param == "duckdb":
        yield "duckdb", {}, lambda folder: duckdb.connect(folder / "target" / "cookbook.duckdb")
        return
    with engines.start_postgres() as address:
        import psycopg

        host = address.partition("host=")[2].partition(" ")[0]
        options = "-c search_path=cookbook"
        yield "postgres", {"PGHOST": host}, lambda _: psycopg.connect(address, options=options)


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """The example with its packages, which dbt takes seconds to install."""
    project = tmp_path_factory.mktemp("dbt") / "project"
    shutil.copytree(
        EXAMPLE, project, ignore=shutil.ignore_patterns("target", "dbt_packages", "logs")
    )
    (project / "packages.yml").write_text(f"packages:\n  - local: {ROOT / 'dbt'}\n")
    status, said = run_dbt(project, "deps")
    assert status == 0, said
    return project


@pytest.fixture
def project(example, tmp_path):
    return Path(shutil.copytree(example, tmp_path / "project", symlinks=True))


@pytest.mark.engines
@pytest.mark.xdist_group("dbt")  # which installs the packages once
class TestBuild:
    def test_the_example_builds_with_the_scores_of_evaluate(self, target, project):
        name, environment, connect = target
        status, said = run_dbt(project, "build", "--target", name, **environment)
        assert status == 0, said
        examples = ROOT / "examples"
        expected = sm.evaluate(
            examples / "qrels.csv",
            [examples / "bm25.csv", examples / "neural.csv"],
            "nDCG@10 AP RR@10",
        ).per_query.rows()
        rows = connect(project).execute("SELECT * FROM scores").fetchall()
        for row, right in zip(sorted(rows), expected, strict=True):
            assert row[:2] == right[:2]
            assert row[2:] == pytest.approx(right[2:], abs=engines.EXACT)

    def test_a_build_fails_for_low_means_no_rows_and_a_missing_column(self, target, project):
        name, environment, _ = target
        models = project / "models"
        runs, scores, tests = (
            (models / each).read_text() for each in ("runs.sql", "scores.sql", "scores.yml")
        )
        (models / "scores.yml").write_text(tests.replace("floor: 0.5", "floor: 0.6"))
        (models / "no_runs.sql").write_text(f"select * from ({runs}) as r where 1 = 0")
        (models / "no_scores.sql").write_text(scores.replace("'runs'", "'no_runs'"))
        (models / "no_scores.yml").write_text(
            f"{tests.replace('name: scores', 'name: no_scores')}"
            "      - name: ap\n"
            "        data_tests:\n"
            "          - sqlmetrics.mean_is_at_least:\n"
            "              arguments:\n"
            "                floor: 0\n"
        )
        (models / "unnamed.sql").write_text("select query_id, doc_id, score from {{ ref('bm25') }}")
        (models / "unscored.sql").write_text(scores.replace("'runs'", "'unnamed'"))
        status, said = run_dbt(project, "build", "--target", name, **environment)
        assert status == 1
        assert "FAIL 1 sqlmetrics_mean_is_at_least_scores_run_id__ndcg_10__0_6" in said
        assert "FAIL 1 sqlmetrics_mean_is_at_least_no_scores_run_id__ndcg_10__0_5" in said
        assert "FAIL 1 sqlmetrics_mean_is_at_least_no_scores_ap__0 " in said
        assert "has no column run_id; the columns are query_id, doc_id, score. Give it" in said

    def test_what_is_refused_is_refused_at_compilation(self, project):
        path = project / "models" / "scores.sql"
        path.write_text(path.read_text().replace("ndcg(k=10)", "ndcg(k=-3)"))
        status, said = run_dbt(project, "compile", "--target", "duckdb")
        assert status != 0
        assert "k cannot be -3; it must be a whole number, 1 or more, or none" in said

    def test_metrics_and_methods_give_the_scores_of_evaluate_clicks_and_fuse(self, target, project):
        name, environment, connect = target
        shutil.rmtree(project / "seeds")
        shutil.rmtree(project / "models")
        (project / "models").mkdir()
        tables = engines.make_tables()
        (project / "seeds").mkdir()
        for table, frame in tables.items():
            if "run" in table:
                frame = frame.with_columns(run_id=pl.lit("run"))
            frame.write_csv(project / "seeds" / f"{table}.csv")
        for table, frame in make_fused_tables().items():
            frame.write_csv(project / "seeds" / f"{table}.csv")
        log = engines.make_log()
        log.write_csv(project / "seeds" / "log.csv")
        types = {"query_id": "text", "doc_id": "text", "subtopic": "text", "passage_id": "text"}
        known = {pl.String: "text", pl.Int64: "integer", pl.Float64: "double precision"}
        of_log = {column: known[kind.base_type()] for column, kind in log.schema.items()}
        with (project / "dbt_project.yml").open("a") as text:
            text.write(f"seeds:\n  +column_types: {types}\n")
            text.write(f"  cookbook:\n    log:\n      +column_types: {of_log}\n")
        wanted = {
            metric.macro: (metric, name_measures(metric)[-1])
            for metric in catalogue.ranking_metrics()
            if metric.macro not in WITHOUT
        }
        for model, (metric, measure) in wanted.items():
            (project / "models" / f"{model}.sql").write_text(
                write_model(metric, dict(parsing.parse(measure)[0].arguments))
            )
        (project / "models" / "of_clicks.sql").write_text(write_model_of_clicks())
        for model, text in write_fused_models().items():
            (project / "models" / f"{model}.sql").write_text(text)
        status, said = run_dbt(project, "build", "--target", name, **environment)
        assert status == 0, said
        con = connect(project)
        differences = compare_models(con, wanted) | compare_clicks(con, log)
        asked = {measure for _, measure in wanted.values()} | {*engines.list_measures_of("clicks")}
        assert differences.keys() == asked
        assert {m: d for m, d in differences.items() if d > engines.EXACT} == {}
        fused = compare_fused(con)
        assert fused.keys() >= {*METHODS, *NORMALIZATIONS, "without weights", "best", "sum"}
        assert {m: d for m, d in fused.items() if not d <= engines.EXACT} == {}


METHODS = methods.list_methods()
NORMALIZATIONS = [name for name in methods.list_normalizations() if name not in ("max", "none")]
WEIGHTS = {"one": 0.3, "two": 0.7}


def make_fused_tables():
    """Judgments, two runs, the same with weights, and documents that are passages of others."""
    tables = engines.make_statement_tables()
    run = tables["pool_run"]
    weighted = run.with_columns(weight=pl.col("run_id").replace_strict(WEIGHTS))
    passages = run.select(passage_id="doc_id").unique(maintain_order=True)
    mapping = passages.with_columns(doc_id=pl.col("passage_id").str.slice(0, 1))
    names = {"pool_qrels": tables["pool_qrels"], "pool_run": run}
    return {**names, "weighted_run": weighted, "mapping": mapping}


def write_fused_models():
    """A model for each relation that methods aggregate, for normalizations and without weights."""
    by_relation = {}
    for name, file in METHODS.items():
        by_relation.setdefault(file.header["relation"], []).append(name)
    by_relation["passages"] = ["best_passage", "passage_sum"]
    models = {}
    for relation, names in by_relation.items():
        (statement,) = catalogue.find_file(relation).statements
        run = "pool_run" if "training" in statement.inputs or relation == "passages" else None
        tables = {"qrels": "pool_qrels", "training": "pool_run", "mapping": "mapping"}
        tables["run"] = run or "weighted_run"
        models[f"fused_by_{relation}"] = write_fused_model(
            relation, [f"ref('{tables[name]}')" for name in statement.inputs], names
        )
    for name in NORMALIZATIONS:
        is_borda = name == methods.BORDA
        given = ["ref('weighted_run')", *[f"normalization='{name}'"] * (not is_borda)]
        relation = "ballots" if is_borda else "candidates"
        models[f"normalized_by_{name}"] = write_fused_model(relation, given, ["comb_sum"], "c")
    models["unweighted"] = write_fused_model("candidates", ["ref('pool_run')"], ["comb_sum"])
    return models


def write_fused_model(relation, given, names, alias=None):
    alias = alias or next(iter(catalogue.find_file(names[0]).statements[0].parameters))
    keys = ", ".join(
        f"{alias}.{key}" for key in catalogue.find_file(relation).header["groups"].split(", ")
    )
    scores = ", ".join(f"{{{{ sqlmetrics.{name}() }}}} as {name}" for name in names)
    rows = f"sqlmetrics.{relation}({', '.join(given)})"
    return f"select {keys}, {scores} from {{{{ {rows} }}}} as {alias} group by {keys}\n"


def compare_fused(con):
    """By method and by normalization, the largest difference of a score from that of fuse."""
    tables = make_fused_tables()
    run, qrels = tables["pool_run"], tables["pool_qrels"]

    def ask(model, column, *keys):
        columns = ", ".join((*keys, column))
        rows = con.execute(f"SELECT {columns} FROM {model}").fetchall()
        return {tuple(row[:-1]): float(row[-1]) for row in rows}

    def compare(got, found, *keys):
        expected = {row[:-1]: row[-1] for row in found.select(*keys, "score").rows()}
        assert got.keys() == expected.keys()
        return max(abs(got[key] - expected[key]) for key in got)

    ids = ("query_id", "doc_id")
    found = {}
    for name, file in METHODS.items():
        given = {"qrels": qrels} if methods.learns(name) else {"weights": WEIGHTS}
        got = ask(f"fused_by_{file.header['relation']}", name, *ids)
        found[name] = compare(got, sm.fuse(run, name, **given), *ids)
    for name in NORMALIZATIONS:
        fused = sm.fuse(run, "comb_sum", normalization=name, weights=WEIGHTS)
        found[name] = compare(ask(f"normalized_by_{name}", "comb_sum", *ids), fused, *ids)
    got = ask("unweighted", "comb_sum", *ids)
    found["without weights"] = compare(got, sm.fuse(run, "comb_sum"), *ids)
    for method, column in (("best", "best_passage"), ("sum", "passage_sum")):
        collapsed = sm.collapse(run, tables["mapping"], method=method)
        got = ask("fused_by_passages", column, "run_id", *ids)
        found[method] = compare(got, collapsed, "run_id", *ids)
    return found


def compare_models(con, wanted):
    """By metric, the largest difference of a query's score from that of DuckDB's macros."""
    by_tables = {}
    for model, (_, measure) in wanted.items():
        _, *tables = engines.list_measures()[measure]
        by_tables.setdefault(tuple(tables), {})[measure] = model
    differences = {}
    for tables, models in by_tables.items():
        rows = engines.expect(tuple(models), *tables, "{}")
        for place, (measure, model) in enumerate(models.items(), 1):
            got = dict(con.execute(f"SELECT * FROM {model}").fetchall())
            expected = {row[0]: row[place] for row in rows}
            assert got.keys() == expected.keys(), measure
            assert None not in got.values(), measure
            differences[measure] = max(abs(float(got[q]) - expected[q]) for q in got)
    return differences


def compare_clicks(con, log):
    """The same of metrics of clicks, by country."""
    names = engines.list_measures_of("clicks")
    found = sorted(con.execute("SELECT * FROM of_clicks").fetchall())
    expected = sm.clicks(log, names, by="country").rows()
    assert [row[0] for row in found] == [row[0] for row in expected]
    return {
        name: max(
            engines.measure_difference(got[place], right[place])
            for got, right in zip(found, expected, strict=True)
        )
        for place, name in enumerate(names, 1)
    }


def write_model_of_clicks():
    calls = []
    for number, measure in enumerate(parsing.parse(engines.list_measures_of("clicks"))):
        given = ", ".join(f"{key}={value}" for key, value in measure.arguments)
        call = f"sqlmetrics.{measure.metric.macro}({given})"
        calls.append(f"    {{{{ {call} }}}} as score_{number}")
    return (
        "select\n    j.country,\n"
        + ",\n".join(calls)
        + "\nfrom {{ sqlmetrics.clicked(ref('log')) }} as j\ngroup by j.country\n"
    )


def write_model(metric, arguments):
    own = [f"{k}={v!r}" for k, v in arguments.items() if k in metric.own_parameters]
    others = {k: v for k, v in arguments.items() if k not in metric.own_parameters}
    relation = write_relation(metric.relation, "grouped_" * metric.is_by_subtopic, others)
    return (
        f"select j.query_id, {{{{ sqlmetrics.{metric.macro}({', '.join(own)}) }}}} as score\n"
        f"from {{{{ {relation} }}}} as j\ngroup by j.run_id, j.query_id\n"
    )


def write_relation(name, prefix, arguments):
    (statement,) = catalogue.find("relations", name).statements
    inputs = [
        f"ref('{prefix}{each}')"
        if each in ("qrels", "run")
        else write_relation(each, prefix, arguments)
        for each in statement.inputs
    ]
    given = [f"{k}={v!r}" for k, v in arguments.items() if k in statement.parameters]
    return f"sqlmetrics.{name}({', '.join([*inputs, *given])})"
