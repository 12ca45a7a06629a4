"""Writes docs/engines.md, from what each engine says now."""

import engines

if __name__ == "__main__":
    told = {name: engines.ask_alone(name) for name in engines.ENGINES}
    found = {name: each for name, (_, each, _) in told.items()}
    versions = {name: version for name, (version, _, _) in told.items()}
    engines.PAGE.write_text(engines.write_page(found, versions), encoding="utf-8")
