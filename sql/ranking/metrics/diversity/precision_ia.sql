-- The share of the first k documents that are relevant to a subtopic, averaged over subtopics.
-- name: P_IA@k, P_IA
-- formula: Σ over subtopics: relevant@k / (S · k)
-- aliases: P-IA
-- relation: subtopics(rel)
-- k: 1 or more; cut-off rank, or NULL for all documents retrieved
-- subtopics: 'relevant' or 'judged'; which subtopics to average over: those with a relevant document, or all, where
--     those without add 0
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: pyndeval and ir_measures support cut-offs up to 20; with judged_only, trec_eval skips documents that are not
--     judged for the same subtopic; here, those not judged for any
-- source: Agrawal et al. 2009, doi:10.1145/1498759.1498766
CREATE OR REPLACE MACRO precision_ia(j, k BIGINT := NULL, subtopics VARCHAR := 'relevant') AS
    ratio(tp(j, k), once_per_subtopic(j, coalesce(k, j.num_ret), subtopics := subtopics));
