-- Which of two interleaved rankings users prefer: a or b, from clicks on pages that mix their documents.
-- pages: table or file with a row for each document shown: page_id, clicked (0 or 1) and, for team draft, team: the
--     ranking that it was taken from, 'a' or 'b', NULL for a document of both; for balanced interleaving position,
--     rank_a and rank_b: its rank in each ranking, NULL if it is not there; user_id, if users are counted
-- method: 'team' or 'balanced'; how clicks are credited: as in team_credit or balanced_credit; by default, as
--     fits the columns
-- unit: 'page' or 'user'; whether a page counts once, or a user with all pages: pages of one user are not independent
-- alpha: between 0 and 1; level of significance
-- anytime: 2 or more, or NULL; for looks before the end: the planned number of units, fixed before the first look. The
--     interval and p then hold at every look, and are tightest there
-- returns method: how clicks were credited
-- returns units: number of pages or users
-- returns clicked: how many of them have a click that counts
-- returns wins, ties, losses: how many b wins, neither wins, and b loses
-- returns preference: share of units that b wins, ties as half, minus a half: above 0, users prefer b
-- returns low, high: interval of the preference, with confidence 1 - alpha: it excludes 0 exactly where the test
--     is significant
-- returns p: p-value of the sign test of wins and losses or, with anytime, of the confidence sequence
-- returns significant: whether p is below alpha
-- returns note: how many units are ties because they have no click that counts
-- source: Chapelle, Joachims, Radlinski and Yue 2012, doi:10.1145/2094072.2094078; for anytime
--     Waudby-Smith et al. 2024, arXiv:2103.06476, theorem 2.2
-- example: pages.csv
CREATE OR REPLACE MACRO interleaving(
    pages, method VARCHAR := NULL, unit VARCHAR := 'page', alpha DOUBLE := 5e-2, anytime BIGINT := NULL
) AS TABLE
WITH _drafted AS (
    SELECT _l.* FROM interleaved(pages) AS _l
    WHERE coalesce(method, _l.fitting) = 'team'
), _balanced AS (
    SELECT _l.* FROM interleaved(pages) AS _l
    WHERE coalesce(method, _l.fitting) = 'balanced'
), _credit AS (
    SELECT _t.*, 'team' AS method FROM team_credit(_drafted, unit := unit) AS _t
    UNION ALL
    SELECT _b.*, 'balanced' AS method FROM balanced_credit(_balanced, unit := unit) AS _b
), _found AS (
    SELECT
        max(p.method) AS method,
        count(*) AS units,
        count(CASE WHEN p.score + p.baseline_score > 0 THEN 1 END) AS clicked,
        wins(p) AS wins,
        ties(p) AS ties,
        losses(p) AS losses,
        preference(p) AS preference,
        preference_end(p, 1e0 - alpha, -1) AS low,
        preference_end(p, 1e0 - alpha, 1) AS high,
        sign_test(p) AS p,
        variance_of(p.outcome) / 4e0 / count(*) AS variance
    FROM _credit AS p
), _looked AS (
    SELECT
        _f.*,
        coalesce(_f.preference, 0e0) AS middle,
        CASE
            WHEN _f.variance > 0
                THEN anytime_margin(_f.variance, anytime_steps(_f.units, anytime, alpha), 1e0 - alpha)
            ELSE 1e0 -- too early to say how far outcomes vary
        END AS margin,
        CASE
            WHEN _f.variance > 0
                THEN anytime_p(_f.preference, _f.variance, anytime_steps(_f.units, anytime, alpha))
            ELSE 1e0
        END AS anytime_p
    FROM _found AS _f
), _decided AS (
    SELECT
        _l.* REPLACE (
            CASE WHEN anytime IS NULL THEN _l.low ELSE greatest(_l.middle - _l.margin, -5e-1) END AS low,
            CASE WHEN anytime IS NULL THEN _l.high ELSE least(_l.middle + _l.margin, 5e-1) END AS high,
            CASE WHEN anytime IS NULL THEN _l.p ELSE _l.anytime_p END AS p
        )
    FROM _looked AS _l
)
SELECT
    _f.method,
    _f.units,
    _f.clicked,
    _f.wins,
    _f.ties,
    _f.losses,
    _f.preference,
    _f.low,
    _f.high,
    _f.p,
    _f.p < alpha AS significant,
    CASE
        WHEN _f.clicked < _f.units
            THEN concat(
                _f.units - _f.clicked, ' of ', _f.units, ' ', unit, 's have no click that counts: they are ties'
            )
    END AS note
FROM _decided AS _f;
