-- 1 divided by the rank of the first relevant document.
-- name: RR, RR@k
-- aliases: MRR; ARHR; ReciprocalRank; MeanReciprocalRank
-- formula: 1 / rank of the first relevant document
-- relation: judged(rel)
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- range: 0 to 1
-- no relevant: 0
-- differs: RRE's is 1 / rank of the document with the highest grade found, not of the first relevant one
-- source: Kantor and Voorhees 2000, doi:10.1023/A:1009902609570
-- most used: 2
CREATE OR REPLACE MACRO rr(j, k BIGINT := NULL) AS
    coalesce(1e0 / min(CASE WHEN within_k(j.rank, k) AND j.relevant = 1 THEN j.rank END), 0e0);
