"""Strategies: the ways of ranking in ``sql/strategies``, and the choice of one for an input."""

from __future__ import annotations

from dataclasses import dataclass, replace

import duckdb

from ..catalogue import files
from ..errors import InputError
from ..inputs.reader import Input, Reader
from ..inputs.workspace import (
    has_space,
    read_memory_limit,
    read_setting,
    require_memory,
    require_space,
    show_bytes,
)
from .macros import bare

# Bytes of memory that a strategy needs per retrieved document, and per judged document of each run,
# measured with lists of 50 and of 1,000; sorting may use temporary files instead.
_BYTES = {"sorting": (100, 300), "counting": (1, 600), "listing": (40, 300)}
# Counting compares every score with those of the judged documents of its query: the fastest with at
# least this many retrieved documents per judged one, and at most this many judged ones per query.
_SPARSE, _FEW = 20, 50
# Listing looks for every judged document in the list of its query: faster than sorting everything
# if queries have at most this many judged documents, on average and at most.
_SOME, _MANY = 100, 1000
_DEEPEST = 1_000_000  # DuckDB keeps fewer than this many of the highest scores


@dataclass(frozen=True)
class Sizes:
    """Numbers of rows in an input.

    ``matched`` counts the retrieved documents of judged queries, ``most_judged`` the judged
    documents of the query with the most; ``depth`` is where lists are cut before ranking, if they
    are.
    """

    runs: int
    retrieved: int
    matched: int
    judged: int
    queries: int
    most_judged: int
    depth: int | None = None

    @property
    def ranked(self) -> int:
        """The number of retrieved documents to rank."""
        return self.matched if self.depth is None else self.depth * self.queries * self.runs


def count_lists(reader: Reader, run: str) -> str:
    """Create a table with a row for each list of the runs, with its number of documents.

    It also has the columns of retrieved documents, so that checks of queries can use it instead.
    Returns its name.
    """
    return reader.keep(
        f"""
        SELECT
            run_id COLLATE C AS run_id, query_id COLLATE C AS query_id, count(*) AS number,
            NULL AS doc_id, NULL AS score
        FROM {run}
        GROUP BY ALL""",
        as_table=True,
    )


def find_sizes(
    con: duckdb.DuckDBPyConnection, judgments: Input, lists: str, depth: int | None = None
) -> Sizes:
    """The sizes of judgments and runs; ``lists`` is the table that `count_lists` created.

    Lists are cut at the depth if this drops at least half of the documents, and the scores within
    it fit in a quarter of the memory.
    """
    query = f"""
        SELECT coalesce(sum(number), 0)::BIGINT, count(*), coalesce(max(number), 0)
        FROM (SELECT count(*) AS number FROM {judgments.table} GROUP BY query_id COLLATE C)
    """
    ((judged, queries, most_judged),) = con.execute(query).fetchall()
    query = f"""
        SELECT
            count(DISTINCT run_id),
            coalesce(sum(number), 0)::BIGINT,
            coalesce(sum(number) FILTER (
                query_id IN (SELECT query_id COLLATE C FROM {judgments.table})
            ), 0)::BIGINT
        FROM {lists}
    """
    ((runs, retrieved, matched),) = con.execute(query).fetchall()
    whole = Sizes(runs, retrieved, matched, judged, queries, most_judged)
    if depth is None or depth >= _DEEPEST:
        return whole
    cut = replace(whole, depth=depth)
    fits = _estimate_bytes("listing", cut) <= read_memory_limit(con) / 4
    return cut if fits and 2 * cut.ranked <= matched else whole


def take_strategy(con: duckdb.DuckDBPyConnection, sizes: Sizes, strategy: str | None = None) -> str:
    """The strategy that was asked for, else the fastest that fits.

    Raises `InputError` for an unknown one, or one that needs more memory or temporary files than
    there are.
    """
    require_strategy(strategy)
    strategy = strategy or choose_strategy(con, sizes)
    what = f"{strategy} {_count(sizes.ranked, 'retrieved document')}"
    needed = _estimate_bytes(strategy, sizes)
    if strategy == "sorting":
        require_space(con, needed, what)
    else:
        require_memory(con, needed, what)
    return strategy


def require_strategy(strategy: str | None) -> None:
    """Raise `InputError` for an unknown strategy."""
    if strategy is not None and strategy not in [*files()["strategies"]]:
        names = ", ".join(map(repr, files()["strategies"]))
        raise InputError(f"strategy must be one of {names}, not {strategy!r}")


def choose_strategy(con: duckdb.DuckDBPyConnection, sizes: Sizes) -> str:
    """The fastest strategy; another one if this would take half of the memory."""
    limit = read_memory_limit(con)
    suits = {
        "counting": sizes.ranked > _SPARSE * sizes.runs * sizes.judged
        and sizes.most_judged <= _FEW,
        "listing": sizes.judged <= _SOME * sizes.queries and sizes.most_judged <= _MANY,
    }
    for strategy, is_fast in suits.items():
        if is_fast and _estimate_bytes(strategy, sizes) <= limit / 2:
            return strategy
    if has_space(con, _estimate_bytes("sorting", sizes)):
        return "sorting"
    fitting = (strategy for strategy in suits if _estimate_bytes(strategy, sizes) <= limit)
    return next(fitting, "sorting")


def describe_strategy(con: duckdb.DuckDBPyConnection, strategy: str, sizes: Sizes) -> str:
    """Describe what a strategy does with an input of these sizes."""
    needed, limit = _estimate_bytes(strategy, sizes), read_memory_limit(con)
    disk = f", {show_bytes(needed - limit)} of it in temporary files" if needed > limit else ""
    retrieved = f"{_count(sizes.retrieved, 'document')} in {_count(sizes.runs, 'run')}"
    if sizes.ranked < sizes.retrieved:
        retrieved += f", of which {sizes.ranked:,} are ranked"
    lines = {
        "strategy": f"{strategy}: {files()['strategies'][strategy].summary}",
        "retrieved": retrieved,
        "judged": f"{_count(sizes.judged, 'document')} of "
        f"{sizes.queries:,} {'query' if sizes.queries == 1 else 'queries'}, at most "
        f"{sizes.most_judged:,} of one",
        "memory": f"about {show_bytes(needed)}{disk}; "
        f"the limit is {read_setting(con, 'memory_limit')}",
    }
    return "\n".join(f"{key:9}  {line}" for key, line in lines.items())


def narrow(reader: Reader, qrels: str, run: str, sizes: Sizes) -> str:
    """The retrieved documents that can change a score; the order of the input may be lost.

    They belong to judged queries, and are not below the score at which lists are cut.
    """
    if sizes.matched < sizes.retrieved:
        query_ids = f"SELECT query_id FROM judgments({qrels})"
        run = reader.keep(bare(f"FROM {run} WHERE query_id COLLATE C IN ({query_ids})"))
    if sizes.depth is not None:
        lowest = reader.keep(
            bare(f"""
            SELECT run_id, query_id, list_min(max(score, {sizes.depth})) AS lowest
            FROM retrieved({run})
            GROUP BY run_id, query_id"""),
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


def _estimate_bytes(strategy: str, sizes: Sizes) -> int:
    for_ranked, for_judged = _BYTES[strategy]
    return sizes.ranked * for_ranked + sizes.runs * sizes.judged * for_judged


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
