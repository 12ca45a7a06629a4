-- The average precision for each subtopic, averaged over the subtopics.
-- name: AP_IA, AP_IA@k
-- formula: 1/S · Σ over subtopics: AP for the subtopic
-- aliases: MAP_IA; MAP-IA
-- nicknames: qrels_jg
-- trec_eval: map_avgjg with subtopics='judged'
-- ir_measures: AP_IA
-- pyndeval: MAP-IA
-- relation: subtopics
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- subtopics: 'relevant' or 'judged'; which subtopics it is averaged over: those with something relevant, or all, where those without add 0
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- differs: with judged_only, trec_eval passes over what is not judged for the same subtopic, not for any
-- source: Agrawal et al. 2009, doi:10.1145/1498759.1498766
CREATE OR REPLACE MACRO ap_ia(j, k := NULL, subtopics := 'relevant') AS
    coalesce(
        sum(
            CASE WHEN j.rank <= coalesce(k, j.rank) AND j.relevant = 1 THEN 1e0 * j.hits / j.rank / j.num_rel END
        )
        / nullif(sum(counted_subtopic(subtopics, j.ideal_rank, j.relevant)), 0),
        0e0
    );
CREATE OR REPLACE MACRO ap_ia(qrels, run, k := NULL, subtopics := 'relevant', rel := 1) AS TABLE
SELECT j.run_id, j.query_id, ap_ia(j, k := k, subtopics := subtopics) AS ap_ia
FROM subtopics(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
