{% macro real() -%}
{{- adapter.dispatch('real', 'sqlmetrics')() -}}
{%- endmacro %}
{% macro default__real() -%}

{%- endmacro %}
{% macro postgres__real() -%}
::float8
{%- endmacro %}
{% macro snowflake__real() -%}
::FLOAT
{%- endmacro %}

{% macro text(value) -%}
{{- adapter.dispatch('text', 'sqlmetrics')(value) -}}
{%- endmacro %}
{% macro default__text(value) -%}
CAST({{ value }} AS TEXT)
{%- endmacro %}
{% macro spark__text(value) -%}
CAST({{ value }} AS STRING)
{%- endmacro %}
{% macro snowflake__text(value) -%}
CAST({{ value }} AS VARCHAR)
{%- endmacro %}
{% macro bigquery__text(value) -%}
CAST({{ value }} AS STRING)
{%- endmacro %}
{% macro trino__text(value) -%}
CAST({{ value }} AS VARCHAR)
{%- endmacro %}
{% macro athena__text(value) -%}
CAST({{ value }} AS VARCHAR)
{%- endmacro %}

{% macro exp(power) -%}
{{- adapter.dispatch('exp', 'sqlmetrics')(power) -}}
{%- endmacro %}
{% macro default__exp(power) -%}
exp({{ power }})
{%- endmacro %}
{% macro postgres__exp(power) -%}
exp(least(greatest({{ power }}, -700), 700))
{%- endmacro %}

{% macro power(base, power) -%}
{{- adapter.dispatch('power', 'sqlmetrics')(base, power) -}}
{%- endmacro %}
{% macro default__power(base, power) -%}
power({{ base }}, {{ power }})
{%- endmacro %}
{% macro postgres__power(base, power) -%}
CASE WHEN {{ base }} = 0 THEN CASE WHEN {{ power }} = 0 THEN 1 ELSE 0 END ELSE exp(greatest(ln(nullif({{ base }}, 0)) * ({{ power }}), -700)) END
{%- endmacro %}

{% macro range_sum(variable, first, last, each) -%}
{{- adapter.dispatch('range_sum', 'sqlmetrics')(variable, first, last, each) -}}
{%- endmacro %}
{% macro default__range_sum(variable, first, last, each) -%}
reduce(CASE WHEN {{ first }} <= {{ last }} THEN sequence({{ first }}, {{ last }}) END, 0e0, (_sum, {{ variable }}) -> _sum + {{ each }}, _sum -> _sum)
{%- endmacro %}
{% macro duckdb__range_sum(variable, first, last, each) -%}
list_sum(list_transform(range({{ first }}, {{ last }} + 1), lambda {{ variable }}: {{ each }}))
{%- endmacro %}
{% macro spark__range_sum(variable, first, last, each) -%}
aggregate(CASE WHEN {{ first }} <= {{ last }} THEN sequence({{ first }}, {{ last }}) END, 0e0, (_sum, {{ variable }}) -> _sum + {{ each }})
{%- endmacro %}
{% macro postgres__range_sum(variable, first, last, each) -%}
(SELECT sum({{ each }}) FROM generate_series({{ first }}, {{ last }}) AS _series{{ variable }} ({{ variable }}))
{%- endmacro %}
{% macro sqlite__range_sum(variable, first, last, each) -%}
(WITH RECURSIVE _series{{ variable }} ({{ variable }}) AS (SELECT {{ first }} WHERE {{ first }} <= {{ last }} UNION ALL SELECT {{ variable }} + 1 FROM _series{{ variable }} WHERE {{ variable }} < {{ last }}) SELECT sum({{ each }}) FROM _series{{ variable }})
{%- endmacro %}
{% macro snowflake__range_sum(variable, first, last, each) -%}
{{ sqlmetrics.refuse('range_sum', "it does not support sums over a variable number of ranks") }}
{%- endmacro %}
{% macro bigquery__range_sum(variable, first, last, each) -%}
(SELECT sum({{ each }}) FROM UNNEST(GENERATE_ARRAY({{ first }}, {{ last }})) AS {{ variable }})
{%- endmacro %}

{% macro ascending(key) -%}
{{- adapter.dispatch('ascending', 'sqlmetrics')(key) -}}
{%- endmacro %}
{% macro default__ascending(key) -%}
{{ key }} ASC NULLS LAST
{%- endmacro %}
{% macro bigquery__ascending(key) -%}
CASE WHEN {{ key }} IS NULL THEN 1 ELSE 0 END ASC, {{ key }} ASC
{%- endmacro %}

{% macro descending(key) -%}
{{- adapter.dispatch('descending', 'sqlmetrics')(key) -}}
{%- endmacro %}
{% macro default__descending(key) -%}
{{ key }} DESC NULLS LAST
{%- endmacro %}
{% macro bigquery__descending(key) -%}
{{ key }} DESC
{%- endmacro %}

{% macro error(message) -%}
{{- adapter.dispatch('error', 'sqlmetrics')(message) -}}
{%- endmacro %}
{% macro default__error(message) -%}
CAST(fail({{ message }}) AS DOUBLE)
{%- endmacro %}
{% macro duckdb__error(message) -%}
error({{ message }})
{%- endmacro %}
{% macro spark__error(message) -%}
raise_error({{ message }})
{%- endmacro %}
{% macro postgres__error(message) -%}
CAST({{ message }} AS DOUBLE PRECISION)
{%- endmacro %}
{% macro sqlite__error(message) -%}
json_extract('[]', {{ message }})
{%- endmacro %}
{% macro snowflake__error(message) -%}
CAST({{ message }} AS FLOAT)
{%- endmacro %}
{% macro bigquery__error(message) -%}
ERROR({{ message }})
{%- endmacro %}
