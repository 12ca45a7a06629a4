{#- Stop when an argument is not what it must be. -#}
{% macro require(name, value, must) %}
{%- set rule = sqlmetrics.rules()[must] -%}
{%- set fits = false -%}
{%- if value is none -%}{%- set fits = rule.get('none') -%}
{%- elif value is boolean -%}{%- set fits = rule.get('truth') -%}
{%- elif value is mapping -%}{%- set fits = rule.get('gains') -%}
{%- elif value is string -%}
{%- set is_name = value.isidentifier() or value[:1] in ['"', '`'] -%}
{%- set fits = value in rule.get('words', []) or (rule.get('name') and is_name) -%}
{%- elif value is number and (value is integer or not rule.get('whole')) -%}
{%- if 'from' in rule -%}{%- set fits = rule['from'] <= value <= rule['to'] -%}
{%- elif 'above' in rule -%}{%- set fits = rule['above'] < value < rule['below'] -%}
{%- endif -%}
{%- endif -%}
{%- if not fits -%}
{%- set reason = rule.get('refused', {}).get(value | string, 'it must be ' ~ must) -%}
{{ exceptions.raise_compiler_error(name ~ ' cannot be ' ~ (value | pprint) ~ '; ' ~ reason) }}
{%- endif -%}
{% endmacro %}
