"""Replay: what users would have clicked, had they been shown another run."""

from __future__ import annotations

from typing import Any

import duckdb
import polars as pl

from ..catalogue import quote
from ..errors import InputError
from ..inputs.columns import Columns
from ..inputs.data import Data, Runs
from ..inputs.tables import EXAMINATION
from ..progress import begin
from ..running.relations import require
from .log import open_log

# With fewer effective clicks, a replayed score is not reliable.
_FEW = 100


def replay(
    log: Data,
    run: Runs,
    *,
    examination: Any = None,  # noqa: ANN401
    k: int | None = None,
    clip: float = 100,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    engine: Any = None,  # noqa: ANN401
) -> pl.DataFrame:
    """Score runs with the clicks of a log on other rankings: a row per run.

    Each click is weighted by how likely its position was to be looked at, so that positions do not
    matter (inverse propensity scoring; Joachims, Swaminathan and Schnabel 2017). Columns:

    - ``run_id``.
    - ``ips_dcg``: the DCG per page, if users click exactly the relevant documents they look at.
    - ``snips_dcg``: the same as a share of what it would be with all of that at rank 1
      (self-normalised), which varies less between logs, at the price of a small bias.
    - ``pages``, ``clicks``: of the log; ``found_clicks``: clicks on documents that the run
      retrieves for the query.
    - ``effective_clicks``: how many clicks of equal weight would be as good.
    - ``note``: a warning if these are few, else null.

    - ``log``, ``con``, ``columns``, ``engine``: as for `clicks`; ``run``: as for `evaluate`.
    - ``examination``: position and examination, 0 to 1, in a file, table or frame, such as what
      `examination` returns; without it, it is estimated from the log.
    - ``k``: the cut-off rank of DCG.
    - ``clip``: the highest weight of a click.

    Raises `InputError` for a log or run that cannot be read or would give a wrong number, and for
    a position with clicks whose examination is not known, or is given more than once.

    >>> log = pl.DataFrame({
    ...     "page_id": [1, 1, 2, 2], "query_id": ["q"] * 4, "doc_id": ["a", "b", "a", "b"],
    ...     "position": [1, 2, 1, 2], "clicked": [0, 1, 1, 0],
    ... })
    >>> looked = pl.DataFrame({"position": [1, 2], "examination": [1.0, 0.5]})
    >>> replay(log, {"q": {"b": 2.0, "a": 1.0}}, examination=looked, k=1).row(0)[:3]
    ('run', 1.0, 0.6666666666666666)
    """
    require("replayed", clip=clip)
    require("ips_dcg", k=k)
    with open_log(log, con=con, columns=columns, engine=engine) as found:
        tables: dict[str, Any] = {"run": found.read_runs(run)}
        if examination is None:
            begin("estimating examination")
            tables["examination"] = found.relate("examination").read()
        else:
            given = found.read_table(examination, EXAMINATION)
            for column in EXAMINATION.columns:
                if not given.frame[column].dtype.is_numeric():
                    raise InputError(f"{given.name}: {column} must be numbers")
            tables["examination"] = given.frame
        begin("replaying")
        try:
            rows = found.relate("replayed", tables, clip=clip)
        except InputError as error:
            if examination is not None:
                raise
            lacking = str(error).partition(" for ")[2].partition(";")[0]
            raise InputError(
                f"{found.name}: examination could not be estimated for {lacking}, since too few "
                "documents are on 20 or more pages at several positions; pass examination "
                "(--examination), such as what examination returns with a lower least_pages"
            ) from None
        scores = rows.ask(
            {
                "ips_dcg": f"ips_dcg(p, k := {quote(k)})",
                "snips_dcg": f"snips_dcg(p, k := {quote(k)})",
                "pages": "CAST(sum(p.is_page) AS BIGINT)",
                "clicks": "CAST(sum(p.clicked) AS BIGINT)",
                "found_clicks": "count(CASE WHEN p.clicked = 1 THEN p.rank END)",
                "effective_clicks": "effective_clicks(p)",
            }
        )
    effective = pl.col("effective_clicks")
    said = pl.format(
        "only {} effective clicks: do not rely on this score", effective.round(0).cast(int)
    )
    return scores.sort("run_id").with_columns(note=pl.when(effective < _FEW).then(said))
