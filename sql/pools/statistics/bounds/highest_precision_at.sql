-- The highest P@k: unjudged documents are relevant.
-- relation: bounded
-- k: 1 or more; cut-off rank
-- formula: (relevant@k + unjudged@k) / k
-- range: 0 to 1
CREATE OR REPLACE MACRO highest_precision_at(b, k BIGINT := 10) AS
    1e0 * count(CASE WHEN b.rank <= k AND coalesce(b.relevant, b.top_relevant) = 1 THEN 1 END) / k;
