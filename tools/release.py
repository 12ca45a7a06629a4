"""Make a release: build it, try it as a user would, and write its files to dist/.

python -m pip install -e ".[dev,release]"
python tools/release.py

Each step prints what it found, and the first that fails ends the release. Nothing is uploaded: the
last lines say how. --python adds an interpreter to those that are found; --tests names tests to run
from the sdist, in a folder of their own.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
TESTS = ("tests/test_expected.py", "tests/test_shell.py", "tests/test_benchmarks.py")


def call(*command: object, folder: Path | None = None, **variables: str) -> str:
    """What a command prints; its errors, if it fails, end the release."""
    done = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"} | variables,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def report(step: str, found: str) -> None:
    print(f"{step}: {found.strip()}", flush=True)


def read_version() -> str:
    text = (ROOT / "sqlmetrics" / "__init__.py").read_text(encoding="utf-8")
    return re.search(r'^__version__ = "(.+)"$', text, re.MULTILINE)[1]


def list_undone(version: str) -> Iterator[str]:
    """What is still to be done by hand before this version can be released."""
    if changed := call("git", "status", "--porcelain", folder=ROOT):
        yield f"commit or remove what git does not have:\n{changed}"
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heading = re.search(rf"^## {re.escape(version)}(?:, (.*))?$", changes, re.MULTILINE)
    if heading is None:
        yield f"CHANGELOG.md: add a section {version}"
    elif not re.fullmatch(r"\d{4}-\d\d-\d\d", heading[1] or ""):
        yield f"CHANGELOG.md: write the date in the heading of {version}, as ## {version}, 2026-12-31"


def find_pythons(added: Sequence[Path]) -> Iterator[Path]:
    """An interpreter of each version that can be run here."""
    found = set()
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    known = [shutil.which(f"python{version}") for version in PYTHONS]
    kept = [path for version in PYTHONS for path in sorted(pyenv.glob(f"{version}.*/bin/python"))]
    for path in (*added, *kept, *map(Path, filter(None, known)), Path(sys.executable)):
        script = "import sys; print('%d.%d' % sys.version_info[:2])"
        done = subprocess.run([path, "-c", script], capture_output=True, text=True, check=False)
        version = done.stdout.strip()
        if done.returncode == 0 and version in PYTHONS and version not in found:
            found.add(version)
            yield path


def build(version: str) -> tuple[Path, Path]:
    """The sdist and, built from it, the wheel."""
    shutil.rmtree(DIST, ignore_errors=True)
    call(sys.executable, "-m", "build", "--outdir", DIST, ROOT)
    sdist, wheel = DIST / f"sqlmetrics-{version}.tar.gz", *DIST.glob(f"sqlmetrics-{version}-*.whl")
    for path in (sdist, wheel):
        report("built", f"{path.name}, {path.stat().st_size / 1000:,.0f} kB")
    checked = call(sys.executable, "-m", "twine", "--no-color", "check", "--strict", sdist, wheel)
    report("twine", ", ".join(line.rpartition("/")[2] for line in checked.splitlines()))
    return sdist, wheel


def read_first_result() -> tuple[str, str]:
    """The first command that the README gives, and what it prints."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(
        r"pip install \. && (sqlmetrics [^\n]*)\n```\n\n```text\n(.*?)```", text, re.DOTALL
    )
    return found[1], found[2]


def try_wheel(python: Path, wheel: Path, folder: Path) -> Path:
    """Install the wheel in a clean environment, and get the first result of the README with it.

    Returns the folder of the environment's scripts.
    """
    call(python, "-m", "venv", folder)
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    call(scripts / "python", "-m", "pip", "install", "--quiet", wheel)
    command, expected = read_first_result()
    name, *arguments = shlex.split(command)
    printed = call(scripts / name, *arguments, folder=ROOT, PYTHONPATH="")
    if printed != expected:
        raise SystemExit(f"{python}: {command}\nprints\n{printed}\nnot\n{expected}")
    version = call(scripts / "python", "--version").strip()
    report("installed", f"{version}, {call(scripts / name, '--version').strip()}; scores are right")
    return scripts


def write_macros(scripts: Path, version: str) -> None:
    """The macros as a script and as a database, and the version that each of them has."""
    script, database = (DIST / f"sqlmetrics-{version}.{suffix}" for suffix in ("sql", "duckdb"))
    call(scripts / "sqlmetrics", "sql", "--output", script)
    call(scripts / "sqlmetrics", "install", database)
    query = """
        SELECT sqlmetrics_version() AS version, avg(ndcg) AS ndcg
        FROM ndcg('examples/qrels.csv', 'examples/bm25.csv', k := 10)
    """
    shell = shutil.which(
        "duckdb", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    )
    for options in (["-init", script], ["-readonly", database]):
        printed = call(shell, *options, "-csv", "-no-stdin", "-c", query, folder=ROOT)
        if printed.splitlines()[-1] != f"{version},0.5421758722838054":
            raise SystemExit(f"{options[-1]}: the shell prints\n{printed}")
        size = options[-1].stat().st_size / 1000
        report(
            "macros",
            f"{options[-1].name}, {size:,.0f} kB; scores are right in {call(shell, '--version')}",
        )


def run_tests(sdist: Path, tests: Sequence[str], folder: Path) -> None:
    """Run tests of the sdist, with its own package and the libraries of this environment."""
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (unpacked,) = folder.iterdir()
    command = (sys.executable, "-m", "pytest", "-q", "--tb=short", "-n", "1", *tests)
    printed = call(*command, folder=unpacked, PYTHONPATH=str(unpacked))
    report("tests of the sdist", printed.splitlines()[-1])


def write_sums() -> None:
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in sorted(DIST.iterdir())
    ]
    (DIST / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")
    report("written", ", ".join(path.name for path in sorted(DIST.iterdir())))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--python", type=Path, action="append", default=[], help="to be tried, too")
    parser.add_argument("--tests", nargs="*", default=TESTS, help="tests to run from the sdist")
    given = parser.parse_args()
    version = read_version()
    undone = [*list_undone(version)]
    sdist, wheel = build(version)
    with tempfile.TemporaryDirectory() as work:
        tried = [
            try_wheel(python, wheel, Path(work) / f"environment{n}")
            for n, python in enumerate(find_pythons(given.python))
        ]
        write_macros(tried[0], version)
        if given.tests:
            run_tests(sdist, given.tests, Path(work) / "sdist")
    write_sums()
    if undone:
        print(f"\n{version} is not ready:", *undone, sep="\n* ")
        return 1
    print(
        f"\n{version} is ready. Tag it, since the links of its page lead to this tag, and upload it:",
        f"git tag -a v{version} -m {version} && git push origin v{version}",
        f"python -m twine upload dist/sqlmetrics-{version}.tar.gz dist/*.whl",
        f"gh release create v{version} dist/* --title {version} --notes-file CHANGELOG.md",
        sep="\n    ",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
