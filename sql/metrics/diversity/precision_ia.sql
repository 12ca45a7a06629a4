-- The share of the first k documents that are relevant to a subtopic, averaged over the subtopics.
-- name: P_IA@k, P_IA
-- formula: Σ over subtopics: relevant@k / (S · k)
-- aliases: P-IA
-- nicknames: qrels_jg
-- trec_eval: P_avgjg_{k} with subtopics='judged'
-- ir_measures: P_IA@{k}
-- pyndeval: P-IA@{k}
-- relation: subtopics
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes all that were retrieved
-- subtopics: 'relevant' or 'judged'; which subtopics it is averaged over: those with something relevant, or all, where those without add 0
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- differs: pyndeval and ir_measures take cut-offs up to 20; with judged_only, trec_eval passes over what is not judged for the same subtopic, not for any
-- source: Agrawal et al. 2009, doi:10.1145/1498759.1498766
CREATE OR REPLACE MACRO precision_ia(j, k := NULL, subtopics := 'relevant') AS
    coalesce(
        1e0 * sum(CASE WHEN j.rank <= coalesce(k, j.rank) THEN j.relevant ELSE 0 END)
        / nullif(sum(
            counted_subtopic(subtopics, j.ideal_rank, j.relevant) * coalesce(k, j.num_ret)
        ), 0),
        0e0
    );
CREATE OR REPLACE MACRO precision_ia(qrels, run, k := NULL, subtopics := 'relevant', rel := 1) AS TABLE
SELECT j.run_id, j.query_id, precision_ia(j, k := k, subtopics := subtopics) AS precision_ia
FROM subtopics(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
