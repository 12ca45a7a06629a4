-- The exposure per item of the group that is shown least, divided by that of the group that is shown most.
-- name: ExposureRatio, ExposureRatio@k
-- formula: min / max over groups: Σ over lists and the first k items of the group: 1 / log2(rank + 1), / items of the
--     group in the catalogue
-- relation: exposed_groups(k, discount)
-- range: 0 to 1
-- source: Singh and Joachims 2018, doi:10.1145/3219819.3220088; FairRankTune EXP with MinMaxRatio
CREATE OR REPLACE MACRO exposure_ratio(j) AS min(j.exposure / j.num_items) / nullif(max(j.exposure / j.num_items), 0);
