{#- Fails where the mean of a column of scores is below a floor, or there are no scores. -#}
{% test mean_is_at_least(model, column_name, floor, by=none) %}
select m.*
from (select 1 as one) as o
left join (
    -- without rows there are no groups, and the row of the outer query stands alone
    select {% if by %}{{ by }}, {% endif %}avg({{ column_name }}) as mean
    from {{ model }}
    {% if by %}group by {{ by }}{% endif %}
) as m on 1 = 1
where m.mean is null or m.mean < {{ floor }}
{% endtest %}
