"""The macros work in the DuckDB shell, and SQL that is printed or returned runs unchanged."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import duckdb
import polars as pl
import pytest
from conftest import ROOT, install_copy, name_measures

import sqlmetrics
from sqlmetrics import catalogue
from sqlmetrics.catalogue import quote
from sqlmetrics.macros import install

EXAMPLES = ROOT / "examples"
SHELL = Path(sys.executable).with_name("duckdb")
NAMES = " ".join(name for metric in catalogue.all_metrics("runs") for name in name_measures(metric))


@pytest.fixture(scope="session")
def database(tmp_path_factory):
    """A file with all macros."""
    path = tmp_path_factory.mktemp("macros") / "metrics.duckdb"
    sqlmetrics.install(path)
    return path


def test_any_promised_version_opens_a_file_of_macros(database):
    query = "SELECT sqlmetrics_version() AS v, * FROM rr('examples/qrels.csv', 'examples/bm25.csv')"
    rows = ask_shell(database, query)
    assert {row["v"] for row in rows} == {sqlmetrics.__version__}
    with duckdb.connect(database, read_only=True) as con:
        assert con.execute("SELECT sqlmetrics_version()").fetchone() == (sqlmetrics.__version__,)


def test_a_file_of_macros_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "metrics.duckdb"
    with pytest.raises(sqlmetrics.InputError, match="schema must be a name"):
        sqlmetrics.install(path, schema="a;b")
    assert [*tmp_path.iterdir()] == []
    with duckdb.connect(path) as con:
        con.execute("CREATE TABLE kept AS SELECT 1 AS x; CREATE MACRO ndcg(x) AS x")
    with pytest.raises(sqlmetrics.InputError, match="names: ndcg; install into a schema"):
        sqlmetrics.install(path)
    sqlmetrics.install(path, schema="lab")
    sqlmetrics.uninstall(path)
    with duckdb.connect(path) as con:
        assert con.execute("FROM kept").fetchall() == [(1,)]
        names = "SELECT function_name FROM duckdb_functions() WHERE NOT internal"
        assert con.execute(names).fetchall() == [("ndcg",)]


def test_a_table_in_a_file_is_no_database_for_macros(tmp_path):
    file = tmp_path / "qrels.csv"
    file.write_text("query_id,doc_id\nq,d\n", encoding="utf-8")
    with pytest.raises(sqlmetrics.InputError, match="not a valid DuckDB database"):
        sqlmetrics.install(file)


@pytest.mark.thorough
@pytest.mark.parametrize("has_links", [True, False])
def test_a_file_that_appears_while_macros_are_installed_is_left_as_it_is(
    has_links, tmp_path, monkeypatch
):
    path = tmp_path / "metrics.duckdb"
    list_statements = install._list_statements

    def create_meanwhile(*args, **options):
        with duckdb.connect(path) as con:
            con.execute("CREATE TABLE kept AS SELECT 1 AS x")
        return list_statements(*args, **options)

    if not has_links:
        monkeypatch.setattr("os.link", Mock(side_effect=PermissionError))
        sqlmetrics.install(tmp_path / "other.duckdb")
    monkeypatch.setattr(install, "_list_statements", create_meanwhile)
    with pytest.raises(sqlmetrics.InputError, match="appeared meanwhile"):
        sqlmetrics.install(path)
    with duckdb.connect(path) as con:
        assert con.execute("FROM kept").fetchall() == [(1,)]
    assert {each.name for each in tmp_path.iterdir()} <= {"metrics.duckdb", "other.duckdb"}


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
@pytest.mark.few(1)
@pytest.mark.parametrize("limit", [8, 40, 200])
def test_a_full_disk_leaves_nothing_of_a_file_of_macros(tmp_path, limit):
    code = "import sqlmetrics; sqlmetrics.install('m.duckdb')"
    command = ["bash", "-c", f'ulimit -f {limit}; exec {sys.executable} -c "{code}"']
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert "InputError: cannot write m.duckdb" in done.stderr
    assert [*tmp_path.iterdir()] == []


def test_a_file_that_is_not_a_database_is_refused(tmp_path):
    path = tmp_path / "metrics.duckdb"
    with pytest.raises(sqlmetrics.InputError, match="does not exist"):
        sqlmetrics.uninstall(path)
    path.write_text("x" * 100)
    with pytest.raises(sqlmetrics.InputError, match=f"cannot write {path}: .*not a valid DuckDB"):
        sqlmetrics.install(path)
    with pytest.raises(sqlmetrics.InputError, match=f"cannot write {tmp_path}/no/x: "):
        sqlmetrics.install(tmp_path / "no" / "x")


def test_a_script_of_some_metrics_has_only_their_macros():
    script = sqlmetrics.sql("nDCG@10 AP", select=False)
    assert len(script) < len(sqlmetrics.sql()) / 10
    with duckdb.connect() as con:
        con.execute(script)
        query = "FROM rr('examples/qrels.csv', 'examples/bm25.csv')"
        with pytest.raises(duckdb.CatalogException, match="rr"):
            con.execute(query)


def ask_shell(macros, query, folder=ROOT):
    """The rows of a query in a shell that runs a script of macros, or opens a file of them."""
    start = ["-init", macros] if macros.suffix == ".sql" else ["-readonly", macros]
    done = subprocess.run(
        [SHELL, *start, "-json", "-c", query],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# Paths as users write them, in the folder "here"; those with "…" are absolute.
PATHS = (
    "plain.csv",
    "./dot.csv",
    "../up.csv",
    "sub/v1.2.3/deep.csv",
    "sub/../sub/./back.csv",
    "…/v1.2.3/absolute.csv",
    "q-2026.10.csv",
    "q-2026.10.01.csv",
    ".hidden.csv",
    "two..dots.csv",
    "main.csv",
    "temp.csv",
    "select.csv",
    "table.v1.tsv",
    "table.v1.2.parquet",
    "table.v1.2.csv.gz",
    "with a space.csv",
    "größe-检索.csv",
    "it's.csv",
    'sa"y.csv',
    '"begins.csv',
    './"quoted".csv',
    'a"b/c"d.csv',
    "[brackets].csv",
    "[a, b].csv",
    "{x}.csv",
    "back\\slash.csv",
    "$1 %s \\1.csv",
    "' OR 1=1; DROP TABLE t; --.csv",
    '") UNION ALL FROM t --.csv',
)
# Patterns, and the only file that each matches.
PATTERNS = {"glob*/v1.?.3.csv": "globbed/v1.2.3.csv", "../**/only.v1.*.csv": "sub/only.v1.2.csv"}


@pytest.fixture
def paths(tmp_path, monkeypatch):
    """Paths in the current folder, of runs in which 1, 2, 3, … documents with spaces come first."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    found = [path.replace("…", str(tmp_path)) for path in (*PATHS, *PATTERNS)]
    for number, path in enumerate(found, start=1):
        run = pl.DataFrame(list_rows(number), ["query_id", "doc_id", "score"], orient="row")
        file = Path(PATTERNS.get(path, path))
        file.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".parquet":
            run.write_parquet(file)
        else:
            text = run.write_csv(separator="\t" if file.suffix == ".tsv" else ",").encode()
            file.write_bytes(gzip.compress(text) if file.suffix == ".gz" else text)
    return {path: number for number, path in enumerate(found, start=1)}


def list_rows(number):
    """A run of documents with spaces, which `padded_documents` finds, before one that is relevant."""
    docs = [*(f" other{n}" for n in range(number)), "found"]
    return [("q", doc, 100 - rank) for rank, doc in enumerate(docs)]


def write_counts(names):
    """The query for the numbers of documents with spaces in what is named."""
    counts = (
        f"SELECT {place} AS place, count(*) AS number FROM padded_documents({name})"
        for place, name in enumerate(names)
    )
    return " UNION ALL ".join(counts) + " ORDER BY place"


def ask_library(query, parameters=()):
    con = duckdb.connect()
    install_copy(con)
    rows = con.execute(query, parameters)
    return [
        dict(zip([d[0] for d in rows.description], row, strict=True)) for row in rows.fetchall()
    ]


SURFACES = pytest.mark.parametrize("surface", ["shell", "library"])


def ask(surface, script, query):
    return ask_shell(script, query, Path.cwd()) if surface == "shell" else ask_library(query)


@pytest.mark.few(1)
@SURFACES
def test_the_macros_read_every_path(surface, script, paths):
    rows = ask(surface, script, write_counts(map(quote, paths)))
    assert {path: row["number"] for path, row in zip(paths, rows, strict=True)} == paths


@pytest.mark.thorough
def test_python_reads_every_path(paths):
    qrels = {"q": {"found": 1}}
    assert {path: sqlmetrics.evaluate(qrels, path, "RR").mean["RR"].item() for path in paths} == {
        path: 1 / (number + 1) for path, number in paths.items()
    }


# What is in a database, by its name, and how users name it.
TABLES = {
    "plain": ("plain", "'plain'", "'PLAIN'", '"plain"', "main.plain", "'memory.plain'"),
    "lab.run": ("lab.run", "'lab.run'", "memory.lab.run", """ '"lab"."run"' """, "[lab.run]"),
    '"order"': ('"order"', "'order'", """ '"order"' """),
    '"dotted.run"': (""" '"dotted.run"' """,),
    'lab."dotted.run"': (""" 'lab."dotted.run"' """,),
    '"a b-c"': ('"a b-c"', "'a b-c'"),
    '"a""b"': ('"a""b"', "'a\"b'", """ '"a""b"' """),
    '"[x]"': ('"[x]"', "'[x]'"),
    "lab.csv": ("lab.csv", "'lab.csv'"),  # there are files of these names
    '"both.csv"': (""" '"both.csv"' """,),
    '"sub/both.v1.csv"': ("'sub/both.v1.csv'", '"sub/both.v1.csv"'),
}


def write_run(number):
    return f"SELECT * FROM (VALUES {', '.join(map(str, list_rows(number)))}) AS _r (query_id, doc_id, score)"


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["TABLE", "TEMP VIEW", "CTE"])
@SURFACES
def test_the_macros_find_tables_by_their_names_before_files(surface, script, paths, kind):
    for file in ("lab.csv", "both.csv", "sub/both.v1.csv"):
        Path(file).write_text("query_id,doc_id,score\nq,other,1\n")
    tables = {name: write_run(number) for number, name in enumerate(TABLES)}
    names = {each: number for number, listed in enumerate(TABLES.values()) for each in listed}
    if kind == "TABLE":
        before = "".join(f"CREATE TABLE {name} AS {rows}; " for name, rows in tables.items())
        before = f"CREATE SCHEMA lab; {before}"
    else:
        tables = {name: rows for name, rows in tables.items() if "." not in name}
        names = {each: number for each, number in names.items() if "." not in each}
        before = "".join(f"CREATE TABLE {name} AS {write_run(50)}; " for name in tables)
        if kind == "CTE":
            before += "WITH " + ", ".join(f"{name} AS ({rows})" for name, rows in tables.items())
        else:
            before += "".join(f"CREATE {kind} {name} AS {rows}; " for name, rows in tables.items())
    rows = ask(surface, script, f"{before} {write_counts(names)}")
    assert {name: row["number"] for name, row in zip(names, rows, strict=True)} == names


@pytest.mark.few(1)
@SURFACES
def test_the_macros_read_lists_of_tables_and_paths(surface, script, paths):
    before = "".join(f"CREATE TABLE t{n} AS {write_run(n)}; " for n in (30, 60))
    written = [quote(path) for path in paths if path.endswith(".csv")][:3]
    query = write_counts(["[t30, 't60']", f"[{', '.join(written)}]", f"['t30', {written[1]}]"])
    rows = ask(surface, script, before + query)
    assert [row["number"] for row in rows] == [90, 1 + 2 + 3, 30 + 2]


@pytest.mark.thorough
def test_every_kind_of_macro_reads_paths(script, paths):
    Path("../qrels.v1.2.csv").write_text("query_id,doc_id,relevance\nq,found,1\n")
    given = "'../qrels.v1.2.csv', './dot.csv'"  # where two documents come first
    query = (
        f"SELECT (SELECT rr FROM rr({given})) AS metric, "
        f"(SELECT ap(j) FROM judged({given}) AS j) AS aggregate, "
        f"(SELECT max(precision) FROM precision_recall_curve({given})) AS curve, "
        f"(SELECT count(*) FROM check_input({given}) WHERE severity = 'error') AS errors"
    )
    for found in (*ask_shell(script, query, Path.cwd()), *ask_library(query)):
        assert found == pytest.approx(
            {"metric": 1 / 3, "aggregate": 1 / 3, "curve": 1 / 3, "errors": 0}
        )


@pytest.mark.thorough
def test_paths_may_be_parameters(script, paths):
    query = "SELECT count(*) AS number FROM padded_documents($1)"
    assert ask_library(query, ["../up.csv"]) == [{"number": paths["../up.csv"]}]
    query = f"PREPARE ask AS {query}; EXECUTE ask('../up.csv')"
    assert ask_shell(script, query, Path.cwd()) == [{"number": paths["../up.csv"]}]


@pytest.mark.few(1)
@pytest.mark.parametrize("given", ["NULL", "[]", "['plain', NULL]"])
def test_a_table_that_is_not_named_is_refused(given):
    con = duckdb.connect()
    install_copy(con)
    con.execute(f"CREATE TABLE plain AS {write_run(1)}")
    with pytest.raises(duckdb.Error, match="no table is named; give the name of a table or a file"):
        con.execute(f"FROM padded_documents({given})")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "url",
    ["https://a.b.example.org/v1.2/x.parquet?d=1.2", "s3://a.b.c/v1.2/x.csv", "hf://d/a.b/x.csv"],
)
def test_addresses_reach_the_extension_that_reads_them(url):
    con = duckdb.connect(config={"autoinstall_known_extensions": False, "threads": 1})
    con.execute("SET autoload_known_extensions = false")
    install_copy(con)
    with pytest.raises(duckdb.Error, match=re.escape(url)):
        con.execute("FROM padded_documents($1)", [url])


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    script = tmp_path_factory.mktemp("shell") / "sqlmetrics.sql"
    script.write_text(sqlmetrics.sql())
    return script


def test_the_shell_scores_like_python_by_aggregates(script):
    scores = sqlmetrics.evaluate(EXAMPLES / "qrels.csv", EXAMPLES / "bm25.csv", "nDCG@10 AP RR")
    query = (
        'SELECT j.query_id, ndcg(j, k := 10) AS "nDCG@10", ap(j) AS "AP", rr(j) AS "RR" '
        "FROM judged('examples/qrels.csv', 'examples/bm25.csv') AS j GROUP BY j.query_id ORDER BY ALL"
    )
    rows = ask_shell(script, query)
    for got, expected in zip(rows, scores.per_query.drop("run_id").to_dicts(), strict=True):
        assert got == pytest.approx(expected, abs=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize("version", ["v0.10.3", "v1.4.5"])
def test_a_duckdb_that_is_too_old_is_refused_when_macros_load(version):
    package = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (oldest,) = re.findall(r'"duckdb>=(.*?)"', package)
    said = re.escape(f"sqlmetrics needs DuckDB {oldest} or later; this is {version[1:]}")
    con = duckdb.connect()
    con.execute(f"CREATE MACRO version() AS '{version}'")
    for script in (sqlmetrics.sql(), sqlmetrics.sql("RR"), sqlmetrics.sql(schema="lab")):
        with pytest.raises(duckdb.Error, match=said):
            con.execute(script)
    with pytest.raises(sqlmetrics.InputError, match=f"^{said}$"):
        sqlmetrics.install(con)
    assert (
        con.execute("FROM duckdb_functions() WHERE comment LIKE '%[sqlmetrics]'").fetchall() == []
    )


@pytest.mark.few(2)
@pytest.mark.parametrize("version", ["v1.5.0", "v1.10.0", "v2.0.0", "v1.5-variegata-dev1"])
def test_later_versions_are_taken(version):
    con = duckdb.connect()
    con.execute(f"CREATE MACRO version() AS '{version}'")
    con.execute(con.extract_statements(sqlmetrics.sql("RR"))[0])


@pytest.mark.thorough
def test_the_shell_runs_every_metric_as_a_query(database):
    macros = [metric.macro for metric in catalogue.all_metrics("runs")]
    files = "'examples/qrels.csv', 'examples/bm25.csv'"
    asked = (f"INSERT INTO t SELECT '{each}', query_id FROM {each}({files})" for each in macros)
    query = f"CREATE TEMP TABLE t (macro TEXT, query_id TEXT); {'; '.join(asked)}; FROM t"
    rows = ask_shell(database, query)
    assert {(row["macro"], row["query_id"]) for row in rows} == {
        (macro, query) for macro in macros for query in ("bread", "curry", "noodles", "pickles")
    }


@pytest.mark.thorough
def test_the_sql_of_measures_runs_over_tables_of_the_names_in_it():
    con = duckdb.connect()
    for table in ("qrels", "run"):
        file = EXAMPLES / ("qrels.csv" if table == "qrels" else "bm25.csv")
        con.execute(f"CREATE TABLE {table} AS FROM '{file}'")
    expected = sqlmetrics.evaluate("qrels", "run", NAMES, con=con).per_query.rows()
    for got, row in zip(con.execute(sqlmetrics.sql(NAMES)).fetchall(), expected, strict=True):
        assert got == pytest.approx(row, abs=1e-12)


@pytest.mark.thorough
def test_the_statement_of_a_result_runs_where_the_macros_are_installed():
    runs = [EXAMPLES / "bm25.csv", EXAMPLES / "neural.csv"]
    names = f"{NAMES} AP(rel=2) ERR(max_rel=3)@5"
    result = sqlmetrics.evaluate(EXAMPLES / "qrels.csv", runs, names)
    con = duckdb.connect()
    install_copy(con)
    for got, row in zip(con.execute(result.sql).fetchall(), result.per_query.rows(), strict=True):
        assert got == pytest.approx(row, abs=1e-12)


@pytest.mark.thorough
def test_temporary_macros_leave_a_database_as_it_was(tmp_path):
    with duckdb.connect(str(tmp_path / "mine.duckdb")) as con:
        sqlmetrics.install(con, temporary=True)
    with duckdb.connect(str(tmp_path / "mine.duckdb")) as con:
        assert con.execute(
            "SELECT count(*) FROM duckdb_functions() WHERE NOT internal"
        ).fetchall() == [(0,)]
        sqlmetrics.install(con)
    with duckdb.connect(str(tmp_path / "mine.duckdb"), read_only=True) as con:
        query = f"FROM rr('{EXAMPLES / 'qrels.csv'}', '{EXAMPLES / 'bm25.csv'}')"
        assert con.execute(query).fetchall()


ENDS = ("x\n; DROP TABLE y; --", "x -- y", "x /* y", "x */ y", 'x" y', "x'; SELECT 1; --", "x\r\ny")


@pytest.mark.few(7)
@pytest.mark.parametrize("name", ENDS)
@pytest.mark.parametrize("option", ["qrels", "run", "topics", "by", "weight", "exclude", "columns"])
def test_a_name_in_sql_is_quoted_and_in_no_comment(option, name):
    given = {"topics": "t"} if option in ("by", "weight") else {}
    given[option] = {"query_id": name} if option == "columns" else name
    for dialect in (None, "duckdb", "postgres"):
        try:
            text = sqlmetrics.sql("nDCG@10", dialect=dialect, **given)
        except sqlmetrics.SqlMetricsError:
            continue
        bare = re.sub(r"""'(?:[^']|'')*'|("(?:[^"]|"")*")""", "", text)
        for made in ("DROP", "SELECT 1;", *(f"{sign} y" for sign in ("--", "/*", "*/"))):
            assert made not in bare


def test_no_comment_in_sql_has_text_of_users():
    for path in (ROOT / "playground" / "src").glob("*.js"):
        lines = path.read_text("utf-8").replace("\\n", "\n").splitlines()
        assert not [line for line in lines if re.search(r"-- .*\$\{", line)]
