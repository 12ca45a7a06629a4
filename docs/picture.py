"""Write the picture of a report that the README shows: python docs/picture.py.

Needs Chromium with its driver, and Pillow, which matplotlib brings. The judgments and runs are
drawn at random.
"""

from __future__ import annotations

import base64
import random
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
from PIL import Image
from selenium.webdriver import Chrome, ChromeOptions

import sqlmetrics as sm

PICTURE = Path(__file__).parent / "images" / "report.png"
# How well each run knows the grades.
RUNS = {"bm25": 0.35, "bm25+rm3": 0.5, "dense": 0.55, "hybrid": 0.95}


def draw_inputs() -> tuple[pl.DataFrame, dict[str, pl.DataFrame]]:
    """Judgments and runs of 40 queries."""
    drawn = random.Random(4)  # noqa: S311 - made-up data
    grades = [
        (f"q{q:02}", f"d{d}", drawn.choice((0, 0, 0, 1, 2))) for q in range(40) for d in range(30)
    ]
    luck = {(run, f"q{q:02}"): drawn.gauss(0, 0.35) for run in RUNS for q in range(40)}
    runs = {
        run: pl.DataFrame(
            [(q, d, drawn.gauss(g * (skill + luck[run, q]), 1)) for q, d, g in grades],
            ["query_id", "doc_id", "score"],
            orient="row",
        )
        for run, skill in RUNS.items()
    }
    return pl.DataFrame(grades, ["query_id", "doc_id", "relevance"], orient="row"), runs


def take_picture(page: Path) -> Image.Image:
    """The means and the two charts of a page, in 64 colours."""
    options = ChromeOptions()
    for argument in ("--headless", "--no-sandbox", "--hide-scrollbars"):
        options.add_argument(argument)
    with Chrome(options) as browser:
        browser.set_window_size(900, 1500)
        browser.get(page.as_uri())
        browser.execute_script(
            "document.querySelectorAll('.notes, .overview details, .overview .note')"
            ".forEach((each) => each.remove())"
        )
        end = browser.execute_script(
            "return document.querySelector('#comparison').getBoundingClientRect().bottom + 20"
        )
        clip = {"x": 0, "y": 24, "width": 900, "height": end - 24, "scale": 1.5}
        given = {"clip": clip, "captureBeyondViewport": True}
        found = browser.execute_cdp_cmd("Page.captureScreenshot", given)
    return Image.open(BytesIO(base64.b64decode(found["data"]))).convert("RGB").quantize(64)


if __name__ == "__main__":
    qrels, runs = draw_inputs()
    scores = sm.evaluate(qrels, runs, "nDCG@10 AP P@5")
    with TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        scores.report("bm25").save(page)
        take_picture(page).save(PICTURE, optimize=True)
