-- A number by which documents of the same score are put in order, lowest first; NULL leaves it to their ids.
-- ties: as for judged; 'descending', 'ascending', 'input', 'rank', 'best' or 'worst'
-- listed_rank: the rank that the run itself gives
-- input_place: which row of the input the document is
-- relevance: the judgment, NULL without one
-- doc_id: the document, to name it
CREATE OR REPLACE MACRO tie_order(ties, listed_rank, input_place, relevance, doc_id) AS
    CASE
        WHEN ties IN ('descending', 'ascending') THEN CAST(NULL AS DOUBLE)
        WHEN ties = 'input' THEN input_place
        WHEN ties = 'rank' THEN coalesce(
            listed_rank, error(concat('ties := ''rank'' needs a rank of every document, and ', doc_id, ' has none'))
        )
        WHEN ties = 'best' THEN -relevance
        WHEN ties = 'worst' THEN coalesce(relevance, -17e307)
        ELSE error(concat(
            'ties must be ''descending'', ''ascending'', ''input'', ''rank'', ''best'' or ''worst'', not ''', ties, ''''
        ))
    END;
