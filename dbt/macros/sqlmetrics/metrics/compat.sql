{#- How near the ranking is to an ideal one: their rank-biased overlap, over that of the ideal ranking with itself. -#}
{% macro compat(j='j', p=0.95, normalized=true) %}
{% do sqlmetrics.require('p', p, {"must": "a number between 0 and 1", "above": 0, "below": 1}) %}
{% do sqlmetrics.require('normalized', normalized, {"must": "true or false", "truth": true}) %}
{{- return(adapter.dispatch('compat', 'sqlmetrics')(j, p, normalized)) -}}
{% endmacro %}

{% macro default__compat(j, p, normalized) -%}
coalesce(
    sum(CASE WHEN {{ j ~ '.shared_rank' }} IS NOT NULL THEN {{ j ~ '.num_shared' }} * {{ sqlmetrics.overlap_weight(p, j ~ '.shared_rank', j ~ '.shared_until') }} ELSE 0e0 END) / nullif(sum({% if normalized %}CASE
    WHEN {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.agreed_rank' }} < {{ j ~ '.num_rel' }}
    THEN power(1e0 * {{ sqlmetrics.literal(p) }}, {{ j ~ '.agreed_rank' }} - 1)
    ELSE {% if normalized %}CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.num_rel' }} * {{ sqlmetrics.overlap_weight(p, j ~ '.num_rel', j ~ '.longest') }} ELSE {% if not (normalized) %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN (1e0 - power(1e0 * {{ sqlmetrics.literal(p) }}, {{ j ~ '.longest' }})) / (1e0 - {{ sqlmetrics.literal(p) }})
END{% else %}NULL{% endif %} END{% elif not (normalized) %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN (1e0 - power(1e0 * {{ sqlmetrics.literal(p) }}, {{ j ~ '.longest' }})) / (1e0 - {{ sqlmetrics.literal(p) }})
END{% else %}NULL{% endif %}
END{% elif normalized %}CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.num_rel' }} * {{ sqlmetrics.overlap_weight(p, j ~ '.num_rel', j ~ '.longest') }} ELSE {% if not (normalized) %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN (1e0 - power(1e0 * {{ sqlmetrics.literal(p) }}, {{ j ~ '.longest' }})) / (1e0 - {{ sqlmetrics.literal(p) }})
END{% else %}NULL{% endif %} END{% elif not (normalized) %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN (1e0 - power(1e0 * {{ sqlmetrics.literal(p) }}, {{ j ~ '.longest' }})) / (1e0 - {{ sqlmetrics.literal(p) }})
END{% else %}NULL{% endif %}), 0),
    0e0
)
{%- endmacro %}

{% macro postgres__compat(j, p, normalized) -%}
coalesce(
    sum(
        CASE
            WHEN {{ j ~ '.shared_rank' }} IS NOT NULL
            THEN {{ j ~ '.num_shared' }} * {{ sqlmetrics.overlap_weight(p, j ~ '.shared_rank', j ~ '.shared_until') }}
            ELSE 0e0::float8
        END
    ) / nullif(sum({% if normalized %}CASE
    WHEN {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.agreed_rank' }} < {{ j ~ '.num_rel' }}
    THEN CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ j ~ '.agreed_rank' }} - 1 = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ j ~ '.agreed_rank' }} - 1), -700)) END
    ELSE {% if normalized %}CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.num_rel' }} * {{ sqlmetrics.overlap_weight(p, j ~ '.num_rel', j ~ '.longest') }} ELSE {% if not (normalized) %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN (1e0::float8 - CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ j ~ '.longest' }} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ j ~ '.longest' }}), -700)) END) / (1e0::float8 - {{ sqlmetrics.literal(p) }})
END{% else %}NULL{% endif %} END{% elif not (normalized) %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN (1e0::float8 - CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ j ~ '.longest' }} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ j ~ '.longest' }}), -700)) END) / (1e0::float8 - {{ sqlmetrics.literal(p) }})
END{% else %}NULL{% endif %}
END{% elif normalized %}CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.num_rel' }} * {{ sqlmetrics.overlap_weight(p, j ~ '.num_rel', j ~ '.longest') }} ELSE {% if not (normalized) %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN (1e0::float8 - CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ j ~ '.longest' }} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ j ~ '.longest' }}), -700)) END) / (1e0::float8 - {{ sqlmetrics.literal(p) }})
END{% else %}NULL{% endif %} END{% elif not (normalized) %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN (1e0::float8 - CASE WHEN 1e0::float8 * {{ sqlmetrics.literal(p) }} = 0 THEN CASE WHEN {{ j ~ '.longest' }} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif(1e0::float8 * {{ sqlmetrics.literal(p) }}, 0)) * ({{ j ~ '.longest' }}), -700)) END) / (1e0::float8 - {{ sqlmetrics.literal(p) }})
END{% else %}NULL{% endif %}), 0),
    0e0::float8
)
{%- endmacro %}

{% macro clickhouse__compat(j, p, normalized) -%}
{{ exceptions.raise_compiler_error("compat cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__compat(j, p, normalized) -%}
coalesce(
    sum(
        CASE WHEN {{ j ~ '.shared_rank' }} IS NOT NULL THEN {{ j ~ '.num_shared' }} * {{ sqlmetrics.overlap_weight(p, j ~ '.shared_rank', j ~ '.shared_until') }} ELSE 0e0::FLOAT END
    ) / nullif(sum({% if normalized %}CASE
    WHEN {{ j ~ '.relevant' }} = 1 AND {{ j ~ '.agreed_rank' }} < {{ j ~ '.num_rel' }}
    THEN power(1e0::FLOAT * {{ sqlmetrics.literal(p) }}, {{ j ~ '.agreed_rank' }} - 1)
    ELSE {% if normalized %}CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.num_rel' }} * {{ sqlmetrics.overlap_weight(p, j ~ '.num_rel', j ~ '.longest') }} ELSE {% if not (normalized) %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN (1e0::FLOAT - power(1e0::FLOAT * {{ sqlmetrics.literal(p) }}, {{ j ~ '.longest' }})) / (1e0::FLOAT - {{ sqlmetrics.literal(p) }})
END{% else %}NULL{% endif %} END{% elif not (normalized) %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN (1e0::FLOAT - power(1e0::FLOAT * {{ sqlmetrics.literal(p) }}, {{ j ~ '.longest' }})) / (1e0::FLOAT - {{ sqlmetrics.literal(p) }})
END{% else %}NULL{% endif %}
END{% elif normalized %}CASE WHEN {{ j ~ '.relevant' }} = 1 THEN {{ j ~ '.num_rel' }} * {{ sqlmetrics.overlap_weight(p, j ~ '.num_rel', j ~ '.longest') }} ELSE {% if not (normalized) %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN (1e0::FLOAT - power(1e0::FLOAT * {{ sqlmetrics.literal(p) }}, {{ j ~ '.longest' }})) / (1e0::FLOAT - {{ sqlmetrics.literal(p) }})
END{% else %}NULL{% endif %} END{% elif not (normalized) %}CASE
    WHEN {{ j ~ '.ideal_rank' }} = 1
    THEN (1e0::FLOAT - power(1e0::FLOAT * {{ sqlmetrics.literal(p) }}, {{ j ~ '.longest' }})) / (1e0::FLOAT - {{ sqlmetrics.literal(p) }})
END{% else %}NULL{% endif %}), 0),
    0e0::FLOAT
)
{%- endmacro %}

{% macro redshift__compat(j, p, normalized) -%}
{{ exceptions.raise_compiler_error("compat cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
