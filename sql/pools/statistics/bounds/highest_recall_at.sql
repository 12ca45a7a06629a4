-- The highest R@k: unjudged documents among the first k are relevant.
-- relation: bounded
-- k: 1 or more; cut-off rank
-- formula: (relevant@k + unjudged@k) / (R + unjudged@k)
-- range: 0 to 1
-- differs: R can only count relevant documents that are known or retrieved; others lower recall
CREATE OR REPLACE MACRO highest_recall_at(b, k BIGINT := 10) AS
    ratio(
        count(CASE WHEN b.rank <= k AND coalesce(b.relevant, b.top_relevant) = 1 THEN 1 END),
        max(b.num_rel) + coalesce(sum(CASE WHEN b.rank <= k AND b.relevant IS NULL THEN b.top_relevant END), 0)
    );
