# `just` lists the commands, each of which calls a public tool; `pip install -e ".[dev]"` installs these.

_list:
    @just --list --unsorted

# the tests that the README names, in two minutes on two cores
test *arguments:
    python -m pytest {{ arguments }}

# all seeds and cases, of which the tests take a few, and other tools
thorough *arguments:
    python -m pytest -m thorough {{ arguments }}

# tests on other engines, which need ".[dev,engines]", PostgreSQL's programs and Java
engines *arguments:
    python -m pytest -m engines {{ arguments }}

# linters and the type checker
lint:
    ruff format --check .
    ruff check .
    mypy
    sqlfluff lint sql

# write everything that is generated: the pages of docs/, the tables of the README
docs:
    python docs/build.py

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
