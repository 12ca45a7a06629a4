-- An end of the confidence interval of a relative difference of two means (Fieller's), without lists.
-- first, second, u, v, margin, side: as for the other file of this name
CREATE OR REPLACE MACRO relative_end(first, second, u, v, margin, side) AS
    let( -- noqa: PRS
        (second - first) / nullif(first, 0), margin / nullif(abs(first), 0), u / nullif(u + v, 0),
        lambda gap, width, part: let(
            1e0 - part * width * width, gap + part * width * width, (gap - width) * (gap + width),
            lambda a, b, c: let(
                b + CASE WHEN b < 0 THEN -1e0 ELSE 1e0 END
                * sqrt(CASE WHEN b * b > a * c THEN b * b - a * c ELSE 0e0 END),
                lambda q: CASE
                    WHEN a IS NULL THEN NULL
                    WHEN a > 0 AND side < 0 THEN CASE WHEN q / a < c / nullif(q, 0) THEN q / a ELSE c / nullif(q, 0) END
                    WHEN a > 0 THEN CASE WHEN q / a > c / nullif(q, 0) THEN q / a ELSE c / nullif(q, 0) END
                    WHEN (c <= 0 OR gap <= 0) AND side < 0 THEN -infinity()
                    WHEN (c <= 0 OR gap > 0) AND side > 0 THEN infinity()
                    WHEN side < 0 THEN CASE WHEN q / nullif(a, 0) > c / nullif(q, 0) THEN q / a ELSE c / nullif(q, 0) END
                    ELSE CASE WHEN q / nullif(a, 0) < c / nullif(q, 0) THEN q / a ELSE c / nullif(q, 0) END
                END
            )
        )
    );
