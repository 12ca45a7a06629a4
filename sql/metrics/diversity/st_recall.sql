-- The share of the subtopics that the first k documents cover.
-- name: StRecall@k, StRecall
-- formula: subtopics covered@k / S
-- aliases: strec; S_Recall
-- ir_measures: StRecall@{k}
-- pyndeval: strec@{k}
-- relation: subtopics
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- subtopics: 'relevant' or 'judged'; which subtopics it is averaged over: those with something relevant, or all, where those without add 0
-- range: 0 to 1
-- empty: 0
-- over queries: mean or pooled
-- differs: pyndeval and ir_measures take cut-offs up to 20
-- source: Zhai et al. 2003, doi:10.1145/860435.860440
CREATE OR REPLACE MACRO st_recall(j, k := NULL, subtopics := 'relevant') AS
    coalesce(
        1e0 * sum(CASE WHEN j.rank <= coalesce(k, j.rank) AND j.hits = 1 THEN j.relevant ELSE 0 END)
        / nullif(sum(counted_subtopic(subtopics, j.ideal_rank, j.relevant)), 0),
        0e0
    );
CREATE OR REPLACE MACRO st_recall(qrels, run, k := NULL, subtopics := 'relevant', rel := 1) AS TABLE
SELECT j.run_id, j.query_id, st_recall(j, k := k, subtopics := subtopics) AS st_recall
FROM subtopics(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
