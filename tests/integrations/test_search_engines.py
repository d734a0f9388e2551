"""The lines of docs/tools/search_engines.md, in the clients on data in memory, or on their answers.

Where a client is absent, or needs a server, it is an object with the answer that the client's
documentation prints.
"""

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from integrations.test_page import run

pytestmark = pytest.mark.filterwarnings("default")
MEASURES = ["nDCG@10", "R@10"]
DOCS = np.eye(4, dtype=np.float32)
VECTORS = {"q1": [0.9, 0.5, 0.1, 0.0], "q2": [0.0, 0.1, 0.5, 0.9]}
ORDER = {"q1": [0, 1, 2, 3], "q2": [3, 2, 1, 0]}  # of the documents, by closeness
RELEVANT = {"q1": {1: 2, 3: 1}, "q2": {3: 1}}


def named(kind: Any) -> tuple[Any, Any]:
    """The ids that are right, and the values of the true order, with ids of a type."""
    relevant = {
        query: {kind(i): label for i, label in one.items()} for query, one in RELEVANT.items()
    }
    order = {query: [kind(i) for i in one] for query, one in ORDER.items()}
    return relevant, rg.evaluate_ids(order, relevant, MEASURES).means


def hits(query: str) -> Any:
    """An answer of `_search`, as both servers send it."""
    result = [
        {"_index": "docs", "_id": f"d{i}", "_score": 4.0 - at, "_source": {"text": ""}}
        for at, i in enumerate(ORDER[query])
    ]
    total = {"value": len(result), "relation": "eq"}
    return {"took": 1, "timed_out": False, "hits": {"total": total, "hits": result}}


@pytest.mark.parametrize("heading", ["Elasticsearch", "OpenSearch"])
def test_answers_of_search(heading: str) -> None:
    def search(*, index: str, **call: Any) -> Any:
        body = call.get("body", call)
        assert (index, body["size"]) == ("docs", 10)
        return hits(body["query"]["match"]["text"])

    relevant, want = named("d{}".format)
    names = {"queries": {one: one for one in ORDER}, "relevant": relevant}
    client = SimpleNamespace(search=search)
    if heading == "Elasticsearch":
        result = run("Elasticsearch", client=client, **names)["found"]
    else:
        result = run("OpenSearch", client=client, **names)["found"]
    assert result.means == want


def test_elasticsearch_s_own_client() -> None:
    elastic = pytest.importorskip("elasticsearch")
    transport = pytest.importorskip("elastic_transport")

    class Recorded(transport.BaseNode):  # type: ignore[misc]
        """A server that answers as recorded."""

        def perform_request(self, method: str, target: str, body: Any = None, **more: Any) -> Any:
            text = json.loads(body)["query"]["match"]["text"]
            headers = {"x-elastic-product": "Elasticsearch", "content-type": "application/json"}
            meta = transport.ApiResponseMeta(
                200, "1.1", transport.HttpHeaders(headers), 0.0, self.config
            )
            return SimpleNamespace(meta=meta, body=json.dumps(hits(text)).encode())

        def close(self) -> None:
            pass

    client = elastic.Elasticsearch("http://localhost:9200", node_class=Recorded)
    relevant, want = named("d{}".format)
    names = {"queries": {one: one for one in ORDER}, "relevant": relevant}
    assert run("Elasticsearch", client=client, **names)["found"].means == want


def test_qdrant() -> None:
    qdrant = pytest.importorskip("qdrant_client")
    models = qdrant.models
    client = qdrant.QdrantClient(":memory:")
    size = models.VectorParams(size=4, distance=models.Distance.COSINE)
    client.create_collection("docs", vectors_config=size)
    points = [models.PointStruct(id=i, vector=DOCS[i].tolist()) for i in range(4)]
    client.upsert("docs", points=points)
    relevant, want = named(int)
    assert run("Qdrant", client=client, queries=VECTORS, relevant=relevant)["found"].means == want


def test_faiss() -> None:
    faiss = pytest.importorskip("faiss")
    index = faiss.IndexFlatIP(4)
    index.add(DOCS)
    relevant, want = named(int)
    queries = {query: np.float32(vector) for query, vector in VECTORS.items()}
    result = run("FAISS", index=index, queries=queries, relevant=relevant)
    assert result["ids"].shape == (2, 10)
    assert (result["ids"][:, 4:] == -1).all()
    assert result["found"].means == want


def test_chroma() -> None:
    relevant, want = named("d{}".format)
    chroma = pytest.importorskip("chromadb")
    collection = chroma.EphemeralClient().create_collection("docs", metadata={"hnsw:space": "ip"})
    collection.add(ids=[f"d{i}" for i in range(4)], embeddings=DOCS.tolist())
    assert (
        run("Chroma", collection=collection, queries=VECTORS, relevant=relevant)["found"].means
        == want
    )


def test_lancedb(tmp_path: Any) -> None:
    lancedb = pytest.importorskip("lancedb")
    rows = [{"id": f"d{i}", "vector": DOCS[i].tolist()} for i in range(4)]
    table = lancedb.connect(tmp_path).create_table("docs", data=rows)
    relevant, want = named("d{}".format)
    assert run("LanceDB", table=table, queries=VECTORS, relevant=relevant)["found"].means == want


def test_answers_of_pinecone() -> None:
    def query(*, vector: Any, top_k: int) -> Any:
        one = next(name for name, values in VECTORS.items() if values == vector)
        result = [
            {"id": f"d{i}", "score": 1.0 - at / 8, "values": []} for at, i in enumerate(ORDER[one])
        ]
        return {"matches": result[:top_k], "namespace": "", "usage": {"read_units": 5}}

    relevant, want = named("d{}".format)
    index = SimpleNamespace(query=query)
    assert run("Pinecone", index=index, queries=VECTORS, relevant=relevant)["found"].means == want
