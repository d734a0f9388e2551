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
rg.evaluate_arrays([1], [1.0], 10)  # wrong
rg.evaluate({}, {}, "AP", ties="nonsense")  # wrong
rg.evaluate({}, {}, "AP", divisor=2)  # wrong
print(rg.explain([1], [1.0], measure="AP").ndcg)  # wrong
