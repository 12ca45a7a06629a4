"""Run the notebook of examples/ and keep what it shows: python tools/run_notebook.py."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

TOUR = Path(__file__).parent.parent / "examples" / "tour.ipynb"


def run_notebook(path: Path = TOUR) -> nbformat.NotebookNode:
    """The notebook as its kernel leaves it, with what each cell shows."""
    book = nbformat.read(path, as_version=4)
    client = NotebookClient(book, timeout=120, resources={"metadata": {"path": str(path.parent)}})
    client.execute()
    for cell in book.cells:
        cell.metadata = {}
    book.metadata = {"language_info": {"name": "python"}}
    return book


if __name__ == "__main__":
    nbformat.write(run_notebook(), TOUR)
