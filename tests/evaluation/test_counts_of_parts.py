"""Segments, parts and merges have the counts of their lists: undefined, and without results."""

import json

import numpy as np
import pytest

import rankgain as rg


def test_a_part_without_undefined_lists_has_marks_when_it_is_merged():
    some = rg.evaluate_arrays([[0, 1], [0, 0]], [[0.5, 0.2]] * 2, "AP")
    none = rg.evaluate_arrays([[0, 1]], [[0.5, 0.2]], "AP")
    for parts, marks in (([some, none], [0, 1, 0]), ([none, some], [0, 0, 1])):
        assert rg.Evaluation.merge(parts).marked["AP"].tolist() == list(map(bool, marks))


def test_what_a_file_does_not_mark_is_not_counted(tmp_path):
    result = rg.evaluate_arrays([[0, 1], [0, 0]], [[0.5, 0.2]] * 2, ["AP", "AUC"])
    data = json.loads(result.to_json())
    marked = data.pop("marked")
    path = tmp_path / "unmarked.json"
    path.write_text(json.dumps(data))
    unmarked = rg.Evaluation.read(path)
    assert dict(unmarked.marked) == {}
    assert "undefined" not in unmarked.by(["u", "v"])["v"].counts
    other = rg.evaluate_arrays([[0, 0]], [[0.5, 0.2]], ["AP", "AUC"], qid=None)
    assert rg.Evaluation.merge([unmarked, other]).counts["undefined"] == {"AP": 2, "AUC": 2}
    assert "AP" not in rg.Evaluation.merge([unmarked, other]).marked
    for wrong in ({"AP": [2]}, {"AP": [-1]}, {"RR": [0]}, {"AP": [0.5]}, [1], {"AP": True}):
        path.write_text(json.dumps({**data, "marked": wrong}))
        with pytest.raises(ValueError, match="marked"):
            rg.Evaluation.read(path)
    assert marked == {"AP": [1], "AUC": [1]}


@pytest.mark.parametrize("wrong", ["x", -3, [1], 1.5, None, True, 0])
def test_a_stored_cutoff_is_checked(wrong, tmp_path):
    data = json.loads(rg.evaluate_arrays([0, 1], [0.5, 0.2], "AP").to_json())
    for value, fits in ((wrong, False), (3, True)):
        (tmp_path / "one.json").write_text(json.dumps({**data, "settings": {"k": value}}))
        if fits:
            assert rg.Evaluation.read(tmp_path / "one.json").settings == {"k": 3}
        else:
            with pytest.raises(ValueError, match=r"settings: k must be (an int of )?at least 1"):
                rg.Evaluation.read(tmp_path / "one.json")


def test_zeros_of_both_signs_are_one_segment():
    result = rg.evaluate_arrays([[0, 1], [1, 0]], [[0.5, 0.2]] * 2, "RR", qid=None)
    for labels in ([0.0, -0.0], np.array([-0.0, 0.0]), np.array([-0.0, 0.0], np.float32)):
        assert result.by(labels)["0.0"].means == {"RR": 0.75}
    assert list(result.by([0, 1])) == ["0", "1"]
