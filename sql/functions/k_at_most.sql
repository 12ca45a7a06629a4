-- A cut-off that is no more than what there is.
-- k: the cut-off, or NULL for all
-- most: what there is
CREATE OR REPLACE MACRO k_at_most(k, most) AS least(coalesce(k, most), most);
