"""Commands about what users did: experiment, interleaving and bridge."""

from __future__ import annotations

from typing import Any, get_args

import click
import cloup

import sqlmetrics

from ..comparing import Correction
from ..experimenting import Alternative, Method, Unit
from . import options as take
from .commands import app
from .inputs import read_pairs
from .output import ask

_alpha = cloup.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="The significance level; intervals contain the true value with 1 - alpha.",
)

_reading = cloup.option_group("Input", take.database, take.columns)


@app.command()
@cloup.argument("users")
@cloup.option_group(
    "Experiment",
    cloup.option(
        "--control", help="The variant to compare with; by default the first one by name."
    ),
    cloup.option(
        "--metrics",
        "-m",
        multiple=True,
        help="Only this value of the column metric; may be repeated.",
    ),
    cloup.option(
        "--by",
        multiple=True,
        help="Compare within each value of this column of the users; may be repeated.",
    ),
    cloup.option(
        "--share",
        multiple=True,
        metavar="VARIANT=SHARE",
        help="The planned share of a variant: A=0.9; repeat it for each. Equal shares by default.",
    ),
    cloup.option(
        "--cuped/--no-cuped",
        default=None,
        help="Remove what the values before the experiment explain; by default if there are any.",
    ),
    cloup.option(
        "--alternative",
        type=click.Choice(get_args(Alternative)),
        default="two-sided",
        show_default=True,
        help="Whether a variant may be better or worse, or only one of these.",
    ),
    cloup.option(
        "--correction",
        type=click.Choice(get_args(Correction)),
        default="holm",
        show_default=True,
        help="Of all metrics, segments and variants together: holm and bonferroni bound the chance "
        "of a false discovery, bh and by the share of them.",
    ),
    _alpha,
)
@take.writing
@_reading
@take.limits
def experiment(
    users: str,
    *,
    share: tuple[str, ...],
    **options: Any,  # noqa: ANN401
) -> None:
    """Compare the variants of an A/B test, and check its split.

    USERS is a file (CSV, Parquet, JSON) or table with a row for each user: user_id, variant,
    numerator, denominator for a ratio, and before, if the numerator before the test is known.
    """
    shares = read_pairs(share, "--share", "A=0.9") or None
    ask(sqlmetrics.experiment, {**options, "shares": shares}, users)


@app.command()
@cloup.argument("log")
@cloup.option_group(
    "Interleaving",
    cloup.option(
        "--method",
        type=click.Choice(get_args(Method)),
        help="team: by the column team; balanced: by position, rank_a and rank_b; by default the "
        "one that fits the columns.",
    ),
    cloup.option(
        "--unit",
        type=click.Choice(get_args(Unit)),
        default="page",
        show_default=True,
        help="What counts once: each page, or each user with all pages.",
    ),
    _alpha,
)
@take.writing
@_reading
@take.limits
def interleaving(
    log: str,
    **options: Any,  # noqa: ANN401
) -> None:
    """Decide which of two interleaved rankings users prefer.

    LOG is a file (CSV, Parquet, JSON) or table with a row for each document shown: page_id,
    clicked, and team (a or b), or position, rank_a and rank_b.
    """
    ask(sqlmetrics.interleaving, options, log)


@app.command()
@cloup.argument("offline")
@cloup.argument("online")
@cloup.option_group(
    "Bridge",
    cloup.option("--baseline", help="The run to compare with; without it, every pair."),
    cloup.option(
        "--metrics", "-m", multiple=True, help="Only this one of OFFLINE; may be repeated."
    ),
    cloup.option(
        "--online-metrics", multiple=True, help="Only this one of ONLINE; may be repeated."
    ),
    _alpha,
)
@take.writing
@_reading
@take.limits
def bridge(
    offline: str,
    online: str,
    **options: Any,  # noqa: ANN401
) -> None:
    """Test whether an offline metric moves with what users do.

    OFFLINE and ONLINE are files (CSV, Parquet, JSON) or tables with run_id, query_id and a column
    for each metric: the scores that evaluate --per-query -o writes, and clicks per page, say.
    """
    ask(sqlmetrics.bridge, options, offline, online)
