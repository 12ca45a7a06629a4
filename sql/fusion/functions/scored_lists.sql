-- The rows of rankings, with what normalizations of their scores are computed from.
-- run: retrieved documents, as for candidates
-- depth: as for judged; number of documents to keep per query
-- returns lowest, highest: score of the list
-- returns height: 0 for the lowest score, 1 for the highest; 0 if all are equal
-- returns mean: of the heights
-- returns squares: sum of (height - mean)^2
CREATE OR REPLACE MACRO scored_lists(run, depth) AS TABLE
SELECT
    _m.*,
    from_fixed(sum(to_fixed(power(_m.height - _m.mean, 2))) OVER (PARTITION BY _m.run_id, _m.query_id)) AS squares
FROM (
    SELECT
        _h.*,
        from_fixed(sum(to_fixed(_h.height)) OVER (PARTITION BY _h.run_id, _h.query_id)) / _h.num_ret AS mean
    FROM (
        SELECT
            _s.*,
            ratio(_s.score - _s.lowest, _s.highest - _s.lowest) AS height
        FROM (
            SELECT
                _r.*,
                min(_r.score) OVER (PARTITION BY _r.run_id, _r.query_id) AS lowest,
                max(_r.score) OVER (PARTITION BY _r.run_id, _r.query_id) AS highest
            FROM rankings(run, depth := depth) AS _r
        ) AS _s
    ) AS _h
) AS _m;
