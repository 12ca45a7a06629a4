-- Condorcet fusion: how many documents a majority of the runs puts below this one. Where majorities contradict each
--     other, or are equal, every order of the rows gives the same scores (Copeland's).
-- relation: duels
-- formula: others with a majority against them + ½ · others without a majority
-- source: Montague and Aslam 2002, doi:10.1145/584792.584881
CREATE OR REPLACE MACRO condorcet(d) AS
    -- sums of weights that are equal may differ in their last digits; the document itself is not another
    sum(CASE WHEN d.margin > 1e-12 THEN 1e0 WHEN d.margin >= -1e-12 THEN 5e-1 ELSE 0e0 END) - 5e-1;
