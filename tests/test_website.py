"""The site has every page and metric, and every link of it leads somewhere."""

from __future__ import annotations

import html
import math
import re
import sys

import pytest
import yaml
from conftest import ROOT

from sqlmetrics import catalogue

sys.path.insert(0, str(ROOT / "docs"))
import website

PAGES = {path for listed in website.read_contents().values() for _, path in listed}


def test_every_page_is_in_the_navigation():
    pages = {*(ROOT / "docs").rglob("*.md")} - {website.CONTENTS}
    assert pages <= PAGES
    assert website.build.CHINESE in PAGES


def test_pages_have_places_of_their_own():
    places = website.list_places(website.read_contents())
    assert len({*places.values()}) == len(places)


@pytest.mark.parametrize(
    ("link", "moved"),
    [
        ("names.md#names", "names.md#names"),
        ("../README.md", "index.md"),
        ("../sql/ranking/metrics/gains/ndcg.sql", "metrics/ndcg.md"),
        ("../sql/fusion", f"{website.REPOSITORY}/tree/main/sql/fusion"),
        ("../pyproject.toml", f"{website.REPOSITORY}/blob/main/pyproject.toml"),
        ("#here", "#here"),
        ("https://example.org/x.md", "https://example.org/x.md"),
    ],
)
def test_a_link_leads_to_a_page_of_the_site_or_to_the_repository(link, moved):
    places = website.list_places(website.read_contents())
    page = ROOT / "docs" / "metrics.md"
    assert website.move_links(f"[x]({link})", page, places) == f"[x]({moved})"
    code = f"```text\n[x]({link})\n```"
    assert website.move_links(code, page, places) == code


def test_a_link_to_a_file_that_does_not_exist_is_refused():
    with pytest.raises(SystemExit, match=r"metrics.md: none.md does not exist"):
        website.move_links("[x](none.md)", ROOT / "docs" / "metrics.md", {})


def test_links_that_lead_nowhere_are_found(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "index.html").write_text('<h1 id="top">x</h1>')
    links = ("there/", "there/#top", "there/#gone", "gone/", "#gone", "https://example.org")
    links += tuple(f"{website.REPOSITORY}/blob/main/{name}" for name in ("LICENSE", "GONE"))
    page = "".join(f'<a href="{link}">x</a>' for link in links)
    (tmp_path / "index.html").write_text(page)
    counted, broken = website.check_links(tmp_path)
    assert counted == {"within the site": 5, "to other sites": 1, "to the repository": 2}
    assert [line.rpartition("/")[2] for line in broken] == [
        "#gone",
        "",
        "index.html: #gone",
        "GONE",
    ]


@pytest.fixture(scope="module")
def shapes():
    return website.score_shapes()


@pytest.mark.thorough
def test_pictures_show_the_discounts_and_models_of_their_definitions(shapes):
    ranks = range(1, 21)
    for macro, worth in (
        ("ndcg", lambda rank: 1 / math.log2(rank + 1)),
        ("rr", lambda rank: 1 / rank),
        ("rbp", lambda rank: 0.2 * 0.8 ** (rank - 1)),
        ("precision_at", lambda _: 0.1),
    ):
        expected = [worth(rank) if rank <= 10 else 0 for rank in ranks]
        assert shapes[macro]["at"] == pytest.approx(expected), macro
    assert shapes["recall_at"]["top"] == pytest.approx([n / 10 for n in range(11)])


def test_a_picture_has_a_point_for_each_score_and_none_is_drawn_of_equal_ones():
    picture = website.draw_shape("P@10", "at", [0.1, 0.1, None, 0.0])
    assert picture.count("<circle") == 3
    assert 'aria-label="P@10 of one relevant document, by its rank"' in picture
    assert website.draw_shape("P@10", "at", [0.1, 0.1]) == ""


@pytest.mark.parametrize("name", ["ci", "pages"])
def test_workflows_run_the_commands_that_there_are(name):
    path = ROOT / ".github" / "workflows" / f"{name}.yml"
    (job,) = yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].values()
    ran = " ".join(step.get("run", "") for step in job["steps"])
    scripts = re.findall(r"\.ci/run|docs/\w+\.py", ran)
    assert scripts
    assert all((ROOT / script).is_file() for script in scripts)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    pytest.importorskip("zensical", reason="needs the extra site, which .ci/run installs")
    folder = tmp_path_factory.mktemp("built") / "site"
    assert len([*website.build_site(folder)]) == 3
    return folder


@pytest.mark.thorough
@pytest.mark.xdist_group("website")
def test_the_site_has_a_page_for_every_page_and_metric(site):
    for path in PAGES:
        place = website.place(path).removesuffix(".md")
        assert (site / place / "index.html").is_file(), place
    for metric in catalogue.all_metrics():
        text = (site / "metrics" / metric.macro / "index.html").read_text(encoding="utf-8")
        assert html.escape(metric.file.summary, quote=False) in text
    assert '<svg viewBox="0 0 300' in (site / "metrics" / "ndcg" / "index.html").read_text("utf-8")


@pytest.mark.thorough
@pytest.mark.xdist_group("website")
def test_the_gallery_shows_what_a_report_does(site):
    text = (site / "gallery" / "index.html").read_text(encoding="utf-8")
    assert text.count('<div class="picture">') == 4
    assert 'aria-label="Precision over recall"' in text
    assert "</html>" in (site / "reports" / "report.html").read_text(encoding="utf-8")
