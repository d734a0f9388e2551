"""No answer of a recorded call changes unseen; recording.py says how they are recorded anew."""

import random
from itertools import islice

import pytest

from recorded.recording import Transcript, differences, transcript_names


@pytest.mark.parametrize("name", transcript_names())
def test_answers_are_those_recorded(name: str) -> None:
    transcript = Transcript(name)
    for package in transcript.needs:
        pytest.importorskip(package)
    # In another order than they were recorded in: no call depends on one before it.
    calls = random.Random(name).sample(transcript.calls, len(transcript.calls))
    changed = list(islice(differences(transcript, calls), 5))
    assert not changed, "\n\n".join(changed)


@pytest.mark.parametrize("name", transcript_names())
def test_no_call_is_listed_twice(name: str) -> None:
    calls = Transcript(name).calls
    assert len(set(calls)) == len(calls)
