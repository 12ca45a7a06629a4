-- The popular items and the others: how many relevant ones users have, and how many of these are recommended.
-- rankings: rows of rankings
-- popularity: rows of popularity
-- history: as for popularity; what users had before. Items that a user had do not count
-- qrels: as for judged; judgments
-- k: 1 or more; cut-off rank, or NULL for all
-- rel: as for judged; lowest relevance that counts as relevant
-- head: between 0 and 1; popular are the items that come first, by users descending, until they have this share of the
--     history
-- refuses: unusable_history, unusable_judgments, repeated_judgments, judged_by_subtopic
-- groups: run_id
-- once: is_popular
-- returns run_id, is_popular: one row each; 1 for the popular items, 0 for the others in the history
-- returns num_rel: relevant items of the users with a list
-- returns hits: how many of them are among the first k
CREATE OR REPLACE MACRO popular_hits(
    rankings, popularity, history, qrels, k BIGINT := NULL, rel DOUBLE := 1, head DOUBLE := 0.8
) AS TABLE
SELECT
    _u.run_id,
    CASE WHEN _p.users_above < head * _p.num_interactions THEN 1 ELSE 0 END AS is_popular,
    count(*) AS num_rel,
    count(CASE WHEN within_k(_r.rank, k) THEN 1 END) AS hits
FROM (SELECT DISTINCT _l.run_id, _l.query_id FROM query_table(rankings) AS _l) AS _u
INNER JOIN judgments(qrels) AS _q ON _u.query_id = _q.query_id
INNER JOIN query_table(popularity) AS _p ON _q.doc_id = _p.doc_id
LEFT JOIN (SELECT DISTINCT _i.query_id, _i.doc_id FROM interactions(history) AS _i) AS _h
    ON _q.query_id = _h.query_id AND _q.doc_id = _h.doc_id
LEFT JOIN query_table(rankings) AS _r
    ON _u.run_id = _r.run_id AND _q.query_id = _r.query_id AND _q.doc_id = _r.doc_id
WHERE _q.relevance >= rel AND _h.doc_id IS NULL
GROUP BY _u.run_id, CASE WHEN _p.users_above < head * _p.num_interactions THEN 1 ELSE 0 END;
