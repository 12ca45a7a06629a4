-- Judgments that all count as relevant, though their grades differ; in ratings, the lowest usually mean not relevant.
--     Name the lowest grade that is relevant.
-- severity: warning
-- noted: it may turn a result around
-- qrels: as for judged; judgments
-- rel: lowest relevance that counts as relevant
CREATE OR REPLACE MACRO all_relevant(qrels, rel := 1) AS TABLE
SELECT
    min(_q.relevance) AS lowest,
    max(_q.relevance) AS highest,
    concat(
        'grades count as relevant, ', in_digits(min(_q.relevance)), ' like ', in_digits(max(_q.relevance)),
        '; name the lowest that is good, such as rel=', in_digits(max(_q.relevance) - 1)
    ) AS problem
FROM judgments(qrels) AS _q
HAVING min(_q.relevance) >= rel AND count(DISTINCT _q.relevance) > 2;
