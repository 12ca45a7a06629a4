-- The expected utility for users who each stop at some relevant document: the blended ratio there, weighted by the
--     share of users.
-- name: NCU
-- formula: Σ over relevant retrieved: stop share · (relevant@rank + β · CG@rank) / (rank + β · ideal CG@rank)
-- aliases: NCUguP with beta=0; NCUguBR; NCUrbP with stop='rank-biased', beta=0; NCUrbBR with stop='rank-biased'
-- relation: cumulated(gain, rel, gains)
-- stop: 'graded', 'rank-biased' or 'uniform'; how many users stop at a relevant document: in proportion to the weight
--     of its grade, gamma times as many as at the one before, or equally many at each, which gives Q
-- beta: 0 or more; weight of gain relative to documents; 0 gives precision
-- gamma: from 0 to 1; for 'rank-biased': number of users at a relevant document relative to the one before
-- stops: weight of each relevance for 'graded', or NULL to use its gain
-- range: 0 to 1
-- no relevant: 0
-- source: Sakai and Robertson 2008, Modelling A User Population for Designing Information Retrieval Metrics, EVIA
CREATE OR REPLACE MACRO ncu(
    j, stop VARCHAR := 'graded', beta DOUBLE := 1e0, gamma DOUBLE := 95e-2, stops MAP (DOUBLE, DOUBLE) := NULL
) AS
    ratio(
        exact_sum(
            CASE WHEN j.relevant = 1 THEN stop_weight(j, j.hits, stop, stops, gamma) * blended_ratio(j, beta) END
        ),
        CASE
            WHEN stop = 'graded' THEN exact_sum(j.relevant * stop_weight(j, NULL, stop, stops, gamma))
            -- one row for each number of relevant documents
            ELSE exact_sum(
                CASE WHEN j.ideal_rank <= j.num_rel THEN stop_weight(j, j.ideal_rank, stop, stops, gamma) END
            )
        END
    );
