-- The precision at the rank of each relevant document, averaged over all relevant documents; one that is not found adds
--     0.
-- name: AP, AP@k
-- formula: Σ over relevant documents in the first k: P@rank / R
-- aliases: MAP; AveragePrecision; GMAP with aggregate='geometric'; MeanAveragePrecision; ContextPrecision with
--     denominator='found'
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- denominator: 'relevant', 'achievable', 'cutoff', 'listed' or 'found'; what to divide the sum by: all R relevant
--     documents; min(R, k); k; min(R, k, documents retrieved); the relevant documents among the first k. Without k, the
--     number retrieved is used
-- range: 0 to 1
-- no relevant: 0
-- aggregate: mean or pooled
-- differs: elliot's MAP is the mean of P@1 to P@k, whether or not the documents there are relevant
-- source: Harman 1992, Evaluation Issues in Information Retrieval, Information Processing and Management 28(4)
-- most used: 3
CREATE OR REPLACE MACRO ap(j, k BIGINT := NULL, denominator VARCHAR := 'relevant') AS
    ratio(
        exact_sum(CASE WHEN within_k(j.rank, k) THEN j.relevant * precision_at_rank(j) END),
        CASE
            WHEN denominator = 'found' THEN tp(j, k)
            ELSE once_per_query(j, divisor(denominator, k, j.num_rel, j.num_ret))
        END
    );
