"""Write the generated texts: the pages in docs/, the README's tables and the output of its blocks."""

import peers
from test_docs import write_pages
from test_readme import write_readme

if __name__ == "__main__":  # doctests are looked for by import
    write_pages()
    peers.TABLE.write_text(peers.write_table(), encoding="utf-8")
    write_readme()
