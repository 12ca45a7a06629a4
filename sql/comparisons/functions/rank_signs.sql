-- The mean rank of each size among the sizes, with its sign.
-- sizes: list of {size, sign}, sorted
-- tolerance: treat neighbouring sizes that differ by at most this as equal
CREATE OR REPLACE MACRO rank_signs(sizes, tolerance) AS
    let(
        sizes,
        lambda each: list_transform(
            list_zip(each, flatten(list_transform(
                rank_spans(list_transform(each, lambda one: one.size), tolerance),
                lambda span: list_resize(CAST([] AS DOUBLE[]), span[2] - span[1] + 1, (span[1] + span[2]) / 2e0)
            ))),
            lambda pair: pair[1].sign * pair[2]
        )
    );
