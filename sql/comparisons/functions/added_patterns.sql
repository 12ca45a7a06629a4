-- The sums of weights over all patterns of signs, of two blocks of weights at once.
-- patterns: rows with pair, block, total and chance: the probability that the weights of the block add up to the total
-- blocks: blocks 0, 1, … below this one each take up the one that is as many places behind, if there is one
-- returns pair, block, total, chance: one row each, of the blocks that are left
-- sqlite: SELECT _a.pair, _a.block, _a.total + coalesce(_b.total, 0) AS total,
--     sum(_a.chance * coalesce(_b.chance, 1e0)) AS chance FROM query_table(patterns) AS _a
--     LEFT JOIN query_table(patterns) AS _b ON _a.pair = _b.pair AND _a.block + blocks = _b.block
--     WHERE _a.block < blocks GROUP BY _a.pair, _a.block, _a.total + coalesce(_b.total, 0)
CREATE OR REPLACE MACRO added_patterns(patterns, blocks) AS TABLE
SELECT
    _a.pair,
    _a.block,
    _a.total + coalesce(_b.total, 0) AS total,
    sum(_a.chance * coalesce(_b.chance, 1e0)) AS chance
FROM query_table(patterns) AS _a
-- a full join, which PostgreSQL makes by hashes, however few rows it expects
FULL JOIN query_table(patterns) AS _b ON _a.pair = _b.pair AND _a.block + blocks = _b.block
WHERE coalesce(_a.block, blocks) < blocks
GROUP BY _a.pair, _a.block, _a.total + coalesce(_b.total, 0);
