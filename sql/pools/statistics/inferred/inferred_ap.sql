-- AP estimated from judgments of documents drawn at random, with a different probability in each stratum (xinfAP).
-- relation: stratified
-- formula: Σ over judged relevant documents: weight · (1 + found above) / rank / Σ over them: weight
-- range: 0 to 1
-- source: Yilmaz, Kanoulas and Aslam 2008, doi:10.1145/1390334.1390437
CREATE OR REPLACE MACRO inferred_ap(r) AS
    ratio(
        exact_sum(CASE WHEN r.relevance > 0 THEN r.weight * (1e0 + r.found_above) / r.rank END),
        exact_sum(CASE WHEN r.relevance > 0 THEN r.weight END)
    );
