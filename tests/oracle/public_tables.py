"""The columns of tables that people publish: 200 of them, with values made for each.

A line names tables of the same columns, the arguments that a reader would pass, and the columns. Arguments are
those of `evaluate_ids` for a table of what is relevant; a column of ids that has no usual name must
be named, as must labels that are called by a word of their own.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

LINES = """
MovieLens 100K ratings; Amazon ratings only | | user_id item_id rating timestamp
MovieLens 1M ratings | | UserID MovieID Rating Timestamp
MovieLens 10M ratings; MovieLens 20M ratings; MovieLens 25M ratings; MovieLens 32M ratings | | userId movieId rating timestamp
MovieLens tags | | userId movieId tag timestamp
MovieLens ratings joined to movies | | userId movieId rating timestamp title genres
MovieLens ratings joined to users | | user_id movie_id rating timestamp gender age occupation zip_code
MovieLens ratings joined to links | | userId movieId rating timestamp imdbId tmdbId
MovieLens in RecBole's form | | user_id:token item_id:token rating:float timestamp:float
MovieLens without ratings in RecBole's form | | user_id:token item_id:token timestamp:float
Amazon reviews 2014 | | reviewerID asin overall unixReviewTime | label=overall
Amazon reviews 2018 | | reviewerID asin overall verified vote reviewTime unixReviewTime summary | label=overall
Amazon reviews 2023 | | user_id asin parent_asin rating title text timestamp helpful_vote verified_purchase
Amazon reviews 2023, 5-core | | user_id parent_asin rating timestamp | doc=parent_asin
Amazon M2 sessions | doc=next_item | session_id prev_items next_item locale
Amazon ESCI | label=label | query_id product_id esci_label split label small_version large_version product_locale
Amazon purchases in RecBole's form | | user_id:token item_id:token
Yelp reviews | label=stars | review_id user_id business_id stars date text useful funny cool
Yelp reviews as what was visited | label=None | user_id business_id stars date
Yelp tips | | user_id business_id text date compliment_count
Yelp check-ins by user | | user_id business_id date
Yelp 2018 in LightGCN's form with names | | user item
Gowalla check-ins; Brightkite check-ins | query=user doc=location_id | user check_in_time latitude longitude location_id
Gowalla in LightGCN's form with names; Pinterest; NineRec; Flickr; Beauty, leave one out | | user_id item_id
Gowalla in RecBole's form | | user_id:token item_id:token timestamp:float latitude:float longitude:float
Foursquare NYC | query=user_id doc=venue_id | user_id venue_id venue_category_id venue_category_name latitude longitude timezone_offset utc_time
Foursquare Tokyo | doc=venueId | userId venueId venueCategoryId venueCategory latitude longitude timezoneOffset utcTimestamp
Foursquare global | doc=venue_id | user_id venue_id utc_time timezone_offset
LastFM 1K | | user_id timestamp artist_id artist_name track_id track_name
LastFM 360K | | user_id artist_id artist_name plays
LastFM hetrec | | userID artistID weight
LastFM hetrec tags | | userID artistID tagID day month year
LastFM 2B listening events | | user_id track_id album_id timestamp
LFM-1b | | user_id artist_id album_id track_id timestamp
Million Song echo nest | | user_id song_id play_count
MSD taste profile | query=user doc=song | user song play_count
Spotify playlists | query=playlist_id | playlist_id track_id position artist_name track_name duration_ms
Spotify million playlists, flat | query=pid doc=track_uri | pid track_uri pos artist_uri album_uri duration_ms
Spotify streaming sessions | query=session_id doc=track_id_clean label=not_skipped | session_id session_position session_length track_id_clean not_skipped context_type hour_of_day date premium
30Music sessions | query=session_id doc=track_id | session_id user_id track_id playtime playratio timestamp
Deezer streams | | user_id song_id date
XBox Game Pass play | query=user doc=game | user game hours
Steam play time | query=user_id doc=game_id | user_id game_id hours date
Steam reviews | query=user_id doc=app_id label=is_recommended | app_id helpful funny date is_recommended hours user_id review_id
Steam in RecBole's form | doc=product_id:token | user_id:token product_id:token hours:float timestamp:float
Epinions | | user_id item_id rating
Ciao | | user_id product_id category_id rating helpfulness
Douban movies | | user_id movie_id rating timestamp
Netflix prize | | user_id movie_id rating date
Netflix prize with its own names | | CustomerID MovieID Rating Date
Jester jokes | doc=joke_id | user_id joke_id rating
BookCrossing | label=Book-Rating doc=ISBN | User-ID ISBN Book-Rating
Goodreads interactions | label=rating | user_id book_id is_read rating is_reviewed
Goodreads reviews | | user_id book_id review_id rating review_text date_added n_votes n_comments
GoodBooks 10K | | user_id book_id rating
GoodBooks to read | | user_id book_id
Anime ratings | doc=anime_id | user_id anime_id rating
MyAnimeList 2020 | doc=anime_id | user_id anime_id rating watching_status watched_episodes
BoardGameGeek | query=user doc=name | user rating name
Food.com interactions | | user_id recipe_id date rating review
Allrecipes | | user_id recipe_id rating dateLastModified
CiteULike | query=user_id doc=article_id | user_id article_id
Delicious bookmarks | query=userID doc=bookmarkID | userID bookmarkID tagID timestamp
Yahoo R3 | query=user_id doc=song_id | user_id song_id rating
Yahoo music R2 | | user_id song_id rating
KuaiRec watch | label=watch_ratio | user_id video_id play_duration video_duration time date timestamp watch_ratio
KuaiRec watch as implicit | label=None | user_id video_id play_duration video_duration timestamp watch_ratio
KuaiRand log | label=is_click | user_id video_id date hourmin time_ms is_click is_like is_follow long_view play_time_ms duration_ms tab
KuaiSAR recommendations | label=click | user_id item_id time click like follow
KuaiSAR searches | query=search_session_id label=click | user_id search_session_id item_id keyword click
Tenrec QB video | label=click | user_id item_id click follow like share video_category watching_times gender age
Tenrec articles | label=read | user_id item_id read gender age
MicroLens pairs | query=user doc=item | user item timestamp
MicroLens interactions; PixelRec; Plista clicks; Behance; Video games, time order | | user_id item_id timestamp
MIND impressions, flat | query=impression_id doc=news_id label=clicked | impression_id user_id time news_id clicked
MIND clicks | query=user_id doc=news_id | user_id news_id category subcategory title
Adressa events | doc=articleId | userId articleId time activeTime city device
Globo clicks | query=user_id doc=click_article_id | user_id click_article_id click_timestamp click_environment click_deviceGroup click_os click_country
EB-NeRD, flat | query=impression_id label=clicked | impression_id user_id article_id impression_time read_time clicked
Otto clicks | query=session doc=aid | session aid ts
Otto events, labelled by the reader | query=session doc=aid label=None | session aid ts type
RetailRocket transactions | query=visitorid | timestamp visitorid itemid transactionid
RetailRocket views | | timestamp visitorid itemid
Diginetica purchases | query=sessionId doc=itemId | sessionId userId timeframe eventdate ordernumber itemId
Diginetica views | query=sessionId doc=itemId | sessionId itemId timeframe eventdate
YooChoose clicks | | session_id timestamp item_id category
YooChoose buys | | session_id timestamp item_id price quantity
Tmall log | label=None | user_id item_id cat_id seller_id brand_id time_stamp action_type
Tmall buys | | user_id item_id cat_id seller_id brand_id time_stamp
Taobao behaviour | label=None | user_id item_id category_id behavior_type timestamp
Taobao buys | | user_id item_id category_id timestamp
Taobao ad display | query=user doc=adgroup_id label=clk | user time_stamp adgroup_id pid nonclk clk
Alibaba iFashion | | user_id item_id outfit_id
JD search | query=query_id label=label | query_id user_id item_id label
Ta Feng | doc=PRODUCT_ID | TRANSACTION_DT CUSTOMER_ID AGE_GROUP PIN_CODE PRODUCT_SUBCLASS PRODUCT_ID AMOUNT ASSET SALES_PRICE
Dunnhumby | query=household_key doc=PRODUCT_ID | household_key BASKET_ID DAY PRODUCT_ID QUANTITY SALES_VALUE STORE_ID RETAIL_DISC TRANS_TIME WEEK_NO
Instacart orders | query=order_id | order_id product_id add_to_cart_order reordered | label=None
Instacart by user | query=user_id | user_id product_id order_number order_dow order_hour_of_day days_since_prior_order
Online Retail | query=CustomerID doc=StockCode | InvoiceNo StockCode Description Quantity InvoiceDate UnitPrice CustomerID Country
UCI Online Retail II | query=Customer_ID doc=StockCode | Invoice StockCode Description Quantity InvoiceDate Price Customer_ID Country
H&M transactions | | t_dat customer_id article_id price sales_channel_id
H&M transactions joined to articles | | t_dat customer_id article_id price sales_channel_id product_code product_type_no colour_group_code garment_group_no index_code
H&M transactions joined to customers | | t_dat customer_id article_id price FN Active club_member_status fashion_news_frequency age postal_code | label=None
Rees46 events | label=None | event_time event_type product_id category_id category_code brand price user_id user_session
Rees46 purchases | query=user_id | event_time product_id category_id category_code brand price user_id
Cosmetics shop purchases | query=user_id | event_time product_id category_id brand price user_id
Santander products | query=ncodpers doc=product | fecha_dato ncodpers product
Expedia hotel clicks | query=srch_id doc=prop_id label=click_bool | srch_id date_time site_id visitor_location_country_id prop_country_id prop_id prop_starrating prop_review_score position price_usd promotion_flag srch_length_of_stay click_bool booking_bool
Expedia bookings | query=user_id doc=hotel_cluster label=None | date_time user_id is_mobile is_package channel srch_adults_cnt srch_children_cnt hotel_cluster
trivago clicks | query=session_id doc=reference | user_id session_id timestamp step reference platform city device
trivago click-outs, by user and session | query=user_id,session_id doc=reference | user_id session_id timestamp step reference
TripAdvisor reviews | doc=hotel_id | user_id hotel_id rating date
Airbnb reviews | query=reviewer_id doc=listing_id | listing_id id date reviewer_id reviewer_name comments
Booking.com trips | query=utrip_id doc=city_id | user_id checkin checkout city_id device_class affiliate_id booker_country hotel_country utrip_id
Google local reviews | doc=gmap_id | user_id name time rating text gmap_id
Google restaurants | query=user_id doc=business_id | user_id business_id rating review_text
XING job clicks | label=None | user_id item_id interaction_type created_at
CareerBuilder applications | query=UserID doc=JobID | UserID WindowID Split ApplicationDate JobID
Kaggle Event recommendation | query=user doc=event | user event invited timestamp interested | label=interested
Meetup attendance | query=user_id doc=event_id | user_id event_id
Twitter RecSys 2020 likes | query=engaging_user_id doc=tweet_id | engaging_user_id tweet_id tweet_timestamp engaged_with_user_id
Twitch streams | doc=streamer | user_id stream_id streamer time_start time_stop
Reddit upvotes | query=user doc=subreddit | user subreddit utc
Stack Exchange answers | query=question_id doc=answer_id label=score | question_id answer_id score
GitHub stars | query=user_id doc=repo_id | user_id repo_id starred_at
ModCloth fit | label=rating | item_id user_id rating size fit user_attr model_attr category brand year
RentTheRunway | label=rating | user_id item_id rating review_date size fit bust_size weight height age
Criteo sponsored sales | query=user_id doc=product_id label=Sale | Sale SalesAmountInEuro click_timestamp product_price product_id user_id
Avazu by device | query=device_id doc=ad label=click | id click hour device_id ad site_id app_id device_type banner_pos
Outbrain clicks | query=display_id doc=ad_id label=clicked | display_id ad_id clicked
Open Bandit | query=round doc=item_id label=click | timestamp item_id position click propensity_score round
ContentWise impressions | query=user_id doc=item_id label=None | utc_ts_milliseconds user_id item_id episode_number interaction_type vision_factor
DonorsChoose | query=donor_id doc=project_id | donor_id project_id donation_amount donation_timestamp
Coursera enrolments | query=user_id doc=course_id | user_id course_id enroll_time
MOOCCube | query=user_id doc=course_id | user_id course_id
ASSISTments answers | query=user_id doc=problem_id label=correct | user_id problem_id correct skill_id order_id
Anonymous purchases | query=client_id doc=sku | client_id sku timestamp price
X5 purchases | query=client_id doc=product_id | client_id transaction_id transaction_datetime regular_points_received purchase_sum store_id product_id product_quantity trn_sum_from_iss
SMM, by members | query=member_id doc=product_id | member_id product_id store_id week
Newsletter openings | query=account_id doc=newsletter_id | account_id newsletter_id opened_at
Podcasts | query=user_id doc=podcast_id | user_id podcast_id listened_seconds
Recipes in a household | query=household doc=recipe | household recipe day meal_number
Library loans | query=borrower doc=book | borrower book loan_date due_date branch
TREC qrels with names | | query_id doc_id relevance iteration
TREC qrels in ir_datasets' form; CODEC judgments; ANTIQUE | | query_id doc_id relevance
TREC qrels in PyTerrier's form | | qid docno label
TREC qrels in PyTerrier's form with iterations | | qid docno label iteration
TREC qrels by topic; GOV2 qrels; CLEF eHealth | | topic docno rel
TREC qrels by topic_id | | topic_id docid relevance
MS MARCO qrels with names | | qid pid label
MS MARCO passages of judged queries | | qid pid query passage label
MS MARCO documents; LongEval judgments | | qid docid rel
BEIR qrels; MTEB qrels | | query-id corpus-id score
BEIR qrels with underscores | | query_id corpus_id score
BRIGHT gold ids | | query_id doc_id
LoTTE gold ids | query=qid doc=answer_pid | qid answer_pid
Natural Questions gold | | query_id doc_id title
HotpotQA supporting facts | query=id doc=title | id title sentence_id
FEVER evidence | query=id doc=page | id page line
SciFact judgments | | query_id doc_id label
TREC-COVID qrels | | topic_id iteration docid rel
Robust04 qrels | | topic iter docno rel
ClueWeb12 qrels | | topic docno grade
NTCIR relevance | | topic doc_id grade
TREC Product Search | | query_id product_id relevance
Home Depot relevance | query=search_term doc=product_uid label=relevance | id product_uid product_title search_term relevance
CrowdFlower search | query=query doc=product_title label=median_relevance | id query product_title median_relevance relevance_variance
Wayfair WANDS | query=query_id doc=product_id label=grade | id query_id product_id grade
Best Buy clicks | query=query doc=sku | user sku category query click_time query_time
LETOR pairs | | qid docid label
MSLR pairs | | qid doc_id label
Istella pairs | | qid docid relevance
Yahoo LTR pairs | | qid docid grade
AOL log, clicks by query | query=Query doc=ClickURL | Query ClickURL ItemRank QueryTime
Yandex clicks | query=QueryID doc=URLID | SessionID TimePassed QueryID URLID
Sogou clicks | query=query doc=url | user_id query url click_rank
Baidu ULTR | query=qid doc=url_md5 label=label | qid url_md5 label pos
TianGong sessions | query=session_id,query_id doc=url | session_id query_id query url title
WebQSP | query=question_id doc=entity | question_id entity
Letterboxd diaries | | user_id movie_id rating watched_date
Radio stations | doc=station | user_id station started_at
Kindle store | | user_id asin rating timestamp
Museum visits | query=visitor_id doc=exhibit | visitor_id exhibit entered_at
RAG chunks that are cited | query=question_id doc=chunk_id | question_id chunk_id page
"""


class PublicTable(NamedTuple):
    """A table of what is relevant: the arguments to read it, and its columns."""

    name: str
    arguments: dict[str, Any]
    columns: list[str]


def _read(line: str) -> list[PublicTable]:
    names, *parts = (part.strip() for part in line.split("|"))
    arguments: dict[str, Any] = {}
    for part in (parts[0], *parts[2:]):
        for pair in part.split():
            role, _, value = pair.partition("=")
            several = value.split(",")
            arguments[role] = None if value == "None" else several if several[1:] else value
    return [PublicTable(name, arguments, parts[1].split()) for name in names.split("; ")]


TABLES = [table for line in LINES.strip().splitlines() for table in _read(line)]

# Values by a word of the name of a column: what such a column holds in the published table.
FLAGS = (
    "click clicked like follow long read reordered verified bool clk nonclk sale correct active "
)
FLAGS += "is premium flag package mobile booking"
KINDS = {
    "time": "time timestamp ts date day dat utc start stop read reviewtime ms dt checkin checkout "
    "at milliseconds datetime timeframe eventdate unixreviewtime timestep",
    "text": "title text genres tag name summary comments comment review passage description "
    "locale brand code country city category occupation query keyword subcategory url type status "
    "platform device environment context zip class fit",
    "price": "price amount latitude longitude hours duration playtime playratio lat usd sum euro "
    "seconds propensity score variance paid sales discount disc value ratio weight height",
    "count": "plays count vote votes useful funny cool helpful quantity number step position pos "
    "adults children length age month year week points order rank n",
}


def rows_of(table: PublicTable, seed: int = 0) -> dict[str, list[Any]]:
    """Six users with four items each, all of them relevant, and what else the table tells."""
    draw = random.Random(f"{table.name} {seed}")
    users = [user for user in range(6) for _ in range(4)]
    items = [item for _ in range(6) for item in draw.sample(range(10), 4)]
    return {name: _values(name, table, users, items, draw) for name in table.columns}


def _values(
    name: str, table: PublicTable, users: list[int], items: list[int], draw: random.Random
) -> list[Any]:
    """The values of a column."""
    query, doc = key_columns(table)
    if name in query:
        return [f"u{user}" for user in users] if name == query[0] else list(users)
    if name == doc:
        return [f"i{item}" for item in items]
    if name == table.arguments.get("label"):
        return [draw.randint(1, 5) for _ in users]
    word = name.lower().removesuffix(":token").removesuffix(":float")
    words = set(word.replace("-", "_").split("_")) | {word}
    if words & {"rating", "relevance", "rel", "label", "grade"} or word == "score":
        return [draw.randint(1, 3) for _ in users]
    if words & {"gender", "members", "attr"}:  # of the user
        return [user % 2 for user in users]
    if word in {"query", "topic"}:
        return [f"text of {user}" for user in users]
    for kind, of_kind in KINDS.items():
        if words & set(of_kind.split()):
            return [_value(kind, draw) for _ in users]
    if words & set(FLAGS.split()):
        return [draw.randint(0, 1) for _ in users]
    if words & {"session", "sessionid", "user", "userid"}:  # one for each list
        return [f"s{user}" for user in users]
    if words & {"item", "artist", "track", "album", "asin", "parent", "product", "seller", "cat"}:
        return [f"{name} of {item}" for item in items]
    return [draw.randrange(10**6) for _ in users]


def _value(kind: str, draw: random.Random) -> Any:
    if kind == "time":
        return 1_600_000_000 + draw.randrange(10**7)
    if kind == "text":
        return draw.choice(["red", "green", "blue", "long words", "x"])
    if kind == "price":
        return round(draw.uniform(0.5, 90), 2)
    return draw.randint(0, 8)


USERS = "query_id qid topic topic_id query user_id userid user reviewerid customer_id "
USERS += "customerid session_id visitorid user_id:token"


def key_columns(table: PublicTable) -> tuple[list[str], str]:
    """The columns of lists and of documents: those that are named, or the first that could be."""
    query, doc = table.arguments.get("query"), table.arguments.get("doc")
    if query is None:
        known = USERS.split()
        spelled = {name.lower().replace("-", "_"): name for name in reversed(table.columns)}
        query = next(spelled[name] for name in known if name in spelled)
    if doc is None:
        from rankgain.inputs.tables.roles import DOCUMENTS

        doc = DOCUMENTS.matching(table.columns)[0]
    return [query] if isinstance(query, str) else query, doc
