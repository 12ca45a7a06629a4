-- AP estimated from a sample of judgments: unjudged pooled documents are assumed to be relevant as often as judged
--     ones.
-- name: infAP
-- aliases: InfAP
-- formula: 1/R · Σ over relevant retrieved: 1/rank + pooled above / rank · (relevant above + ε) / (judged above + 2ε)
-- relation: sampled(rel)
-- range: 0 to 1
-- no relevant: 0
-- source: Yilmaz and Aslam 2006, doi:10.1145/1183614.1183633; a relevance below 0 marks a document that was pooled but
--     not judged
CREATE OR REPLACE MACRO inf_ap(j) AS
    -- hits - 1 relevant documents are above a relevant one
    ratio(
        exact_sum(
            CASE
                WHEN j.relevant = 1
                    THEN
                        1e0 / j.rank
                        + 1e0 * (j.hits - 1 + j.false_positives + j.skips) / j.rank
                        * (j.hits - 1 + 1e-5) / (j.hits - 1 + j.false_positives + 2e-5)
            END
        ),
        sum(j.relevant)
    );
