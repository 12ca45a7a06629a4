"""What docs/build.py writes is up to date: the list of metrics, the tables, the scores in them."""

from __future__ import annotations

import importlib.util
import subprocess
import sys

import pytest
from commands import run
from conftest import ROOT

from sqlmetrics import catalogue


def load_build():
    """docs/build.py, which is a script and in no package."""
    spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


build = load_build()


def assert_fresh(path, text):
    if path.read_text(encoding="utf-8") != text:
        pytest.fail(build.explain_stale([path]))


def test_every_family_has_a_title():
    assert {metric.family for metric in catalogue.all_metrics()} == set(build.FAMILIES)


def test_the_page_of_each_metric_is_written_to_a_folder(tmp_path):
    build.write_metrics(tmp_path / "pages")
    pages = {path.stem: path for path in (tmp_path / "pages").iterdir()}
    assert {*pages} == {metric.macro for metric in catalogue.all_metrics()}
    assert run("metrics", "nDCG") == pages["ndcg"].read_text(encoding="utf-8")


def test_the_index_of_metrics_is_what_the_headers_say():
    assert_fresh(build.INDEX, build.write_index())


def test_tables_are_those_of_the_headers_and_files():
    pages = [*build.list_pages(), build.CHINESE]
    texts = {path: path.read_text(encoding="utf-8") for path in pages}
    found = [name for text in texts.values() for _, name, _ in build.TABLE.findall(text)]
    assert {*found} == {*build.TABLES}
    for path, text in texts.items():
        assert_fresh(path, build.write_tables(text))


def test_scores_are_those_of_the_example():
    text = build.SAME_NAME.read_text(encoding="utf-8")
    assert_fresh(build.SAME_NAME, build.write_scores(text))


def test_one_name_has_different_scores_on_the_page_of_those():
    _, *sections = build.SAME_NAME.read_text(encoding="utf-8").split("\n## ")
    for section in sections:
        scores = [row["score"] for row in build.ROW.finditer(section)]
        assert len(set(scores)) > 1, section


def test_an_output_is_filled_in_where_words_differ():
    page = "```sh\necho 2\n```\n\n```text\n1\n```\n\n```sh\necho a  b\n```\n\n```text\na b\n```\n"
    printed = {"echo 2\n": "2\n", "echo a  b\n": "a  b\n"}
    assert build.fill_blocks(page, printed) == page.replace("\n1\n", "\n2\n")


def test_what_is_stale_is_named_with_the_command(tmp_path):
    said = build.explain_stale([build.INDEX, build.README])
    assert said.splitlines() == [
        "stale: docs/metrics.md, README.md",
        "to write the generated parts, type: python docs/build.py",
    ]
    command = [sys.executable, build.DOCS / "build.py", "--help"]
    usage = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert all(option in usage for option in ("--check", "--metrics", "--agreement", "--engines"))
