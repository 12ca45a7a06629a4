{#- What a user of a ranking expects, from sums over the ranks; every document costs 1 to look at. -#}
{% macro cwl_measure(j, measure, gain, depth, gain_beyond=0.0, depth_beyond=0.0) %}
{{- return(adapter.dispatch('cwl_measure', 'sqlmetrics')(j, measure, gain, depth, gain_beyond, depth_beyond)) -}}
{% endmacro %}

{% macro default__cwl_measure(j, measure, gain, depth, gain_beyond, depth_beyond) -%}
{% if measure == 'utility' %}({{ gain }} / {{ depth }}){% elif measure == 'total_utility' %}(({{ gain }} - {{ gain_beyond }}) / sum({{ j ~ '.opening' }})){% elif measure == 'cost' %}1e0{% elif measure == 'total_cost' %}(1e0 * ({{ depth }} - {{ depth_beyond }}) / sum({{ j ~ '.opening' }})){% elif measure == 'depth' %}(1e0 * {{ depth }} / sum({{ j ~ '.opening' }})){% else %}NULL{% endif %}
{%- endmacro %}

{% macro postgres__cwl_measure(j, measure, gain, depth, gain_beyond, depth_beyond) -%}
{% if measure == 'utility' %}({{ gain }} / {{ depth }}){% elif measure == 'total_utility' %}(({{ gain }} - {{ gain_beyond }}) / sum({{ j ~ '.opening' }})){% elif measure == 'cost' %}1e0::float8{% elif measure == 'total_cost' %}(1e0::float8 * ({{ depth }} - {{ depth_beyond }}) / sum({{ j ~ '.opening' }})){% elif measure == 'depth' %}(1e0::float8 * {{ depth }} / sum({{ j ~ '.opening' }})){% else %}NULL{% endif %}
{%- endmacro %}

{% macro clickhouse__cwl_measure(j, measure, gain, depth, gain_beyond, depth_beyond) -%}
{{ exceptions.raise_compiler_error("cwl_measure cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__cwl_measure(j, measure, gain, depth, gain_beyond, depth_beyond) -%}
{% if measure == 'utility' %}({{ gain }} / {{ depth }}){% elif measure == 'total_utility' %}(({{ gain }} - {{ gain_beyond }}) / sum({{ j ~ '.opening' }})){% elif measure == 'cost' %}1e0::FLOAT{% elif measure == 'total_cost' %}(1e0::FLOAT * ({{ depth }} - {{ depth_beyond }}) / sum({{ j ~ '.opening' }})){% elif measure == 'depth' %}(1e0::FLOAT * {{ depth }} / sum({{ j ~ '.opening' }})){% else %}NULL{% endif %}
{%- endmacro %}

{% macro redshift__cwl_measure(j, measure, gain, depth, gain_beyond, depth_beyond) -%}
{{ exceptions.raise_compiler_error("cwl_measure cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
