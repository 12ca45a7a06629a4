"""The wheel holds every SQL file, and the sdist what its tests need; their page has no dead links."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_bytes

import pytest
import yaml
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


def test_the_wheel_holds_the_package_and_its_sql(wheel):
    names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    sql = {f"sqlmetrics/{path.relative_to(ROOT)}" for path in ROOT.glob("sql/**/*.sql")}
    package = (
        path
        for kind in ("py", "pyi", "csv", "html", "css", "js")
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
