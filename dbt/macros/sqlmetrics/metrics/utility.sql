{#- What all that was retrieved is worth, when each relevant and each other document is, retrieved or not. -#}
{% macro utility(j='j', rel_ret=1, nonrel_ret=-1, rel_left=0, nonrel_left=0, corpus_size=0) %}
{% do sqlmetrics.require('j', j, {"must": "the alias of the rows, such as 'j'", "name": true}) %}
{% do sqlmetrics.require('rel_ret', rel_ret, {"must": "a number", "from": -1.7976931348623157e+308, "to": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('nonrel_ret', nonrel_ret, {"must": "a number", "from": -1.7976931348623157e+308, "to": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('rel_left', rel_left, {"must": "a number", "from": -1.7976931348623157e+308, "to": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('nonrel_left', nonrel_left, {"must": "a number", "from": -1.7976931348623157e+308, "to": 1.7976931348623157e+308}) %}
{% do sqlmetrics.require('corpus_size', corpus_size, {"must": "a number", "from": -1.7976931348623157e+308, "to": 1.7976931348623157e+308}) %}
{{- return(adapter.dispatch('utility', 'sqlmetrics')(j, rel_ret, nonrel_ret, rel_left, nonrel_left, corpus_size)) -}}
{% endmacro %}

{% macro default__utility(j, rel_ret, nonrel_ret, rel_left, nonrel_left, corpus_size) -%}
(1e0 * {{ sqlmetrics.literal(rel_ret) }} * {{ sqlmetrics.tp(j, "NULL") }} + {{ sqlmetrics.literal(nonrel_ret) }} * {{ sqlmetrics.fp(j, none) }} + {{ sqlmetrics.literal(rel_left) }} * {{ sqlmetrics.fn(j, none) }} + {{ sqlmetrics.literal(nonrel_left) }} * ({{ sqlmetrics.literal(corpus_size) }} - {{ sqlmetrics.tp(j, "NULL") }} - {{ sqlmetrics.fp(j, none) }} - {{ sqlmetrics.fn(j, none) }}))
{%- endmacro %}

{% macro postgres__utility(j, rel_ret, nonrel_ret, rel_left, nonrel_left, corpus_size) -%}
(1e0::float8 * {{ sqlmetrics.literal(rel_ret) }} * {{ sqlmetrics.tp(j, "NULL") }} + {{ sqlmetrics.literal(nonrel_ret) }} * {{ sqlmetrics.fp(j, none) }} + {{ sqlmetrics.literal(rel_left) }} * {{ sqlmetrics.fn(j, none) }} + {{ sqlmetrics.literal(nonrel_left) }} * ({{ sqlmetrics.literal(corpus_size) }} - {{ sqlmetrics.tp(j, "NULL") }} - {{ sqlmetrics.fp(j, none) }} - {{ sqlmetrics.fn(j, none) }}))
{%- endmacro %}

{% macro clickhouse__utility(j, rel_ret, nonrel_ret, rel_left, nonrel_left, corpus_size) -%}
{{ exceptions.raise_compiler_error("utility cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__utility(j, rel_ret, nonrel_ret, rel_left, nonrel_left, corpus_size) -%}
(1e0::FLOAT * {{ sqlmetrics.literal(rel_ret) }} * {{ sqlmetrics.tp(j, "NULL") }} + {{ sqlmetrics.literal(nonrel_ret) }} * {{ sqlmetrics.fp(j, none) }} + {{ sqlmetrics.literal(rel_left) }} * {{ sqlmetrics.fn(j, none) }} + {{ sqlmetrics.literal(nonrel_left) }} * ({{ sqlmetrics.literal(corpus_size) }} - {{ sqlmetrics.tp(j, "NULL") }} - {{ sqlmetrics.fp(j, none) }} - {{ sqlmetrics.fn(j, none) }}))
{%- endmacro %}

{% macro redshift__utility(j, rel_ret, nonrel_ret, rel_left, nonrel_left, corpus_size) -%}
{{ exceptions.raise_compiler_error("utility cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
