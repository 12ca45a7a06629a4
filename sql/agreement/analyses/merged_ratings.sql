-- One judgment for each document from those of several judges.
-- ratings: as for rated
-- how: 'median', 'majority', 'mean', 'minimum' or 'maximum'; how ratings are combined; the median of an even number of
--     judges is the mean of the middle two; of tied majorities, the lowest grade counts
-- judges: 1 or more; keep only documents that at least this many judges have rated
-- refuses: unusable_ratings, repeated_ratings
-- returns query_id, doc_id: one row each
-- returns relevance: of all ratings of the document; those below 0 mean not judged, and are left out
-- returns num_judges: how many judges have rated it
-- returns lowest, highest: the ends of their ratings
-- example: ratings.csv -o qrels.csv
CREATE OR REPLACE MACRO merged_ratings(ratings, how VARCHAR := 'median', judges BIGINT := 1) AS TABLE
SELECT
    _v.query_id,
    _v.doc_id,
    CASE how
        WHEN 'median' THEN avg(CASE WHEN 2 * _v.place BETWEEN _v.num_judges AND _v.num_judges + 2 THEN _v.relevance END)
        WHEN 'majority' THEN min(CASE WHEN _v.votes = _v.most_votes THEN _v.relevance END)
        WHEN 'mean' THEN avg(_v.relevance)
        WHEN 'minimum' THEN min(_v.relevance)
        WHEN 'maximum' THEN max(_v.relevance)
    END AS relevance,
    _v.num_judges,
    min(_v.relevance) AS lowest,
    max(_v.relevance) AS highest
FROM (
    SELECT
        _c.*,
        max(_c.votes) OVER (PARTITION BY _c.query_id, _c.doc_id) AS most_votes
    FROM (
        SELECT
            _r.query_id,
            _r.doc_id,
            _r.relevance,
            row_number() OVER (PARTITION BY _r.query_id, _r.doc_id ORDER BY _r.relevance ASC) AS place,
            count(*) OVER (PARTITION BY _r.query_id, _r.doc_id) AS num_judges,
            count(*) OVER (PARTITION BY _r.query_id, _r.doc_id, _r.relevance) AS votes
        FROM read_ratings(ratings) AS _r
        WHERE _r.relevance >= 0
    ) AS _c
) AS _v
WHERE _v.num_judges >= judges
GROUP BY _v.query_id, _v.doc_id, _v.num_judges
ORDER BY _v.query_id ASC, _v.doc_id ASC;
