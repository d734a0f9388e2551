"""No answer of a recorded call changes unseen; recording.py says how they are recorded anew."""

import random
from itertools import islice

import pytest

from recorded.recording import Topic, differences, topic_names


@pytest.mark.parametrize("name", topic_names())
def test_answers_are_those_recorded(name: str) -> None:
    topic = Topic(name)
    for package in topic.needs:
        pytest.importorskip(package)
    # In another order than they were recorded in: no call depends on one before it.
    calls = random.Random(name).sample(topic.calls, len(topic.calls))
    changed = list(islice(differences(topic, calls), 5))
    assert not changed, "\n\n".join(changed)


@pytest.mark.parametrize("name", topic_names())
def test_every_answer_belongs_to_a_call(name: str) -> None:
    topic = Topic(name)
    assert set(topic.recorded()) == set(topic.calls)
    assert len(set(topic.calls)) == len(topic.calls), "a call is listed twice"
