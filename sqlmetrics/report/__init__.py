"""Reports: scores and their comparison as one page, which needs no other file and no network."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from ..inputs.workspace import replace_file
from .facts import Facts

__all__ = ["Facts", "Report", "write_report"]


@dataclass(frozen=True, repr=False)
class Report:
    """A page with scores, comparisons and charts, as ``html``; a notebook shows it."""

    html: str

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file."""
        replace_file(Path(path).expanduser().resolve(), self.html.encode(errors="backslashreplace"))

    def __repr__(self) -> str:
        return (
            f"Report of {len(self.html.encode()) / 1000:.0f} kB; save it with .save('report.html')"
        )

    def _repr_html_(self) -> str:
        style = "width:100%;height:760px;border:0"
        return f'<iframe title="Report" srcdoc="{escape(self.html)}" style="{style}"></iframe>'


def write_report(facts: Facts, **more: Any) -> Report:  # noqa: ANN401
    """The report of scores, with ``more`` as `write_page` takes it."""
    from .page import write_page  # and jinja2, which other commands need not wait for

    return Report(write_page(facts, **more))
