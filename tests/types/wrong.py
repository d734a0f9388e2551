"""Calls that type checkers refuse, one a line."""

import rankgain as rg

rg.ndcg("hello", 3, k="ten", ties="nonsense")  # wrong
rg.ndcg("hello", [1.0])  # wrong
rg.ndcg([1], 3)  # wrong
rg.ndcg([1], [1.0], k="ten")  # wrong
rg.ndcg([1], [1.0], ties="nonsense")  # wrong
rg.ndcg([1], [1.0], beta=2)  # wrong
rg.auc([1], [1.0], k=3)  # wrong
rg.ndcg([1], [1.0]).mean()  # wrong
rg.f1([1], [1.0], k=[1, 2]) + "1"  # wrong
rg.hit_rate([1], [1.0], divisor="min")  # wrong
rg.err([1], [1.0], k=["ten"])  # wrong
rg.evaluate_arrays([1], [1.0], 10)  # wrong
rg.evaluate({}, {}, "AP", ties="nonsense")  # wrong
rg.evaluate({}, {}, "AP", divisor=2)  # wrong
print(rg.explain([1], [1.0], measure="AP").ndcg)  # wrong
rg.evaluate_ids(3, [[1]], "RR")  # wrong
rg.evaluate_ids([[1]], 4, "RR")  # wrong
rg.evaluate_ids(3, [["a"]], "RR")  # wrong
rg.evaluate_ids([["a"]], [["a"]], "RR", duplicates="last")  # wrong
rg.evaluate_frame(5, "RR")  # wrong
rg.evaluate(3, {"q": {"a": 1.0}}, "AP")  # wrong
rg.evaluate_runs({"q": {"a": 1}}, {"run": 4}, "AP")  # wrong
rg.evaluate_models([[1]], {"a": 4}, "AP")  # wrong
rg.evaluate_batches([], "RR", query="q", label="l", score="s", order="sideways")  # wrong
rg.explain({"q": {"a": 1}}, 7, query="q")  # wrong
rg.evaluate_runs({}, {"run": {}}, "AP", convenion="trec")  # wrong
rg.evaluate_runs({}, {"run": {}}, "AP", exclude=3)  # wrong
rg.evaluate_models([[1]], {"a": [[1.0]]}, "AP", tie="best")  # wrong
rg.evaluate_models([[1]], {"a": [[1.0]]}, "AP", ties="nonsense")  # wrong
runs = rg.evaluate_runs({"q": {"a": 1}}, {"a": {}, "b": {}}, "AP")
rg.compare(runs, test="tt")  # wrong
rg.compare(runs, correction="fdr")  # wrong
rg.compare(runs, queries="all")  # wrong
runs.compare(test="tt")  # wrong
runs.compare(basline="a")  # wrong
rg.compare(runs).report("page.html", tilte="Runs")  # wrong
rg.compare(runs).report("page.html", qrels=3)  # wrong
rg.Qrels({"q": {"a": {"price": 1}}}, subtopics="price")  # wrong
rg.Qrels.from_frame([], subtopic=3)  # wrong
rg.Qrels.from_spans({"q": {"c1": ("doc", 0)}}, {})  # wrong
rg.Qrels.from_spans({}, {}, min_overlap="half")  # wrong
rg.evaluate_ids([["a#1"]], [["a"]], "R@2", documents=3)  # wrong
rg.evaluate_ids([[["a"]]], [["a"]], "R@2", calls="by_turns")  # wrong
rg.Run({"q": ["a#1"]}, documents=3)  # wrong
