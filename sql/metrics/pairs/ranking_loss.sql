-- The share of pairs of a relevant document and one judged not relevant that are not in order; the same score counts as not.
-- name: RankingLoss
-- formula: pairs out of order or tied / (R · N)
-- sklearn: label_ranking_loss()
-- relation: judged
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- differs: unjudged documents are in no pair; judged ones that were not retrieved come last, all tied
-- source: Tsoumakas, Katakis and Vlahavas 2010, doi:10.1007/978-0-387-09823-4_34
CREATE OR REPLACE MACRO ranking_loss(j) AS
    coalesce(
        1e0 * sum(
            CASE
                WHEN j.relevant = 1
                    THEN at_or_above(j.first_rank, j.misses_above, j.misses_tied, j.num_nonrel)
            END
        )
        / nullif(sum(CASE WHEN j.relevant = 1 THEN j.num_nonrel END), 0),
        0e0
    );
CREATE OR REPLACE MACRO ranking_loss(qrels, run, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, ranking_loss(j) AS ranking_loss
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
