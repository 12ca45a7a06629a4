-- The highest ERR@k: unjudged documents have the highest grade.
-- relation: bounded
-- k: 1 or more; cut-off rank, or NULL for the whole ranking
-- max_rel: above 0; highest grade of the scale, as for cascade
-- formula: ERR; a better grade never lowers it: it adds more at its own rank than it takes from those below
-- range: 0 to 1
CREATE OR REPLACE MACRO highest_err(b, k BIGINT := NULL, max_rel DOUBLE := 4) AS
    coalesce(
        list_reduce( -- noqa: LT01
            list_append(
                list(
                    {
                        'rank': b.rank,
                        'stop': graded_gain(
                            within_scale(CASE WHEN b.relevant IS NULL THEN b.top_grade ELSE b.grade END, max_rel),
                            'exponential'
                        ) / power(2e0, max_rel),
                        'total': 0e0
                    }
                    ORDER BY b.rank DESC
                ) FILTER (within_k(b.rank, k)),
                struct_pack(rank := 1, stop := 0e0, total := 0e0)
            ), -- noqa: PRS
            lambda below, document: {
                'rank': document.rank,
                'stop': document.stop,
                'total': below.stop / below.rank + (1e0 - below.stop) * below.total
            }
        ).total,
        0e0
    );
