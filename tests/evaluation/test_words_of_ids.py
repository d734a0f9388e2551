"""Messages about ids speak of queries or of users, and say which side documents= changed."""

import pytest

import rankgain as rg


def test_ids_that_do_not_match_are_those_of_queries_unless_columns_name_users():
    with pytest.warns(rg.RankgainWarning, match=r"^no query of relevant .*the query ids match$"):
        rg.evaluate_ids({"how old": ["a"]}, {"How old?": ["a"]}, ["R@5"])
    with pytest.raises(TypeError, match=r"^the query ids differ in type"):
        rg.evaluate_ids({1: ["a"]}, {"1": ["a"]}, ["R@5"])
    with pytest.raises(ValueError, match=r"^relevant has 1 list, but retrieved has 2$"):
        rg.evaluate_ids([[1], [2]], [[1]], ["R@1"])
    with pytest.raises(TypeError, match=r"^the user ids differ in type: baseline"):
        rg.evaluate_catalogue({"u": [1]}, "Serendipity", k=1, baseline={1: [2]})
    pd = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    retrieved = pd.DataFrame({"user_id": [1], "item_id": [1], "rank": [1]})
    liked = pd.DataFrame({"user_id": [2], "item_id": [1]})
    for relevant in (liked, {2: [1]}):
        with pytest.warns(rg.RankgainWarning, match=r"^no user of .*the user ids match$"):
            rg.evaluate_ids(retrieved, relevant, ["R@1"])


def test_unmatched_documents_of_chunks_name_the_side_that_documents_changed():
    retrieved = {"q": ["a#1", "a#2", "b#1"], "r": ["c#1"]}
    chunks = {"q": ["a#1"], "r": ["c#1"]}
    words = "'q' of retrieved has 'a' and 'b', relevant 'a#1'. documents= made documents of the"
    with pytest.warns(rg.RankgainWarning) as caught:
        result = rg.evaluate_ids(retrieved, chunks, ["R@3"], documents="#")
    assert words in str(caught[0].message)
    assert result.means == {"R@3": 0}
    # Both cures that the warning names.
    assert rg.evaluate_ids(retrieved, chunks, ["R@3"]).means == {"R@3": 1}
    documents = {"q": ["a"], "r": ["c"]}
    assert rg.evaluate_ids(retrieved, documents, ["R@3"], documents="#").means == {"R@3": 1}


def test_tables_with_lists_in_rows_are_for_evaluate_ids(tmp_path):
    pd = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    frame = pd.DataFrame({"query": ["q"], "retrieved": [["a"]], "relevant": [["a"]]})
    path = tmp_path / "rows.jsonl"
    frame.to_json(path, orient="records", lines=True)
    for source in (frame, path):
        with pytest.raises(TypeError, match=r"'retrieved' and 'relevant' hold lists.*evaluate_ids"):
            rg.evaluate_frame(source, ["R@1"])
    with pytest.raises(TypeError, match=r"'retrieved' and 'relevant' hold lists.*evaluate_ids"):
        rg.evaluate_frame(frame, ["R@1"], label="relevant", score="retrieved")
    assert rg.evaluate_ids(frame, measures=["R@1"]).means == {"R@1": 1}
    # Columns with these names may hold single values, or lists beside labels.
    long = {"query": ["q", "q"], "retrieved": ["a", "b"], "relevant": [0, 1], "score": [0.1, 0.2]}
    result = rg.evaluate_frame(pd.DataFrame(long), ["RR"], label="relevant")
    assert result.means == {"RR": 1}
    beside = {**long, "retrieved": [["a"], ["b"]], "relevant": [["a"], ["b"]], "label": [0, 1]}
    assert rg.evaluate_frame(pd.DataFrame(beside), ["RR"]).means == {"RR": 1}


def test_a_latex_table_names_the_segments_that_it_leaves_out():
    values = [0.1, 0.4, 0.3, 0.8, 0.5, 0.6]
    systems = {"a": rg.Evaluation.from_values({"AP": values})}
    systems["b"] = rg.Evaluation.from_values({"AP": values[::-1]})
    comparison = rg.compare(systems, by=["x", "y", "z"] * 2, resamples=200)
    text = " ".join(comparison.to_latex().split())
    assert "Segment: x." in text
    assert "y, z" in text.partition("Not in this table: segments ")[2]
    chosen = comparison.to_latex(segment="y")
    assert "Segment: y." in chosen
    assert "Not in this table" not in chosen
    alone = rg.compare(systems, by=["x"] * 6, resamples=200)
    assert "Not in this table" not in alone.to_latex()


def test_a_wrong_separator_is_still_answered_by_the_right_one():
    with pytest.warns(rg.RankgainWarning, match=r"If .* are chunks .* pass documents='_'"):
        rg.evaluate_ids({"q": ["guide_4"]}, {"q": ["terms", "guide"]}, ["R@1"], documents="#")
