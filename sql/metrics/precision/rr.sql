-- One over the rank of the first relevant document.
-- name: RR, RR@k
-- aliases: MRR
-- formula: 1 / rank of the first relevant document
-- trec_eval: recip_rank
-- ir_measures: RR; RR@{k}
-- ranx: mrr; mrr@{k}
-- beir: MRR@{k}
-- nicknames: official, all_trec
-- torchmetrics: RetrievalMRR(); RetrievalMRR(top_k={k})
-- cwl_eval: RRCWLMetric() with k=1000
-- pyNTCIREVAL: RR()
-- lenskit: RecipRank(); RecipRank(n={k})
-- rectools: MRR(k={k})
-- relation: judged
-- k: whole number, 1 or more, or NULL; cut-off rank, NULL takes the whole ranking
-- range: 0 to 1
-- empty: 0
-- source: Kantor and Voorhees 2000, doi:10.1023/A:1009902609570
CREATE OR REPLACE MACRO rr(j, k := NULL) AS
    coalesce(
        1e0 / min(CASE WHEN j.rank <= coalesce(k, j.rank) AND j.relevant = 1 THEN j.rank END),
        0e0
    );
CREATE OR REPLACE MACRO rr(qrels, run, k := NULL, rel := 1) AS TABLE
SELECT j.run_id, j.query_id, rr(j, k := k) AS rr
FROM judged(qrels, run, rel := rel) AS j
GROUP BY j.run_id, j.query_id;
