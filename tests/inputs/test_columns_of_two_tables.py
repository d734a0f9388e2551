"""Two tables of a call may name their columns differently: query= and doc= may be of one alone."""

import pytest

import rankgain as rg

pd = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

RETRIEVED = pd.DataFrame(
    {
        "query_id": ["q1", "q1", "q2", "q2"],
        "doc_id": ["a", "b", "a", "c"],
        "score": [0.3, 0.4, 0.1, 0.9],
    }
)
TRUTH = pd.DataFrame({"query_id": ["q1", "q2"], "doc_id": ["a", "c"], "label": [1, 2]})
NAMES_OF_QUERIES = "question_id search_id request_id prompt_id question client_id account".split()
NAMES_OF_DOCUMENTS = "passage_id chunk_id sku url listing_id".split()


def with_truth(retrieved, truth, **columns):
    return rg.evaluate_frame(retrieved, ["AP"], truth=truth, **columns)


def by_ids(retrieved, truth, **columns):
    return rg.evaluate_ids(retrieved, truth, ["AP"], **columns)


def by_ids_of_systems(retrieved, truth, **columns):
    result = rg.evaluate_ids({"s": retrieved}, truth, ["AP"], **columns)
    return result["s"]


FUNCTIONS = [with_truth, by_ids, by_ids_of_systems]
RENAMED = [("query", "query_id", name) for name in NAMES_OF_QUERIES]
RENAMED += [("doc", "doc_id", name) for name in NAMES_OF_DOCUMENTS]


@pytest.mark.parametrize("evaluate", FUNCTIONS)
@pytest.mark.parametrize(("role", "usual", "name"), RENAMED)
def test_a_column_that_one_table_names_differently_can_be_named(evaluate, role, usual, name):
    expected = evaluate(RETRIEVED, TRUTH).to_dict()
    assert expected == {"q1": {"AP": 0.5}, "q2": {"AP": 1.0}}
    renamed_truth = TRUTH.rename(columns={usual: name})
    with pytest.raises(ValueError, match=f"no {role} column found.*; pass {role}="):
        evaluate(RETRIEVED, renamed_truth)
    assert evaluate(RETRIEVED, renamed_truth, **{role: name}).to_dict() == expected
    renamed_run = RETRIEVED.rename(columns={usual: name})
    assert evaluate(renamed_run, TRUTH, **{role: name}).to_dict() == expected


@pytest.mark.parametrize("evaluate", FUNCTIONS)
def test_both_columns_may_have_other_names_in_the_truth(evaluate):
    truth = TRUTH.rename(columns={"query_id": "question_id", "doc_id": "sku"})
    result = evaluate(RETRIEVED, truth, query="question_id", doc="sku")
    assert result.to_dict() == {"q1": {"AP": 0.5}, "q2": {"AP": 1.0}}


@pytest.mark.parametrize("evaluate", FUNCTIONS)
@pytest.mark.parametrize(("role", "usual"), [("query", "query_id"), ("doc", "doc_id")])
def test_two_unusual_names_ask_for_one_of_them_in_both_tables(evaluate, role, usual):
    retrieved = RETRIEVED.rename(columns={usual: "x"})
    truth = TRUTH.rename(columns={usual: "y"})
    for name in ("x", "y"):
        words = f"rename one of them to '{name}', which {role}= names"
        with pytest.raises(ValueError, match=words):
            evaluate(retrieved, truth, **{role: name})
    # The cure that the message names.
    renamed_truth = truth.rename(columns={"y": "x"})
    result = evaluate(retrieved, renamed_truth, **{role: "x"})
    assert result.means["AP"] == 0.75


@pytest.mark.parametrize("evaluate", FUNCTIONS)
def test_several_usual_names_are_not_guessed_from(evaluate):
    retrieved = RETRIEVED.assign(session_id=["s", "t", "s", "t"], item_id=["d", "e", "f", "g"])
    truth = TRUTH.rename(columns={"query_id": "account", "doc_id": "sku"})
    words = r"no column 'account' .*'query_id' and 'session_id' both fit query="
    with pytest.raises(ValueError, match=words):
        evaluate(retrieved, truth, query="account", doc="sku")
    truth = TRUTH.rename(columns={"doc_id": "sku"})
    with pytest.raises(ValueError, match=r"no column 'sku' .*'doc_id' and 'item_id' both fit doc="):
        evaluate(retrieved.drop(columns="session_id"), truth, doc="sku")


@pytest.mark.parametrize("evaluate", FUNCTIONS)
def test_a_name_that_no_table_has_is_an_error(evaluate):
    with pytest.raises(ValueError, match="no column 'typo' "):
        evaluate(RETRIEVED, TRUTH, query="typo")
    with pytest.raises(ValueError, match="no column 'typo' "):
        evaluate(RETRIEVED, TRUTH, doc="typo")


def test_other_tables_of_ids_may_have_the_named_column():
    liked = TRUTH.drop(columns="label")
    seen = pd.DataFrame({"client_id": ["q1"], "doc_id": ["b"]})
    result = rg.evaluate_ids(RETRIEVED, liked, ["AP"], exclude=seen, query="client_id")
    assert result.to_dict() == {"q1": {"AP": 1.0}, "q2": {"AP": 1.0}}
    catalogue = pd.DataFrame({"sku": ["a", "b", "c", "d"]})
    result = rg.evaluate_ids(RETRIEVED, liked, ["Coverage@1"], catalogue=catalogue, doc="sku")
    assert result.means == {"Coverage@1": 0.5}
    result = rg.evaluate_catalogue(RETRIEVED, "Coverage", k=1, catalogue=catalogue, doc="sku")
    assert result.means == {"Coverage": 0.5}
    renamed = RETRIEVED.rename(columns={"query_id": "client_id"})
    expected = rg.evaluate_catalogue(RETRIEVED, "Serendipity", k=1, baseline=RETRIEVED).means
    for tables in ((renamed, RETRIEVED), (RETRIEVED, renamed)):
        recommended, baseline = tables
        result = rg.evaluate_catalogue(
            recommended, "Serendipity", k=1, baseline=baseline, query="client_id"
        )
        assert result.means == expected


def test_files_and_rows_of_lists_may_name_columns_differently(tmp_path):
    retrieved, truth = tmp_path / "retrieved.csv", tmp_path / "truth.csv"
    RETRIEVED.to_csv(retrieved, index=False)
    TRUTH.rename(columns={"query_id": "question_id"}).to_csv(truth, index=False)
    for evaluate in (with_truth, by_ids):
        assert evaluate(retrieved, truth, query="question_id").means == {"AP": 0.75}
    lists = pd.DataFrame({"query_id": ["q1", "q2"], "ids": [["b", "a"], ["c", "a"]]})
    places = pd.DataFrame({"query_id": ["q1", "q2"], "rec_1": ["b", "c"], "rec_2": ["a", "a"]})
    renamed = TRUTH.rename(columns={"query_id": "client_id", "doc_id": "sku"})
    for frame in (lists, places):
        result = rg.evaluate_ids(frame, renamed, ["AP"], query="client_id", doc="sku")
        assert result.means == {"AP": 0.75}
