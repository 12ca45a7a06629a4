"""Scores: judgments and runs in, one SELECT, per-query and mean scores out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import duckdb
import polars as pl

from . import catalogue, measures
from .checks import check, check_run_ids, describe_refusal
from .errors import InputError
from .measures import Measure
from .sources import QRELS, RUN, Data, Input, Reader, ScoreType, reading
from .streams import Stream

Runs: TypeAlias = "Data | Sequence[Data] | Mapping[str, Data]"


@dataclass(frozen=True)
class Scores:
    """What `evaluate` returns.

    ``per_query``: a row for every judged query of every run, with the columns ``run_id`` and
    ``query_id`` (text) and one for each measure (float), sorted by run and query.
    ``mean``: a row per run, ``run_id`` and the mean of each measure over the judged queries; counts
    such as NumRet are summed. ``sql``: the statement, which runs wherever the macros are installed,
    over the same files and tables; frames have a temporary name in it. ``measures``: what was asked
    for, as read.
    """

    per_query: pl.DataFrame
    mean: pl.DataFrame
    sql: str
    measures: tuple[Measure, ...]

    def __repr__(self) -> str:
        return repr(self.mean)


def evaluate(
    qrels: Data,
    run: Runs,
    metrics: str | Iterable[str],
    *,
    con: duckdb.DuckDBPyConnection | None = None,
    score_type: ScoreType = "float64",
) -> Scores:
    """Score one or more runs against judgments; returns `Scores`.

    ``qrels`` has the columns query_id, doc_id, relevance; ``run`` has query_id, doc_id, score and,
    when it holds several runs, run_id. Each is a path (CSV, TSV, Parquet, TREC text, also
    compressed), a polars or pandas frame, or with ``con`` the name of a table on that connection.
    Several runs are a list, or a dict by name; else a run is called by its file or table.

    ``metrics`` are names like ``"nDCG@10 AP(rel=2)@100"``, in one string or several; `metrics()`
    lists them. ``score_type`` ``"float32"`` compares scores as 32-bit floats, as trec_eval did up
    to version 9; close scores are tied then.

    Every judged query counts: one that a run does not answer scores 0. Documents are ranked by
    score, tied ones by document id descending; unjudged documents are not relevant. Inputs are read
    more than once, so a view must give the same rows each time.

    Raises `InputError` for data that cannot be read or would give a wrong number, `MeasureError`
    for a metric or parameter that does not exist; both are `SqlMetricsError` and ValueError.

    >>> import polars as pl
    >>> qrels = pl.DataFrame({"query_id": ["q1"], "doc_id": ["a"], "relevance": [1]})
    >>> run = pl.DataFrame({"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [1.0, 2.0]})
    >>> evaluate(qrels, run, "RR P@1 R@2").mean.rows()
    [('run', 0.5, 0.0, 1.0)]
    """
    wanted = measures.parse(metrics)
    if score_type not in ("float64", "float32"):
        raise InputError(f"score_type is 'float64' or 'float32', not {score_type!r}")
    if not isinstance(con, duckdb.DuckDBPyConnection | None):
        raise InputError(f"con is a connection by duckdb.connect(), not a {type(con).__name__}")
    with _raising_keyboard_interrupt(), ExitStack() as undo:
        reader = Reader(con or undo.enter_context(duckdb.connect()), undo, has_tables=bool(con))
        judgments = reader.read(reader.find(qrels, QRELS))
        named = _name_runs(run)
        found = {
            name: reader.find(data, RUN, name if len(named) > 1 else None)
            for name, data in named.items()
        }
        runs = {name: reader.read(source, name, score_type) for name, source in found.items()}
        with reading(" or ".join(each.source.name for each in (judgments, *runs.values()))):
            per_query = _score(reader, wanted, judgments, runs)
    union = "\nUNION ALL\n".join(each.query for each in runs.values())
    statement = build(wanted, "_qrels", "_run", {"_qrels": judgments.query, "_run": union})
    return Scores(per_query, _average(per_query, wanted), statement, tuple(wanted))


@contextmanager
def _raising_keyboard_interrupt() -> Iterator[None]:
    """Turn what DuckDB makes of Ctrl-C back into what Python makes of it."""
    try:
        yield
    except duckdb.InterruptException:
        raise KeyboardInterrupt from None
    except RuntimeError as error:
        if str(error) != "Query interrupted":
            raise
        raise KeyboardInterrupt from None


def _score(
    reader: Reader, wanted: Sequence[Measure], judgments: Input, runs: Mapping[str, Input]
) -> pl.DataFrame:
    con = reader.con
    check_run_ids(con, runs.values())
    union = " UNION ALL ".join(f"SELECT * FROM {each.table}" for each in runs.values())
    run = reader.keep(union)
    plan = _choose_plan(con, judgments.table, run, len(runs))
    files = catalogue.needed_files((measure.metric for measure in wanted), plan=plan)
    catalogue.create_macros(con, files, temporary=True)
    check(con, judgments, runs, run)
    try:
        per_query = pl.DataFrame(Stream(con.sql(build(wanted, judgments.table, run))))
    except duckdb.InvalidInputException as error:  # from error() in a macro
        raise InputError(describe_refusal(con, judgments.source, str(error))) from None
    for measure in wanted:
        endless = per_query.filter(~pl.col(measure.name).is_finite())
        for query_id in endless["query_id"].head(1):
            raise InputError(
                f"{measure.name} is too large a number for query {query_id}; "
                f"look for large grades in {judgments.source.name}"
            )
    return per_query


# Counting beats sorting from so many retrieved documents for each judged one on, and while no query
# has more judgments than so many: it compares every score with those of the judged documents.
_RETRIEVED, _JUDGED = 20, 50


def _choose_plan(con: duckdb.DuckDBPyConnection, qrels: str, run: str, runs: int) -> str:
    query = f"""
        SELECT (SELECT count(*) FROM {run}) > {_RETRIEVED * runs} * sum(number)
            AND max(number) <= {_JUDGED}
        FROM (SELECT count(*) AS number FROM {qrels} GROUP BY query_id)
    """
    ((is_sparse,),) = con.execute(query).fetchall()
    return "counting" if is_sparse else "sorting"


def build(
    wanted: Sequence[Measure], qrels: str, run: str, definitions: Mapping[str, str] | None = None
) -> str:
    """The SELECT of all measures, per run and query, over two tables named as in SQL.

    ``definitions`` are queries by name, to stand before it. Measures of the same relation with the
    same arguments are columns of one query over it; several such queries are joined.
    """
    ctes = dict(definitions or {})
    groups: dict[str, list[Measure]] = {}
    names: dict[str, str] = {}
    for measure in wanted:
        call = _relate(measure, qrels, run, names)
        groups.setdefault(call, []).append(measure)
    ctes |= {name: f"SELECT * FROM {call}" for call, name in names.items()}
    queries = [_select(group, names.get(call, call)) for call, group in groups.items()]
    query = queries[0] + "\nORDER BY j.run_id ASC, j.query_id ASC"
    if len(queries) > 1:
        parts = [f"_scores_{number}" for number in range(1, len(queries) + 1)]
        ctes |= dict(zip(parts, queries, strict=True))
        joins = "".join(f"\nJOIN {part} USING (run_id, query_id)" for part in parts[1:])
        query = _list_columns(["run_id", "query_id", *(_quote_name(m.name) for m in wanted)])
        query += f"\nFROM {parts[0]}{joins}\nORDER BY run_id ASC, query_id ASC"
    before = ",\n".join(f"{name} AS (\n    {_indent(cte)}\n)" for name, cte in ctes.items())
    return (f"WITH {before}\n" if ctes else "") + query


def _select(group: Iterable[Measure], relation: str) -> str:
    scores = (f"{measure.write_aggregate('j')} AS {_quote_name(measure.name)}" for measure in group)
    columns = _list_columns(["j.run_id", "j.query_id", *scores])
    return f"{columns}\nFROM {relation} AS j\nGROUP BY j.run_id, j.query_id"


def _relate(measure: Measure, qrels: str, run: str, names: dict[str, str]) -> str:
    """The call of a measure's relation; that of a relation under it gets a name in ``names``."""
    relation = measure.metric.relation
    inputs = []
    for needed in catalogue.find("relations", relation).statements[0].inputs:
        table = {"qrels": qrels, "run": run}.get(needed)
        if table is None:
            table = f"_{needed}"
            names[measures.write_call(needed, [qrels, run], ())] = table
        inputs.append(table)
    return measures.write_call(relation, inputs, measure.relation_arguments)


def _list_columns(columns: Iterable[str]) -> str:
    return "SELECT\n    " + ",\n    ".join(columns)


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _indent(query: str) -> str:
    return query.replace("\n", "\n    ")


def _average(per_query: pl.DataFrame, wanted: Iterable[Measure]) -> pl.DataFrame:
    columns = (
        pl.col(m.name).sum() if m.metric.is_summed else pl.col(m.name).mean() for m in wanted
    )
    return per_query.group_by("run_id", maintain_order=True).agg(*columns)


def _name_runs(run: Runs) -> dict[str, Data]:
    """The runs by name: those of a dict, else of the file or table."""
    if isinstance(run, Mapping):
        names, runs = [str(name) for name in run], list(run.values())
    else:
        runs = [*run] if isinstance(run, Sequence) and not isinstance(run, str | bytes) else [run]
        names = [_name_run(data) for data in runs]
        if len(set(names)) < len(names):
            names = [str(data) if isinstance(data, str | Path) else "run" for data in runs]
    if not runs:
        raise InputError("there is no run to score")
    if twice := [name for name in names if names.count(name) > 1]:
        raise InputError(
            f"two runs would be called {twice[0]!r}; name the runs apart, by their files or, "
            "in Python, by the keys of a dict"
        )
    return dict(zip(names, runs, strict=True))


_SUFFIXES = (".gz", ".zst", ".csv", ".tsv", ".txt", ".trec", ".parquet")


def _name_run(data: Data) -> str:
    if not isinstance(data, str | Path):
        return "run"
    name = Path(data).name
    while name.lower().endswith(_SUFFIXES) and not name.startswith("."):
        name = name.rpartition(".")[0]
    return name


def sql(metrics: str | Iterable[str] | None = None) -> str:
    """The SQL of some measures, to paste into a DuckDB shell: macros, then a SELECT that uses them.

    The SELECT reads tables ``qrels`` and ``run``. Without measures: all macros and no SELECT, for
    ``duckdb -init``. Raises `MeasureError` for a metric or parameter that does not exist.

    >>> "ndcg(j, k := 10)" in sql("nDCG@10")
    True
    """
    if metrics is None:
        return catalogue.write_macros(catalogue.needed_files())
    wanted = measures.parse(metrics)
    files = catalogue.needed_files(measure.metric for measure in wanted)
    macros = catalogue.write_macros(file for file in files if file.folder != "checks")
    return f"{macros}\n{build(wanted, 'qrels', 'run')};\n"
