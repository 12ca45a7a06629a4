-- The documents that two judges have judged: a row for each, with both judgments.
-- first, second: tables or files of judgments: query_id, doc_id, relevance; one table of several judges
--     goes to rater_agreement, or is divided first (docs/judges.md)
-- refuses: unusable_judgments, repeated_judgments, unshared_judgments
-- once: document
-- returns query_id, doc_id: one row each
-- returns a, b: the relevance by the first and by the second judge; a document that one of them left unjudged, which a
--     relevance below 0 means, is left out
-- returns document: the two ids together; NULL in rows of resampled_queries
-- returns ratings: list of the two, as in rated
-- returns times: how often the row counts: once
-- returns scale: a power of two about as large as the highest of all these judgments
CREATE OR REPLACE MACRO agreed(first, second) AS TABLE
SELECT
    _a.query_id,
    _a.doc_id,
    [_a.query_id, _a.doc_id] AS document,
    _a.relevance AS a,
    _b.relevance AS b,
    [_a.relevance, _b.relevance] AS ratings,
    1 AS times,
    power_of_2(max(greatest(_a.relevance, _b.relevance)) OVER ()) AS scale
FROM judgments(first) AS _a
INNER JOIN judgments(second) AS _b ON _a.query_id = _b.query_id AND _a.doc_id = _b.doc_id
WHERE _a.relevance >= 0 AND _b.relevance >= 0;
