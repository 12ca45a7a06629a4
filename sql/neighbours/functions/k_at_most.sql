-- The cut-off, or the number of rows where it is smaller.
-- k: the cut-off, or NULL for all
-- most: the number of rows
CREATE OR REPLACE MACRO k_at_most(k, most) AS least(coalesce(k, most), most);
