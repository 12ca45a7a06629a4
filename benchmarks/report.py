"""Write README.md and growth.svg of this folder from its tables."""

from __future__ import annotations

import polars as pl
from compare import HERE, RESULTS
from decisions import write_sections
from generate import SHAPES

HEADER = """\
# Benchmarks

Five metrics (nDCG@10, AP, RR, P@10, R@100) by sqlmetrics and other tools over the same Parquet
files. *Process* is the time from the start of Python to the printed means, *CPU* that of all cores,
*within* the time of a later call in one process, in which ranx is compiled; *GB* is the peak
memory of the process. "Dicts" and "frames" are in memory before the call. Ratios are relative to
sqlmetrics with five metrics in the same column: above 1 is slower than sqlmetrics. For other tools,
polars reads the files and hands them over as fast as each can be fed. The means are the same,
except for ranx and "ties as they come", which order tied documents in their own way. Tools that
hold the run in memory are left out above 20 million rows.

Shapes were measured in one run on one machine, except huge, which is older: compare numbers
within a table.

Made by `python benchmarks/compare.py …`, which explains how, and `python benchmarks/report.py`.
"""


def write_table(shape: str, results: pl.DataFrame) -> str:
    """The section of a shape."""
    found = results.filter(shape=shape)
    by_way = {way: rows for (way,), rows in found.partition_by("measured", as_dict=True).items()}
    lines = [
        f"## {shape}: {found['rows'][0]:,} rows",
        "",
        _describe(shape),
        "",
        "| | version | process, s | ratio | CPU, s | GB | within, s | ratio |",
        "|---|---|--:|--:|--:|--:|--:|--:|",
    ]
    within = by_way.get("within", found.clear())
    processes = {row["tool"]: row for row in by_way["process"].iter_rows(named=True)}
    tools = found.select("tool", "version").unique("tool", maintain_order=True)
    for tool, version in tools.iter_rows():
        process = processes.get(tool, {})
        cells = [tool, version, *_compare(by_way["process"], tool)]
        cells.append(_round(process.get("cpu_seconds"), 2))
        cells.append(_round(process.get("gigabytes"), 1))
        cells += _compare(within, tool)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _describe(shape: str) -> str:
    if shape == "text":
        return "The run of passages as TREC text."
    sizes = SHAPES[shape]
    runs = f"{sizes.runs} runs of " if sizes.runs > 1 else ""
    likeness = f": {sizes.likeness}" if sizes.likeness else ""
    return (
        f"{runs}{sizes.queries:,} queries of {sizes.depth:,} documents, "
        f"{sizes.judged} judged of each{likeness}."
    )


def _compare(rows: pl.DataFrame, tool: str) -> list[str]:
    """Seconds, and how many times those of sqlmetrics."""
    seconds = dict(rows.select("tool", "seconds").iter_rows())
    if tool not in seconds:
        return ["", ""]
    digits = 2 if seconds[tool] >= 0.1 else 3
    return [_round(seconds[tool], digits), f"{seconds[tool] / seconds['sqlmetrics']:.1f}"]


def _round(number: float | None, digits: int) -> str:
    return "" if number is None else f"{number:.{digits}f}"


def draw_growth(results: pl.DataFrame) -> None:
    """Time and memory over rows, of lists with one judged document."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    mpl.rcParams |= {"svg.hashsalt": "sqlmetrics", "font.size": 9}
    alike = [name for name, shape in SHAPES.items() if shape.judged == 1 and not shape.order]
    growing = [name for name in alike if name != "tiny"]
    rows = results.filter(
        pl.col("shape").is_in(growing), pl.col("tool") != "sqlmetrics, all its metrics",
        measured="process",
    ).sort("rows")  # fmt: skip
    figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for axis, column, label in zip(
        axes, ("seconds", "gigabytes"), ("seconds", "peak memory, GB"), strict=True
    ):
        for (tool,), of_tool in rows.group_by("tool", maintain_order=True):
            is_ours = tool == "sqlmetrics"
            axis.plot(
                of_tool["rows"], of_tool[column], marker="o", markersize=3, label=tool,
                linewidth=2.5 if is_ours else 1, color="black" if is_ours else None,
            )  # fmt: skip
        axis.set(xscale="log", yscale="log", xlabel="rows of the run", ylabel=label)
        axis.grid(alpha=0.3)
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4)
    figure.savefig(HERE / "growth.svg", metadata={"Date": None})


def write_readme(results: pl.DataFrame) -> str:
    """The text, with a table for each shape, and the decisions of engines."""
    machine = f"Measured with {results['machine'].mode()[0]}.\n"
    picture = "![Time and memory over the rows of a run](growth.svg)\n"
    sections = [
        write_table(shape, results) for shape in [*SHAPES, "text"] if shape in results["shape"]
    ]
    return "\n".join([HEADER, machine, picture, *sections, *write_sections()])


if __name__ == "__main__":
    measured = pl.read_csv(RESULTS)
    (HERE / "README.md").write_text(write_readme(measured), encoding="utf-8")
    draw_growth(measured)
