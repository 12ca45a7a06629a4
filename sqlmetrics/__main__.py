"""``python -m sqlmetrics`` is the command ``sqlmetrics``."""

from .cli import main

main()
