-- The p-value of signed ranks by the normal distribution, whose variance takes ties into account.
-- ranks: signed ranks
-- alternative: 'two-sided', 'greater' or 'less'
CREATE OR REPLACE MACRO wilcoxon_normal(ranks, alternative) AS
    one_sided(
        normal_p(list_sum(ranks) / sqrt(list_sum(list_transform(ranks, lambda r: r * r)))),
        list_sum(ranks),
        alternative
    );
