"""Write docs/engines.md from the current results of each engine."""

import engines

if __name__ == "__main__":
    told = {name: engines.ask_alone(name) for name in engines.ENGINES}
    found = {name: each for name, (_, each, _) in told.items()}
    versions = {name: version for name, (version, _, _) in told.items()}
    engines.PAGE.write_text(engines.write_page(found, versions), encoding="utf-8")
