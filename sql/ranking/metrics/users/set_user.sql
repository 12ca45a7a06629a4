-- The gain per document seen by a user for whom the first i documents are worth i^beta: the economic model of search.
-- name: SET, SET@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i) over the first k, reach(i) = ((i + 1)^beta − i^beta) / (2^beta − 1)
-- relation: cwl_stretches(min_rel, max_rel, unjudged, rel, gains)
-- beta: above 0; exponent of the worth: the lower, the less further documents add; 1 gives P@k
-- k: 1 or more; number of ranks to see, as for cwl_stretches
-- measure: as for cwl_measure
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- source: Azzopardi 2014, doi:10.1145/2600428.2609574, and the tool cwl_eval
CREATE OR REPLACE MACRO set_user(j, beta DOUBLE := 5e-1, k BIGINT := 1000, measure VARCHAR := 'utility') AS
    position_user(j, measure, k, 'power', x := beta);
