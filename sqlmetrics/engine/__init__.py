"""Running on DuckDB: a connection, the inputs checked, and what is computed over them."""
