{#- The rows of preferences as if as many documents of each subtopic were judged not relevant as are relevant. -#}
{% macro balanced_preferences(preferences, pairs='judged', as_coded=false) %}
{% do sqlmetrics.require('pairs', pairs, {"must": "one of judged, either, both", "words": ["judged", "either", "both"]}) %}
{% do sqlmetrics.require('as_coded', as_coded, {"must": "true or false", "truth": true}) %}
{{- return(adapter.dispatch('balanced_preferences', 'sqlmetrics')(preferences, pairs, as_coded)) -}}
{% endmacro %}

{% macro default__balanced_preferences(preferences, pairs, as_coded) -%}
(
SELECT
    _g.*,
    {% if as_coded %}CASE
    WHEN min(_g.balanced_group_possible) OVER (PARTITION BY _g.run_id, _g.query_id) = 0
    THEN 0
    ELSE _g.counted_fulfilled
END{% else %}_g.counted_fulfilled{% endif %} AS balanced_fulfilled
FROM (
    SELECT
        _b.*,
        sum(_b.balanced_possible) OVER (PARTITION BY _b.run_id, _b.query_id, _b.subtopic) AS balanced_group_possible
    FROM (
        SELECT
            _n.*,
            {% if as_coded %}CASE
    WHEN _n.relevance = 0 AND _n.group_nonrel > _n.group_rel AND _n.is_counted = 1
    THEN _n.group_rel
    ELSE {% if pairs == 'either' %}CASE
    WHEN _n.relevance > 0 AND _n.rank IS NULL
    THEN _n.possible - CASE
        WHEN _n.nonrel_above > _n.group_rel
        THEN _n.nonrel_above - _n.group_rel
        ELSE 0
    END
    ELSE CASE
        WHEN _n.relevance > 0 AND _n.is_counted = 1
        THEN _n.possible - _n.group_nonrel + _n.group_rel
        ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
    END
END{% else %}CASE
    WHEN _n.relevance > 0 AND _n.is_counted = 1
    THEN _n.possible - _n.group_nonrel + _n.group_rel
    ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
END{% endif %}
END{% elif pairs == 'either' %}CASE
    WHEN _n.relevance > 0 AND _n.rank IS NULL
    THEN _n.possible - CASE
        WHEN _n.nonrel_above > _n.group_rel
        THEN _n.nonrel_above - _n.group_rel
        ELSE 0
    END
    ELSE CASE
        WHEN _n.relevance > 0 AND _n.is_counted = 1
        THEN _n.possible - _n.group_nonrel + _n.group_rel
        ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
    END
END{% else %}CASE
    WHEN _n.relevance > 0 AND _n.is_counted = 1
    THEN _n.possible - _n.group_nonrel + _n.group_rel
    ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
END{% endif %} AS balanced_possible,
            CASE WHEN _n.rank IS NULL THEN 0 ELSE {% if as_coded %}CASE
    WHEN _n.relevance = 0
    AND _n.group_nonrel > _n.group_rel
    AND _n.group_rel > _n.nonrel_above
    THEN _n.group_rel - _n.nonrel_above - 1
    ELSE CASE
        WHEN _n.relevance > 0
        THEN _n.fulfilled - (_n.group_nonrel - _n.nonrel_above) + CASE
            WHEN _n.group_rel > _n.nonrel_above
            THEN _n.group_rel - _n.nonrel_above
            ELSE 0
        END
        ELSE 0
    END
END{% else %}CASE
    WHEN _n.relevance > 0
    THEN _n.fulfilled - (_n.group_nonrel - _n.nonrel_above) + CASE
        WHEN _n.group_rel > _n.nonrel_above
        THEN _n.group_rel - _n.nonrel_above
        ELSE 0
    END
    ELSE 0
END{% endif %} END AS counted_fulfilled
        FROM (
            SELECT
                _c.*,
                sum(CASE WHEN _c.relevance > 0 THEN _c.is_counted ELSE 0 END) OVER (PARTITION BY _c.run_id, _c.query_id, _c.subtopic) AS group_rel,
                sum(CASE WHEN _c.relevance = 0 THEN _c.is_counted ELSE 0 END) OVER (PARTITION BY _c.run_id, _c.query_id, _c.subtopic) AS group_nonrel,
                count(CASE WHEN _c.relevance = 0 THEN _c.rank END) OVER (
                    PARTITION BY _c.run_id, _c.query_id, _c.subtopic
                    ORDER BY _c.rank ASC NULLS LAST, _c.doc_id DESC NULLS LAST
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS nonrel_above
            FROM (
                SELECT
                    _p.*,
                    CASE WHEN {{ sqlmetrics.literal(pairs) }} <> 'both' OR _p.rank IS NOT NULL THEN 1 ELSE 0 END AS is_counted
                FROM {{ preferences }} AS _p
            ) AS _c
        ) AS _n
    ) AS _b
) AS _g
)
{%- endmacro %}

{% macro clickhouse__balanced_preferences(preferences, pairs, as_coded) -%}
{{ exceptions.raise_compiler_error("balanced_preferences cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro bigquery__balanced_preferences(preferences, pairs, as_coded) -%}
(
SELECT
    _g.*,
    {% if as_coded %}CASE
    WHEN min(_g.balanced_group_possible) OVER (PARTITION BY _g.run_id, _g.query_id) = 0
    THEN 0
    ELSE _g.counted_fulfilled
END{% else %}_g.counted_fulfilled{% endif %} AS balanced_fulfilled
FROM (
    SELECT
        _b.*,
        sum(_b.balanced_possible) OVER (PARTITION BY _b.run_id, _b.query_id, _b.subtopic) AS balanced_group_possible
    FROM (
        SELECT
            _n.*,
            {% if as_coded %}CASE
    WHEN _n.relevance = 0 AND _n.group_nonrel > _n.group_rel AND _n.is_counted = 1
    THEN _n.group_rel
    ELSE {% if pairs == 'either' %}CASE
    WHEN _n.relevance > 0 AND _n.rank IS NULL
    THEN _n.possible - CASE
        WHEN _n.nonrel_above > _n.group_rel
        THEN _n.nonrel_above - _n.group_rel
        ELSE 0
    END
    ELSE CASE
        WHEN _n.relevance > 0 AND _n.is_counted = 1
        THEN _n.possible - _n.group_nonrel + _n.group_rel
        ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
    END
END{% else %}CASE
    WHEN _n.relevance > 0 AND _n.is_counted = 1
    THEN _n.possible - _n.group_nonrel + _n.group_rel
    ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
END{% endif %}
END{% elif pairs == 'either' %}CASE
    WHEN _n.relevance > 0 AND _n.rank IS NULL
    THEN _n.possible - CASE
        WHEN _n.nonrel_above > _n.group_rel
        THEN _n.nonrel_above - _n.group_rel
        ELSE 0
    END
    ELSE CASE
        WHEN _n.relevance > 0 AND _n.is_counted = 1
        THEN _n.possible - _n.group_nonrel + _n.group_rel
        ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
    END
END{% else %}CASE
    WHEN _n.relevance > 0 AND _n.is_counted = 1
    THEN _n.possible - _n.group_nonrel + _n.group_rel
    ELSE {% if as_coded %}CASE
    WHEN _n.relevance > 0 AND _n.group_rel > _n.group_nonrel
    THEN _n.group_rel - _n.group_nonrel
    ELSE 0
END{% else %}0{% endif %}
END{% endif %} AS balanced_possible,
            CASE WHEN _n.rank IS NULL THEN 0 ELSE {% if as_coded %}CASE
    WHEN _n.relevance = 0
    AND _n.group_nonrel > _n.group_rel
    AND _n.group_rel > _n.nonrel_above
    THEN _n.group_rel - _n.nonrel_above - 1
    ELSE CASE
        WHEN _n.relevance > 0
        THEN _n.fulfilled - (_n.group_nonrel - _n.nonrel_above) + CASE
            WHEN _n.group_rel > _n.nonrel_above
            THEN _n.group_rel - _n.nonrel_above
            ELSE 0
        END
        ELSE 0
    END
END{% else %}CASE
    WHEN _n.relevance > 0
    THEN _n.fulfilled - (_n.group_nonrel - _n.nonrel_above) + CASE
        WHEN _n.group_rel > _n.nonrel_above
        THEN _n.group_rel - _n.nonrel_above
        ELSE 0
    END
    ELSE 0
END{% endif %} END AS counted_fulfilled
        FROM (
            SELECT
                _c.*,
                sum(CASE WHEN _c.relevance > 0 THEN _c.is_counted ELSE 0 END) OVER (PARTITION BY _c.run_id, _c.query_id, _c.subtopic) AS group_rel,
                sum(CASE WHEN _c.relevance = 0 THEN _c.is_counted ELSE 0 END) OVER (PARTITION BY _c.run_id, _c.query_id, _c.subtopic) AS group_nonrel,
                count(CASE WHEN _c.relevance = 0 THEN _c.rank END) OVER (
                    PARTITION BY _c.run_id, _c.query_id, _c.subtopic
                    ORDER BY CASE WHEN _c.rank IS NULL THEN 1 ELSE 0 END ASC, _c.rank ASC, _c.doc_id DESC
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                ) AS nonrel_above
            FROM (
                SELECT
                    _p.*,
                    CASE WHEN {{ sqlmetrics.literal(pairs) }} <> 'both' OR _p.rank IS NOT NULL THEN 1 ELSE 0 END AS is_counted
                FROM {{ preferences }} AS _p
            ) AS _c
        ) AS _n
    ) AS _b
) AS _g
)
{%- endmacro %}

{% macro redshift__balanced_preferences(preferences, pairs, as_coded) -%}
{{ exceptions.raise_compiler_error("balanced_preferences cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
