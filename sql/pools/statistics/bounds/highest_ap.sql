-- The highest AP: of the unjudged documents, the first ones are relevant, as many as raise it most.
-- relation: bounded
-- formula: max over m: Σ of precisions / (R + m) with the m first unjudged documents relevant
-- range: 0 to 1
-- differs: AP@k takes the rows of a run cut at k: bounded(…, depth := k)
CREATE OR REPLACE MACRO highest_ap(b) AS
    greatest(
        ratio(max(b.precisions), max(b.num_rel)),
        coalesce(max(
            CASE
                WHEN b.relevant IS NULL AND b.top_relevant = 1
                    THEN b.first_precisions / (b.num_rel + b.unjudged_above)
            END
        ), 0e0)
    );
