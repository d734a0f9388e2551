"""Columns that are recognised by their names, in every function that looks for some."""

import json
import warnings

import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

USERS = ["movie_user:token", "user_id:token", "session_id", "customer_id", "uid", "query-id"]
ITEMS = [
    *("movieId", "product_id", "asin", "article_id", "track_id", "book_id", "iid", "item_id:token"),
    *("corpus-id", "Movie ID"),
]
NUMBERS = ["grade", "target", "clicked", "rating:float", "label:float"]


def judged(user, item, label):
    return pandas.DataFrame({user: ["u", "u", "v"], item: ["a", "b", "a"], label: [0, 1, 1]})


def ranked(user, item):
    return pandas.DataFrame(
        {user: ["u", "u", "v"], item: ["a", "b", "b"], "score": [0.9, 0.5, 0.1]}
    )


def rows_of(frame):
    return frame.to_dict("records")


def as_lines(frame, path):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows_of(frame)))
    return path


VALUES = {"u": {"RR": 0.5}, "v": {"RR": 0.0}}


@pytest.mark.parametrize(("user", "item", "label"), [
    *((user, "item_id", "label") for user in USERS[1:]),
    *(("user_id", item, "label") for item in ITEMS),
    *(("user_id", "item_id", label) for label in NUMBERS),
])  # fmt: skip
def test_names_of_columns(user, item, label, tmp_path):
    qrels, run = judged(user, item, label), ranked(user, item)
    assert rg.evaluate(qrels, run, "RR").to_dict() == VALUES
    assert rg.evaluate(rows_of(qrels), rows_of(run), "RR").to_dict() == VALUES
    paths = as_lines(qrels, tmp_path / "q.jsonl"), as_lines(run, tmp_path / "r.jsonl")
    assert rg.evaluate(*paths, "RR").to_dict() == VALUES
    qrels.to_csv(tmp_path / "q.csv", index=False)
    assert rg.Qrels(tmp_path / "q.csv") == rg.Qrels(qrels)
    assert rg.evaluate_ids(run, qrels, "RR").to_dict() == VALUES
    whole = run.merge(qrels, how="left").fillna(0)
    assert rg.evaluate_frame(whole, "RR").to_dict() == VALUES


def test_rarer_names_count_where_no_other_is():
    run = ranked("user_id", "item_id").assign(session_id="s", asin="x", uid=1)
    qrels = judged("user_id", "item_id", "label").assign(clicked=[1, 0, 0], target=3, iid=1)
    assert rg.evaluate(qrels, run, "RR").to_dict() == VALUES
    assert rg.evaluate_ids(run, qrels, "RR").to_dict() == VALUES
    whole = run.merge(qrels[["user_id", "item_id", "label", "clicked"]], how="left").fillna(0)
    assert rg.evaluate_frame(whole, "RR").to_dict() == VALUES


BEIR = pandas.DataFrame(
    {"query-id": ["u", "u", "v"], "corpus-id": ["a", "b", "a"], "score": [0, 1, 1]}
)


def test_scores_are_labels_beside_beirs_ids_alone():
    assert rg.Qrels(BEIR.assign(label=[2, 0, 0]))["u"] == {"a": 2.0, "b": 0.0}


# Ranks and scores in one frame


def with_ranks(ranks, scores, name="rank"):
    users = ["u", "u", "u", "v", "v"]
    return pandas.DataFrame({"user_id": users, "doc_id": [*"abcab"], name: ranks, "score": scores})


QRELS = {"u": {"a": 1}, "v": {"b": 1}}


def caught(call):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in said if "orders disagree" in str(one.message)]


@pytest.mark.parametrize("name", ["rank", "position"])
@pytest.mark.parametrize(("ranks", "scores", "by_ids", "by_runs"), [
    ([1, 2, 3, 1, 2], [3.0, 2, 1, 2, 1], None, None),
    ([2, 1, 3, 1, 2], [1.0, 2, 0, 5, 4], None, None),
    ([1, 2, 3, 1, 2], [3.0, 2, 1, 1, 2], "v", "v"),
    ([1, 2, 3, 1, 2], [2.0, 3, 1, 2, 1], "u", "u"),
    ([1, 2, 3, 2, 1], [1.0, 1, 0, 1, 2], None, "u"),  # as by id b comes before a
    ([2, 1, 3, 2, 1], [1.0, 1, 0, 1, 2], None, None),
])  # fmt: skip
def test_ranks_and_scores_that_disagree(ranks, scores, by_ids, by_runs, name):
    frame = with_ranks(ranks, scores, name)
    of_ids = caught(lambda: rg.evaluate_ids(frame, QRELS, "RR"))
    calls = (
        lambda: rg.evaluate(QRELS, frame, "RR"),
        lambda: rg.evaluate_runs(QRELS, {"one": frame}, "RR"),
        lambda: rg.Run.from_frame(frame),
        lambda: rg.Run(frame.sample(frac=1, random_state=1)),
    )
    assert len(of_ids) == (by_ids is not None)
    for text in of_ids:
        assert text.startswith(
            f"retrieved has the columns '{name}' and 'score', whose orders disagree for "
            f"'{by_ids}': '{name}' was used"
        )
    for call in calls:
        texts = caught(call)
        assert len(texts) == (by_runs is not None)
        for text in texts:
            assert f"disagree for '{by_runs}': 'score' was taken" in text
    for call in (
        lambda: rg.Run.from_frame(frame, score="score"),
        lambda: rg.Run.from_frame(frame, rank=name),
        lambda: rg.Run(frame.drop(columns=name)),
        lambda: rg.evaluate_ids(frame.drop(columns="score"), QRELS, "RR"),
        lambda: rg.Run(frame.assign(**{name: "first"})),
        lambda: rg.Qrels(frame.assign(label=1)),
    ):
        assert not caught(call)


@pytest.mark.parametrize("kinds", [[0, 1], [0.0, 1.0], [1, 0], [True, False]])
def test_labels_that_are_categories_of_numbers(kinds):
    qrels = judged("user_id", "item_id", "label")
    labels = pandas.Categorical(qrels["label"].astype(type(kinds[0])), categories=kinds)
    qrels, run = qrels.assign(label=labels), ranked("user_id", "item_id")
    whole = pandas.DataFrame({
        "user_id": ["u", "u", "v"],
        "label": pandas.Categorical([kinds[0], kinds[1], kinds[0]], categories=kinds),
        "score": pandas.Categorical([3, 2, 1]),
    })  # fmt: skip
    assert rg.evaluate(qrels, run, "RR").to_dict() == VALUES
    assert rg.evaluate_ids(run, qrels, "RR").to_dict() == VALUES
    plain = whole.astype({"label": float, "score": float})
    expected = rg.evaluate_frame(plain, "RR").to_dict()
    assert rg.evaluate_frame(whole, "RR").to_dict() == expected
    pyarrow = pytest.importorskip("pyarrow")
    columns = {"query": "user_id", "label": "label", "score": "score"}
    if kinds != [True, False]:
        table = pyarrow.Table.from_pandas(whole)
        assert rg.evaluate_batches(table, "RR", **columns).to_dict() == expected
        assert rg.evaluate_frame(table, "RR").to_dict() == expected
