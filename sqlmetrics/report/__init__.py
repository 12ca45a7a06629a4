"""Reports: scores and their comparison as one page, which needs no other file and no network."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from os import PathLike
from pathlib import Path

from ..errors import InputError
from ..inputs.tables import is_evaluated
from ..inputs.workspace import replace_file
from .facts import Facts
from .scored import Evaluated


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


def report(scores: Evaluated, baseline: str | None = None, *, title: str | None = None) -> Report:
    """A page with means, comparisons with ``baseline``, charts and the scores of all queries.

    - ``scores``: what `evaluate` returned; the command `sqlmetrics report` adds what they do not
      hold: precision over recall, scores by cut-off, and what `check` finds.
    - ``baseline``: the run that the others are compared with; by default the first.
    - ``title``: the title of the page.

    Raises `InputError` for an unknown baseline, and where no metric is a number.
    """
    from .page import write_page  # and jinja2, which other functions need not wait for

    if not is_evaluated(scores):
        raise InputError("a report needs what evaluate returned, or judgments, runs and metrics")
    chosen = f", baseline={baseline!r}" if baseline else ""
    call = f"report(qrels, runs, {' '.join(scores)!r}{chosen})"
    why = "as chosen" if baseline else "the first run"
    return Report(write_page(Facts(scores, baseline), title, made_by=call, why_baseline=why))
