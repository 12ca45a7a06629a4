"""Judgments from clicks, and how likely users are to look at each position."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, get_args

import duckdb
import polars as pl

from ..errors import InputError, require_one_of
from ..inputs.columns import Columns
from ..inputs.data import Data
from ..progress import begin
from ..running.relations import require
from .log import open_log

ClickModel: TypeAlias = Literal["coec", "sdbn", "dcm", "pbm"]


def judge(
    log: Data,
    model: ClickModel = "coec",
    *,
    smoothing: float = 1,
    steps: int = 50,
    least_pages: int = 20,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    engine: Any = None,  # noqa: ANN401
) -> pl.DataFrame:
    """Judgments from a log of clicks, as `evaluate` takes them: a row per query and document.

    Columns: ``query_id``, ``doc_id``, ``relevance``, ``pages`` (how many it is estimated from) and
    ``clicks`` (on how many of these it was clicked), sorted by ids; ``"sdbn"`` also has
    ``attraction`` and ``satisfaction``, whose product is the relevance.

    - ``log``, ``con``, ``columns``: as for `clicks`.
    - ``engine``: as for `clicks`; for pbm as for `examination`.
    - ``model``: ``"coec"``, clicks over expected clicks, which are those of other documents at the
      same positions (Zhang and Jones 2007), 1 as expected; ``"sdbn"``, the simplified dynamic
      Bayesian network (Chapelle and Zhang 2009), from the documents down to the last click;
      ``"dcm"``, the dependent click model (Guo, Liu and Wang 2009), the same without satisfaction;
      ``"pbm"``, clicks over `examination` (Joachims, Swaminathan and Schnabel 2017).
    - ``smoothing``: draws documents with few pages towards 1 (coec) or a half (the others), as if
      each outcome had been seen this many more times; 0 turns it off.
    - ``steps``, ``least_pages``: for pbm, as for `examination`.

    The relevance is a share, or a ratio for coec: fit for gains (``nDCG``). Metrics that need
    documents to be relevant or not, such as P@10, take the share from which they are:
    ``P(rel=0.2)@10``.

    Raises `InputError` for a log that cannot be read or would give a wrong number.

    >>> log = pl.DataFrame({
    ...     "page_id": [1, 1, 2, 2], "query_id": ["q"] * 4, "doc_id": ["a", "b", "b", "a"],
    ...     "position": [1, 2, 1, 2], "clicked": [0, 1, 1, 0],
    ... })
    >>> judge(log, "sdbn", smoothing=0).select("doc_id", "relevance", "pages").rows()
    [('a', 0.0, 1), ('b', 1.0, 2)]
    """
    require_one_of("model", model, get_args(ClickModel))
    options: dict[str, Any] = {"smoothing": smoothing}
    if model == "pbm":
        options |= {"steps": steps, "least_pages": least_pages}
    require(f"judged_by_{model}", **options)
    with open_log(log, con=con, columns=columns, engine=engine) as found:
        begin("judging")
        judged = found.relate(f"judged_by_{model}", **options).read()
    if judged.is_empty():
        raise InputError(
            f"{_describe_lack(found.name, least_pages)}, from which the position-based model could "
            "learn; lower least_pages, or use another model"
            if model == "pbm"
            else f"{found.name} shows no documents that could be judged"
        )
    return judged.sort("query_id", "doc_id")


def examination(
    log: Data,
    *,
    steps: int = 50,
    least_pages: int = 20,
    con: duckdb.DuckDBPyConnection | None = None,
    columns: Columns | None = None,
    engine: Any = None,  # noqa: ANN401
) -> pl.DataFrame:
    """How likely users are to look at each position (position-based model): a row per position.

    Columns: ``position``, ``examination`` (relative to the position that is looked at most, 0 to
    1), ``pages`` and ``clicks`` behind it. It is estimated by expectation maximisation over the
    documents that were shown at several positions.

    - ``log``, ``con``, ``columns``: as for `clicks`.
    - ``engine``: as for `clicks`; Spark counts how often each document was shown and clicked at
      each position, and the estimation from these counts is here.
    - ``steps``: how many times attraction and examination are estimated in turn.
    - ``least_pages``: documents on fewer pages are left out: they say too little, and bias the
      curve.

    Raises `InputError` for a log that cannot be read or would give a wrong number, or that has no
    such documents.

    >>> log = pl.DataFrame({
    ...     "page_id": [1, 1, 2, 2, 3, 3, 4, 4], "query_id": ["q"] * 8,
    ...     "doc_id": ["a", "b", "b", "a"] * 2, "position": [1, 2] * 4,
    ...     "clicked": [1, 0, 1, 1, 1, 0, 1, 0],
    ... })
    >>> curve = examination(log, least_pages=4)
    >>> [round(share, 3) for share in curve["examination"]]
    [1.0, 0.25]
    """
    require("examination", steps=steps, least_pages=least_pages)
    with open_log(log, con=con, columns=columns, engine=engine) as found:
        begin("estimating examination")
        curve = found.relate("examination", steps=steps, least_pages=least_pages).read()
    if curve.is_empty():
        raise InputError(f"{_describe_lack(found.name, least_pages)}; lower least_pages")
    return curve.sort("position")


def _describe_lack(log: str, least_pages: int) -> str:
    return f"{log} has no document on {least_pages} or more pages at several positions"
