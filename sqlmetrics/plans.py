"""Plans: the ways of ranking in ``sql/plans``, and which of them suits an input."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass
from math import inf

import duckdb

from .catalogue import files
from .errors import InputError
from .sources import Input, Reader
from .workspace import read_memory_limit, read_setting, require_memory, require_space, show_bytes

# Bytes of memory that a plan takes for each retrieved document and for each judged one of each run,
# measured with lists of 50 and of 1,000; those of sorting may lie in temporary files.
_BYTES = {"sorting": (100, 300), "counting": (1, 600), "listing": (40, 300)}
# Counting compares every score with those of the judged documents of its query: the fastest from so
# many retrieved documents for each judged one on, while no query has more judged ones than this.
_SPARSE, _FEW = 20, 50
# Listing looks for every judged document in the list of its query: quicker than to sort all, while
# queries have not more judged ones than this, on average and at most.
_SOME, _MANY = 100, 1000


@dataclass(frozen=True)
class Sizes:
    """What is known of an input before it is read, in rows; ``most_judged`` is of one query."""

    runs: int
    retrieved: int
    judged: int
    queries: int
    most_judged: int


def find_sizes(con: duckdb.DuckDBPyConnection, judgments: Input, runs: Iterable[Input]) -> Sizes:
    """The sizes of judgments and runs, of which little more than the metadata is read."""
    query = f"""
        SELECT coalesce(sum(number), 0)::BIGINT, count(*), coalesce(max(number), 0)
        FROM (SELECT count(*) AS number FROM {judgments.table} GROUP BY query_id)
    """
    ((judged, queries, most_judged),) = con.execute(query).fetchall()
    counts = []
    for run in runs:
        number = "count(DISTINCT run_id)" if "run_id" in run.columns else "1"
        counts += con.execute(f"SELECT {number}, count(*) FROM {run.table}").fetchall()
    return Sizes(
        runs=sum(number for number, _ in counts),
        retrieved=sum(retrieved for _, retrieved in counts),
        judged=judged,
        queries=queries,
        most_judged=most_judged,
    )


def require_plan(plan: str | None) -> None:
    """Raise `InputError` for a plan that does not exist."""
    if plan is not None and plan not in files()["plans"]:
        names = ", ".join(map(repr, files()["plans"]))
        raise InputError(f"a plan is one of {names}, not {plan!r}")


def choose_plan(con: duckdb.DuckDBPyConnection, sizes: Sizes) -> str:
    """The plan that ranks fastest of those that fit into half of the memory."""
    limit = read_memory_limit(con) / 2
    is_sparse = sizes.retrieved > _SPARSE * sizes.runs * sizes.judged and sizes.most_judged <= _FEW
    if is_sparse and _estimate_bytes("counting", sizes) <= limit:
        return "counting"
    has_some = sizes.judged <= _SOME * sizes.queries and sizes.most_judged <= _MANY
    if has_some and _estimate_bytes("listing", sizes) <= limit:
        return "listing"
    return "sorting"


def require_room(con: duckdb.DuckDBPyConnection, plan: str, sizes: Sizes) -> None:
    """Raise `InputError` where a plan cannot have the memory, or the temporary files, it needs."""
    needed = _estimate_bytes(plan, sizes)
    what = f"{plan} {_count(sizes.retrieved, 'retrieved document')}"
    if plan == "sorting":
        require_space(con, needed, what)
    else:
        require_memory(con, needed, what)


def describe_plan(con: duckdb.DuckDBPyConnection, plan: str, sizes: Sizes) -> str:
    """What a plan does with an input of these sizes, for readers."""
    needed, limit = _estimate_bytes(plan, sizes), read_memory_limit(con)
    disk = f", {show_bytes(needed - limit)} of it in temporary files" if needed > limit else ""
    lines = {
        "plan": f"{plan}: {files()['plans'][plan].summary}",
        "retrieved": f"{_count(sizes.retrieved, 'document')} in {_count(sizes.runs, 'run')}",
        "judged": f"{_count(sizes.judged, 'document')} of {sizes.queries:,} queries, at most "
        f"{sizes.most_judged:,} of one",
        "memory": f"about {show_bytes(needed)}{disk}; "
        f"the limit is {read_setting(con, 'memory_limit')}",
    }
    return "\n".join(f"{key:9}  {line}" for key, line in lines.items())


def narrow(
    reader: Reader, qrels: str, run: str, sizes: Sizes, depths: Set[object], *, drops: bool
) -> str:
    """The retrieved documents that can change a figure; not in the order of the input.

    ``drops``: some are of queries without judgments. Where all measures have a depth, and it
    leaves out half of the documents, those whose score is below the last one within it are dropped.
    """
    if drops:
        query_ids = f"SELECT query_id FROM judgments({qrels})"
        run = reader.keep(f"FROM {run} WHERE query_id COLLATE C IN ({query_ids})")
    depth = max(each if isinstance(each, int) else inf for each in depths)
    kept = depth * sizes.queries * sizes.runs
    fits = kept * _BYTES["listing"][0] <= read_memory_limit(reader.con) / 4
    if fits and kept <= sizes.retrieved / 2:
        lowest = reader.keep(
            f"""
            SELECT run_id, query_id, list_min(max(score, {depth})) AS lowest
            FROM retrieved({run})
            GROUP BY run_id, query_id""",
            as_table=True,
        )
        run = reader.keep(
            f"""
            SELECT _r.*
            FROM {run} AS _r
            INNER JOIN {lowest} AS _l
                ON coalesce(_r.run_id, 'run') COLLATE C = _l.run_id COLLATE C
                AND _r.query_id COLLATE C = _l.query_id COLLATE C
            WHERE _r.score >= _l.lowest"""
        )
    return run


def _estimate_bytes(plan: str, sizes: Sizes) -> int:
    for_retrieved, for_judged = _BYTES[plan]
    return sizes.retrieved * for_retrieved + sizes.runs * sizes.judged * for_judged


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
