"""Beside sentence-transformers' own evaluators, and called as it calls them, on a tiny model."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")
from sentence_transformers import SentenceTransformer  # noqa: E402
from sentence_transformers.sentence_transformer import evaluation as host  # noqa: E402

from rankgain.integrations import sentence_transformers as adapter  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default", "error::rankgain.RankgainWarning")
CUTOFFS = {
    "mrr_at_k": [3, 10],
    "ndcg_at_k": [1, 10],
    "accuracy_at_k": [1, 3],
    "precision_recall_at_k": [1, 5, 20],
    "map_at_k": [5, 100],
}
WORDS = "red green blue stone river hill fish bird tree song night day cold warm far near".split()


def bag_of_words() -> Any:
    """A model of random vectors of words."""
    models = pytest.importorskip("sentence_transformers.models")
    tokens = models.tokenizer.WhitespaceTokenizer(WORDS)
    vectors = np.random.default_rng(0).normal(size=(len(WORDS), 6))
    words = models.WordEmbeddings(tokens, vectors)
    return SentenceTransformer(modules=[words, models.Pooling(6)], device="cpu")


@pytest.fixture(scope="module")
def model() -> Any:
    return bag_of_words()


def texts(rng: np.random.Generator, n: int, prefix: str) -> dict[str, str]:
    """Short ones, so that some are equal and their scores tie."""
    return {f"{prefix}{at}": " ".join(rng.choice(WORDS, rng.integers(1, 3))) for at in range(n)}


def data(seed: int) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    queries, corpus = texts(rng, 12, "q"), texts(rng, 60, "d")
    relevant = {q: set(rng.choice(list(corpus), rng.integers(0, 6)).tolist()) for q in queries}
    return queries, corpus, relevant


@pytest.mark.parametrize("predictions", [False, True])
@pytest.mark.parametrize(("seed", "chunk"), [(0, 50_000), (1, 7), (2, 59), (3, 60), (4, 1)])
def test_retrieval_of_a_model(
    seed: int, chunk: int, predictions: bool, model: Any, tmp_path: Path
) -> None:
    result = []
    more: dict[str, Any] = {"corpus_chunk_size": chunk, "write_predictions": predictions}
    for module in (host, adapter):
        one = module.InformationRetrievalEvaluator(*data(seed), name="x", **more, **CUTOFFS)
        result.append(one(model, str(tmp_path / module.__name__)))
        assert one.primary_metric == "x_cosine_ndcg@10"
    assert list(result[1]) == list(result[0])
    assert result[1] == pytest.approx(result[0], abs=1e-12)
    files = [path.read_text().splitlines() for path in sorted(tmp_path.rglob("*.csv"))]
    rows = [list(csv.reader(lines)) for lines in files]
    assert rows[0][0] == rows[1][0]
    np.testing.assert_allclose(*(np.array(one[1], float) for one in rows), atol=1e-12)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("chunk", [300, 299, 40])
@pytest.mark.parametrize("k", [3, 100, 1000])
def test_retrieval_of_embeddings(dtype: str, chunk: int, k: int) -> None:
    """Scores that tie within chunks, between them and at the cut; relevant ids without documents.

    As doubles they differ by less than a single tells.
    """
    rng = np.random.default_rng(k + chunk)
    queries, ids = ({f"{kind}{at}": "" for at in range(n)} for kind, n in (("q", 20), ("d", 300)))
    relevant = {
        q: set(rng.choice([*ids, *map(str, range(50))], rng.integers(0, 30)).tolist())
        for q in queries
    }
    left = [q for q in queries if relevant[q]]
    kind = getattr(torch, dtype)
    sides = [torch.tensor(rng.integers(-2, 3, (n, 3)), dtype=kind) for n in (len(left), 300)]
    if dtype == "float64":
        sides[1] += 1e-9 * torch.tensor(rng.integers(0, 3, (300, 3)))
    cutoffs = {key: [1, k] for key in CUTOFFS} | {"corpus_chunk_size": chunk}
    result = []
    for module in (host, adapter):
        one = module.InformationRetrievalEvaluator(
            queries, ids, relevant, score_functions={"dot": lambda a, b: a @ b.T}, **cutoffs
        )
        one.embed_inputs = lambda *_, **__: sides[0]
        result.append(one.compute_all_metrics(None, corpus_embeddings=sides[1]))
    assert result[1].keys() == result[0].keys()
    for key, values in result[0]["dot"].items():
        assert result[1]["dot"][key] == pytest.approx(values, abs=1e-12), key


@pytest.mark.parametrize("chunk", [3, 2])
def test_an_embedding_that_is_no_number(chunk: int) -> None:
    one = adapter.InformationRetrievalEvaluator(
        {"q": ""}, dict.fromkeys("abc", ""), {"q": {"a"}}, corpus_chunk_size=chunk
    )
    one.score_functions = {"dot": lambda a, b: a @ b.T}
    one.embed_inputs = lambda *_, **__: torch.tensor([[1.0]])
    with pytest.raises(ValueError, match="NaN"):
        one.compute_all_metrics(None, corpus_embeddings=torch.tensor([[1.0], [np.nan], [0.5]]))


def hits(**scores: float) -> list[dict[str, Any]]:
    return [{"corpus_id": name, "score": score} for name, score in scores.items()]


def test_the_numbers_of_the_example() -> None:
    queries = dict.fromkeys(["q1", "q2", "q3"], "")
    corpus = dict.fromkeys(["d1", "d2", "d3", "d4", "d5", "d9"], "")
    relevant = {"q1": {"d1", "d3", "d9"}, "q2": {"d2"}, "q3": {"d5"}}
    run = [hits(d3=0.9, d2=0.8, d1=0.8, d4=0.1), hits(d9=0.5, d2=0.5), hits(d1=0.3, d2=0.2)]
    settings = {"ndcg_at_k": [3], "mrr_at_k": [10], "map_at_k": [3], "accuracy_at_k": [1]}
    one = adapter.InformationRetrievalEvaluator(
        queries, corpus, relevant, precision_recall_at_k=[3], **settings
    )
    result = one.compute_metrics(run)
    assert result["ndcg@k"][3] == pytest.approx(0.5884535456628739, rel=1e-15)
    expected = {"mrr@k": (10, 2 / 3), "map@k": (3, 5 / 9), "accuracy@k": (1, 2 / 3)}
    expected |= {"precision@k": (3, 1 / 3), "recall@k": (3, 5 / 9)}
    for key, (k, value) in expected.items():
        assert result[key] == {k: pytest.approx(value, rel=1e-15)}


@pytest.mark.parametrize("decimals", [1, 2, 17])
@pytest.mark.parametrize("n", [1, 50, 300])
def test_ties_and_lists_of_any_length(decimals: int, n: int) -> None:
    rng = np.random.default_rng(n)
    corpus = {f"d{at}": "" for at in range(400)}
    queries = {f"q{at}": "" for at in range(20)}
    relevant = {q: set(rng.choice(list(corpus), 9).tolist()) for q in queries}
    run = []
    for at in range(20):
        some = rng.choice(list(corpus), n if at else 0, replace=False).tolist()
        scores = rng.random(len(some)).round(decimals).tolist()
        run.append(hits(**dict(zip(some, scores, strict=True))))
    pair = [
        module.InformationRetrievalEvaluator(queries, corpus, relevant, **CUTOFFS)
        for module in (host, adapter)
    ]
    theirs, ours = (one.compute_metrics(run) for one in pair)
    for key, values in theirs.items():
        assert ours[key] == pytest.approx(values, abs=1e-12)


def test_a_score_that_is_no_number() -> None:
    one = adapter.InformationRetrievalEvaluator({"q": ""}, {"a": ""}, {"q": {"a"}})
    with pytest.raises(ValueError, match="NaN"):
        one.compute_metrics([hits(a=float("nan"))])


def samples_of(docs: list[str], seed: int) -> list[dict[str, Any]]:
    rng = np.random.default_rng(seed)
    samples = []
    for _ in range(10):
        some = rng.choice(docs, 12).tolist()
        cut = int(rng.integers(0, 6))
        samples.append(
            {"query": str(rng.choice(docs)), "positive": some[:cut], "negative": some[cut:]}
        )
    return [*samples, {"query": "red", "positive": "red hill", "negative": ["blue"]}]


@pytest.mark.parametrize("batched", [True, False])
@pytest.mark.parametrize("name", ["", "x"])
@pytest.mark.parametrize("docs", [WORDS, WORDS[:3], [f"{a} {b}" for a in WORDS for b in WORDS]])
def test_reranking_of_a_model(
    docs: list[str], batched: bool, name: str, model: Any, tmp_path: Path
) -> None:
    """The fewer the texts, the more scores tie."""
    result = []
    for module in (host, adapter):
        one = module.RerankingEvaluator(
            samples_of(docs, 5), at_k=5, name=name, use_batched_encoding=batched
        )
        result.append(one(model, str(tmp_path)))
    assert list(result[1]) == list(result[0])
    assert result[1] == pytest.approx(result[0], abs=1e-12)
    assert one.primary_metric == (f"{name}_ndcg@5" if name else "ndcg@5")


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("k", [1, 3, 10, 100])
@pytest.mark.parametrize("size", [4, 40, 400])
def test_reranking_of_embeddings(dtype: str, k: int, size: int) -> None:
    """Scores tie across the cut, within and between the classes, or all of them."""
    rng = np.random.default_rng(size + k)
    samples, texts = [], {}
    for at in range(12):
        docs = [f"{at}-{place}" for place in range(size)]
        cut = int(rng.integers(1, size))
        samples.append({"query": f"q{at}", "positive": docs[:cut], "negative": docs[cut:]})
        texts |= {text: rng.integers(-1, 2, 2) * (at > 0) for text in [f"q{at}", *docs]}
    result = []
    for module in (host, adapter):
        one = module.RerankingEvaluator(samples, at_k=k, similarity_fct=lambda a, b: a[None] @ b.T)
        one.embed_inputs = lambda _, some, *__, **___: torch.tensor(
            np.array([texts[text] for text in some]), dtype=getattr(torch, dtype)
        )
        result.append(one.compute_metrics(None))
    assert list(result[1]) == list(result[0])
    assert result[1] == pytest.approx(result[0], abs=1e-12)
