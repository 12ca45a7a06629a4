-- A number that orders documents of the same score, lowest first; NULL leaves the order to their ids.
-- ties: as for judged; 'descending', 'ascending', 'input', 'rank', 'best' or 'worst'
-- listed_rank: rank given in the run
-- input_place: row of the input that holds the document
-- relevance: the judgment; NULL if unjudged
-- doc_id: the document, for the message
CREATE OR REPLACE MACRO tie_order(ties, listed_rank, input_place, relevance, doc_id) AS
    CASE
        WHEN ties IN ('descending', 'ascending') THEN CAST(NULL AS DOUBLE)
        WHEN ties = 'input' THEN input_place
        WHEN ties = 'rank' THEN coalesce(
            listed_rank, error(concat('ties := ''rank'' needs a rank for every document; ', doc_id, ' has none'))
        )
        WHEN ties = 'best' THEN -relevance
        WHEN ties = 'worst' THEN coalesce(relevance, -17e307)
        ELSE error(concat(
            'ties must be ''descending'', ''ascending'', ''input'', ''rank'', ''best'' or ''worst'', not ''', ties, ''''
        ))
    END;
