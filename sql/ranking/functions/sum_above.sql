-- The sum over the stretches above one, in the order of the ranking.
-- s: row of cwl_stretches
-- x: the terms
-- highest: as for to_fixed
CREATE OR REPLACE MACRO sum_above(s, x, highest := NULL) AS
    coalesce(from_fixed(sum(to_fixed(x, highest)) OVER (
        PARTITION BY s.run_id, s.query_id
        ORDER BY s.rank ASC NULLS LAST, s.opening DESC NULLS LAST
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ), highest), 0e0);
