"""Only the start: Python, and the import of the two libraries that sqlmetrics needs."""

import duckdb
import polars

if __name__ == "__main__":
    print([float(bool(duckdb.__version__ and polars.__version__))])
