"""Logs of clicks for tests: written out by hand, or drawn at random."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable

import polars as pl

import sqlmetrics as sm

SCHEMA = {
    "page_id": pl.String,
    "query_id": pl.String,
    "doc_id": pl.String,
    "position": pl.Int64,
    "clicked": pl.Int64,
    "time_to_click": pl.Float64,
    "dwell_time": pl.Float64,
    "response_time": pl.Float64,
    "country": pl.String,
}


def make_log(rows: Iterable[tuple]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), SCHEMA, orient="row")


def read_pages(text: str) -> pl.DataFrame:
    """``=120 - x4/30 | x``: two pages; the first took 120, and its second document was clicked
    after 4 seconds, for 30."""
    rows = []
    for number, page in enumerate(text.split("|"), start=1):
        tokens = page.split()
        response = [float(token[1:]) for token in tokens if token.startswith("=")]
        taken = response[0] if response else None
        shown = [token for token in tokens if not token.startswith("=")]
        start = (f"p{number}", f"q{number}")
        for place, token in enumerate(shown, start=1):
            time, dwell = re.fullmatch(r"[-x]([\d.]+)?(?:/([\d.]+))?", token).groups()
            times = [None if each is None else float(each) for each in (time, dwell)]
            clicked = int(token.startswith("x"))
            rows.append((*start, f"d{place}", place, clicked, *times, taken, None))
        if not shown:
            rows.append((*start, None, None, None, None, None, taken, None))
    return make_log(rows)


def draw_log(seed: int, pages: int = 60) -> pl.DataFrame:
    """Pages with and without results and clicks, ties of times, missing times, rows in any order."""
    draw = random.Random(seed)
    if pages > 1:
        pages = draw.choice([1, 2, pages])
    click_rate = draw.choice([0, 0.05, 0.3, 0.9, 1])
    rows = []
    for page in range(pages):
        query, shown = f"q{draw.randrange(7)}", draw.choice([0, 1, 3, 5, 10])
        response = draw.choice([None, 100.0, 250.5, draw.random() * 1000])
        country = draw.choice(["de", "fr", "ö", None])
        start = (f"p{page}", query)
        if not shown:
            rows.append((*start, None, None, 0, None, None, response, country))
        for position in range(1, shown + 1):
            clicked = int(draw.random() < click_rate)
            time = draw.choice([None, 1.0, 2.5, draw.random() * 60]) if clicked else None
            dwell = draw.choice([None, 30.0, draw.random() * 90]) if clicked else None
            document = f"d{draw.randrange(8)}.{position}"
            rows.append((*start, document, position, clicked, time, dwell, response, country))
    draw.shuffle(rows)
    return make_log(rows)


def score_log(log, metrics=None, **options):
    """The scores of a log, as `evaluate` returns them."""
    return sm.evaluate(log=log, metrics=metrics, **options).mean
