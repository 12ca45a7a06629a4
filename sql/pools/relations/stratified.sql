-- Pooled documents, some of them drawn at random and judged, next to every run, with what these say about the others.
-- qrels: table or file with the columns query_id, doc_id, stratum, relevance; one below 0 is pooled but not judged
-- run: as for judged; retrieved documents
-- depth: 1 or more; number of documents to keep per query
-- refuses: unknown_strata, unusable_judgments, repeated_judgments, unusable_documents, repeated_documents
-- judgments: sampled
-- groups: run_id, query_id
-- once: doc_id
-- returns run_id, query_id, doc_id: one row each, for each pooled document
-- returns relevance: the judgment
-- returns rank: of the document by the run; NULL if not retrieved
-- returns weight: pooled documents that a judged one of its stratum stands for
-- returns retrieved_weight: the same among the documents that the run retrieved
-- returns found_above, found: estimated number of relevant documents above this rank, and down to it
-- returns found_more: how many more these are than down to the pooled document before
-- returns ideal_dcg: estimated DCG of the best ranking
-- source: Yilmaz, Kanoulas and Aslam 2008, doi:10.1145/1390334.1390437
CREATE OR REPLACE MACRO stratified(qrels, run, depth BIGINT := 1000) AS TABLE
WITH _pool AS (
    SELECT
        _q.query_id,
        _q.doc_id,
        _q.stratum,
        _q.relevance,
        CASE WHEN _q.relevance >= 0 THEN 1 ELSE 0 END AS judged,
        CASE WHEN _q.relevance > 0 THEN 1 ELSE 0 END AS relevant
    FROM stratified_judgments(qrels) AS _q
), _strata AS (
    SELECT
        _p.query_id,
        _p.stratum,
        1e0 * count(*) / nullif(sum(_p.judged), 0) AS weight
    FROM _pool AS _p
    GROUP BY _p.query_id, _p.stratum
), _ideals AS (
    SELECT
        _g.query_id,
        exact_sum(_g.relevance * ln(2e0) / ln(1e0 + _d.rank)) AS ideal_dcg
    FROM (
        SELECT
            _n.*,
            CAST(coalesce(sum(_n.number) OVER (
                PARTITION BY _n.query_id
                ORDER BY _n.relevance DESC
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ), 0) AS BIGINT) AS above
        FROM (
            SELECT
                _p.query_id,
                _p.relevance,
                -- a half is rounded up, also if the weights, which are rounded, add up to a little less
                CAST(floor(exact_sum(_s.weight) + 5e-1 + 1e-9) AS BIGINT) AS number
            FROM _pool AS _p
            INNER JOIN _strata AS _s ON _p.query_id = _s.query_id AND _p.stratum = _s.stratum
            WHERE _p.relevance > 0
            GROUP BY _p.query_id, _p.relevance
        ) AS _n
    ) AS _g
    INNER JOIN range(1, depth + 1) AS _d (rank) ON _g.above < _d.rank AND _g.above + _g.number >= _d.rank
    GROUP BY _g.query_id
), _retrieved AS (
    SELECT
        _f.run_id,
        _p.*,
        _f.rank,
        sum(_p.judged) OVER (PARTITION BY _f.run_id, _p.query_id, _p.stratum) AS num_judged,
        count(*) OVER (PARTITION BY _f.run_id, _p.query_id, _p.stratum) AS num_pooled
    FROM _pool AS _p
    INNER JOIN first_documents(qrels, run, depth, 'descending') AS _f
        ON _p.query_id = _f.query_id AND _p.doc_id = _f.doc_id
), _counted AS (
    -- each document with each stratum: how many of that one are as high or higher
    SELECT
        _r.run_id,
        _r.query_id,
        _r.doc_id,
        CASE WHEN _r.stratum = _s.stratum THEN 1 ELSE 0 END AS own_pooled,
        CASE WHEN _r.stratum = _s.stratum THEN _r.judged ELSE 0 END AS own_judged,
        CASE WHEN _r.stratum = _s.stratum THEN _r.relevant ELSE 0 END AS own_relevant,
        sum(CASE WHEN _r.stratum = _s.stratum THEN 1 ELSE 0 END) OVER _down AS pooled,
        sum(CASE WHEN _r.stratum = _s.stratum THEN _r.judged ELSE 0 END) OVER _down AS judged,
        sum(CASE WHEN _r.stratum = _s.stratum THEN _r.relevant ELSE 0 END) OVER _down AS relevant
    FROM _retrieved AS _r
    INNER JOIN _strata AS _s ON _r.query_id = _s.query_id
    WINDOW _down AS (
        PARTITION BY _r.run_id, _r.query_id, _s.stratum ORDER BY _r.rank ASC ROWS UNBOUNDED PRECEDING
    )
), _found AS (
    SELECT
        _c.run_id,
        _c.query_id,
        _c.doc_id,
        exact_sum(_c.pooled * inferred_share(_c.relevant, _c.judged)) AS found,
        exact_sum(
            (_c.pooled - _c.own_pooled)
            * inferred_share(_c.relevant - _c.own_relevant, _c.judged - _c.own_judged)
        ) AS found_above
    FROM _counted AS _c
    GROUP BY _c.run_id, _c.query_id, _c.doc_id
)
SELECT
    _u.run_id,
    _p.query_id,
    _p.doc_id,
    _p.relevance,
    _r.rank,
    _s.weight,
    1e0 * _r.num_pooled / nullif(_r.num_judged, 0) AS retrieved_weight,
    _f.found_above,
    _f.found,
    _f.found - coalesce(lag(_f.found) OVER (
        PARTITION BY _u.run_id, _p.query_id ORDER BY _r.rank ASC NULLS LAST
    ), 0e0) AS found_more,
    coalesce(_i.ideal_dcg, 0e0) AS ideal_dcg
FROM _pool AS _p
CROSS JOIN (SELECT DISTINCT _d.run_id FROM retrieved(run) AS _d) AS _u
INNER JOIN _strata AS _s ON _p.query_id = _s.query_id AND _p.stratum = _s.stratum
LEFT JOIN _ideals AS _i ON _p.query_id = _i.query_id
LEFT JOIN _retrieved AS _r
    ON _u.run_id = _r.run_id AND _p.query_id = _r.query_id AND _p.doc_id = _r.doc_id
LEFT JOIN _found AS _f
    ON _u.run_id = _f.run_id AND _p.query_id = _f.query_id AND _p.doc_id = _f.doc_id;
