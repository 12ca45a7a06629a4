-- The share of the subtopics that the first k documents cover.
-- name: StRecall@k, StRecall
-- formula: subtopics covered@k / S
-- aliases: strec; S_Recall
-- relation: subtopics(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- subtopics: 'relevant' or 'judged'; which subtopics to average over: those with a relevant document, or all, where
--     those without add 0
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: pyndeval and ir_measures support cut-offs up to 20
-- source: Zhai et al. 2003, doi:10.1145/860435.860440
CREATE OR REPLACE MACRO st_recall(j, k BIGINT := NULL, subtopics VARCHAR := 'relevant') AS
    ratio(
        sum(CASE WHEN within_k(j.rank, k) AND j.hits = 1 THEN j.relevant END),
        once_per_subtopic(j, 1, subtopics := subtopics)
    );
