"""Build the site from the pages of docs/, with a page and a picture for each metric.

    python docs/website.py          write the folder site, and check every link
    python docs/website.py FOLDER   write another folder

The navigation is docs/README.md: its bold lines are the sections, and the first link of each line
in them a page. Links to files that are not pages lead to the repository.
"""

from __future__ import annotations

import argparse
import json
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import build
import polars as pl
from build import DOCS, ROOT

import sqlmetrics as sm
from sqlmetrics import catalogue
from sqlmetrics.cli.pages import describe, name_example
from sqlmetrics.report.charts import Axis

CONTENTS = DOCS / "README.md"
GALLERY = DOCS / "gallery.md"
CONFIG = DOCS / "website.toml"
STYLE = DOCS / "website.css"
OF_REPORTS = catalogue.find_root().parent / "sqlmetrics" / "report" / "templates" / "style.css"
REPOSITORY = re.findall(r'^repo_url = "(.+)"$', CONFIG.read_text(encoding="utf-8"), re.MULTILINE)[0]
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]*)(#[^)\s]*)?\)")
FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)


# Pages


def read_contents() -> dict[str, list[tuple[str, Path]]]:
    """The pages of each section, with their titles, in the order of docs/README.md."""
    sections: dict[str, list[tuple[str, Path]]] = {}
    for line in CONTENTS.read_text(encoding="utf-8").splitlines():
        if title := re.fullmatch(r"\*\*(.+)\*\*", line):
            sections[title[1]] = listed = []
        elif link := re.match(r"\* \[(.+?)\]\((.+?\.md)\)", line):
            listed.append((link[1], (DOCS / link[2]).resolve()))
    return sections


HOME = {build.README: "index.md", build.CHINESE: "zh.md", CONTENTS: "contents.md"}


def place(path: Path) -> str:
    """Where a page is on the site: those of docs/ as they are there, the others in about/."""
    if path in HOME:
        return HOME[path]
    if path.is_relative_to(DOCS):
        return path.relative_to(DOCS).as_posix()
    parts = path.relative_to(ROOT).with_suffix("").parts
    return f"about/{'-'.join(parts).removesuffix('-README').lower()}.md"


def list_places(sections: dict[str, list[tuple[str, Path]]]) -> dict[Path, str]:
    """The pages of the site by the files that links lead to; a metric's is that of its SQL."""
    pages = [build.README, CONTENTS, *(path for listed in sections.values() for _, path in listed)]
    places = {path: place(path) for path in pages}
    for metric in catalogue.all_metrics():
        file = metric.file.path
        places[file] = f"metrics/{metric.macro}.md"
    return places


def move_links(text: str, path: Path, places: dict[Path, str]) -> str:
    """The text of a page with its links as the site has them."""

    def move(link: re.Match[str]) -> str:
        target = (path.parent / unquote(link[1])).resolve() if link[1] else path
        anchor = link[2] or ""
        if target not in places:
            if not target.exists():
                raise SystemExit(f"{path.relative_to(ROOT)}: {link[1]} does not exist")
            kind = "tree" if target.is_dir() else "blob"
            return f"]({REPOSITORY}/{kind}/main/{target.relative_to(ROOT).as_posix()}{anchor})"
        here = posixpath.dirname(places[path])
        return f"]({posixpath.relpath(places[target], here or '.')}{anchor})"

    parts = FENCE.split(text)
    return "".join(p if p.startswith("```") else LINK.sub(move, p) for p in parts)


# Pictures

RANKS, RELEVANT, LISTED = 20, 10, 20


def score_shapes() -> dict[str, dict[str, list[float | None]]]:
    """For each metric: what one relevant document is worth at each rank, and the first of ten.

    The scores are those of `evaluate`: the SQL of the catalogue.
    """
    judged, ranked = [], []
    shapes = {
        **{f"at {rank:02}": ({rank}, 1) for rank in range(1, RANKS + 1)},
        **{f"top {n:02}": ({*range(1, n + 1)}, RELEVANT) for n in range(RELEVANT + 1)},
    }
    for query, (ranks, relevant) in shapes.items():
        for rank in range(1, LISTED + 1):
            ranked.append((query, f"d{rank:02}", 100.0 - rank))
            judged.append((query, f"d{rank:02}", int(rank in ranks)))
        judged += [(query, f"other{n:02}", 1) for n in range(relevant - len(ranks))]
    qrels = pl.DataFrame(judged, ["query_id", "doc_id", "relevance"], orient="row")
    run = pl.DataFrame(ranked, ["query_id", "doc_id", "score"], orient="row")
    names = {metric.macro: name_example(metric) for metric in catalogue.all_metrics("runs")}
    scores = sm.evaluate(qrels, run, [*names.values()]).per_query.sort("query_id")
    columns = dict(zip(names, scores.columns[2:], strict=True))
    return {
        macro: {
            kind: scores.filter(pl.col("query_id").str.starts_with(kind))[column].to_list()
            for kind in ("at", "top")
        }
        for macro, column in columns.items()
        if scores.schema[column].is_numeric()
    }


TITLES = {
    "at": "{} of one relevant document, by its rank",
    "top": "{} with n of ten relevant documents on top",
}


def draw_shape(name: str, kind: str, scores: Sequence[float | None]) -> str:
    """A chart of scores over ranks, or over numbers of documents; nothing if all are the same."""
    first = 1 if kind == "at" else 0
    points = [(x, y) for x, y in enumerate(scores, first) if y is not None]
    if len({round(y, 9) for _, y in points}) < 2:
        return ""
    width, height, left, bottom = 300, 150, 36, 22
    last = first + len(scores) - 1
    across = Axis(first, last, (first, *range(5, last + 1, 5)))
    up = Axis.over(y for _, y in points)
    parts = []
    for tick in up.ticks:
        y = round(height - up.place(tick, height - 10), 1)
        parts += [
            f'<line x1="{left}" x2="{width}" y1="{y}" y2="{y}" />',
            f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{tick:g}</text>',
        ]
    for tick in across.ticks:
        x = round(left + 6 + across.place(tick, width - left - 12), 1)
        parts.append(f'<text x="{x}" y="{height + 17}" text-anchor="middle">{tick:g}</text>')
    spots = [
        (
            round(left + 6 + across.place(x, width - left - 12), 1),
            round(height - up.place(y, height - 10), 1),
        )
        for x, y in points
    ]
    parts.append(f'<path d="M{"L".join(f"{x} {y}" for x, y in spots)}" />')
    parts += [f'<circle cx="{x}" cy="{y}" r="2.6" />' for x, y in spots]
    title = TITLES[kind].format(name)
    return (
        f"<figure><figcaption>{title}</figcaption>"
        f'<svg viewBox="0 0 {width} {height + bottom}" role="img" aria-label="{title}">'
        f"{''.join(parts)}</svg></figure>"
    )


def write_metric(metric: catalogue.Metric, shapes: dict[str, list[float | None]]) -> str:
    """The page that `metrics NAME` prints, with pictures below its first sentence."""
    title, summary, rest = describe(metric).split("\n\n", 2)
    drawn = [draw_shape(name_example(metric), kind, scores) for kind, scores in shapes.items()]
    picture = f'<div class="worth">{"".join(drawn)}</div>\n\n' if any(drawn) else ""
    source = metric.file.path.relative_to(ROOT).as_posix()
    links = f"[All metrics](../metrics.md) · [The file]({REPOSITORY}/blob/main/{source})"
    return f"{title}\n\n{links}\n\n{summary}\n\n{picture}{rest}"


def fill_gallery(text: str, folder: Path) -> str:
    """The gallery, with sections of the report that its own blocks write."""
    with tempfile.TemporaryDirectory() as work:
        for _ in build.run_blocks(build.read_blocks(text), Path(work)):
            pass
        reports = {path.name: path.read_text("utf-8") for path in Path(work).glob("*.html")}
    (folder / "reports").mkdir()
    for name, page in reports.items():
        (folder / "reports" / name).write_text(page, encoding="utf-8")

    def show(marker: re.Match[str]) -> str:
        name, words = marker[1], marker[2]
        if words == "all of it":
            return f'<iframe class="report" src="reports/{name}" title="The report"></iframe>'
        sections = re.findall(r"<section.*?</section>", reports[name], re.DOTALL)
        (found,) = (each for each in sections if words in each)
        return f'<div class="picture">{" ".join(found.split())}</div>'

    return re.sub(r"<!-- (\S+\.html): (.+) -->", show, text)


def write_style() -> str:
    """The style of the site, with that of reports for the pictures from them."""
    ours = OF_REPORTS.read_text(encoding="utf-8")
    light, dark = re.findall(r":root \{(.*?)\}", ours, re.DOTALL)[:2]
    ours = ours.partition("* { box-sizing")[2].partition("@media print")[0]
    return (
        f".picture {{{light}\n* {{ box-sizing{ours}\n}}\n"
        f'[data-md-color-scheme="slate"] .picture {{{dark}}}\n{STYLE.read_text(encoding="utf-8")}'
    )


# The site


def write_source(folder: Path) -> None:
    """Everything that the generator reads."""
    sections = read_contents()
    places = list_places(sections)
    pages = folder / "docs"
    pages.mkdir()
    shapes = score_shapes()
    for path in (path for path in places if path.suffix == ".md"):
        text = path.read_text(encoding="utf-8")
        if path == GALLERY:
            text = fill_gallery(text, pages)
        target = pages / places[path]
        target.parent.mkdir(exist_ok=True)
        target.write_text(move_links(text, path, places), encoding="utf-8")
    (pages / "metrics").mkdir()
    for metric in catalogue.all_metrics():
        text = write_metric(metric, shapes.get(metric.macro, {}))
        (pages / "metrics" / f"{metric.macro}.md").write_text(text, encoding="utf-8")
    (pages / STYLE.name).write_text(write_style(), encoding="utf-8")
    entries = [("sqlmetrics", json.dumps("index.md"))]
    for title, listed in sections.items():
        inner = ", ".join(f"{{{json.dumps(t)} = {json.dumps(places[path])}}}" for t, path in listed)
        entries.append((title, f"[{inner}]"))
    nav = ",\n".join(f"    {{{json.dumps(title)} = {value}}}" for title, value in entries)
    config = CONFIG.read_text(encoding="utf-8")
    before, heading, after = config.partition("[project]\n")
    (folder / "zensical.toml").write_text(
        f"{before}{heading}nav = [\n{nav},\n]\n{after}", encoding="utf-8"
    )


class Links(HTMLParser):
    """The links of a page, and what they can lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {each for each in (given.get("id"), given.get("name")) if each}
        link = given.get("href" if tag in ("a", "link") else "src")
        if link is not None:
            self.links.append(link)


def check_links(site: Path) -> tuple[Counter[str], list[str]]:
    """How many links of each kind there are, and those that lead nowhere.

    Links to other sites are counted, not followed.
    """
    read: dict[Path, Links] = {}
    for path in site.rglob("*.html"):
        read[path] = Links()
        read[path].feed(path.read_text(encoding="utf-8"))
    counted: Counter[str] = Counter()
    broken = []
    for path, page in read.items():
        if path.name == "404.html":  # its links begin where the site is
            continue
        for link in page.links:
            address, _, anchor = link.partition("#")
            if link.startswith(f"{REPOSITORY}/"):
                counted["to the repository"] += 1
                _, _, name = address.removeprefix(f"{REPOSITORY}/").partition("/main/")
                is_there = not name or (ROOT / unquote(name)).exists()
            elif re.match(r"[a-z]+:|//", link):
                counted["to other sites"] += 1
                is_there = True
            else:
                counted["within the site"] += 1
                target = (path.parent / unquote(address)).resolve() if address else path
                target = target / "index.html" if target.is_dir() else target
                is_there = target.is_file()
                if is_there and anchor and target in read:
                    is_there = unquote(anchor) in read[target].anchors
            if not is_there:
                broken.append(f"{path.relative_to(site)}: {link}")
    return counted, broken


def build_site(target: Path) -> Iterator[str]:
    """Build the site in a folder; yield remarks about it. A link that leads nowhere is an error."""
    with tempfile.TemporaryDirectory() as work:
        write_source(Path(work))
        command = [sys.executable, "-m", "zensical", "build", "--strict"]
        done = subprocess.run(  # noqa: S603
            command, cwd=work, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise SystemExit(f"zensical: {done.stdout}{done.stderr}")
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(Path(work) / "site", target)
    counted, broken = check_links(target)
    if broken:
        raise SystemExit("\n".join(["links that lead nowhere:", *broken]))
    yield f"{len([*target.rglob('index.html')])} pages in {target}"
    yield "links: " + ", ".join(f"{number:,} {kind}" for kind, number in counted.items())
    (index,) = target.rglob("search*.json")
    yield f"search index: {index.stat().st_size / 1000:,.0f} kB"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path, nargs="?", default=ROOT / "site")
    for remark in build_site(parser.parse_args().folder.resolve()):
        sys.stdout.write(f"{remark}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
