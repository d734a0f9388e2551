"""The values of ten thousand generated inputs, bit for bit what they were."""

import pytest

import digest_inputs
from sampling import sampled

# A change here is a change of values: say in the changelog which, and why.
# `python tests/oracle/digest_inputs.py` prints all of them.
DIGESTS = {
    "one_list": "bbeb4e02dc792c53",
    "rows": "d4babb24ce8e6c26",
    "padded": "de311615e6bc52bd",
    "flat": "146c784c0fccabf2",
    "sparse": "07a461a1d3704dc0",
    "judged": "59ecaab10f12c7dc",
    "truth": "91ef4086bf3deed9",
    "given_order": "bdbfd48b641d2b08",
    "long_lists": "4fd1c9f54b10b02f",
    "with_ids": "507a1f3263673a02",
    "excluding": "c340f6cf52d286bd",
    "topk": "27f7f7a14aad8156",
    "runs": "e58d43bb41d81def",
    "negative": "6437635020daadbe",
    "conventions": "f0caffe7bba3a9d5",
    "bounds": "8deefa55be70bd9b",
    "functions": "2bb6037750e9e9ae",
    "log2": "eb0d484dfa4368be",
}
LOG2 = "82664f29f36ad6ac"  # of the C library that the digest of "log2" was made with


@pytest.mark.parametrize("group", sampled(DIGESTS, one_in=6))
def test_every_bit_is_what_it_was(group: str) -> None:
    if group == "log2" and digest_inputs.log2_table() != LOG2:
        pytest.skip("the log2 of this C library differs in a last bit")
    assert digest_inputs.digest(group) == DIGESTS[group]


def test_there_are_ten_thousand() -> None:
    inputs = [digest_inputs.SHARE.get(group, digest_inputs.EACH) for group in DIGESTS]
    assert sum(inputs) == 10_000
    assert list(DIGESTS) == list(digest_inputs.GROUPS)
