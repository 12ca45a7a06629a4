-- The confidence interval of the preference: a list of two numbers. It excludes 0 where the sign test is significant.
-- relation: paired
-- confidence: between 0 and 1; such intervals contain the true preference at least that often
-- formula: d · (q - 1 / 2), q an end of the exact interval of wins / (wins + losses), d of that of (wins + losses) / n,
--     the one that makes the interval wider
-- range: -0.5 to 0.5
-- source: Clopper and Pearson 1934, doi:10.1093/biomet/26.4.404
CREATE OR REPLACE MACRO preference_interval(p, confidence DOUBLE := 95e-2) AS
    let(
        list_transform(
            [
                { 'k': wins(p), 'n': wins(p) + losses(p) },
                { 'k': losses(p), 'n': wins(p) + losses(p) },
                { 'k': wins(p) + losses(p), 'n': count(*) },
                { 'k': count(*) - wins(p) - losses(p), 'n': count(*) }
            ],
            lambda part: lowest_share(part.k, part.n, (1e0 - confidence) / 2e0)
        ),
        lambda least: [
            (least[1] - 5e-1) * CASE WHEN least[1] < 5e-1 THEN 1e0 - least[4] ELSE least[3] END,
            (5e-1 - least[2]) * CASE WHEN least[2] < 5e-1 THEN 1e0 - least[4] ELSE least[3] END
        ]
    );
