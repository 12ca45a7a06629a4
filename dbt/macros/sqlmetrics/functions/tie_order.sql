{#- A number by which documents of the same score are put in order, lowest first; NULL leaves it to their ids. -#}
{% macro tie_order(ties, listed_rank, input_place, relevance, doc_id) %}
{{- return(adapter.dispatch('tie_order', 'sqlmetrics')(ties, listed_rank, input_place, relevance, doc_id)) -}}
{% endmacro %}

{% macro default__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS DOUBLE){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce(
    {{ listed_rank }},
    CAST(fail('ties := ''rank'' needs a rank of every document, and ' || CAST({{ doc_id }} AS VARCHAR) || ' has none') AS DOUBLE)
){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}

{% macro duckdb__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS DOUBLE){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce(
    {{ listed_rank }},
    error('ties := ''rank'' needs a rank of every document, and ' || CAST({{ doc_id }} AS TEXT) || ' has none')
){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}

{% macro spark__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS DOUBLE){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce(
    {{ listed_rank }},
    raise_error('ties := \'rank\' needs a rank of every document, and ' || CAST({{ doc_id }} AS STRING) || ' has none')
){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}

{% macro postgres__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS DOUBLE PRECISION){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce(
    {{ listed_rank }},
    CAST('ties := ''rank'' needs a rank of every document, and ' || CAST({{ doc_id }} AS TEXT) || ' has none' AS DOUBLE PRECISION)
){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307::float8){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}

{% macro sqlite__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS REAL){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce(
    {{ listed_rank }},
    json_extract('[]', 'ties := ''rank'' needs a rank of every document, and ' || CAST({{ doc_id }} AS TEXT) || ' has none')
){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}

{% macro clickhouse__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{{ exceptions.raise_compiler_error("tie_order cannot be computed by clickhouse: its queries need settings; write the query by sqlmetrics sql --dialect clickhouse") }}
{%- endmacro %}

{% macro snowflake__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS DOUBLE){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce(
    {{ listed_rank }},
    CAST('ties := \'rank\' needs a rank of every document, and ' || CAST({{ doc_id }} AS VARCHAR) || ' has none' AS FLOAT)
){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307::FLOAT){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}

{% macro bigquery__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{% if ties in ('descending', 'ascending',) %}CAST(NULL AS FLOAT64){% elif ties == 'input' %}{{ sqlmetrics.literal(input_place) }}{% elif ties == 'rank' %}coalesce(
    {{ listed_rank }},
    ERROR('ties := \'rank\' needs a rank of every document, and ' || CAST({{ doc_id }} AS STRING) || ' has none')
){% elif ties == 'best' %}(-{{ relevance }}){% elif ties == 'worst' %}coalesce({{ relevance }}, -17e307){% else %}{{ exceptions.raise_compiler_error("ties must be 'descending', 'ascending', 'input', 'rank', 'best' or 'worst', not '" ~ ties ~ "'") }}{% endif %}
{%- endmacro %}

{% macro redshift__tie_order(ties, listed_rank, input_place, relevance, doc_id) -%}
{{ exceptions.raise_compiler_error("tie_order cannot be computed by redshift: it has no frames by RANGE, which tell what is tied; write the query by sqlmetrics sql --dialect redshift") }}
{%- endmacro %}
