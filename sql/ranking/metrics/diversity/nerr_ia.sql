-- The gain of the subtopics covered, divided by the rank and reduced each time one is covered again, relative to that
--     of a greedily built ideal ranking, which is rarely surpassed.
-- name: nERR_IA, nERR_IA@k
-- formula: Σ over the first k: gain / rank, over the same of the ideal ranking, gain = Σ over subtopics: (1 − α)^times
--     covered above
-- aliases: nERR-IA
-- relation: greedy(alpha, rel)
-- k: 1 or more; cut-off rank of both rankings, or NULL for the whole rankings
-- range: 0 to 1.582
-- no relevant: 0
-- differs: pyndeval and ir_measures support cut-offs up to 20
-- source: Chapelle et al. 2009, doi:10.1145/1645953.1646033, divided as in ndeval
CREATE OR REPLACE MACRO nerr_ia(j, k BIGINT := NULL) AS
    ratio(
        discounted_sum(j.gain, j.rank, k, 'reciprocal'),
        discounted_sum(j.greedy_gain, j.greedy_rank, k, 'reciprocal')
    );
