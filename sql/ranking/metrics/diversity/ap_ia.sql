-- The average precision for each subtopic, averaged over subtopics.
-- name: AP_IA, AP_IA@k
-- formula: 1/S · Σ over subtopics: AP for the subtopic
-- aliases: MAP_IA; MAP-IA
-- relation: subtopics(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- subtopics: 'relevant' or 'judged'; which subtopics to average over: those with a relevant document, or all, where
--     those without add 0
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: with judged_only, trec_eval skips documents that are not judged for the same subtopic; here, those not
--     judged for any
-- source: Agrawal et al. 2009, doi:10.1145/1498759.1498766
CREATE OR REPLACE MACRO ap_ia(j, k BIGINT := NULL, subtopics VARCHAR := 'relevant') AS
    ratio(
        exact_sum(CASE WHEN within_k(j.rank, k) AND j.relevant = 1 THEN 1e0 * j.hits / j.rank / j.num_rel END),
        once_per_subtopic(j, 1, subtopics := subtopics)
    );
