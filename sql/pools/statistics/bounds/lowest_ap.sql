-- The lowest AP: of the unjudged documents, the last ones are relevant, as many as lower it most.
-- relation: bounded
-- formula: min over m: Σ of precisions / (R + m) with the m last unjudged documents relevant
-- range: 0 to 1
-- differs: AP@k takes the rows of a run cut at k: bounded(…, depth := k)
CREATE OR REPLACE MACRO lowest_ap(b) AS
    -- no relevant document at all is 0
    least(
        ratio(max(b.precisions), max(b.num_rel)),
        coalesce(min(
            CASE
                WHEN b.relevant IS NULL AND b.top_relevant = 1
                    THEN b.last_precisions / (b.num_rel + b.unjudged_below)
            END
        ), 1e0)
    );
