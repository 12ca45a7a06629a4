-- The gain that a relevance is mapped to; a relevance that is not in the map stays as it is.
-- relevance: the judgment
-- gains: MAP {relevance: gain, …}, or NULL for none
CREATE OR REPLACE MACRO mapped_gain(relevance, gains) AS
    coalesce(CAST(gains AS MAP (DOUBLE, DOUBLE))[relevance], relevance);
