-- The precision at a multiple of the number of documents relevant to a subtopic, averaged over the subtopics.
-- name: Rprec_IA, Rprec_IA@multiple
-- formula: 1/S · Σ over subtopics: relevant@c / c, c = ⌊multiple · R + 0.9⌋, R relevant to the subtopic
-- nicknames: qrels_jg
-- trec_eval: Rprec_mult_avgjg_{multiple} by 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0 with subtopics='judged'
-- relation: subtopics
-- multiple: number above 0; how many times R documents are looked at
-- subtopics: 'relevant' or 'judged'; which subtopics it is averaged over: those with something relevant, or all, where those without add 0
-- range: 0 to 1
-- empty: 0
-- differs: with judged_only, trec_eval passes over what is not judged for the same subtopic, not for any
-- source: trec_eval
CREATE OR REPLACE MACRO rprec_ia(j, multiple := 1, subtopics := 'relevant') AS
    coalesce(
        1e0 * sum(
            CASE
                WHEN j.relevant = 1 AND j.rank <= floor(1e0 * multiple * j.num_rel + 9e-1)
                    THEN 1e0 / floor(1e0 * multiple * j.num_rel + 9e-1)
            END
        )
        / nullif(sum(counted_subtopic(subtopics, j.ideal_rank, j.relevant)), 0),
        0e0
    );
CREATE OR REPLACE MACRO rprec_ia(qrels, run, multiple := 1, subtopics := 'relevant', rel := 1) AS TABLE
SELECT j.run_id, j.query_id, rprec_ia(j, multiple := multiple, subtopics := subtopics) AS rprec_ia
FROM subtopics(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
