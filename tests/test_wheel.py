"""The wheel holds every SQL file, and the sdist what its tests need; their page has no dead links."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes

import pytest
import release
import yaml
from commands import run
from conftest import ROOT

import sqlmetrics


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel(built):
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as archive:
        yield archive


@pytest.mark.thorough
def test_the_wheel_holds_the_package_and_its_sql(wheel):
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    sql = {f"sqlmetrics/{path.relative_to(ROOT)}" for path in ROOT.glob("sql/**/*.sql")}
    package = (
        path
        for kind in ("py", "pyi", "csv", "txt", "html", "css", "js", "svg")
        for path in ROOT.glob(f"sqlmetrics/**/*.{kind}")
    )
    sql.add("sqlmetrics/sql/formulas.json")
    assert names == sql | {str(p.relative_to(ROOT)) for p in package} | {"sqlmetrics/py.typed"}


def test_the_sdist_holds_every_file_of_the_repository(built):
    command = ["git", "ls-files"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if not listed:
        pytest.skip("not a git checkout")
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    assert {name for name in listed.splitlines() if (ROOT / name).exists()} <= held


def test_the_links_of_the_package_page_lead_to_this_version_of_files_of_the_repository(wheel):
    (name,) = (name for name in wheel.namelist() if name.endswith("METADATA"))
    data = message_from_bytes(wheel.read(name))
    urls = dict(entry.split(", ") for entry in data.get_all("Project-URL"))
    place = f"{urls['Repository']}/blob/v{sqlmetrics.__version__}/"
    text = data.get_payload(decode=True).decode()
    links = re.findall(r"\]\(([^)]+)\)", text)
    ours = {link.removeprefix(place).partition("#")[0] for link in links if link.startswith(place)}
    assert len(ours) > 20
    assert [path for path in ours if not (ROOT / path).is_file()] == []
    assert [link for link in links if not link.startswith(("https://", "#"))] == []


def test_the_package_names_its_authors_and_the_versions_of_python_that_it_runs_on(wheel):
    (name,) = (name for name in wheel.namelist() if name.endswith("METADATA"))
    data = message_from_bytes(wheel.read(name))
    assert data["Author"] == "The sqlmetrics authors"
    lowest = data["Requires-Python"].removeprefix(">=3.")
    versions = re.findall(r"Python :: 3\.(\d+)", "\n".join(data.get_all("Classifier")))
    assert versions == [str(minor) for minor in range(int(lowest), 15)]


def test_a_citation_has_what_the_format_requires():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= cited.keys()
    assert cited["authors"] == [{"name": "The sqlmetrics authors"}]


def test_a_release_is_of_the_version_of_the_package_and_tries_the_first_command_of_the_readme():
    assert release.read_version() == sqlmetrics.__version__
    command, printed = release.read_first_result()
    assert command.startswith("sqlmetrics evaluate examples/qrels.csv")
    assert run(*shlex.split(command)[1:]) == printed


@pytest.mark.parametrize(
    ("heading", "undone"),
    [
        ("## 7.0.0, 2026-12-31", []),
        ("## 7.0.0, unreleased", ["write the date in the heading of 7.0.0"]),
        ("## 7.0.0", ["write the date in the heading of 7.0.0"]),
        ("## 7.0.1, 2026-12-31", ["add a section 7.0.0"]),
    ],
)
def test_a_release_needs_a_dated_section_of_the_changelog(tmp_path, monkeypatch, heading, undone):
    (tmp_path / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n", encoding="utf-8")
    monkeypatch.setattr(release, "ROOT", tmp_path)
    monkeypatch.setattr(release, "call", lambda *_, **__: "")
    found = [*release.list_undone("7.0.0")]
    assert [text.removeprefix("CHANGELOG.md: ").partition(",")[0] for text in found] == undone


def test_a_release_needs_a_clean_checkout(monkeypatch):
    monkeypatch.setattr(release, "call", lambda *_, **__: " M pyproject.toml\n")
    assert "pyproject.toml" in next(release.list_undone(sqlmetrics.__version__))
