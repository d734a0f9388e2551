"""Adapters in their hosts, which are as they were after a test."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def adapter() -> Iterator[Any]:
    """The adapter for ir_measures, whose import changes the host; taken back afterwards."""
    import ir_measures

    import rankgain.integrations.ir_measures as module

    providers = ir_measures.DefaultPipeline.providers
    before = list(providers)
    if module.provider not in providers:
        providers.insert(1, module.provider)
    yield module
    providers[:] = [one for one in before if one is not module.provider]
