"""Write the generated parts of the documentation: pages, tables, and what blocks of pages print.

    python docs/build.py              write all of it
    python docs/build.py --quick      without what blocks of pages print: seconds, not minutes
    python docs/build.py --check      name the stale files and exit with 1
    python docs/build.py --metrics x  write a page per metric to the folder x: those that
                                      `sqlmetrics metrics NAME` prints
    python docs/build.py --agreement  write docs/agreement.md alone: runs the other tools, minutes
    python docs/build.py --engines    write docs/engines.md and docs/engines/analyses.md alone: runs
                                      the other engines, minutes
    python docs/build.py --engines postgresql  of them, the columns of this engine

In pages, blocks of `sh`, `sql` and `python` are run, each page in a folder of its own with the
examples; `bash` and `py` are blocks that need other engines, which only tests run.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import csv
import io
import multiprocessing
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby, product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools")]

import keep_formulas  # noqa: E402

import sqlmetrics as sm  # noqa: E402
from sqlmetrics import catalogue  # noqa: E402
from sqlmetrics.analyses import sign  # noqa: E402
from sqlmetrics.cli.formats import format_frame  # noqa: E402
from sqlmetrics.cli.pages import describe, list_most_used  # noqa: E402
from sqlmetrics.engine import checks, formulas  # noqa: E402

DOCS = ROOT / "docs"
README = ROOT / "README.md"
CHINESE = ROOT / "README.zh-CN.md"
INDEX = DOCS / "metrics.md"
SAME_NAME = DOCS / "same-name.md"
AGREEMENT = DOCS / "agreement.md"
ENGINES = DOCS / "engines.md"
FORMULAS = catalogue.find_root() / formulas.NAME
COMMAND = "python docs/build.py"
FAMILIES = {
    "sets": "Sets: what is among the first k, whatever the order",
    "precision": "Precision over the ranks of relevant documents",
    "gains": "Gains: graded relevance, discounted by rank",
    "users": "Users: how far they read, and what they find",
    "pairs": "Pairs: which of two documents comes first",
    "diversity": "Diversity: subtopics of a query, and how soon they are covered",
    "counts": "Counts: how many documents and queries",
    "recommendations": "Recommendations: what lists show of a catalogue, and who knew it before",
    "clicks": "Clicks: what users did with the results that they were shown",
    "neighbours": "Neighbours: how many of the nearest vectors an index returned",
}


def write_table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown, whose cells may have Markdown in them."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(
        "| " + " | ".join(c.replace("|", "\\|") for c in line) + " |" for line in lines
    )


# Metrics


def write_metrics(folder: Path) -> None:
    """A page per metric: what `sqlmetrics metrics NAME` prints."""
    folder.mkdir(parents=True, exist_ok=True)
    for metric in catalogue.all_metrics():
        (folder / f"{metric.macro}.md").write_text(describe(metric), encoding="utf-8")


def write_index() -> str:
    metrics = catalogue.all_metrics()
    numbers = Counter(metric.kind for metric in metrics)
    parts = [
        "# Metrics",
        f"All {numbers['runs']} metrics of runs, {numbers['recommendations']} of "
        f"recommendations, {numbers['neighbours']} of nearest neighbours and {numbers['clicks']} "
        "of clicks, by family, each with a link to its SQL. `sqlmetrics metrics NAME` prints a "
        "page about one: its parameters, the tools with the same scores and their names for it, "
        "and the whole query. [Names](names.md) explains how to ask for a metric, "
        "[agreement](agreement.md) how each was checked.",
        "In formulas, R is the number of relevant documents of the query, N that of documents "
        "judged not relevant, P@k precision, relevant@k the relevant documents among the first k, "
        "and so on. Unless a formula says otherwise, a document gains its relevance.",
    ]
    rows = [
        [link_file(metric.names[0], metric.file), metric.file.summary]
        for metric in list_most_used()
    ]
    parts += ["## Used most", write_table(["metric", "is"], rows)]
    for family, title in FAMILIES.items():
        rows = [
            [
                link_file(", ".join(metric.names), metric.file),
                metric.file.header["formula"],
                ", ".join(dict.fromkeys(f"`{name}`" for name in list_other_names(metric))),
            ]
            for metric in metrics
            if metric.family == family
        ]
        parts += [f"## {title}", write_table(["metric", "formula", "also called"], rows)]
    return "\n\n".join(parts) + "\n"


def list_other_names(metric: catalogue.Metric) -> list[str]:
    """Names by which it is understood without arguments that change it."""
    spellings = [
        *metric.aliases,
        *(s for t in ("trec_eval", "ranx") for s in metric.tools.get(t, ())),
    ]
    return [re.sub(r"\{(\w+)\}", r"\1", s.text) for s in spellings if not s.arguments]


# A row of docs/same-name.md ends with what to ask for, in backticks, and the score for it.
ROW = re.compile(
    r"(?P<before>\|[^\n]*\| `(?P<metric>[^`\n]+)`(?: with `(?P<options>[^`\n]+)`)? \| )"
    r"(?P<score>[^|\n]*) \|"
)


def write_scores(text: str) -> str:
    """The page, with the scores of the example in its tables."""
    wanted: dict[str, list[str]] = {}
    for row in ROW.finditer(text):
        wanted.setdefault(row["options"] or "", []).append(row["metric"])
    files = [DOCS / "example" / name for name in ("qrels.csv", "run.csv")]
    scores: dict[tuple[str, str], float] = {}
    for options, names in wanted.items():  # metrics of the same options in one statement
        names = list(dict.fromkeys(names))
        mean = sm.evaluate(*files, names, **catalogue.read_arguments(options)).mean
        scores |= {(options, name): mean[0, i] for i, name in enumerate(names, 1)}
    return ROW.sub(
        lambda row: f"{row['before']}{scores[row['options'] or '', row['metric']]:.4f} |", text
    )


# Tables


def write_checks() -> str:
    found = (
        (
            link_file(f"`{check.name}`", check),
            check.header["severity"],
            check.summary,
        )
        for check in checks.list_checks()
    )
    return write_table(["check", "", "finds"], found)


def write_presets() -> str:
    """Without the blanks that align the columns."""
    table = str(format_frame(sm.presets(), "markdown")).removesuffix("\n")
    return re.sub(r" {2,}\|", " |", re.sub(r"-{4,}", "---", table))


def link_file(said: str, file: catalogue.SqlFile) -> str:
    return f"[{said}](../{file.path.relative_to(ROOT).as_posix()})"


def write_statistics(place: str) -> str:
    """The aggregates of a folder of sql/ by family, each with its relation and formula."""
    rows = []
    families = sorted(
        (file.path.parent.name, name, file)
        for name, file in catalogue.files()[place].items()
        if "relation" in file.header
    )
    for family, members in groupby(families, key=lambda each: each[0]):
        rows.append([f"**{family.capitalize()}**", "", ""])
        for _, name, file in members:
            parameters = file.parameters.items()
            listed = (
                key if default is None else f"{key} := {default}" for key, default in parameters
            )
            call = f"{name}({', '.join(listed)})"
            link = link_file(f"`{call}`", file)
            rows.append([link, f"`{file.header['relation']}`", file.header["formula"]])
    return write_table(["aggregate", "over", "formula"], rows)


def write_analyses() -> str:
    """The analyses, each with what it finds."""
    rows = [
        [link_file(f"`{name}`", file), f"{file.summary.partition('. ')[0].rstrip('.')}."]
        for name, file in sorted(catalogue.list_analyses().items())
        if not catalogue.is_own(file)
    ]
    return write_table(["analysis", ""], rows)


STUB = ROOT / "sqlmetrics" / "__init__.pyi"


def write_stub() -> str:
    """The stub of the package, with the functions of analyses as their headers say."""
    imports = STUB.read_text(encoding="utf-8").partition("__all__ =")[0]
    names = re.findall(
        r"\w+", " ".join(re.findall(r"^from \S+ import ([^(]+?$|\([^)]+\))", imports, re.MULTILINE))
    )
    functions = []
    for name, file in sorted(catalogue.list_analyses().items()):
        signed = map(str, sign(file).parameters.values())
        listed = [re.sub(r": '([^']*)'", r": \1", each) for each in signed]
        listed.insert(len(file.inputs), "*")
        taken = PLACES.sub(lambda m: f"{TYPES[m[0]]}.{m[0]}", ", ".join(listed))
        functions.append(f"def {name}({taken}) -> pl.DataFrame: ...")
    names += catalogue.list_analyses()
    listed = ", ".join(
        f'"{name}"' for name in sorted(names, key=lambda name: (name.islower(), name))
    )
    said = "# Analyses: written by `python docs/build.py` from the headers of sql/*/analyses."
    text = "\n\n".join([f"{imports}__all__ = [{listed}]", said, *functions])
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "ruff", "format", "--stdin-filename", STUB.name, "-"],
        input=text,
        capture_output=True,
        encoding="utf-8",
        check=True,
        cwd=ROOT,
    )
    return done.stdout


# Where the types of the stub are.
TYPES = {
    "Literal": "typing",
    **dict.fromkeys(("Data", "RunNames", "Runs"), "_data"),
    "Columns": "_columns",
}
PLACES = re.compile(rf"\b({'|'.join(TYPES)})\b")


def write_normalizations() -> str:
    """What makes scores comparable, as `candidates` and `ballots` compute it."""
    body = catalogue.find_file("candidates").statement.body
    called = re.findall(r"WHEN '(\w+)' THEN (\w+)\(", body)
    rows = [
        [
            f"`{word}`",
            catalogue.find_file(macro).summary,
            catalogue.find_file(macro).header["formula"],
        ]
        for word, macro in called
    ]
    rows.append(["`none`", "The score as it is.", "score"])
    said = catalogue.find_file("ballots").header["returns score"].partition(", ")[2]
    formula, _, rest = said.partition("; ")
    rows.append(["`borda`", f"The score of `ballots`: {rest}.", formula])
    return write_table(["normalization", "", "formula"], rows)


def read_measured(name: str, **wanted: str) -> list[dict[str, str]]:
    """The rows of a file of benchmarks/ that have these values."""
    with (ROOT / "benchmarks" / name).open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if wanted.items() <= row.items()]


def write_numbers(titles: Sequence[str], cells: Mapping[tuple[str, ...], str]) -> str:
    """A table of numbers, by the names of their row, below the titles, and of their column."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for (*names, _), number in cells.items():
        rows.setdefault(tuple(names), []).append(number)
    columns = dict.fromkeys(column for *_, column in cells)
    lines = [(*titles, *columns), ["---"] * len(titles) + ["--:"] * len(columns)]
    lines += [(*names, *numbers) for names, numbers in rows.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


RIVALS = ("pytrec_eval", "ir_measures", "ranx")
SHAPES = ("tiny", "track", "small", "passages", "recommender")


def write_speed(title: str) -> str:
    """The time of other tools over ours, for whole processes."""
    measured = read_measured("results.csv", measured="process")
    seconds = {(row["shape"], row["tool"]): float(row["seconds"]) for row in measured}
    sizes = {row["shape"]: int(row["rows"]) for row in measured}
    ratios = {
        (f"{sizes[shape]:,}", tool): f"{seconds[shape, tool] / seconds[shape, 'sqlmetrics']:.1f}"
        for shape, tool in product(sorted(SHAPES, key=sizes.__getitem__), RIVALS)
    }
    return write_numbers([title], ratios)


SIMULATED = ("differences", "means", "gate", "many", "shares", "corrections")


# The tools of docs/rag.md, by their names in tools.csv.
RETRIEVAL = {"ragas": "ragas", "llama_index": "LlamaIndex", "haystack": "Haystack", "mteb": "mteb"}


def write_names(tools: Mapping[str, str]) -> str:
    """What each of these tools calls a metric; a row for each name of ours."""
    path = Path(catalogue.__file__).with_name("tools.csv")
    called: dict[str, dict[str, list[str]]] = {}
    for row in csv.DictReader(path.read_text(encoding="utf-8").splitlines()):
        if row["tool"] in tools:
            ours = re.sub(r"[{}]", "", row["ours"])
            theirs = re.sub(r"[{}]", "", row["theirs"]).removesuffix("()")
            called.setdefault(ours, {}).setdefault(row["tool"], []).append(f"`{theirs}`")
    rows = [
        [f"`{ours}`", *("<br>".join(found.get(tool, ["-"])) for tool in tools)]
        for ours, found in called.items()
    ]
    return write_table(["sqlmetrics", *tools.values()], rows)


def write_simulated(table: str) -> str:
    """How often something happens, in per cent by number of queries."""
    rows = sorted(read_measured("statistics.csv", table=table), key=lambda row: int(row["queries"]))
    shares = {
        (row["case"], row["what"], f"{row['queries']} queries"): f"{100 * float(row['share']):.1f}"
        for row in rows
    }
    return write_numbers(["", ""], shares)


def write_coverage(table: str, title: str) -> str:
    """Of 100 intervals, how many contain the true value."""
    found = {}
    for row in read_measured("coverage.csv", table=table):
        missing = round(100 * float(row["none"]))
        shown = f"{100 * float(row['contained']):.0f}" + f", {missing} without" * (missing > 0)
        found[row["row"], row["column"]] = shown
    return write_numbers([title], found)


TABLE = re.compile(r"(<!-- ([\w-]+): .*?-->\n).*?(<!-- end -->)", re.DOTALL)
TABLES: dict[str, Callable[[], str]] = {
    "checks": write_checks,
    **{
        place: partial(write_statistics, place)
        for place in catalogue.STATISTICS
        if any("relation" in file.header for file in catalogue.files()[place].values())
    },
    "analyses": write_analyses,
    "normalizations": write_normalizations,
    "presets": write_presets,
    "retrieval": partial(write_names, RETRIEVAL),
    **{f"simulated-{name}": partial(write_simulated, name) for name in SIMULATED},
    "coverage-interleaving": partial(write_coverage, "interleaving", "pages"),
    "coverage-experiments": partial(write_coverage, "experiments", "users of the smaller variant"),
    "coverage-weights": partial(write_coverage, "weights", "queries"),
    "coverage-looks": partial(write_coverage, "looks", "looks"),
    "coverage-datasets": partial(write_coverage, "datasets", "queries of each data set"),
    "coverage-interleaved-looks": partial(write_coverage, "interleaved-looks", "looks"),
    "coverage-plans": partial(write_coverage, "plans", "past users"),
    "coverage-estimates": partial(write_coverage, "estimates", "queries judged by people"),
    "coverage-agreement": partial(write_coverage, "agreement", "queries"),
    "speed": partial(write_speed, "rows of the run"),
    "speed-zh": partial(write_speed, "run 的行数"),
}


def write_tables(text: str) -> str:
    return TABLE.sub(lambda m: f"{m[1]}{TABLES[m[2]]()}\n{m[3]}", text)


# Blocks

HERE = ("sh", "sql", "python")
ELSEWHERE = ("bash", "py")
BLOCK = re.compile(
    r"(```(?P<kind>sh|sql|python|bash|py)\n(?P<code>.*?)```\n)"
    r"(?:\n```text\n(?P<shown>.*?)```\n)?",
    re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A block of code in a page, and the output that the page shows below it, if any."""

    kind: str
    code: str
    shown: str | None


def read_blocks(text: str, kinds: Iterable[str] = HERE) -> list[Block]:
    found = (Block(m["kind"], m["code"], m["shown"]) for m in BLOCK.finditer(text))
    return [block for block in found if block.kind in kinds]


def list_pages() -> list[Path]:
    """The pages whose blocks are run."""
    return [README, *sorted(DOCS.glob("*.md")), *sorted(DOCS.glob("engines/*.md"))]


def read_commands(code: str) -> list[list[str]]:
    """The words of each line, if all are commands of ours that need no shell; else none."""
    lines = code.replace("\\\n", " ").splitlines()
    if {*code} & {*"$`*?~|&;<>#"} or not all(line.startswith("sqlmetrics ") for line in lines):
        return []
    return [shlex.split(line)[1:] for line in lines]


def run_blocks(
    blocks: Iterable[Block],
    folder: Path,
    variables: Mapping[str, str] | None = None,
    run_command: Callable[..., str] | None = None,
) -> Iterator[tuple[Block, str]]:
    """Run the blocks of a page in a folder with the examples; yield each with what it printed.

    ``run_command`` runs commands that need no shell, as to start a process takes longer.
    """
    for name in ("examples", "docs/example"):
        shutil.copytree(ROOT / name, folder / name)
    scripts = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "80",
        **(variables or {}),
    }

    def call(*command: str) -> str:
        done = subprocess.run(  # noqa: S603
            command,
            cwd=folder,
            env=environment,
            input="",
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{command[-1]}\n{done.stderr[-2000:]}")
        return done.stdout

    names: dict[str, object] = {}
    for block in blocks:
        code = block.code
        if run_command and block.kind == "sh" and (commands := read_commands(code)):
            with change_folder(folder):
                printed = "".join(run_command(*words, width=80) for words in commands)
        elif block.kind in ("sh", "bash"):
            # what is installed need not be installed again, and tests do not run themselves
            lines = [
                line.rpartition("pip install . && ")[2]
                for line in code.splitlines()
                if not re.search(r"pip install (?!\. && )", line)
            ]
            printed = call("bash", "-euo", "pipefail", "-c", "\n".join(lines))
        elif block.kind == "sql":
            shutil.copy(write_macros(), folder / "macros.duckdb")
            printed = call("duckdb", "macros.duckdb", "-no-stdin", "-c", code)
        elif block.kind == "py":
            printed = call(sys.executable, "-c", code)
        else:
            with change_folder(folder), contextlib.redirect_stdout(io.StringIO()) as caught:
                exec(code, names)  # noqa: S102
            printed = caught.getvalue()
        yield block, printed


@cache
def write_macros() -> Path:
    """A database of the macros, which a shell opens sooner than it runs their script."""
    folder = tempfile.TemporaryDirectory()
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "macros.duckdb"
    sm.install(path)
    return path


@contextlib.contextmanager
def change_folder(folder: Path) -> Iterator[None]:  # as contextlib.chdir, from Python 3.11 on
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def read_output(text: str) -> list[float | str]:
    """The words of an output, without the lines that the shell or polars draws around them.

    Brackets and commas are left out, and the last digits of numbers, in which sums in another order
    differ.
    """
    words: list[float | str] = []
    for word in re.findall(r"[^\s│┌─┬┐├┼┤└┴┘╞═╪╡┆,()\[\]{}]+", text):
        try:
            words.append(round(float(word), 12))
        except ValueError:
            words.append(word)
    return words


def fill_blocks(text: str, printed: Mapping[str, str]) -> str:
    """The page with the output of each block below it, where it shows other words or numbers."""

    def fill(m: re.Match[str]) -> str:
        shown, new = m["shown"], printed.get(m["code"])
        if shown is None or new is None or read_output(shown) == read_output(new):
            return m[0]
        return f"{m[1]}\n```text\n{new}```\n"

    return BLOCK.sub(fill, text)


# Pages


def write_page(path: Path, *, is_quick: bool = False) -> str:
    """What a page should hold, from the headers, the tables and what its blocks print.

    If it ``is_quick``, the blocks are not run, and stay as they are.
    """
    if path == INDEX:
        return write_index()
    text = write_tables(path.read_text(encoding="utf-8"))
    if path == SAME_NAME:
        text = write_scores(text)
    if path != CHINESE and not is_quick and (blocks := read_blocks(text)):
        with tempfile.TemporaryDirectory() as folder:
            ran = run_blocks(blocks, Path(folder))
            try:
                text = fill_blocks(text, {block.code: printed for block, printed in ran})
            except Exception as error:
                raise RuntimeError(f"{path.relative_to(ROOT)}: {error}") from error
    return text


def write_pages(*, is_quick: bool = False) -> dict[Path, str]:
    """Every page that is generated or has generated parts; one that takes long comes first."""
    paths = [*list_pages(), CHINESE]
    if is_quick:
        return {path: write_page(path, is_quick=True) for path in paths}
    apart = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(os.cpu_count(), mp_context=apart) as pool:
        pages = dict(zip(paths, pool.map(write_page, paths), strict=True))
    printed = {block.code: block.shown or "" for block in read_blocks(pages[README])}
    pages[CHINESE] = fill_blocks(pages[CHINESE], printed)  # its blocks are those of the other
    return pages


def write_agreement() -> str:
    sys.path.insert(0, str(ROOT / "tests"))
    import peers

    return str(peers.write_table())


def write_engines(names: Sequence[str]) -> dict[Path, str]:
    """The pages, with what all engines are found to compute, or those of these names alone."""
    sys.path.insert(0, str(ROOT / "tests"))
    import engine_tables
    import engines

    known = {name.lower(): name for name in engines.ENGINES}
    if unknown := [name for name in names if name.lower() not in known]:
        raise SystemExit(f"no engine named {unknown[0]!r}; there are {', '.join(known)}")
    asked = [known[name.lower()] for name in names]
    found, versions = engines.read_differences() if asked else ({}, {})
    tables = engine_tables.read_page()[0] if asked else {}
    listed = {*engines.list_all_measures()}
    if any({*found[name]} != listed for name in found.keys() - {*asked}):
        raise SystemExit(f"other metrics are listed in docs/engines.md; type: {COMMAND} --engines")
    for name in asked or engines.ENGINES:
        told = engines.ask_alone(name, at_once=20)
        found[name], versions[name] = told.by_metric, told.version
        tables[name] = told.by_table
    pages = {ENGINES: (engines, found), engine_tables.PAGE: (engine_tables, tables)}
    return {
        path: str(module.write_page({name: each[name] for name in engines.ENGINES}, versions))
        for path, (module, each) in pages.items()
    }


def explain_stale(paths: Iterable[Path], options: str = "") -> str:
    names = ", ".join(path.relative_to(ROOT).as_posix() for path in paths)
    return f"stale: {names}\nto write the generated parts, type: {COMMAND}{options}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Write what is generated in the documentation.")
    parser.add_argument("--check", action="store_true", help="only name what is stale; exit with 1")
    parser.add_argument("--quick", action="store_true", help="do not run the blocks of pages")
    parser.add_argument("--agreement", action="store_true", help="docs/agreement.md alone; minutes")
    parser.add_argument(
        "--engines",
        nargs="*",
        metavar="NAME",
        help="docs/engines.md and engines/analyses.md alone, or engines of them; minutes",
    )
    parser.add_argument("--metrics", type=Path, help="a page per metric, to this folder alone")
    chosen = parser.parse_args()
    if chosen.metrics:
        write_metrics(chosen.metrics)
        return 0
    pages: dict[Path, str] = {}
    if chosen.agreement:
        pages[AGREEMENT] = write_agreement()
    if chosen.engines is not None:
        pages |= write_engines(chosen.engines)
    if not pages:
        pages[FORMULAS] = keep_formulas.write_formulas()
        pages[STUB] = write_stub()
        if not chosen.check:  # before pages are computed, and even if they only look old
            for path in (FORMULAS, STUB):
                path.write_text(pages[path], encoding="utf-8")
        pages |= write_pages(is_quick=chosen.quick)
    stale = [path for path, text in pages.items() if path.read_text(encoding="utf-8") != text]
    if chosen.check and stale:
        options = " --agreement" * chosen.agreement
        if chosen.engines is not None:
            options += " ".join([" --engines", *chosen.engines])
        sys.stderr.write(f"{explain_stale(stale, options)}\n")
        return 1
    for path in stale:
        path.write_text(pages[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
