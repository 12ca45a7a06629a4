"""The notebook shows what its cells show when they are run, where no progress bar can be shown."""

from __future__ import annotations

import importlib.util

import pytest


def list_texts(book):
    """What the cells show as text, without pictures."""
    return [
        output.get("text") or output["data"]["text/plain"]
        for cell in book.cells
        for output in cell.get("outputs", [])
        if "image/svg+xml" not in output.get("data", {})
    ]


@pytest.mark.engines
def test_the_tour_shows_what_its_cells_show():
    import nbformat
    from run_notebook import TOUR, run_notebook

    assert importlib.util.find_spec("ipywidgets") is None
    kept = nbformat.read(TOUR, as_version=4)
    found = run_notebook()
    assert list_texts(found) == list_texts(kept), "python tools/run_notebook.py writes it again"
    pictures = sum(
        "image/svg+xml" in o.get("data", {}) for c in found.cells for o in c.get("outputs", [])
    )
    assert pictures == 5
