{#- Fails where the mean of a column of scores is below a floor, or there are no scores.
    by: a column to tell means apart, such as run_id -#}
{% test mean_is_at_least(model, column_name, floor, by=none) %}
select {% if by %}{{ by }}, {% endif %}avg({{ column_name }}) as mean
from {{ model }}
{% if by %}group by {{ by }}{% endif %}
having avg({{ column_name }}) < {{ floor }} or count({{ column_name }}) = 0
{% endtest %}
