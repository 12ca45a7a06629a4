-- The gains that documents of a query have or can get, from the highest: by how much each is above the next one, and
--     how many judged documents gain as much. A sum of gains is that of the levels: each document counts in all those
--     up to its gain.
-- gains: list of the gains above 0 of judged documents
-- top: highest gain that an unjudged document can get
CREATE OR REPLACE MACRO gain_levels(gains, top) AS
    let(
        list_reverse_sort(list_distinct(list_filter(list_append(gains, top), lambda gain: gain > 0))),
        lambda levels: list_transform(
            range(1, len(levels) + 1),
            lambda place: {
                'height': levels[place] - coalesce(levels[place + 1], 0e0),
                'judged': len(list_filter(gains, lambda gain: gain >= levels[place])),
                'is_open': levels[place] <= top
            }
        )
    );
