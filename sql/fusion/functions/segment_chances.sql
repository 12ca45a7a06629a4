-- How likely documents of each segment of a run's lists are to be relevant, learned from judged queries.
-- qrels: as for judged; judgments
-- training: retrieved documents of other queries by the same runs
-- rel: lowest relevance that counts as relevant
-- segments, number: as for segment_of
-- depth: as for judged; number of documents to keep per query
-- returns run_id, segment: one row each
-- returns share: mean over the queries, of the relevant documents in it / the documents in it; over those of the
--     queries whose list has it, if segments are 'ranks'; 0 where a list does not have it, if they are 'equal'; of the
--     size of the segment, if they are 'doubling' or 'growing'
CREATE OR REPLACE MACRO segment_chances(qrels, training, rel, segments, number, depth) AS TABLE
SELECT
    _p.run_id,
    _p.segment,
    sorted_sum(_p.hits / coalesce(segment_size(segments, _p.segment), _p.num_docs))
    / CASE WHEN segments = 'ranks' THEN count(*) ELSE max(_n.num_queries) END AS share
FROM (
    SELECT
        _s.run_id,
        _s.query_id,
        _s.segment,
        1e0 * sum(_s.relevant) AS hits,
        count(*) AS num_docs
    FROM (
        SELECT
            _r.run_id,
            _r.query_id,
            segment_of(segments, _r.rank, _r.num_ret, number) AS segment,
            CASE WHEN _q.relevance >= rel THEN 1 ELSE 0 END AS relevant
        FROM rankings(training, depth := depth) AS _r
        INNER JOIN (SELECT DISTINCT _j.query_id FROM judgments(qrels) AS _j) AS _t ON _r.query_id = _t.query_id
        LEFT JOIN judgments(qrels) AS _q ON _r.query_id = _q.query_id AND _r.doc_id = _q.doc_id
    ) AS _s
    GROUP BY _s.run_id, _s.query_id, _s.segment
) AS _p
CROSS JOIN (SELECT count(DISTINCT _j.query_id) AS num_queries FROM judgments(qrels) AS _j) AS _n
GROUP BY _p.run_id, _p.segment;
