{#- The area under the ROC curve above the stretch of one non-relevant document, relevant and non-relevant documents counted. -#}
{% macro roc_area(hits_above, hits, misses_above, misses, width) %}
{{- return(adapter.dispatch('roc_area', 'sqlmetrics')(hits_above, hits, misses_above, misses, width)) -}}
{% endmacro %}

{% macro default__roc_area(hits_above, hits, misses_above, misses, width) -%}
CASE
    WHEN {{ width }} <= {{ misses_above }}
    THEN 0e0
    WHEN {{ width }} >= {{ misses }}
    THEN ({{ hits_above }} + {{ hits }}) / 2e0
    ELSE ({{ width }} - {{ misses_above }}) / ({{ misses }} - {{ misses_above }}) * ({{ hits_above }} + ({{ hits }} - {{ hits_above }}) * ({{ width }} - {{ misses_above }}) / ({{ misses }} - {{ misses_above }}) / 2e0)
END
{%- endmacro %}

{% macro postgres__roc_area(hits_above, hits, misses_above, misses, width) -%}
CASE
    WHEN {{ width }} <= {{ misses_above }}
    THEN 0e0::float8
    WHEN {{ width }} >= {{ misses }}
    THEN ({{ hits_above }} + {{ hits }}) / 2e0::float8
    ELSE ({{ width }} - {{ misses_above }}) / ({{ misses }} - {{ misses_above }}) * ({{ hits_above }} + ({{ hits }} - {{ hits_above }}) * ({{ width }} - {{ misses_above }}) / ({{ misses }} - {{ misses_above }}) / 2e0::float8)
END
{%- endmacro %}

{% macro clickhouse__roc_area(hits_above, hits, misses_above, misses, width) -%}
{{ exceptions.raise_compiler_error("roc_area cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__roc_area(hits_above, hits, misses_above, misses, width) -%}
CASE
    WHEN {{ width }} <= {{ misses_above }}
    THEN 0e0::FLOAT
    WHEN {{ width }} >= {{ misses }}
    THEN ({{ hits_above }} + {{ hits }}) / 2e0::FLOAT
    ELSE ({{ width }} - {{ misses_above }}) / ({{ misses }} - {{ misses_above }}) * ({{ hits_above }} + ({{ hits }} - {{ hits_above }}) * ({{ width }} - {{ misses_above }}) / ({{ misses }} - {{ misses_above }}) / 2e0::FLOAT)
END
{%- endmacro %}

{% macro redshift__roc_area(hits_above, hits, misses_above, misses, width) -%}
{{ exceptions.raise_compiler_error("roc_area cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
