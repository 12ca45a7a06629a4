"""Spark: scores computed by a cluster, by the SQL for elsewhere."""
