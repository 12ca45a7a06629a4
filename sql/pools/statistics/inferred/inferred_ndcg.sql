-- nDCG estimated from judgments of documents drawn at random, with a different probability in each stratum.
-- relation: stratified
-- formula: Σ over judged relevant documents: retrieved weight · relevance / log2(rank + 1) / estimated ideal DCG
-- range: 0 to ∞
-- differs: sample_eval.pl adds a document of each further grade to an ideal ranking that is full
-- source: Yilmaz, Kanoulas and Aslam 2008, doi:10.1145/1390334.1390437
CREATE OR REPLACE MACRO inferred_ndcg(r) AS
    ratio(
        exact_sum(
            CASE WHEN r.relevance > 0 THEN r.retrieved_weight * r.relevance * ln(2e0) / ln(1e0 + r.rank) END
        ),
        max(r.ideal_dcg)
    );
