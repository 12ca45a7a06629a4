-- The sum of gains over the documents down to a place.
-- p: row of ranked_and_ideal
-- gain: the gains to add
CREATE OR REPLACE MACRO down_to_place(p, gain) AS
    from_fixed(sum(to_fixed(gain, p.highest)) OVER (
        PARTITION BY p.run_id, p.query_id
        ORDER BY p.place ASC NULLS LAST
        RANGE UNBOUNDED PRECEDING
    ), p.highest);
