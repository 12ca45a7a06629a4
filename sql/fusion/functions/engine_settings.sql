-- How engines are set to fuse: a row for each engine, method and normalization that it can be set to.
-- returns engine, method, normalization: one row each, as fuse names the last two
-- returns run: JSON of each run, with $run and $weight
-- returns setting: JSON with $runs, $k and $depth
CREATE OR REPLACE MACRO engine_settings() AS TABLE
SELECT
    _s.engine,
    _s.method,
    _s.normalization,
    replace(_t.run, '$normalizer', _s.normalizer) AS run,
    replace(replace(_t.setting, '$combination', _s.combination), '$normalizer', _s.normalizer) AS setting
FROM (
    VALUES
    ('OpenSearch', 'comb_sum', 'opensearch_min_max', 'normalization', 'arithmetic_mean', 'min_max'),
    ('OpenSearch', 'comb_sum', 'l2', 'normalization', 'arithmetic_mean', 'l2'),
    ('OpenSearch', 'comb_sum', 'opensearch_z_score', 'normalization', 'arithmetic_mean', 'z_score'),
    ('OpenSearch', 'geometric_mean', 'opensearch_min_max', 'normalization', 'geometric_mean', 'min_max'),
    ('OpenSearch', 'geometric_mean', 'l2', 'normalization', 'geometric_mean', 'l2'),
    ('OpenSearch', 'harmonic_mean', 'opensearch_min_max', 'normalization', 'harmonic_mean', 'min_max'),
    ('OpenSearch', 'harmonic_mean', 'l2', 'normalization', 'harmonic_mean', 'l2'),
    ('OpenSearch', 'rrf', 'none', 'score-ranker', 'rrf', ''),
    ('Elasticsearch', 'comb_sum', 'elasticsearch_minmax', 'linear', '', 'minmax'),
    ('Elasticsearch', 'comb_sum', 'l2', 'linear', '', 'l2_norm'),
    ('Elasticsearch', 'comb_sum', 'none', 'linear', '', 'none'),
    ('Elasticsearch', 'rrf', 'none', 'rrf', '', '')
) AS _s (engine, method, normalization, kind, combination, normalizer)
INNER JOIN (
    VALUES
    (
        'normalization',
        '$weight',
        '{"phase_results_processors": [{"normalization-processor": {"normalization": {"technique": "$normalizer"}, '
        || '"combination": {"technique": "$combination", "parameters": {"weights": [$runs]}}}}]}'
    ),
    (
        'score-ranker',
        '$weight',
        '{"phase_results_processors": [{"score-ranker-processor": {"combination": {"technique": "$combination", '
        || '"rank_constant": $k, "parameters": {"weights": [$runs]}}}}]}'
    ),
    (
        'linear',
        '{"retriever": $run, "weight": $weight, "normalizer": "$normalizer"}',
        '{"retriever": {"linear": {"retrievers": [$runs], "rank_window_size": $depth}}}'
    ),
    (
        'rrf',
        '{"retriever": $run, "weight": $weight}',
        '{"retriever": {"rrf": {"retrievers": [$runs], "rank_constant": $k, "rank_window_size": $depth}}}'
    )
) AS _t (kind, run, setting) ON _s.kind = _t.kind;
