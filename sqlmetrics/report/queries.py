"""The table of queries: their labels, and their scores by each run."""

from __future__ import annotations

from collections.abc import Sequence

from .axes import sign, tone
from .facts import Facts
from .layout import DASH, MOST_METRICS, has_choice, join_names, show_score
from .markup import Markup, element

# Queries in the table, if there are more than 1,000.
_MANY, _MOST_QUERIES = 1000, 500
# A line before the columns of each metric.
_RULE = (
    "#queries tr > :nth-child(3n+{}):not(.group[colspan]) {{ border-left: 1px solid var(--line) }}"
)


def write_queries(facts: Facts) -> Markup:
    metrics = [m.name for m in facts.measures]
    columns: list[tuple[str, str]]  # metric and run
    chosen, base = facts.chosen, facts.baseline
    is_pair = chosen is not None and base is not None
    if is_pair:
        metrics = metrics[:MOST_METRICS]
        columns = [(metric, str(run)) for metric in metrics for run in (base, chosen)]
    elif len(facts.runs) == 1:
        metrics = metrics[:8]
        columns = [(metric, facts.runs[0]) for metric in metrics]
    else:
        columns = [(facts.first.name, run) for run in facts.runs[:10]]
        metrics = metrics[:1]
    order = _order_queries(facts, columns, is_pair=is_pair)
    remarks = []
    if len(order) > _MANY:
        order = order[:_MOST_QUERIES]
        kind = "that changed most" if is_pair else "with the lowest scores"
        remarks.append(f"The {len(order)} queries {kind}, of {len(facts.queries):,}.")
        if is_pair:  # shown by difference, as it says
            order.sort(key=lambda n: _subtract(facts, columns, n))
    if len(metrics) < len(facts.measures):
        remarks.append(f"Scores by {join_names(metrics)}.")
    rows = []
    for number in order:
        cells = [element("th", facts.queries[number], scope="row")]
        cells += [element("td", labels[number], class_="text") for labels in facts.labels.values()]
        for place, (metric, run) in enumerate(columns):
            cells.append(
                element("td", show_score(facts, metric, facts.scores[metric, run][number]))
            )
            if is_pair and place % 2:
                before, after = (facts.scores[c][number] for c in columns[place - 1 : place + 1])
                if before is None or after is None:
                    cells.append(element("td", DASH))
                else:
                    kind = tone(after - before)
                    class_ = None if kind == "tie" else kind
                    cells.append(
                        element("td", sign(after - before, facts.digits[metric]), class_=class_)
                    )
        rows.append(element("tr", *cells, data_q=number if has_choice(facts) else None))
    search = element(
        "label",
        element("output", id="found", aria_live="polite"),
        " Find ",
        element("input", id="find", type="search", placeholder="query", autocomplete="off"),
        class_="choice",
        hidden=True,
    )
    table = element(
        "table",
        element("thead", *_write_query_heads(facts, metrics, columns, is_pair=is_pair)),
        element("tbody", *rows),
        id="queries",
    )
    return element(
        "section",
        element("div", element("h2", "Queries"), search, class_="heading"),
        element("p", " ".join(remarks), class_="note") if remarks else None,
        element("style", Markup(_RULE.format(len(facts.labels) + 2))) if is_pair else None,
        element("div", table, class_="scroll", tabindex="0", role="region", aria_label="Queries"),
    )


def _subtract(facts: Facts, columns: Sequence[tuple[str, str]], number: int) -> float:
    before, after = facts.scores[columns[0]][number], facts.scores[columns[1]][number]
    return 0.0 if before is None or after is None else after - before


def _order_queries(facts: Facts, columns: Sequence[tuple[str, str]], *, is_pair: bool) -> list[int]:
    """The largest losses first, or the lowest scores; of many queries the largest differences."""
    numbers = [*range(len(facts.queries))]
    if not is_pair:
        return sorted(numbers, key=lambda n: facts.scores[columns[0]][n] or 0)
    if len(numbers) > _MANY:
        return sorted(numbers, key=lambda n: -abs(_subtract(facts, columns, n)))
    return sorted(numbers, key=lambda n: _subtract(facts, columns, n))


def _write_query_heads(
    facts: Facts, metrics: Sequence[str], columns: Sequence[tuple[str, str]], *, is_pair: bool
) -> list[Markup]:
    def head(name: str, sorts: str = "none", **attributes: object) -> Markup:
        button = element("button", facts.shorten(name, 16), type="button", title=name)
        return element("th", button, scope="col", aria_sort=sorts, **attributes)

    start = [head("query"), *(head(column, class_="text") for column in facts.labels)]
    if not is_pair:
        names = [m for m, _ in columns] if len(facts.runs) == 1 else [r for _, r in columns]
        return [
            element(
                "tr", *start, *(head(n, "none" if p else "ascending") for p, n in enumerate(names))
            )
        ]
    groups = [
        element("th", metric, scope="colgroup", colspan=3, class_="group") for metric in metrics
    ]
    cells = []
    for place, _ in enumerate(metrics):
        cells += [
            head(str(facts.baseline), class_="group"),
            head(str(facts.chosen), class_="after"),
            head("difference", "none" if place else "ascending"),
        ]
    blank = element("td", colspan=len(start))
    return [element("tr", blank, *groups), element("tr", *start, *cells)]
