-- Every recommended item of every list, with how popular it is and whether it is relevant.
-- recommended: rows of recommended
-- qrels: as for judged; judgments. Items without one are not relevant
-- rel: as for judged; lowest relevance that counts as relevant
-- refuses: unusable_judgments, repeated_judgments, judged_by_subtopic
-- returns run_id, query_id, doc_id: one row each; with the other columns of recommended
-- returns relevant: 1 or 0
-- returns num_rel: items that are relevant to the user, recommended or not
CREATE OR REPLACE MACRO recommended_and_judged(recommended, qrels, rel DOUBLE := 1) AS TABLE
SELECT
    _r.run_id,
    _r.query_id,
    _r.doc_id,
    _r.rank,
    _r.num_ret,
    _r.users,
    _r.popularity_rank,
    _r.num_users,
    CASE WHEN _q.relevance >= rel THEN 1 ELSE 0 END AS relevant,
    coalesce(_n.num_rel, 0) AS num_rel
FROM query_table(recommended) AS _r
LEFT JOIN judgments(qrels) AS _q ON _r.query_id = _q.query_id AND _r.doc_id = _q.doc_id
LEFT JOIN (
    SELECT
        _j.query_id,
        count(*) AS num_rel
    FROM judgments(qrels) AS _j
    WHERE _j.relevance >= rel
    GROUP BY _j.query_id
) AS _n ON _r.query_id = _n.query_id;
