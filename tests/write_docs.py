"""Write what is generated: the pages in docs/, the README's tables and what its blocks print."""

from test_docs import write_pages
from test_readme import write_readme

write_pages()
write_readme()
