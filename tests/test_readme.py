"""The README and the pages in docs/ are true: their blocks run and print what is shown below them."""

from __future__ import annotations

import re

import pytest
from commands import run
from conftest import ROOT
from test_docs import build

PAGES = build.list_pages()
UPDATE = f"if the new output is right, type: {build.COMMAND}"
README_LIMIT = 9000  # bytes: it is to be read, the rest is in docs/


def list_pages_with(kinds):
    pages = (page for page in PAGES if build.read_blocks(page.read_text("utf-8"), kinds))
    return pytest.mark.parametrize("page", pages, ids=lambda page: page.stem)


def compare_blocks(page, kinds, folder, variables=None):
    blocks = build.read_blocks(page.read_text(encoding="utf-8"), kinds)
    for block, printed in build.run_blocks(blocks, folder, variables, run):
        if block.shown is not None:
            shown = build.read_output(block.shown)
            assert build.read_output(printed) == shown, f"{block.code}\n{UPDATE}"


@pytest.mark.thorough
@list_pages_with(build.HERE)
def test_the_blocks_of_a_page_print_what_it_shows(page, tmp_path):
    compare_blocks(page, build.HERE, tmp_path)


@pytest.mark.engines
@list_pages_with(build.ELSEWHERE)
def test_the_blocks_of_other_engines_print_what_the_page_shows(page, tmp_path, request):
    needs_postgres = "psql" in page.read_text(encoding="utf-8")
    variables = request.getfixturevalue("postgres") if needs_postgres else None
    compare_blocks(page, build.ELSEWHERE, tmp_path, variables)


@pytest.fixture
def postgres():
    """A server that psql finds, with the tables of docs/plain-sql.md."""
    import engines
    import polars as pl
    import psycopg

    with engines.start_postgres() as address:
        con = psycopg.connect(address, autocommit=True)
        con.execute("CREATE SCHEMA lab")
        con.execute("CREATE TABLE lab.qrels (query_id text, doc_id text, relevance int)")
        con.execute("CREATE TABLE lab.run (system text, query_id text, doc_id text, score float8)")
        with con.cursor() as cursor:
            for row in pl.read_csv(ROOT / "examples" / "qrels.csv").iter_rows():
                cursor.execute("INSERT INTO lab.qrels VALUES (%s, %s, %s)", row)
            for row in pl.read_csv(ROOT / "examples" / "bm25.csv").iter_rows():
                cursor.execute("INSERT INTO lab.run VALUES ('bm25', %s, %s, %s)", row)
        yield {"PGHOST": re.search(r"host=(\S+)", address)[1], "PGUSER": "postgres"}


def test_both_readmes_have_the_same_blocks():
    kinds = (*build.HERE, *build.ELSEWHERE)
    english, chinese = (
        build.read_blocks(page.read_text(encoding="utf-8"), kinds)
        for page in (build.README, build.CHINESE)
    )
    assert english == chinese
    assert len(english) > 5


def test_both_readmes_have_the_same_links_and_lead_to_each_other():
    english, chinese = (page.read_text(encoding="utf-8") for page in (build.README, build.CHINESE))
    links = [{*re.findall(r"\]\(([^)#]+)", text)} for text in (english, chinese)]
    assert links[0] - {build.CHINESE.name} == links[1] - {build.README.name}
    assert f"({build.CHINESE.name})" in english.partition("\n## ")[0]
    assert f"({build.README.name})" in chinese.partition("\n## ")[0]


def test_the_readme_is_short():
    assert len(build.README.read_bytes()) <= README_LIMIT


def test_the_readme_has_two_commands_to_install_by():
    lines = build.README.read_text(encoding="utf-8").splitlines()
    user, developer = (line for line in lines if line.startswith("python -m pip install"))
    assert user.startswith("python -m pip install . && sqlmetrics evaluate examples/")
    assert developer == 'python -m pip install -e ".[dev]" && python -m pytest'


def test_the_index_has_every_page():
    index = build.DOCS / "README.md"
    linked = set(re.findall(r"\]\(([^)#]+\.md)", index.read_text(encoding="utf-8")))
    pages = {page.relative_to(build.DOCS).as_posix() for page in PAGES if page != build.README}
    assert pages - {"README.md"} <= linked


def list_anchors(text):
    """What a forge makes of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"```.*?```", "", text, flags=re.DOTALL), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_lead_to_files_and_headings_of_the_repository():
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        text = page.read_text(encoding="utf-8")
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#]*)#?([^)]*)\)", text):
            path = page.parent / target if target else page
            assert path.exists(), (page.name, target)
            if anchor:
                assert anchor in list_anchors(path.read_text("utf-8")), (page.name, target, anchor)
