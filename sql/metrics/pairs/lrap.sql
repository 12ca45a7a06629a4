-- The share of relevant among the judged documents scored as high as each relevant one or higher, averaged over the relevant ones.
-- name: LRAP
-- formula: 1/R · Σ over relevant: relevant scored ≥ it / judged scored ≥ it
-- aliases: LabelRankingAveragePrecision
-- sklearn: label_ranking_average_precision_score()
-- relation: judged
-- range: 0 to 1
-- empty: 1
-- over queries: mean or pooled
-- differs: unjudged documents are passed over; judged ones that were not retrieved come last, all tied
-- source: Tsoumakas, Katakis and Vlahavas 2010, doi:10.1007/978-0-387-09823-4_34
CREATE OR REPLACE MACRO lrap(j) AS
    coalesce(
        sum(
            CASE
                WHEN j.relevant = 1
                    THEN
                        1e0 * at_or_above(j.first_rank, j.hits_above, j.hits_tied, j.num_rel)
                        / (
                            at_or_above(j.first_rank, j.hits_above, j.hits_tied, j.num_rel)
                            + at_or_above(j.first_rank, j.misses_above, j.misses_tied, j.num_nonrel)
                        )
            END
        )
        / nullif(sum(j.relevant), 0),
        1e0
    );
CREATE OR REPLACE MACRO lrap(qrels, run, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, lrap(j) AS lrap
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
