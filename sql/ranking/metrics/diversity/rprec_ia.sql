-- The precision at a multiple of the number of documents relevant to a subtopic, averaged over subtopics.
-- name: Rprec_IA, Rprec_IA@multiple
-- formula: 1/S · Σ over subtopics: relevant@c / c, c = ⌊multiple · R + 0.9⌋, R relevant to the subtopic
-- relation: subtopics(rel)
-- multiple: above 0; cut-off rank as a multiple of R
-- subtopics: 'relevant' or 'judged'; which subtopics to average over: those with a relevant document, or all, where
--     those without add 0
-- range: 0 to 1
-- no relevant: 0
-- differs: with judged_only, trec_eval skips documents that are not judged for the same subtopic; here, those not
--     judged for any
-- source: trec_eval
CREATE OR REPLACE MACRO rprec_ia(j, multiple DOUBLE := 1, subtopics VARCHAR := 'relevant') AS
    ratio(
        exact_sum(
            CASE
                WHEN j.rank <= rprec_cutoff(j.num_rel, multiple) THEN j.relevant / rprec_cutoff(j.num_rel, multiple)
            END
        ),
        once_per_subtopic(j, 1, subtopics := subtopics)
    );
