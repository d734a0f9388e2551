"""What a bad file says: its name, the line, its text, and what is wrong."""

import gzip
import io
import math
import re

import pytest

import rankgain as rg
from rankgain.trec.by_query import Qrels, Run

GOOD = "1 Q0 a 1 0.5 tag\n"


@pytest.mark.parametrize(("line", "reason"), [
    ("1 Q0", "too few fields"),
    ("1", "too few fields"),
    ("1 Q0 b 2", "too few fields"),
    ("1 Q0 b 2 0.5", "rank or the tag missing"),
    ("1 Q0 b 2 tag", "five fields, the score is missing: a run has query, Q0, document"),
    ("1 Q0 b - tag", "the score is missing"),
    ("1 Q0 b 0.5 tag", "five fields, the rank is missing"),
    ("1 Q0 b 2 high tag", "expected a number as the score"),
    ("1 Q0 b 2 1_0 tag", "expected a number as the score"),
    ("1 Q0 b 2 nan tag", "the score is NaN"),
    ("1 Q0 b 2 1,5 tag", "expected a number as the score"),
    ("1 Q0 a 2 0.25 tag", "comes twice in query '1', first on line 1"),
])  # fmt: skip
def test_bad_lines_of_a_run(line, reason, tmp_path):
    path = tmp_path / "run.txt"
    path.write_text(f"{GOOD}# a comment\n\n{line}\n2 Q0 z 1 1 tag\n")
    (tmp_path / "run.gz").write_bytes(gzip.compress(path.read_bytes()))
    for source in (path, tmp_path / "run.gz"):
        with pytest.raises(ValueError, match="line 4") as caught:
            Run.read(source)
        message = str(caught.value)
        assert reason in message
        assert str(source) in message
        assert repr(line) in message
        assert "\n" not in message


@pytest.mark.parametrize(("line", "reason"), [
    ("1 0 b", "too few fields"),
    ("1 0 b 1 1", "too many fields"),
    ("1 0 b x", "expected a number as the label"),
    ("1 0 b nan", "the label is NaN"),
    ("1 0 b inf", "a label must be finite"),
    ("1 0 a 2", "comes twice in query '1', first on line 2"),
])  # fmt: skip
def test_bad_lines_of_qrels(line, reason, tmp_path):
    path = tmp_path / "qrels.txt"
    path.write_text(f"\n1 0 a 1\n2 0 a 1\n{line}\n")
    with pytest.raises(ValueError, match=r"qrels\.txt, line 4: ") as caught:
        Qrels.read(path)
    assert reason in str(caught.value)
    assert repr(line) in str(caught.value)


def test_bad_files(tmp_path):
    empty = tmp_path / "empty"
    for content, kind in ((b"", Run), (b"\n# nothing\n", Qrels)):
        empty.write_bytes(content)
        with pytest.raises(ValueError, match="empty: no rows"):
            kind.read(empty)
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)) * 10)
    with pytest.raises(ValueError, match=r"binary.*NUL"):
        Run.read(binary)
    with pytest.raises(IsADirectoryError):
        Run.read(tmp_path)
    with pytest.raises(FileNotFoundError):
        Qrels.read(tmp_path / "missing")
    cut, packed = tmp_path / "cut.gz", gzip.compress(GOOD.encode())
    for content in (gzip.compress((GOOD * 1000).encode())[:-20], packed[:-8] + bytes(8)):
        cut.write_bytes(content)
        with pytest.raises(ValueError, match=r"cut\.gz: damaged compressed data"):
            Run.read(cut)


NO_DICT = "expected a dict of documents or a list of ids, not"
NO_ID = "an id must be a string or an integer, not"
TWICE = (
    'comes twice. To allow this, pass rankgain.Run(run, duplicates="first"), or '
    'duplicates="in_place"'
)


@pytest.mark.parametrize(("make", "wrong", "words"), [
    (Run, 3, f": {NO_DICT} int"),
    (Qrels, "ab", f": {NO_DICT} str"),
    (Run, {"a"}, ": a set has no order; give a list, best first"),
    (Run, ["b", None, 1.5], f": {NO_ID} None"),
    (Run, {None: 1, 1.5: 1}, f": {NO_ID} NoneType"),
    (Run, list("abcba"), f": document 'b' {TWICE}"),
    (Run, [("a", 3), ("b", 2), ("b", 1)], f": document 'b' {TWICE}"),
    (Run, {"a": 1, "b": "high", "c": None}, ", document 'b': a score must be a number, not 'high'"),
    (Run, {"a": "1", "b": "x", "c": None}, ", document 'a': a score must be a number, not '1'"),
    (Qrels, {"a": 1, "b": None, "c": "x"}, ", document 'b': a label must be a number, not None"),
    (Run, {"a": 1, "b": math.nan, "c": None}, ", document 'b': a score must be a number, not nan"),
    (Run, {"a": 10**400}, ": a score is too large"),
    (Qrels, {"a": 10**400}, ": a label is too large"),
    (Qrels, {"a": 1, "b": -math.inf, "c": math.inf},
     ", document 'b': a label must be finite, not -inf"),
    (Run, {"\ud800": 1},
     ": 'utf-8' codec can't encode character '\\ud800' in position 0: surrogates not allowed"),
])  # fmt: skip
def test_wrong_documents_of_a_query(make, wrong, words):
    with pytest.raises((TypeError, ValueError)) as caught:
        make({"p": {"a": 1}, "q": wrong})
    message, _, _ = str(caught.value).partition("; accepted forms are")
    assert message == f"{make.__name__.lower()}: query 'q'{words}"


@pytest.mark.parametrize(("call", "words"), [
    (lambda: Qrels(b"x"), "Qrels cannot be read from bytes; give a path, a file, a dict of dicts "
     "or of lists, a data frame, or rows with names"),
    (lambda: Run({"p": ["a"], 1.5: ["b"], None: []}), f"run: query 1.5: {NO_ID} float"),
    (lambda: Run({"p": {"a": "1"}, "q": {}, "r": {"a": 1}}),
     "run: query 'r': its scores are numbers, those before are text; give all as numbers"),
    (lambda: Run({"p": {"a": "1"}, "q": {"a": "1", "b": "x", "c": "y"}}),
     "run: query 'q', document 'b': a score must be a number, not 'x'"),
    (lambda: Qrels({"p": {"a": "1"}, "q": {"a": 1}, "r": {"a": None}}),
     "qrels: query 'q': its labels are numbers, those before are text; give all as numbers"),
    (lambda: Run(io.StringIO(GOOD), duplicates="any"),
     "duplicates must be one of raise, first, last, best, in_place, not 'any'"),
    (lambda: Qrels({"q": {"a": {"s": 1}}}, duplicates="in_place"),
     "duplicates must be one of raise, first, last, best, mean, not 'in_place'"),
    (lambda: Run({"q": {1: 1.0, "2": 3.0, "1": 2.0}}),
     "document '1' comes twice in query 'q'; rankgain.Run(source, duplicates=\"first\") keeps the "
     'first, "last" and "best" another; with "in_place" later ones keep their ranks and count as '
     "not relevant"),
    (lambda: Qrels({"p": {1: 1}, "q": {"1": 1, 1: 2}}),
     "document '1' comes twice in query 'q'; rankgain.Qrels(source, duplicates=\"first\") keeps "
     'the first, "last" and "best" another, and "mean" takes the mean label, as of several judges'),
])  # fmt: skip
def test_wrong_sources(call, words):
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(words)}$"):
        call()


# ---- results in place of the data that they were computed from

QRELS, RUN = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.5, "b": 0.5}}
RESULTS = {
    "an Evaluation": rg.evaluate(QRELS, RUN, "AP"),
    "Evaluations": rg.evaluate_runs(QRELS, {"s": RUN, "t": RUN}, "AP"),
    "a Comparison": rg.evaluate_runs(QRELS, {"s": RUN, "t": RUN}, "AP").compare(),
}
# What is expected in each place, with the remedy.
OF_RUN = "expected a run, not {}: pass the run of that evaluation; rankgain.compare compares"
OF_QRELS = "expected qrels, not {}: pass the qrels of that evaluation"
OF_IDS = "expected lists of ids, not {}: pass the lists of ids of that evaluation"
OF_RANKING = "expected a ranking, not {}: pass the ranking of that evaluation"
WITH_RESULT = {
    "Run": (Run, OF_RUN),
    "Run.read": (Run.read, OF_RUN),
    "Qrels": (Qrels, OF_QRELS),
    "Qrels of subtopics": (lambda bad: Qrels(bad, subtopics=True), OF_QRELS),
    "evaluate, run": (lambda bad: rg.evaluate(QRELS, bad, "AP"), OF_RUN),
    "evaluate, qrels": (lambda bad: rg.evaluate(bad, RUN, "AP"), OF_QRELS),
    "evaluate, exclude": (lambda bad: rg.evaluate(QRELS, RUN, "AP", exclude=bad), OF_QRELS),
    "evaluate, chunks": (lambda bad: rg.evaluate(QRELS, bad, "AP", documents="#"), OF_RUN),
    "evaluate_runs, a run": (lambda bad: rg.evaluate_runs(QRELS, {"s": bad}, "AP"), OF_RUN),
    "evaluate_runs, qrels": (lambda bad: rg.evaluate_runs(bad, {"s": RUN}, "AP"), OF_QRELS),
    "judge_next": (lambda bad: rg.judge_next(bad, {"s": RUN}, "AP", 1), OF_QRELS),
    "agreement": (lambda bad: rg.agreement(QRELS, bad), OF_QRELS),
    "explain, run": (lambda bad: rg.explain(QRELS, bad, query="q"), OF_RUN),
    "explain, qrels": (lambda bad: rg.explain(bad, RUN, query="q"), OF_QRELS),
    "reconcile_runs": (
        lambda bad: rg.reconcile_runs(QRELS, bad, measure="AP", a="trec", b="rankgain"), OF_RUN,
    ),
    "evaluate_ids, retrieved": (lambda bad: rg.evaluate_ids(bad, QRELS, "AP"), OF_IDS),
    "evaluate_ids, relevant": (lambda bad: rg.evaluate_ids(QRELS, bad, "AP"), OF_IDS),
    "correlate": (lambda bad: rg.correlate(RUN, bad), OF_RANKING),
}  # fmt: skip


@pytest.mark.parametrize("place", WITH_RESULT)
@pytest.mark.parametrize("name", RESULTS)
def test_a_result_in_place_of_its_data_is_refused_by_name(name, place):
    call, words = WITH_RESULT[place]
    with pytest.raises(TypeError, match=re.escape(words.format(name))):
        call(RESULTS[name])


def test_results_by_system_are_refused_as_runs():
    with pytest.raises(TypeError, match=re.escape(OF_RUN.format("an Evaluation"))):
        rg.evaluate_runs(QRELS, RESULTS["Evaluations"], "AP")


def test_a_read_that_belongs_to_a_class_is_not_that_of_an_open_file():
    class Stored:
        @classmethod
        def read(cls, path):
            return cls()

    for source in (Stored(), Stored, io.StringIO):
        with pytest.raises(TypeError, match=r"^Run cannot be read from (Stored|type); give a path"):
            Run(source)


@pytest.mark.parametrize(("line", "words"), [
    ("1 qid:2", "there is no document after #: '1 qid:2'"),
    ("1 qid:2 # ", "there is no document after #: '1 qid:2 #'"),
    ("1 qid2 # d", "expected a label, qid:..., and # with a document: '1 qid2 # d'"),
    ("1 qid:2 1:0.5 # d",
     "labels with features, as of LETOR; X, y, qid = sklearn.datasets.load_svmlight_file(path, "
     "query_id=True) reads them, and rankgain.evaluate_arrays(y, model.predict(X), measures, "
     "qid=qid) evaluates a model: '1 qid:2 1:0.5 # d'"),
])  # fmt: skip
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_the_first_wrong_line_of_judgments_for_training_is_named(start, line, words, tmp_path):
    for name in ("judgments", "judgments.tsv"):
        path = tmp_path / name
        path.write_text(f"{start}# a comment\n# b\n1 qid:1 # d\n{line}\n1 qid:3\n")
        with pytest.raises(ValueError, match=f"^{re.escape(f'{path}, line 4: {words}')}$"):
            Qrels(path)
        with pytest.raises(ValueError, match=r"line 1: judgments .label, qid and document., where"):
            Run(path)
        path.write_text(f"{start}1 qid:1 # d\n")
        assert Qrels(path).to_dict() == {"1": {"d": 1.0}}


def test_comments_before_a_wrong_label_count_as_lines(tmp_path):
    path = tmp_path / "judgments"
    path.write_text("# a\n# b\n1 qid:1 # d\n# c\nx qid:1 # e\n")
    with pytest.raises(ValueError, match="line 5: expected a number as the label, got 'x'"):
        Qrels(path)


# ---- of several faults the first is named, in every form


def as_text(rows, start=""):
    return io.StringIO(start + "".join(f"{q} 0 {d} {number}\n" for q, d, number in rows))


def as_dicts(rows, number="label"):
    return [dict(zip(("query_id", "doc_id", number), row, strict=True)) for row in rows]


def as_frame(rows, number="label"):
    pytest.importorskip("narwhals")
    return pytest.importorskip("pandas").DataFrame(as_dicts(rows, number)).assign(part="s")


def nested(rows, of_document):
    judged = {}
    for query, document, number in rows:
        judged.setdefault(query, {})[document] = of_document(number)
    return judged


# Of each form how it is read, and how it names the second row.
QRELS_FORMS = {
    "file": (lambda rows: Qrels(as_text(rows)), "line 2"),
    "file with a comment": (lambda rows: Qrels(as_text(rows, "# c\n\n")), "line 4"),
    "subtopics": (lambda rows: Qrels(as_text(rows), subtopics=True), "line 2"),
    "rows": (lambda rows: Qrels(as_dicts(rows)), "row 2"),
    "frame": (lambda rows: Qrels(as_frame(rows)), "row 2"),
    "frame of parts": (lambda rows: Qrels.from_frame(as_frame(rows), subtopic="part"), "row 2"),
    "dict": (lambda rows: Qrels(nested(rows, lambda label: label)), "query 'q', document 'b'"),
    "dict of parts": (
        lambda rows: Qrels(nested(rows, lambda label: {"s": label})),
        "query 'q', document 'b'",
    ),
}
RUN_FORMS = {
    "rows": (lambda rows: Run(as_dicts(rows, "score")), "row 2"),
    "frame": (lambda rows: Run(as_frame(rows, "score")), "row 2"),
    "dict": (lambda rows: Run(nested(rows, lambda score: score)), "query 'q', document 'b'"),
}


def faulty(number):
    """Rows of which the second and the last have a number that is none."""
    return [("q", "a", 1), ("q", "b", number), ("q", "c", 0), ("r", "d", 2), ("r", "e", number)]


@pytest.mark.parametrize("form", QRELS_FORMS)
@pytest.mark.parametrize("label", [math.inf, -math.inf, math.nan, "high"])
def test_the_first_label_that_is_no_number_is_named(label, form):
    read, place = QRELS_FORMS[form]
    with pytest.raises((ValueError, TypeError), match=rf"{place}(?!\d)"):
        read(faulty(label))


@pytest.mark.parametrize("form", RUN_FORMS)
@pytest.mark.parametrize("score", [math.nan, "high"])
def test_the_first_score_that_is_no_number_is_named(score, form):
    read, place = RUN_FORMS[form]
    with pytest.raises((ValueError, TypeError), match=rf"{place}(?!\d)"):
        read(faulty(score))


@pytest.mark.parametrize("form", [name for name in QRELS_FORMS if "dict" not in name])
def test_the_first_judgment_that_contradicts_another_is_named(form):
    read, place = QRELS_FORMS[form]
    rows = [("q", "a", 1), ("q", "a", 2), ("q", "b", 0), ("r", "c", 1), ("r", "c", 2)]
    with pytest.raises(ValueError, match=rf"{place}(?!\d).*document 'a'"):
        read(rows)


def test_rows_with_names_may_be_of_several_kinds():
    class Judged:
        def __init__(self, query_id, doc_id, label):
            self.query_id, self.doc_id, self.label = query_id, doc_id, label

    rows = [("q", "a", 1), ("q", "b", 2), ("r", "a", 0), ("r", "c", 3)]
    dicts, objects = as_dicts(rows), [Judged(*row) for row in rows]
    expected = Qrels(dicts)
    for mixed in (dicts[:2] + objects[2:], objects[:1] + dicts[1:3] + objects[3:]):
        assert Qrels(mixed) == expected
