-- The DCG of the ideal ranking, if m unjudged documents reach each level.
-- levels: as gain_levels returns them
-- numbers: list of the m of each level
-- sums: discount_sums of the ranks 1 to k
CREATE OR REPLACE MACRO level_dcg(levels, numbers, sums) AS
    list_sum(list_transform(
        range(1, len(levels) + 1),
        lambda place: levels[place].height
        * sums[1 + least(levels[place].judged + numbers[place], len(sums) - 1)]
    ));
