"""Responses of search engines are runs; requests of the Ranking Evaluation API are judgments.

`test_inputs` reads them in every form, with the same scores as the same rows in other files.
"""

from __future__ import annotations

import json

import duckdb
import polars as pl
import pytest
from commands import run_command
from conftest import ROOT
from test_inputs import write_docs, write_hits

import sqlmetrics
from sqlmetrics.inputs.columns import read_rows

JUDGED = {"q1": {"a": 3, "b": 2, "c": 1}}


def save(path, *responses):
    path.write_text("".join(json.dumps(response) + "\n" for response in responses))
    return path


def rank(path, qrels=JUDGED, **options):
    """Which document comes first, by whether grades 3, 2 and 1 do, how many there are, and notes."""
    wanted = "P(rel=3)@1 P(rel=2)@1 P(rel=1)@1 NumRet"
    found = sqlmetrics.evaluate(qrels, path, wanted, **options)
    return [*map(int, found.mean.row(0)[1:])], found.notes


FIRST_A, FIRST_B, FIRST_C = [1, 1, 1, 3], [0, 1, 1, 3], [0, 0, 1, 3]


def test_documents_without_scores_are_ranked_by_position(tmp_path):
    hits = write_hits([("b", None), ("a", None), ("c", None)], query_id="q1")
    for hit in hits["hits"]["hits"]:
        hit["sort"] = [1]
    ranks, notes = rank(save(tmp_path / "run", hits))
    assert ranks == FIRST_B
    assert "1 of 1 queries are ranked by position" in notes[0]


def test_scores_that_rise_on_the_way_down_do_not_rank(tmp_path):
    hits = write_hits([("b", 1.0), ("a", 2.0), ("c", 0.5)], query_id="q1")
    ranks, notes = rank(save(tmp_path / "run", hits))
    assert ranks == FIRST_B
    assert "scores are missing or do not fall" in notes[0]


def test_documents_of_solr_without_scores_are_ranked_by_position(tmp_path):
    response = write_docs([("c", 0), ("a", 0), ("b", 0)], "q1")
    for document in response["response"]["docs"]:
        del document["score"]
    assert rank(save(tmp_path / "run", response))[0] == FIRST_C


def test_scores_that_are_tied_leave_the_order_to_ties(tmp_path):
    run = save(tmp_path / "run", write_hits([("b", 1), ("c", 1), ("a", 1)], query_id="q1"))
    assert rank(run)[0] == FIRST_C
    assert rank(run, ties="ascending")[0] == FIRST_A
    assert rank(run, ties="rank")[0] == FIRST_B


def test_pages_of_one_query_are_one_ranking(tmp_path):
    pages = [[("b", 3.0), ("c", 2.0)], [("a", 1.0)]]
    in_order = [write_hits(page, query_id="q1") for page in pages]
    assert rank(save(tmp_path / "run", *in_order))[0] == FIRST_B
    unscored = [write_hits([(d, None) for d, _ in page], query_id="q1") for page in pages]
    run = save(tmp_path / "run", *unscored)
    found = sqlmetrics.evaluate(JUDGED, run, "DCG@3 NumRet").mean.row(0)[1:]
    assert found == pytest.approx((2 + 1 / 1.584962500721156 + 3 / 2, 3))


@pytest.mark.parametrize("beside", [True, False])
def test_pages_are_in_the_order_of_where_they_start(tmp_path, beside):
    pages = []
    for start, hits in ((2, [("a", 1.0)]), (0, [("b", 3.0), ("c", 2.0)])):
        response = write_hits(hits)
        place = {"from": start}
        pages.append({"query_id": "q1", **place, "response": response} if beside
                     else {"query_id": "q1", **response, **place})  # fmt: skip
    ranks, notes = rank(save(tmp_path / "run", *pages))
    assert (ranks, "by position" in notes[0]) == (FIRST_B, False)
    for page, score in zip(pages, (9.0, 1.0), strict=True):  # rises from page to page
        page.get("response", page)["hits"]["hits"][0]["_score"] = score
    pages[1].get("response", pages[1])["hits"]["hits"][1]["_score"] = 0.5
    ranks, notes = rank(save(tmp_path / "run", *pages))
    assert (ranks, "1 of 1 queries are ranked by position" in notes[0]) == (FIRST_B, True)


def test_pages_of_solr_are_in_the_order_of_where_they_start(tmp_path):
    last, first = write_docs([("a", 1)], "q1"), write_docs([("b", 3), ("c", 2)], "q1")
    last["response"]["start"] = 2
    for docs in (last["response"]["docs"], first["response"]["docs"]):
        for each in docs:
            del each["score"]
    run = save(tmp_path / "run", last, first)
    found = sqlmetrics.evaluate(JUDGED, run, "DCG@3 NumRet").mean.row(0)[1:]
    assert found == pytest.approx((2 + 1 / 1.584962500721156 + 3 / 2, 3))  # b, c, a
    for each in (last, first):  # with a cursor, each starts at 0
        each["response"]["start"] = 0
    assert rank(save(tmp_path / "run", first, last))[0] == FIRST_B


def test_pages_in_an_array_are_in_its_order(tmp_path):
    pages = [write_hits([(doc, None)], query_id="q1") for doc in "bac"]
    (tmp_path / "run").write_text(json.dumps(pages))
    found = sqlmetrics.evaluate(JUDGED, tmp_path / "run", "DCG@3").mean["DCG@3"][0]
    assert found == pytest.approx(2 + 3 / 1.584962500721156 + 1 / 2)


def test_pages_without_an_order_are_refused(tmp_path):
    pages = [write_hits(hits, query_id="q1") for hits in ([("c", 1.0)], [("b", 3.0), ("a", 2.0)])]
    with pytest.raises(sqlmetrics.InputError, match="line 2: the scores of query q1 are higher"):
        rank(save(tmp_path / "run", *pages))
    second = {"query_id": "q1", "from": 10, "response": write_hits([("a", 1.0)])}
    with pytest.raises(sqlmetrics.InputError, match="line 1: the page starts after 10 documents"):
        rank(save(tmp_path / "run", second))


@pytest.mark.parametrize("scores", [(None, None), (1.0, 3.0)])
def test_pages_of_one_query_in_several_files_are_joined_or_refused(tmp_path, scores):
    for number, (doc, score) in enumerate(zip("ba", scores, strict=True)):
        save(tmp_path / f"{number}.json", write_hits([(doc, score)], query_id="q1"))
    with pytest.raises(sqlmetrics.InputError, match=r"1.json: query q1 has documents in .*0.json"):
        rank({"run": tmp_path})
    for number, doc in enumerate("ba"):  # whose scores fall
        save(tmp_path / f"{number}.json", write_hits([(doc, 2.0 - number)], query_id="q1"))
    assert rank({"run": tmp_path})[0] == [0, 1, 1, 2]


def test_a_last_page_may_be_empty(tmp_path):
    empty = write_hits([], query_id="q1")
    empty["hits"]["total"]["value"] = 3
    pages = write_hits([("b", 3), ("c", 2), ("a", 1)], query_id="q1"), empty
    assert rank(save(tmp_path / "run", *pages))[0] == FIRST_B


@pytest.mark.parametrize(
    "change",
    [
        {"timed_out": True},
        {"_shards": {"total": 2, "successful": 1, "failed": 1, "failures": [{"reason": {}}]}},
    ],
)
def test_an_incomplete_response_is_noted(tmp_path, change):
    responses = [
        write_hits([("a", 1.5), ("b", 1), ("c", 0.5)], query_id="q1"),
        write_hits([("a", 1.5)], query_id="q2") | change,
    ]
    _, (note, *_) = rank(save(tmp_path / "run", *responses))
    assert note.endswith(
        "; 1 of 2 responses may lack documents, since the search ran out of time or shards failed, "
        "such as that for query q2"
    )


def test_partial_results_of_solr_are_noted(tmp_path):
    response = write_docs([("a", 2), ("b", 1), ("c", 0)], "q1")
    response["responseHeader"]["partialResults"] = True
    _, (note, *_) = rank(save(tmp_path / "run", response))
    assert "1 of 1 responses may lack documents" in note


def test_a_document_may_be_known_by_a_value_of_its_source(tmp_path):
    hits = write_hits([("1", 3), ("2", 2), ("3", 1)], term="q1")
    for hit, sku in zip(hits["hits"]["hits"], "bac", strict=True):
        hit["_source"]["sku"] = sku
    run = save(tmp_path / "run", hits)
    columns = {"query_id": "term", "doc_id": "sku"}
    qrels = pl.DataFrame({"term": ["q1"] * 3, "sku": ["a", "b", "c"], "relevance": [3, 2, 1]})
    ranks, notes = rank(run, qrels, columns=columns)
    assert ranks == FIRST_B
    assert "run: read term as query_id, _source.sku as doc_id, _score as score" in notes[1]
    ranks, _ = rank(run, {"q1": {"2": 3, "1": 2, "3": 1}}, columns={"query_id": "term"})
    assert ranks == FIRST_B


def test_numbers_of_columns_are_for_files_without_header(tmp_path):
    (tmp_path / "qrels").write_text("q1,a,3\nq1,b,2\nq1,c,1\n")
    run = save(tmp_path / "run", write_hits([("b", 3), ("a", 2), ("c", 1)], qid="q1"))
    columns = {"query_id": 1, "doc_id": 2, "relevance": 3}
    assert rank(run, tmp_path / "qrels", columns=columns)[0] == FIRST_B


def test_a_query_beside_the_response_wins_over_what_was_asked(tmp_path):
    response = write_docs([("b", 2), ("a", 1), ("c", 0)], "title:(red shoes)")
    assert rank(save(tmp_path / "run", response | {"query_id": "q1"}))[0] == FIRST_B


def test_one_response_over_many_lines_after_another_is_read(tmp_path):
    responses = [
        write_hits([("b", 3), ("a", 2)], query_id="q1"),
        write_hits([("c", 1)], query_id="q1"),
    ]
    (tmp_path / "run").write_text("\n".join(json.dumps(each, indent=2) for each in responses))
    assert rank(tmp_path / "run")[0] == FIRST_B


@pytest.mark.thorough
def test_a_line_may_be_long_and_come_after_blank_ones(tmp_path):
    hits = write_hits([("b", 3), ("a", 2), ("c", "high")], query_id="q1")
    hits["hits"]["hits"][0]["_source"]["text"] = "x" * 18_000_000
    lines = f"\n{json.dumps(write_hits([], query_id='q0'))}\n  \n{json.dumps(hits)}\n"
    (tmp_path / "run").write_text(lines)
    with pytest.raises(sqlmetrics.InputError, match=r"run line 4: score 'high' for document c"):
        rank(tmp_path / "run")
    (tmp_path / "run").write_text(lines.replace('"high"', "1"))
    assert rank(tmp_path / "run")[0] == FIRST_B


@pytest.mark.parametrize("name", ["hits", "response", "responses", "took", "details", "requests"])
def test_queries_and_documents_may_have_the_names_of_keys(tmp_path, name):
    scores = {name: {"hits": 2.0, "docs": 1.0, "ratings": 0.5}, "q2": {name: 1.0}}
    (tmp_path / "run").write_text(json.dumps(scores))
    found = sqlmetrics.evaluate({name: {"docs": 1}}, tmp_path / "run", "RR NumRet")
    assert found.mean.row(0)[1:] == (0.5, 3.0)


def test_rows_may_have_columns_with_the_names_of_keys(tmp_path):
    row = {"query_id": "q1", "doc_id": "a", "score": 1, "took": 3, "status": "ok", "docs": ["x"]}
    assert rank(save(tmp_path / "run", row))[0] == [1, 1, 1, 1]


def test_what_is_created_for_responses_is_removed(tmp_path):
    run = save(tmp_path / "run", write_hits([("b", 3)], query_id="q1"))
    with duckdb.connect() as con:
        rank(run, con=con)
        assert con.execute("SELECT count(*) FROM duckdb_tables()").fetchall() == [(0,)]


def test_responses_may_be_the_baseline_of_a_gate(tmp_path):
    response = write_hits([("b", 2), ("a", 1)], query_id="q1")
    runs = [str(save(tmp_path / name, response)) for name in ("released", "candidate")]
    (tmp_path / "qrels.json").write_text(json.dumps(JUDGED))
    paths = [str(tmp_path / "qrels.json"), *runs]
    limits = ("--max-loss", "AP=0.1", "--allow", "one-query", "--allow", "no-spread")
    status, printed, said = run_command("gate", *paths, *limits)
    assert (status, printed.splitlines()[1].split()[0]) == (0, "passed"), said


class Response:
    """As clients of Elasticsearch return it: not a dict, but an object around one."""

    def __init__(self, body):
        self._body = body

    @property
    def body(self):
        return self._body


HITS = write_hits([("b", 2.0), ("a", 1.0), ("c", 0.5)])
ROWS = {"b": 2.0, "a": 1.0, "c": 0.5}


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "run",
    [
        {"q1": HITS},
        {"q1": Response(HITS)},
        {"query_id": "q1", "response": HITS},
        HITS | {"query_id": "q1"},
        [{"query_id": "q1", "response": Response(HITS)}],
        iter([Response(HITS | {"query_id": "q1"})]),
        Response({"took": 1, "query_ids": ["q1"], "responses": [HITS]}),
        {"q1": write_docs([("b", 2.0), ("a", 1.0), ("c", 0.5)], "q1")},
        {"run": {"q1": Response(HITS)}},
    ],
)
def test_responses_of_clients_are_a_run(run):
    assert rank(run)[0] == rank({"q1": ROWS})[0] == FIRST_B


def test_runs_by_name_may_be_responses_and_others():
    runs = {"new": {"q1": Response(HITS)}, "old": {"q1": {"a": 1.0}}}
    mean = sqlmetrics.evaluate(JUDGED, runs, "NumRet").mean
    assert mean.rows() == [("new", 3), ("old", 1)]


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (Response(HITS), "the run object: no query_id: put it beside the response"),
    ],
)
def test_responses_of_clients_that_cannot_be_read_are_named(run, said):
    with pytest.raises(sqlmetrics.InputError, match=said):
        sqlmetrics.evaluate(JUDGED, run, "AP")


def evaluate_ranking(tmp_path, ratings, metric, **options):
    """Scores of the request and response of Elasticsearch's 10_basic.yml: documents that it has."""
    ranked = {"amsterdam_query": ["doc2", "doc3", "doc4"], "berlin_query": ["doc1", "doc4"]}
    requests = [
        {
            "id": query,
            "ratings": [{"_index": "foo", "_id": d, "rating": r} for d, r in each.items()],
        }
        for query, each in ratings.items()
    ]
    hit = {"_index": "foo", "_score": 0.5}
    details = {
        query: {
            "hits": [{"hit": hit | {"_id": d}, "rating": ratings[query].get(d)} for d in documents]
        }
        for query, documents in ranked.items()
    }
    qrels = save(tmp_path / "request.json", {"requests": requests, "metric": {}})
    response = {"metric_score": 1, "details": details, "failures": {}}
    (tmp_path / "response.json").write_text(json.dumps(response, indent=2))
    options = {"ties": "rank", **options}
    scores = sqlmetrics.evaluate(qrels, tmp_path / "response.json", metric, **options)
    return dict(scores.per_query.select("query_id", metric).iter_rows()), scores.mean.row(0)[1]


def test_the_ranking_evaluation_api_and_its_own_response_give_the_same_scores(tmp_path):
    ratings = {"amsterdam_query": {"doc1": 0, "doc2": 1, "doc3": 1}, "berlin_query": {"doc1": 1}}
    metric = "P(denominator='retrieved', judged_only=True)@10"
    assert evaluate_ranking(tmp_path, ratings, metric)[0] == dict.fromkeys(ratings, 1.0)
    rated = {query: {"doc4": 1} for query in ratings}
    scores, mean = evaluate_ranking(tmp_path, rated, "RR@10")
    assert (scores["amsterdam_query"], scores["berlin_query"]) == (1 / 3, 1 / 2)
    assert mean == pytest.approx(5 / 12)
    _, mean = evaluate_ranking(tmp_path, rated, "ERR(max_rel=1)@5")
    assert 0.2083333 < mean < 0.2083334


# A response of each engine with the documents b, c and a, in this order, and one without any, as
# its documentation has them: docs.vespa.ai/en/reference/default-result-format.html,
# api.qdrant.tech (query-points, search-points), docs.pinecone.io/reference/api (query,
# search_records), docs.weaviate.io/weaviate/api/graphql, milvus.io/api-reference/restful (search),
# docs.trychroma.com (query), typesense.org/docs (search), algolia.com/doc/rest-api/search,
# meilisearch.com/docs/reference/api/search, learn.microsoft.com/rest/api/searchservice (documents),
# cloud.google.com/generative-ai-app-builder/docs/reference/rest (search)
def list_hits(*values, **keys):
    """A hit for each of the documents, by the key of its id; with the values of a score."""
    ((id_key, score_key),) = keys.items()
    scores = dict(zip("bca", values, strict=False))
    return [{id_key: doc} | ({score_key: scores[doc]} if values else {}) for doc in "bca"]


COVERAGE = {"coverage": 100, "documents": 9, "full": True, "nodes": 1, "results": 1}
ENGINES = {
    "Vespa": (
        {"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 3}, "coverage": COVERAGE,
                  "children": list_hits(0.9, 0.5, 0.2, id="relevance")}},
        {"root": {"id": "toplevel", "relevance": 1.0, "fields": {"totalCount": 0}, "coverage": COVERAGE}},
    ),
    "Qdrant": (
        {"result": {"points": list_hits(0.9, 0.5, 0.2, id="score")}, "status": "ok", "time": 0.001},
        {"result": {"points": []}, "status": "ok", "time": 0.001},
    ),
    "Qdrant, by a distance": (
        {"result": list_hits(0.2, 0.5, 0.9, id="score"), "status": "ok", "time": 0.001},
        {"result": {"points": []}, "status": "ok", "time": 0.001},
    ),
    "Pinecone": (
        {"matches": list_hits(0.9, 0.5, 0.2, id="score"), "namespace": "n", "usage": {"read_units": 6}},
        {"matches": [], "namespace": "n", "usage": {"read_units": 6}},
    ),
    "Pinecone, of records": (
        {"result": {"hits": list_hits(0.9, 0.5, 0.2, _id="_score")}, "usage": {"read_units": 6}},
        {"result": {"hits": []}, "usage": {"read_units": 6}},
    ),
    "Weaviate": (
        {"data": {"Get": {"Article": [{"_additional": each} for each in list_hits(0.1, 0.2, 0.3, id="distance")]}}},
        {"data": {"Get": {"Article": []}}},
    ),
    "Milvus": (
        {"code": 0, "cost": 0, "data": list_hits(0.9, 0.5, 0.2, id="distance")},
        {"code": 0, "cost": 0, "data": []},
    ),
    "Chroma": (
        {"ids": [["b", "c", "a"]], "distances": [[0.1, 0.2, 0.3]], "documents": None, "included": ["distances"]},
        {"ids": [[]], "distances": [[]], "documents": None, "included": ["distances"]},
    ),
    # its scores have more digits than a float
    "Typesense": (
        {"found": 3, "out_of": 9, "page": 1, "request_params": {"q": "bread"}, "search_time_ms": 1,
         "hits": [{"document": {"id": doc}, "text_match": 578730123365187700 - place} for place, doc in enumerate("bca")]},
        {"found": 0, "out_of": 9, "page": 1, "request_params": {"q": "curry"}, "search_time_ms": 1, "hits": []},
    ),
    "Algolia": (
        {"hits": list_hits(1, 2, 3, objectID="id"), "page": 0, "nbHits": 3, "processingTimeMS": 1, "query": "bread"},
        {"hits": [], "page": 0, "nbHits": 0, "processingTimeMS": 1, "query": "curry"},
    ),
    "Meilisearch": (
        {"hits": list_hits(0.9, 0.5, 0.2, id="_rankingScore"), "query": "bread", "processingTimeMs": 1, "offset": 0},
        {"hits": [], "query": "curry", "processingTimeMs": 1, "offset": 0, "estimatedTotalHits": 0},
    ),
    "Azure AI Search": (
        {"@odata.context": "https://…/$metadata#docs(*)", "value": list_hits(2.5, 1.5, 0.5, id="@search.score")},
        {"@odata.context": "https://…/$metadata#docs(*)", "value": []},
    ),
    "Vertex AI Search": (
        {"results": [{"id": doc, "document": {"name": f"projects/p/documents/{doc}", "id": doc}} for doc in "bca"],
         "totalSize": 3, "attributionToken": "t"},
        {"totalSize": 0, "attributionToken": "t"},
    ),
}  # fmt: skip
OTHERS = {"Elasticsearch", "Solr", "Ranking Evaluation", "OpenSearch judgments"}
TWO = {"q1": JUDGED["q1"], "q2": {"a": 1}}


@pytest.mark.parametrize("engine", ENGINES)
def test_responses_of_every_engine_are_ranked_as_it_ranked_them(tmp_path, engine):
    responses = dict(zip(TWO, ENGINES[engine], strict=True))
    inside = [{"query_id": query, "response": each} for query, each in responses.items()]
    beside = [{"query_id": query, **each} for query, each in responses.items()]
    (tmp_path / "array.json").write_text(json.dumps(beside, indent=1))
    given = (responses, inside, beside, save(tmp_path / "lines", *inside), tmp_path / "array.json")
    for run in given:
        ranks, notes = rank(run, TWO, ties="descending", queries="answered")
        assert ranks == FIRST_B
        assert "no results for 1 of 2 judged queries" in notes[-1]
        assert rank(run, {"q1": {"c": 3}}, ties="descending")[0][0] == 0
        assert sqlmetrics.evaluate({"q1": {"c": 3}}, run, "RR").mean["RR"].item() == 1 / 2


def test_every_engine_has_a_response_here_and_is_on_the_page():
    engines = {form["engine"] for form in read_rows("forms.csv")}
    assert {name.partition(",")[0] for name in ENGINES} == engines - OTHERS
    page = (ROOT / "docs" / "search-engines.md").read_text()
    assert [name for name in engines if name not in page] == []


@pytest.mark.parametrize("engine", ["Typesense", "Algolia", "Meilisearch"])
def test_several_searches_at_once_are_a_response_each(engine):
    several = {"query_ids": [*TWO], "results": [*ENGINES[engine]]}
    assert rank(several, TWO, queries="answered")[0] == FIRST_B
    with pytest.raises(
        sqlmetrics.InputError, match=r'2 query_ids for 1 responses: .*"results": \['
    ):
        rank({**several, "results": [ENGINES[engine][0]]}, TWO)


def test_lists_of_chroma_are_of_the_queries_beside_them():
    several = {"query_ids": [*TWO], **ENGINES["Chroma"][0], "ids": [["b", "c", "a"], []]}
    assert rank(several, TWO, queries="answered")[0] == FIRST_B
    del several["query_ids"]
    with pytest.raises(sqlmetrics.InputError, match=r"no query_id: list one .* \"ids\": \["):
        rank(several, TWO)


def test_documents_without_a_known_id_are_refused_with_the_keys_that_they_have():
    hits = [{"@search.score": 2.5, "hotelName": "b"}, {"@search.score": 1.5, "hotelName": "a"}]
    run = {"q1": {"@odata.context": "https://…", "value": hits}}
    with pytest.raises(
        sqlmetrics.InputError,
        match=r"no id in .*, which have @search.score, hotelName; name the key",
    ) as error:
        rank(run)
    assert "columns={'doc_id': '…'}" in str(error.value)
    assert rank(run, columns={"doc_id": "hotelName"})[0] == [0, 1, 1, 2]


def test_a_degraded_search_of_vespa_is_noted():
    response = json.loads(json.dumps(ENGINES["Vespa"][0]))
    response["root"]["coverage"]["degraded"] = {"match-phase": True, "timeout": False}
    _, (note, *_) = rank({"q1": response})
    assert "1 of 1 responses may lack documents" in note
