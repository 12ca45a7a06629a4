-- The first and the last rank of each number in a sorted list, once for those that are equal.
-- numbers: sorted list
-- tolerance: treat neighbouring numbers that differ by at most this as equal
CREATE OR REPLACE MACRO rank_spans(numbers, tolerance) AS
    let(
        list_transform(
            list_filter(
                list_zip(range(1, len(numbers) + 1), numbers, list_concat([NULL], numbers), TRUE),
                lambda three: three[3] IS NULL OR three[2] - three[3] > tolerance
            ),
            lambda three: three[1]
        ),
        lambda starts: list_zip(
            starts, list_append(list_transform(starts[2:], lambda start: start - 1), len(numbers))
        )
    );
