-- Pages with gaps in their positions, as if only some of the documents shown were logged; shares are of those logged.
-- severity: warning
-- log: as for clicked
-- returns last_position: the lowest position
-- returns num_shown: how many documents there are
CREATE OR REPLACE MACRO skipped_positions(log) AS TABLE
SELECT
    CAST(_s.page_id AS VARCHAR) AS page_id,
    max(_s.position) AS last_position,
    count(_s.doc_id) AS num_shown,
    concat(
        'page ', _s.page_id, ' has positions up to ', max(_s.position), ', but ', count(_s.doc_id), ' documents'
    ) AS problem
FROM shown(log) AS _s
GROUP BY _s.page_id
HAVING max(_s.position) > count(_s.doc_id);
