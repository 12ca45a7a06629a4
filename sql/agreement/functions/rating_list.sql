-- The ratings of documents as one list of {rating, times}.
-- documents: list of {ratings, times}
CREATE OR REPLACE MACRO rating_list(documents) AS
    flatten(list_transform(
        documents,
        lambda rated: list_transform(
            rated.ratings, lambda rating: struct_pack(rating := rating, times := rated.times)
        )
    ));
