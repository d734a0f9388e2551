"""The snippets of docs/tools/ run in the tools that they are for."""

import asyncio
import re
import subprocess
import sys
import warnings
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from integrations.ltr import made
from places import DOCS

PAGE = "".join(path.read_text(encoding="utf-8") for path in sorted((DOCS / "tools").glob("*.md")))
pytestmark = pytest.mark.filterwarnings("default")
ONE, OTHER = made(1), made(2)
RETRIEVED, RELEVANT = [["a"], ["x", "b", "a"], ["y"]], [list("abcde"), ["a", "b"], ["z"]]
PAIRS = list(zip(RETRIEVED, RELEVANT, strict=True))
with warnings.catch_warnings(category=rg.RankgainWarning, action="ignore"):  # lists are short
    FOUND = rg.evaluate_ids(RETRIEVED, RELEVANT, ["nDCG@10", "nDCG@5", "RR", "R@10"])
VALUES = FOUND.per_query["nDCG@10"].tolist()


def snippets(heading: str) -> list[str]:
    """The code under a heading of the page."""
    section = re.split(rf"^#+ {heading}$", PAGE, flags=re.MULTILINE)[1]
    section = re.split(r"^#+ ", section, flags=re.MULTILINE)[0]
    result = re.findall(r"^```py\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    assert result, heading
    return result


def run(heading: str, at: int = 0, **names: Any) -> dict[str, Any]:
    """What a snippet leaves behind, where these names are there."""
    names |= {"rg": rg, "np": np, "__name__": "page"}
    exec(compile(snippets(heading)[at], heading, "exec", dont_inherit=True), names)
    return names


def train(alpha: float) -> Any:
    """Scores of a model with one parameter, best near 1."""
    return ONE.x[:, 0] + alpha * ONE.x[:, 1] * ONE.x[:, 2]


def test_xgboost() -> None:
    xgboost = pytest.importorskip("xgboost")
    matrices = [xgboost.DMatrix(one.x, one.y, qid=one.qid) for one in (ONE, OTHER)]
    result = run("XGBoost", xgboost=xgboost, dtrain=matrices[0], dvalid=matrices[1])
    assert 0.5 < result["booster"].best_score < 1
    assert result["booster"].num_boosted_rounds() < 100


def test_lightgbm() -> None:
    lightgbm = pytest.importorskip("lightgbm")
    train = lightgbm.Dataset(ONE.x, ONE.y, group=ONE.sizes)
    valid = train.create_valid(OTHER.x, OTHER.y, group=OTHER.sizes)
    result = run("LightGBM", lightgbm=lightgbm, train=train, valid=valid)
    assert result["booster"].best_score["valid_0"].keys() == {"rankgain nDCG@10"}


@pytest.mark.parametrize("seed", range(3))
def test_lightgbm_s_ranker(seed: int) -> None:
    """It stops by the measure alone, also where its own nDCG would stop it sooner."""
    lightgbm = pytest.importorskip("lightgbm")
    pytest.importorskip("sklearn")
    one, other = made(10 + seed), made(20 + seed)
    names = {"X": one.x, "y": one.y, "sizes": one.sizes, "lightgbm": lightgbm}
    names |= {"X_valid": other.x, "y_valid": other.y, "valid_sizes": other.sizes}
    ranker = run("LGBMRanker", **names)["ranker"]
    assert ranker.evals_result_["valid_0"].keys() == {"rankgain ndcg"}
    values = ranker.evals_result_["valid_0"]["rankgain ndcg"]
    assert ranker.best_iteration_ == int(np.argmax(values)) + 1
    assert len(values) == min(100, ranker.best_iteration_ + 10)


def test_catboost() -> None:
    catboost = pytest.importorskip("catboost")
    pools = [catboost.Pool(one.x, one.y, group_id=one.qid) for one in (ONE, OTHER)]
    quiet = SimpleNamespace(
        CatBoost=lambda rules: catboost.CatBoost(
            {**rules, "verbose": False, "iterations": 30, "allow_writing_files": False}
        )
    )
    names = {"train": pools[0], "valid": pools[1]}
    sizes = {"train_sizes": ONE.sizes, "valid_sizes": OTHER.sizes}
    assert run("CatBoost", catboost=quiet, **names, **sizes)["model"].get_best_iteration() < 30


def test_scikit_learn() -> None:
    sklearn = pytest.importorskip("sklearn")
    pandas, xgboost = pytest.importorskip("pandas"), pytest.importorskip("xgboost")
    lightgbm = pytest.importorskip("lightgbm")
    from sklearn.linear_model import Ridge
    from sklearn.model_selection import GroupKFold, cross_validate

    few = made(1, groups=12)
    names = {"X": few.x, "y": few.y, "qid": few.qid, "GroupKFold": GroupKFold}
    names |= {"cross_validate": cross_validate, "sklearn": sklearn, "pandas": pandas}
    names |= {"XGBRanker": partial(xgboost.XGBRanker, n_estimators=10), "lightgbm": lightgbm}
    column = run("scikit-learn", 1, **names)["found"]["test_score"]
    with sklearn.config_context():
        routed = run("scikit-learn", 0, model=Ridge(), **names)["found"]["test_score"]
        counted = run("scikit-learn", 2, **names)["found"]
    both = (counted["test_nDCG@10"], counted["test_RR"])
    assert all((one > 0.4).all() for one in (column, routed, *both))
    from sklearn.experimental import enable_halving_search_cv  # noqa: F401
    from sklearn.model_selection import HalvingGridSearchCV

    halving = partial(HalvingGridSearchCV, min_resources=4, error_score="raise")
    search = run("Successive halving", HalvingGridSearchCV=halving, **names)["search"]
    assert search.n_resources_ == [4, 12]


def test_torchmetrics_and_lightning() -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("torchmetrics")
    loader = [tuple(torch.from_numpy(one) for one in (ONE.x[:, 0], ONE.y, ONE.qid))]
    result = run("torchmetrics and Lightning", loader=loader)["values"]
    want = rg.evaluate_arrays(ONE.y, ONE.x[:, 0], ["nDCG@10", "AP"], qid=ONE.qid)
    assert {name: float(one) for name, one in result.items()} == dict(want.means)
    sampler = run("torchmetrics and Lightning", 1, torch=torch)["WholeLists"]
    shares = [list(sampler(ONE.qid, rank, 3)) for rank in range(3)]
    assert max(map(len, shares)) - min(map(len, shares)) <= 1
    batches = [rows for share in shares for rows in share]
    assert [len({*ONE.qid[rows]}) for rows in batches] == [1] * len(ONE.sizes)
    assert sorted(np.concatenate(batches)) == list(range(len(ONE.qid)))


def test_hugging_face_s_trainer(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    pytest.importorskip("accelerate")
    pytest.importorskip("torch")
    from integrations.test_transformers import Rows, tiny

    names = {"TrainingArguments": transformers.TrainingArguments, "folder": str(tmp_path)}
    names |= {"Trainer": transformers.Trainer, "model": tiny(1), "rows": Rows(False)}
    trainer = run("Hugging Face's Trainer", **names)["trainer"]
    assert trainer.evaluate().keys() >= {"eval_nDCG@10", "eval_RR"}


def test_optuna() -> None:
    optuna = pytest.importorskip("optuna")
    names = {"train": train, "labels": ONE.y, "qid": ONE.qid, "optuna": optuna}
    study = run("Optuna", **names)["study"]
    want = rg.evaluate_arrays(ONE.y, train(study.best_params["alpha"]), "nDCG@10", qid=ONE.qid)
    assert study.best_value == want["nDCG@10"]
    study = optuna.create_study(direction="maximize")

    def recommend(factors: int) -> Any:
        return dict(zip("uvw", RETRIEVED, strict=True))

    result = run(
        "Optuna on recommended ids",
        recommend=recommend,
        liked=dict(zip("uvw", RELEVANT, strict=True)),
    )
    study.optimize(result["objective"], n_trials=1)
    assert study.best_value == FOUND["nDCG@10"]


def test_ray_tune() -> None:
    ray = pytest.importorskip("ray")
    tune = pytest.importorskip("ray.tune")
    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        x = ONE.x  # workers know no module of the tests
        names = {"train": lambda alpha: x[:, 0] + alpha * x[:, 1] * x[:, 2], "tune": tune}
        names |= {"labels": ONE.y, "qid": ONE.qid}
        assert run("Ray Tune", **names)["best"]["alpha"] in (0.1, 1.0, 10.0)
    finally:
        ray.shutdown()


QRELS = {"q": {"a": 2, "b": 1, "c": 0}}
RUN = {"q": {"b": 2.0, "a": 1.0, "x": 0.5}}


def test_ir_measures() -> None:
    """In a process of its own, as the import changes the host."""
    pytest.importorskip("ir_measures")
    code = f"qrels, run = {QRELS!r}, {RUN!r}\n{snippets('ir_measures and PyTerrier')[0]}"
    code += "\nprint(means)\nprint(type(ir_measures.evaluator([AP], qrels)).__module__)"
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "rankgain.integrations.ir_measures", done.stderr


def test_pytrec_eval(monkeypatch: pytest.MonkeyPatch) -> None:
    heading = "pytrec_eval, BEIR and mteb"
    result = run(heading, qrels=QRELS, run=RUN)
    assert result["values"]["q"] == {"map": 1.0, "ndcg_cut_10": pytest.approx(0.85972, abs=1e-5)}
    monkeypatch.setitem(sys.modules, "pytrec_eval", None)
    run(heading, 1)
    assert sys.modules["pytrec_eval"].__name__ == "rankgain.integrations.pytrec_eval"


def test_sentence_transformers() -> None:
    pytest.importorskip("sentence_transformers")
    from integrations.test_sentence_transformers import bag_of_words, data

    names = dict(zip(("queries", "corpus", "relevant_docs"), data(1), strict=True))
    result = run("sentence-transformers", model=bag_of_words(), **names)
    assert 0 < result["values"]["dev_cosine_ndcg@10"] < 1


def test_mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow, pandas = pytest.importorskip("mlflow"), pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/store.db")
    rows = [
        {"inputs": {"at": at}, "outputs": {"retrieved": a}, "expectations": {"relevant": b}}
        for at, (a, b) in enumerate(PAIRS)
    ]
    result = run("Rows of an agent's answers", mlflow=mlflow, rows=rows)["found"]
    assert result.metrics["nDCG_at_5/mean"] == pytest.approx(FOUND["nDCG@5"])
    table = pandas.DataFrame({"retrieved": RETRIEVED, "relevant": RELEVANT})
    result = run("Tables of predictions", mlflow=mlflow, table=table)["found"]
    assert result.metrics["R_at_10/mean"] == FOUND["R@10"]
    mlflow.set_tracking_uri("")


def test_llama_index() -> None:
    pytest.importorskip("llama_index.core")
    from llama_index.core.base.base_retriever import BaseRetriever
    from llama_index.core.evaluation import RetrieverEvaluator
    from llama_index.core.schema import NodeWithScore, TextNode

    class Retriever(BaseRetriever):
        def _retrieve(self, query_bundle: Any) -> Any:
            return [NodeWithScore(node=TextNode(id_=one, text=one), score=1.0) for one in "xa"]

    names = {"RetrieverEvaluator": RetrieverEvaluator, "retriever": Retriever()}
    result = run("LlamaIndex", asyncio=asyncio, **names)["result"]
    assert result.metric_vals_dict["AP"] == 0.25


def test_haystack() -> None:
    haystack = pytest.importorskip("haystack")
    component = run("Haystack", component=haystack.component)["RankingEvaluator"]()
    pipeline = haystack.Pipeline()
    pipeline.add_component("ndcg", component)
    result = pipeline.run({"ndcg": {"relevant": RELEVANT, "retrieved": RETRIEVED}})["ndcg"]
    assert result == {"score": FOUND["nDCG@10"], "individual_scores": VALUES}


def test_langsmith() -> None:
    """Its own `evaluate` on examples that are not uploaded."""
    langsmith = pytest.importorskip("langsmith")
    from datetime import UTC, datetime
    from uuid import uuid4

    from langsmith.schemas import Example

    examples = [
        Example(
            id=uuid4(),
            dataset_id=uuid4(),
            created_at=datetime.now(UTC),
            inputs={"ids": retrieved},
            outputs={"ids": relevant},
        )
        for retrieved, relevant in PAIRS
    ]
    client = langsmith.Client(api_url="http://127.0.0.1:9", api_key="none", info={})
    host = SimpleNamespace()

    def evaluate(target: Any, **call: Any) -> None:
        result = langsmith.evaluate(target, client=client, upload_results=False, **call)
        host.rows = list(result)
        host.summary = result._summary_results["results"]

    names = {"target": lambda inputs: inputs, "dataset": examples}
    run("LangSmith", langsmith=SimpleNamespace(evaluate=evaluate), **names)
    values = {str(row["example"].id): row["evaluation_results"]["results"][0] for row in host.rows}
    assert [values[str(one.id)].score for one in examples] == VALUES
    assert host.summary[0].score == pytest.approx(FOUND["nDCG@10"])
    assert host.summary[0].comment.startswith("95%: ")


def test_langfuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its own `run_experiment` on data that are not uploaded."""
    langfuse = pytest.importorskip("langfuse")
    from langfuse import Evaluation

    client = langfuse.Langfuse(public_key="a", secret_key="b", tracing_enabled=False)
    data = [{"input": retrieved, "expected_output": relevant} for retrieved, relevant in PAIRS]
    host = SimpleNamespace()

    def run_experiment(**call: Any) -> None:
        host.found = client.run_experiment(**call)

    names = {"data": data, "Evaluation": Evaluation, "task": lambda *, item, **more: item["input"]}
    run("Langfuse", langfuse=SimpleNamespace(run_experiment=run_experiment), **names)
    values = [one.evaluations[0].value for one in host.found.item_results]
    assert sorted(values) == sorted(VALUES)
    (total,) = host.found.run_evaluations
    assert total.value == pytest.approx(FOUND["nDCG@10"])
    assert total.comment.startswith("95%: ")


def test_phoenix() -> None:
    evals = pytest.importorskip("phoenix.evals")
    (score,) = run("Phoenix", create_evaluator=evals.create_evaluator)["scores"]
    assert (score.name, score.direction) == ("nDCG@10", "maximize")
    assert score.score == 1 / np.log2(3)


def test_deepeval() -> None:
    deepeval = pytest.importorskip("deepeval")
    from deepeval.metrics import BaseMetric
    from deepeval.test_case import LLMTestCase

    case = LLMTestCase(
        input="?", actual_output="!", metadata={"retrieved": RETRIEVED[1], "relevant": RELEVANT[1]}
    )
    metric = run("DeepEval", BaseMetric=BaseMetric)["NDCG"]()
    assert metric.measure(case) == asyncio.run(metric.a_measure(case)) == VALUES[1]
    assert metric.is_successful()
    assert metric.__name__ == "nDCG@10"
    deepeval.assert_test(case, [metric], run_async=False)


def test_ragas() -> None:
    base = pytest.importorskip("ragas.metrics.base")
    from dataclasses import dataclass

    from ragas import SingleTurnSample

    names = {"SingleTurnMetric": base.SingleTurnMetric, "dataclass": dataclass}
    metric = run("Ragas", **names)["NDCG"]()
    sample = SingleTurnSample(retrieved_context_ids=RETRIEVED[1], reference_context_ids=RELEVANT[1])
    assert metric.single_turn_score(sample) == VALUES[1]


def test_pydantic_evals() -> None:
    evals = pytest.importorskip("pydantic_evals")
    from dataclasses import dataclass

    from pydantic_evals.evaluators import Evaluator

    cases = [
        evals.Case(name=str(at), inputs=retrieved, expected_output=relevant)
        for at, (retrieved, relevant) in enumerate(PAIRS)
    ]

    async def task(inputs: Any) -> Any:
        return inputs

    names = {"Dataset": evals.Dataset, "Evaluator": Evaluator, "dataclass": dataclass}
    report = run("Pydantic Evals", cases=cases, task=task, **names)["report"]
    values = {case.name: case.scores["nDCG@10"].value for case in report.cases}
    assert [values[str(at)] for at in range(3)] == VALUES
    assert report.averages().scores["nDCG@10"] == pytest.approx(FOUND["nDCG@10"])


def test_autoevals() -> None:
    autoevals = pytest.importorskip("autoevals")
    names = {"Score": autoevals.Score, "Scorer": autoevals.Scorer}
    score = run("autoevals and Braintrust", **names)["score"]
    assert (score.name, score.score) == ("nDCG@10", 1 / np.log2(3))


def test_dspy() -> None:
    dspy = pytest.importorskip("dspy")
    devset = [
        dspy.Example(question=at, ids=ids).with_inputs("question")
        for at, ids in enumerate(RELEVANT)
    ]

    class Retriever(dspy.Module):  # type: ignore[misc, name-defined]
        def forward(self, question: int) -> Any:
            return dspy.Prediction(ids=RETRIEVED[question])

    result = run("DSPy", dspy=dspy, devset=devset, retriever=Retriever())["found"]
    assert [value for _, _, value in result.results] == VALUES
    assert result.score == pytest.approx(100 * FOUND["nDCG@10"], abs=0.01)


def test_inspect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai import dataset, scorer, solver

    @solver.solver  # type: ignore[untyped-decorator]
    def retrieve() -> Any:
        async def solve(state: Any, generate: object) -> Any:
            state.metadata["retrieved"] = RETRIEVED[int(state.input_text)]
            return state

        return solve

    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path))
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    samples = [dataset.Sample(input=str(at), target=ids) for at, ids in enumerate(RELEVANT)]
    names = {name: getattr(scorer, name) for name in ("Score", "mean", "scorer", "stderr")}
    names |= {"Task": inspect_ai.Task, "inspect_ai": inspect_ai, "samples": samples}
    (log,) = run("Inspect", **names, retrieve=retrieve, model="mockllm/model")["logs"]
    assert log.status == "success"
    assert [sample.scores["ndcg"].value for sample in log.samples] == VALUES
    assert log.results.scores[0].metrics["mean"].value == pytest.approx(FOUND["nDCG@10"])


def test_weave() -> None:
    """Without weave.init nothing leaves the process."""
    weave = pytest.importorskip("weave")
    data = [{"question": at, "relevant": ids} for at, ids in enumerate(RELEVANT)]
    retrieve = weave.op(lambda question: RETRIEVED[question])
    summary = run("Weave", weave=weave, asyncio=asyncio, data=data, retrieve=retrieve)["summary"]
    assert summary["ndcg"]["mean"] == pytest.approx(FOUND["nDCG@10"])


def test_opik() -> None:
    metrics = pytest.importorskip("opik.evaluation.metrics")
    names = {"BaseMetric": metrics.base_metric.BaseMetric}
    names["ScoreResult"] = metrics.score_result.ScoreResult
    metric = run("Opik", **names)["NDCG"]("nDCG@10", track=False)
    result = [metric.score(output=ids, reference=relevant) for ids, relevant in PAIRS]
    assert [(one.name, one.value) for one in result] == [("nDCG@10", value) for value in VALUES]


def test_keras() -> None:
    keras = pytest.importorskip("keras")
    model = keras.Sequential([keras.layers.Input((5,)), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    names = {"X": ONE.x, "y": ONE.y, "X_valid": OTHER.x, "y_valid": OTHER.y, "qid": OTHER.qid}
    history = run("Keras", keras=keras, model=model, **names)["history"].history
    scores = model.predict(OTHER.x, verbose=0).ravel()
    want = rg.evaluate_arrays(OTHER.y, scores, "nDCG@10", qid=OTHER.qid)["nDCG@10"]
    assert history["val_ranking"][-1] == pytest.approx(want, abs=1e-6)
    assert len(history["val_ranking"]) == len(history["loss"])


def test_every_snippet_has_a_test() -> None:
    files = (Path(__file__), Path(__file__).with_name("test_search_engines.py"))
    here = "".join(path.read_text(encoding="utf-8") for path in files)
    sections = re.split(r"^#+ (.*)$", PAGE, flags=re.MULTILINE)
    headings = [
        head for head, text in zip(sections[1::2], sections[2::2], strict=True) if "```py" in text
    ]
    tested = set(re.findall(r'(?:run|snippets)\(\s*[\'"](.+?)[\'"][,)]', here)) | {
        "pytrec_eval, BEIR and mteb",
        "nAUC of mteb",  # tests/docs/test_pages.py
    }
    assert {*headings} <= tested
    assert len(headings) > 20
