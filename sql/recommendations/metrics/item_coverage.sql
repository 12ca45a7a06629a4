-- The share of the catalogue that is recommended to anyone.
-- name: ItemCoverage, ItemCoverage@k
-- aliases: CatalogCoverage
-- formula: items among the first k of any list / items of the catalogue
-- relation: exposed(k)
-- range: 0 to 1
-- differs: RecTools' CatalogCoverage counts the items unless normalize=True; RePlay leaves out items without history
-- source: Ge, Delgado-Battenfeld and Jannach 2010, doi:10.1145/1864708.1864761
CREATE OR REPLACE MACRO item_coverage(j) AS 1e0 * count(CASE WHEN j.lists > 0 THEN 1 END) / nullif(count(*), 0);
