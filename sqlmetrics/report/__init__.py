"""Reports: scores and their comparison as one page, which needs no other file and no network."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path

from ..inputs.workspace import replace_file
from .facts import Extras, Scored, find_facts

__all__ = ["Extras", "Report", "find_facts", "write_report"]


@dataclass(frozen=True, repr=False)
class Report:
    """A page with scores, comparisons and charts, as ``html``; a notebook shows it."""

    html: str

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page to a file, whole or not at all."""
        replace_file(Path(path).expanduser().resolve(), self.html.encode(errors="backslashreplace"))

    def __repr__(self) -> str:
        return (
            f"Report of {len(self.html.encode()) / 1000:.0f} kB; save it with .save('report.html')"
        )

    def _repr_html_(self) -> str:
        style = "width:100%;height:760px;border:0"
        return f'<iframe title="Report" srcdoc="{escape(self.html)}" style="{style}"></iframe>'


def write_report(
    scores: Scored,
    baseline: str | None = None,
    *,
    title: str | None = None,
    extras: Extras | None = None,
) -> Report:
    """The report of what `evaluate` returned, with differences from ``baseline``.

    Without ``baseline`` that is the first run. ``extras`` are what scores do not hold.

    Raises `InputError` for an unknown baseline, and where no metric is a number.
    """
    from .page import write_page  # and jinja2, which other commands need not wait for

    extras = extras or Extras()
    facts = find_facts(scores, baseline, extras.why_baseline)
    return Report(write_page(scores, facts, extras, title))
