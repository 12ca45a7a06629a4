{#- What a relevance is mapped to by a dictionary, NULL where it says nothing. -#}
{% macro map_gains(relevance, gains) -%}
{%- if gains -%}
CASE {{ relevance }}{% for level, gain in gains.items() %} WHEN {{ level }} THEN {{ gain }}{% endfor %} END
{%- else -%}NULL
{%- endif -%}
{%- endmacro %}
