{#- What a user of a ranking expects, from sums over the ranks; every document costs 1 to look at. -#}
{% macro user_figure(expected, gain, depth, gain_beyond, depth_beyond, queries) %}
{{- return(adapter.dispatch('user_figure', 'sqlmetrics')(expected, gain, depth, gain_beyond, depth_beyond, queries)) -}}
{% endmacro %}

{% macro default__user_figure(expected, gain, depth, gain_beyond, depth_beyond, queries) -%}
{% if expected == 'utility' %}coalesce(1e0 * {{ gain }} / {{ depth }}, 0e0){% elif expected == 'total_utility' %}coalesce(1e0 * ({{ gain }} - {{ gain_beyond }}) / {{ queries }}, 0e0){% elif expected == 'cost' %}1e0{% elif expected == 'total_cost' %}(1e0 * ({{ depth }} - {{ depth_beyond }}) / {{ queries }}){% elif expected == 'depth' %}(1e0 * {{ depth }} / {{ queries }}){% else %}{{ exceptions.raise_compiler_error("expected is 'utility', 'total_utility', 'cost', 'total_cost' or 'depth', not '" ~ expected ~ "'") }}{% endif %}
{%- endmacro %}

{% macro postgres__user_figure(expected, gain, depth, gain_beyond, depth_beyond, queries) -%}
{% if expected == 'utility' %}coalesce(1e0::float8 * {{ gain }} / {{ depth }}, 0e0::float8){% elif expected == 'total_utility' %}coalesce(1e0::float8 * ({{ gain }} - {{ gain_beyond }}) / {{ queries }}, 0e0::float8){% elif expected == 'cost' %}1e0::float8{% elif expected == 'total_cost' %}(1e0::float8 * ({{ depth }} - {{ depth_beyond }}) / {{ queries }}){% elif expected == 'depth' %}(1e0::float8 * {{ depth }} / {{ queries }}){% else %}{{ exceptions.raise_compiler_error("expected is 'utility', 'total_utility', 'cost', 'total_cost' or 'depth', not '" ~ expected ~ "'") }}{% endif %}
{%- endmacro %}

{% macro clickhouse__user_figure(expected, gain, depth, gain_beyond, depth_beyond, queries) -%}
{{ exceptions.raise_compiler_error("user_figure cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__user_figure(expected, gain, depth, gain_beyond, depth_beyond, queries) -%}
{% if expected == 'utility' %}coalesce(1e0::FLOAT * {{ gain }} / {{ depth }}, 0e0::FLOAT){% elif expected == 'total_utility' %}coalesce(1e0::FLOAT * ({{ gain }} - {{ gain_beyond }}) / {{ queries }}, 0e0::FLOAT){% elif expected == 'cost' %}1e0::FLOAT{% elif expected == 'total_cost' %}(1e0::FLOAT * ({{ depth }} - {{ depth_beyond }}) / {{ queries }}){% elif expected == 'depth' %}(1e0::FLOAT * {{ depth }} / {{ queries }}){% else %}{{ exceptions.raise_compiler_error("expected is 'utility', 'total_utility', 'cost', 'total_cost' or 'depth', not '" ~ expected ~ "'") }}{% endif %}
{%- endmacro %}

{% macro redshift__user_figure(expected, gain, depth, gain_beyond, depth_beyond, queries) -%}
{{ exceptions.raise_compiler_error("user_figure cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
