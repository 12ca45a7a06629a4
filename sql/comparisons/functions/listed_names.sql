-- Names in one text, in an order.
-- name: the name
-- place: of it
-- holds: whether it counts
-- no_lists: min(CASE WHEN holds THEN name END)
CREATE OR REPLACE MACRO listed_names(name, place, holds) AS string_agg(name, ', ' ORDER BY place ASC) FILTER (holds);
