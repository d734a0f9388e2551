"""Sparse matrices of scipy as labels, exclusions, judged labels and relevant ids."""

from recorded.recording import drawn, each

NEEDS = ["scipy"]
# fmt: off
GIVEN = """
import scipy.sparse as sp
NAN = float("nan")
DENSE = np.array([[3, 0, 2, 1], [0, 1, 0, 0], [0, 0, 0, 2]])
SCORES = np.array([[0.5, 0.25, 0.5, 0.75], [1.0, 2.0, 2.0, -1.0], [0.0, 0.0, 1.0, 2.0]])
SEEN = np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1]])
RANKED = np.array([[2, 1, 0], [3, 1, -1], [0, 3, -1]])
MEASURES = ["nDCG@3", "AP", "R@2", "RR"]
def evaluate(labels, scores=SCORES, **options): return rg.evaluate_arrays(labels, scores, MEASURES, **options)
def changed(matrix, **fields):
    matrix = sp.csr_matrix(matrix)
    for name, values in fields.items(): setattr(matrix, name, np.array(values))
    return matrix
"""
FORMS = ["sp.csr_matrix({0})", "sp.csc_matrix({0})", "sp.coo_matrix({0})", "sp.csr_array({0})", "sp.lil_matrix({0})", "sp.csr_matrix({0}.astype('f4'))", "sp.csr_matrix({0}.astype('i1'))", "sp.csr_matrix({0}.astype(bool))", "sp.bsr_matrix({0})", "sp.dok_matrix({0})", "sp.csr_matrix({0}[:, ::-1])[:, ::-1]"]
CALLS = [
    *drawn(60, "evaluate({y}, {s}, ties={t!r}, exclude={x}, judged={j}, ignore={i})", y=[f.format("DENSE") for f in FORMS], s=["SCORES", "SCORES.astype('f4')"], t=["average", "stable", "best"], x=["None", "sp.csr_matrix(SEEN)", "sp.csc_matrix(SEEN)", "SEEN == 1", "sp.csr_array(SEEN.astype(bool))"], j=["None", "sp.csr_matrix(np.hstack([DENSE, [[1, 2], [0, 0], [3, 0]]]))", "None"], i=["None", "3", "[1, 2]"]),
    *drawn(50, "rg.evaluate_ids({r}, {w}, MEASURES, exclude={x})", r=["RANKED", "RANKED.astype('i4')", "RANKED.tolist()", "[[2, 1, 0], [3, 1], [0, 3]]", "np.asfortranarray(RANKED)"], w=[f.format("DENSE") for f in FORMS], x=["None", "sp.csr_matrix(SEEN)", "sp.coo_matrix(SEEN)", "[[1], [], [3]]"]), *drawn(30, "rg.evaluate_scores(lambda users: SCORES[users], {w}, MEASURES, exclude={x}, batch={b})", w=[f.format("DENSE") for f in FORMS], x=["None", "sp.csr_matrix(SEEN)", "sp.csc_array(SEEN)"], b=["None", "1", "2"]),
    *each("{d}(sp.csr_matrix({y}), SCORES)", d=["evaluate", "rg.dcg", "evaluate"][:2], y=["np.where(DENSE == 1, NAN, DENSE)", "np.where(DENSE == 1, -1, DENSE)", "np.where(DENSE == 2, np.inf, DENSE)", "np.where(DENSE == 2, 2**53 + 1, DENSE)", "DENSE[:2]", "DENSE[:, :3]", "np.hstack([DENSE, DENSE])"]), *each("evaluate({y})", y=["changed(DENSE, indices=[0, 2, 9, 1, 3])", "changed(DENSE, indices=[0, 2, 3, -1, 3])", "changed(DENSE, indices=[0, 2, 2, 1, 3])", "changed(DENSE, indices=[3, 2, 0, 1, 3])", "changed(DENSE, indptr=[0, 3, 2, 5])", "changed(DENSE, indptr=[1, 3, 4, 5])", "changed(DENSE, indptr=[0, 3, 4, 9])", "changed(DENSE, data=[1.5, 2.5])", "changed(DENSE, indices=[0.0, 2.0, 3.0, 1.0, 3.0])", "changed(DENSE, data=['a'] * 5)"]),
    *each("evaluate(DENSE, exclude={x})", x=["changed(SEEN, indices=[1, 9, 2, 3])", "changed(SEEN, indices=[1, 0, 3, 3])", "sp.csr_matrix(SEEN[:2])", "sp.csr_matrix(SEEN[:, :3])", "sp.csr_matrix((3, 4))"]), *each("evaluate({y}, {s})", y=["DENSE", "sp.csr_matrix(DENSE)"], s=["sp.csr_matrix(SCORES)", "sp.csc_matrix(SCORES)", "None"]), "rg.evaluate_ids(sp.csr_matrix(SCORES), sp.csr_matrix(DENSE), MEASURES)", "rg.evaluate_ids(sp.csc_matrix(SCORES), DENSE, MEASURES)", "rg.neighbor_recall(sp.csr_matrix(SCORES), RANKED)", "rg.evaluate_arrays(DENSE, SCORES, 'AP', ids=sp.csr_matrix(DENSE))", "rg.evaluate_arrays(DENSE, SCORES, 'AP', weight=sp.csr_matrix([[1, 2, 3]]))",
    *each("rg.evaluate_ids({r}, {w}, MEASURES)", r=["RANKED", "[['a', 'b'], ['c'], ['d']]", "{'u': [1], 'v': [2], 'w': [3]}", "np.array([[9, 1], [2, 3], [1, 0]])"], w=["sp.csr_matrix(DENSE)", "sp.csr_matrix((3, 0))", "sp.csr_matrix((3, 4))", "sp.csr_matrix(DENSE[:2])", "changed(DENSE, indices=[0, 2, 2, 1, 3])"]), "rg.evaluate_ids(RANKED, sp.csr_matrix(DENSE), MEASURES, gains=[[1]])", "rg.evaluate_ids(RANKED, [[2], [1], [3]], MEASURES, exclude=sp.csr_matrix(SEEN[:, :3]))", "rg.evaluate_ids(RANKED, sp.csr_matrix(DENSE), MEASURES, exclude=sp.csr_matrix(np.hstack([SEEN, SEEN])))",
    "m = sp.csr_matrix(DENSE); t = rg.Truth(m); m.data[:] = 9; evaluate(t).means; evaluate(m).means", "m = changed(DENSE, indices=[3, 2, 0, 1, 3]); evaluate(m).means; m.indices, m.has_sorted_indices", "evaluate(sp.csr_matrix(DENSE), lengths=[4, 2, 3])", "evaluate(sp.csr_matrix(DENSE), lengths=[4, 2, 4])", "rg.Truth(sp.csr_matrix(DENSE)) == rg.Truth(sp.csc_matrix(DENSE))", "rg.ndcg(sp.csr_matrix(DENSE[:1]), SCORES[0])", "rg.ndcg(sp.csr_matrix(DENSE))", "rg.ndcg(sp.csr_array(DENSE[0]), SCORES[0])",
    "evaluate(changed(DENSE, indices=[0, 2, 9, 8, 3]))", "evaluate(changed(DENSE, indices=[0, 2, 3, -8, 9]))", "evaluate(DENSE, exclude=changed(SEEN, indices=[1, 9, 2, 8]))",
]
