-- BayesFuse: the odds that the document is relevant, by the segment of each list that it is in.
-- relation: learned_growing
-- formula: Σ over runs: ln(share / (1 − share)), at least .001 each; of runs that do not have it: ln(.001 / .999)
-- differs: ranx has no odds beyond rank 1000, and reads past the end of its table there
-- source: Aslam and Montague 2001, doi:10.1145/383952.384007
CREATE OR REPLACE MACRO bayesfuse(l) AS
    sorted_sum(
        ln(
            CASE WHEN l.share > 0 THEN l.share ELSE 1e-3 END
            / CASE WHEN l.share <= 0 THEN 999e-3 WHEN l.share < 1 THEN 1e0 - l.share ELSE 1e-3 END
        )
    )
    + (max(l.num_runs) - count(*)) * ln(1e-3 / 999e-3);
