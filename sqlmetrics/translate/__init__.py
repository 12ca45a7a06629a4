"""SQL for elsewhere: the same macros written out as one query in the dialect of another engine."""
