-- The gain per document seen by users half of whom are left after each halflife: time-biased gain, per unit of time.
-- name: TBG, TBG@k
-- formula: Σ gain(i) · reach(i) / Σ reach(i), reach(i) = 2^(−(i − 1) / halflife), each document taking a time of 1
-- relation: cwl_stretches(min_rel, max_rel, unjudged, rel, gains)
-- halflife: above 0; time after which half of the users have stopped
-- k: 1 or more; number of ranks to see, as for cwl_stretches; nobody continues past them
-- measure: as for cwl_measure
-- aggregate: mean or pooled
-- range: 0 to 1
-- no relevant: 0
-- differs: Smucker and Clarke sum the gains without dividing, and take times from the lengths of documents; this is
--     cwl_eval's version without a cost file
-- source: Smucker and Clarke 2012, doi:10.1145/2348283.2348300
CREATE OR REPLACE MACRO tbg(j, halflife DOUBLE := 224, k BIGINT := 1000, measure VARCHAR := 'utility') AS
    position_user(j, measure, k, 'geometric', x := power(2e0, -1e0 / halflife));
