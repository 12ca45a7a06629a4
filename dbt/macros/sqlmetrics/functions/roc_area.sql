{#- The area under the ROC curve above the stretch of one non-relevant document, relevant and non-relevant documents counted. Those of one score share a straight line. -#}
{% macro roc_area(j, width) %}
{{- return(adapter.dispatch('roc_area', 'sqlmetrics')(j, width)) -}}
{% endmacro %}

{% macro default__roc_area(j, width) -%}
CASE
    WHEN {{ width }} <= {{ j ~ '.false_positives_above' }}
    THEN 0e0
    WHEN {{ width }} >= {{ sqlmetrics.false_positives_by_score(j) }}
    THEN ({{ j ~ '.hits_above' }} + {{ sqlmetrics.hits_by_score(j) }}) / 2e0
    ELSE ({{ width }} - {{ j ~ '.false_positives_above' }}) / ({{ sqlmetrics.false_positives_by_score(j) }} - {{ j ~ '.false_positives_above' }}) * ({{ j ~ '.hits_above' }} + ({{ sqlmetrics.hits_by_score(j) }} - {{ j ~ '.hits_above' }}) * ({{ width }} - {{ j ~ '.false_positives_above' }}) / ({{ sqlmetrics.false_positives_by_score(j) }} - {{ j ~ '.false_positives_above' }}) / 2e0)
END
{%- endmacro %}

{% macro postgres__roc_area(j, width) -%}
CASE
    WHEN {{ width }} <= {{ j ~ '.false_positives_above' }}
    THEN 0e0::float8
    WHEN {{ width }} >= {{ sqlmetrics.false_positives_by_score(j) }}
    THEN ({{ j ~ '.hits_above' }} + {{ sqlmetrics.hits_by_score(j) }}) / 2e0::float8
    ELSE ({{ width }} - {{ j ~ '.false_positives_above' }}) / ({{ sqlmetrics.false_positives_by_score(j) }} - {{ j ~ '.false_positives_above' }}) * ({{ j ~ '.hits_above' }} + ({{ sqlmetrics.hits_by_score(j) }} - {{ j ~ '.hits_above' }}) * ({{ width }} - {{ j ~ '.false_positives_above' }}) / ({{ sqlmetrics.false_positives_by_score(j) }} - {{ j ~ '.false_positives_above' }}) / 2e0::float8)
END
{%- endmacro %}

{% macro clickhouse__roc_area(j, width) -%}
{{ exceptions.raise_compiler_error("roc_area cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__roc_area(j, width) -%}
CASE
    WHEN {{ width }} <= {{ j ~ '.false_positives_above' }}
    THEN 0e0::FLOAT
    WHEN {{ width }} >= {{ sqlmetrics.false_positives_by_score(j) }}
    THEN ({{ j ~ '.hits_above' }} + {{ sqlmetrics.hits_by_score(j) }}) / 2e0::FLOAT
    ELSE ({{ width }} - {{ j ~ '.false_positives_above' }}) / ({{ sqlmetrics.false_positives_by_score(j) }} - {{ j ~ '.false_positives_above' }}) * ({{ j ~ '.hits_above' }} + ({{ sqlmetrics.hits_by_score(j) }} - {{ j ~ '.hits_above' }}) * ({{ width }} - {{ j ~ '.false_positives_above' }}) / ({{ sqlmetrics.false_positives_by_score(j) }} - {{ j ~ '.false_positives_above' }}) / 2e0::FLOAT)
END
{%- endmacro %}

{% macro redshift__roc_area(j, width) -%}
{{ exceptions.raise_compiler_error("roc_area cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
