"""The README is true: its blocks run and print what it shows, its tables are those of the headers."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from conftest import ROOT
from test_docs import FAMILIES, link

import sqlmetrics
from sqlmetrics import catalogue
from sqlmetrics.cli.formats import format_frame
from sqlmetrics.cli.pages import write_table
from sqlmetrics.engines import checks

README = ROOT / "README.md"
BLOCK = re.compile(r"```(sh|sql|python)\n(.*?)```\n(?:\n```text\n(.*?)```\n)?", re.DOTALL)
TABLE = re.compile(r"(<!-- (\w+): written by .*?-->\n).*?(<!-- end -->)", re.DOTALL)


def list_metrics_as_markdown() -> str:
    rows = []
    for family, title in FAMILIES.items():
        metrics = [metric for metric in catalogue.all_metrics() if metric.family == family]
        rows.append([title, ", ".join(link(metric, "docs/metrics/") for metric in metrics)])
    return write_table(["family", "metrics"], rows) + "\n"


def list_checks_as_markdown() -> str:
    rows = ["| check | | finds |", "|---|---|---|"]
    for check in checks.list_checks():
        link = f"[`{check.name}`](sql/checks/{check.name}.sql)"
        rows.append(f"| {link} | {check.severity} | {check.file.summary} |")
    return "\n".join(rows) + "\n"


def list_presets_as_markdown() -> str:
    return str(format_frame(sqlmetrics.presets(), "markdown"))


TABLES = {
    "metrics": list_metrics_as_markdown,
    "checks": list_checks_as_markdown,
    "presets": list_presets_as_markdown,
}


def write_tables(text: str) -> str:
    return TABLE.sub(lambda m: m[1] + TABLES[m[2]]() + m[3], text)


def run_blocks(folder: Path):
    """Run every block in the README's order; yield each with what it printed."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    scripts = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "80",
    }

    def run(command, text=""):
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            input=text,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    names = {}
    for kind, code, shown in BLOCK.findall(README.read_text(encoding="utf-8")):
        if kind == "sh":
            printed = "".join(
                run(["bash", "-c", line.rpartition("pip install . && ")[2]])
                for line in code.splitlines()
                if "pytest" not in line
            )
        elif kind == "sql":
            printed = run(["duckdb", "-init", "sqlmetrics.sql", "-no-stdin", "-c", code])
        else:
            with change_folder(folder), contextlib.redirect_stdout(io.StringIO()) as caught:
                exec(code, names)
            printed = caught.getvalue()
        yield code, shown, printed


@contextlib.contextmanager
def change_folder(folder: Path):  # as contextlib.chdir, from Python 3.11 on
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def read_words(text: str) -> list[str]:
    """What a result says, whatever lines a version of the shell or of polars draws around it."""
    return re.findall(r"[^\s│┌─┬┐├┼┤└┴┘╞═╪╡┆]+", text)


def read_number(word: str) -> float | str:
    """A number without the last digits, in which sums in another order differ."""
    try:
        return round(float(word), 12)
    except ValueError:
        return word


def test_every_block_prints_what_the_readme_shows(tmp_path):
    blocks = list(run_blocks(tmp_path))
    assert len(blocks) > 8
    for code, shown, printed in blocks:
        if shown:
            assert [*map(read_number, read_words(printed))] == [
                *map(read_number, read_words(shown))
            ], code


def test_the_tables_are_those_of_the_headers():
    text = README.read_text(encoding="utf-8")
    assert {name for _, name, _ in TABLE.findall(text)} == set(TABLES)
    assert text == write_tables(text)


def test_links_lead_to_files_of_the_repository():
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), (page.name, target)


def write_readme() -> None:
    text = write_tables(README.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        for code, _, printed in run_blocks(Path(folder)):
            pattern = re.compile(re.escape(code) + r"(```\n\n```text\n).*?```", re.DOTALL)
            text = pattern.sub(lambda m: code + m[1] + printed + "```", text)  # noqa: B023
    README.write_text(text, encoding="utf-8")
