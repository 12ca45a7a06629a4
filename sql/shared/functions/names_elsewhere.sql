-- What other tools and warehouses call the columns of tables of users, in lower case and without - _ and spaces.
CREATE OR REPLACE MACRO names_elsewhere() AS map_from_entries([
    -- names before a | win over those after it; two on the same side are ambiguous
    ('query_id', [
        'queryid | qid q topicid topic questionid | query querytext userquery searchquery searchterm searchtext',
        'searchkeyword searchstring querystring | keyword keywords userinput question prompt utterance term',
        'phrase searchphrase searchinput input suchanfrage suchbegriff suchwort anfrage requête requete consulta',
        'búsqueda busqueda ricerca pesquisa zoekopdracht | search srchid searchid | group groupid | userid user',
        'customerid sessionid useridx uid visitorid memberid candidate candidateid client clientid shopper member',
        'viewer'
    ]),
    -- the docid of PyTerrier is an internal number beside its docno
    ('doc_id', [
        'docno | docid trackuri | did documentid corpusid passageid pid resultid | itemid iid item itemidx',
        'productid product movieid articleid | sku skuid asin ean url objectid contentid listingid postid videoid',
        'trackid paperid hotelid jobid bookid songid recipeid episodeid placeid poiid propid propertyid answerid',
        'adid offerid courseid venueid restaurantid | doc document passage article listing hotel job track video',
        'movie song book recipe paper post offer link uri vacancy property restaurant course artikelnummer',
        'artikelnr artikel produktnummer produkt dokument produit producto documento prodotto produto | isbn pmid',
        'doi resulturl documenturl documenturi chunkid nodeid articlenumber productnumber itemnumber targetitem',
        'targetitemid productsku productcode productuid productname itemname filename file path title | uuid |',
        'docids docs documents documentids passages passageids chunks chunkids nodes nodeids itemids contexts',
        'sources skus asins urls products articles'
    ]),
    ('relevance', [
        'relevance | evalscore escilabel relevancelabel relevancegrade relevancerating | rel label grade judgment',
        'judgement rating gain target ytrue y relevant isrelevant rui | relevancy stars verdict usefulness choice',
        'relevanz bewertung pertinence relevancia pertinenza relevância rilevanza | hired included responsive',
        'booked bookingbool listened bought purchased converted applied watched played liked clicked click',
        'isclick isclicked | gold groundtruth truth actual humanrating humanlabel humanscore | relevances',
        'relevanceresponses ratingresponses labels grades ratings judgments judgements'
    ]),
    ('score', [
        'score | sim similarity prediction pred est | relevancescore similarityscore documentscore rerankscore',
        'finalscore docscore rrfscore searchscore rankingscore rerankerscore yscore ypred yhat | scores',
        'similarities predictions punktzahl puntuación puntuacion punteggio pontuação | bm25 dense splade tfidf',
        'cosine dotproduct innerproduct confidence logit match rawformulaval prob* *prob *probability *similarity',
        '*score *pred pred* *prediction'
    ]),
    ('rank', [
        'rank | position pos place | rankposition resultposition documentrank docrank resultrank docposition',
        'documentposition rnk rn rownumber rang platz rango posición posicion posizione posição'
    ]),
    ('distance', ['distance | dist | distances | cosinedistance vectordistance euclideandistance l2distance']),
    ('subtopic', [
        'subtopicid subtopicno subtopicnumber | intent intentid aspect aspectid | judgmentgroup judgementgroup',
        'ujg jg | iteration iter'
    ]),
    ('run_id', [
        'runid | run runname system systemid systemname | model modelname method algorithm engine ranker',
        'retriever variant'
    ]),
    ('page_id', [
        'pageid | impressionid serpid pageviewid viewid | searchid requestid eventid | page impression serp',
        'search request'
    ]),
    ('position', ['position | pos rank slot']),
    ('clicked', ['clicked | click isclick isclicked']),
    ('time_to_click', ['timetoclick | secondstoclick clicktime clickdelay']),
    ('dwell_time', ['dwelltime | dwell dwellseconds timeonpage timespent']),
    ('response_time', ['responsetime | latency took duration elapsed']),
    ('user_id', ['userid | user uid customerid visitorid clientid accountid | sessionid']),
    ('variant', ['variant | group arm bucket treatment variantid']),
    ('numerator', ['numerator | value']),
    ('denominator', ['denominator']),
    ('before', ['before | covariate pre prior']),
    ('before_denominator', ['beforedenominator']),
    ('examination', ['examination | propensity']),
    ('team', ['team']),
    ('weight', ['weight']),
    ('passage_id', ['passageid pid | chunkid segmentid | passage chunk segment']),
    ('stratum', ['stratum | category strata']),
    ('category', ['category | categoryid categoryname genre genres topic']),
    ('group_id', ['groupid | group provider seller artist publisher brand']),
    ('features', ['features | vector embedding embeddings featurevector']),
    ('judge', ['judge judgeid | assessor assessorid annotator annotatorid rater raterid | worker workerid model']),
    ('rank_a', ['ranka']),
    ('rank_b', ['rankb'])
]);
