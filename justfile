# `just` lists the commands, each of which calls a public tool; `pip install -e ".[dev]"` installs these.

_list:
    @just --list --unsorted

# the tests that the README names; `few(n)` marks those of which n cases run, `--cases n` runs n of each
test *arguments:
    python -m pytest {{ arguments }}

# all seeds and cases, of which the tests take a few, and other tools
thorough *arguments:
    python -m pytest -m thorough {{ arguments }}

# tests on other engines; needs ".[dev,engines]", PostgreSQL's programs, sqlite3, Java 17, Chromium with chromedriver, Node
engines *arguments:
    python -m pytest -m engines {{ arguments }}

# linters and the type checker
lint:
    ruff format --check .
    ruff check .
    mypy
    sqlfluff lint sql

# write everything that is generated, in minutes; with --quick, all but what blocks of pages print
docs *arguments:
    python docs/build.py {{ arguments }}

# build the site in site/ and check its links; needs ".[dev,site]"
site *arguments:
    python docs/website.py {{ arguments }}

# build and try a release, whose files it leaves in dist/; needs ".[dev,release]"
release *arguments:
    python tools/release.py {{ arguments }}

# build the page that scores runs in a browser, in playground/dist; needs Node
playground:
    cd playground && npm ci && npm run build

# everything that must pass before a change is merged
all:
    .ci/run
