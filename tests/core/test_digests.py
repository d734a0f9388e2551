"""The values of ten thousand generated inputs, bit for bit what they were."""

import pytest

import digest_inputs

# A change here is a change of values: say in the changelog which, and why.
# `python tests/oracle/digest_inputs.py` prints all of them.
DIGESTS = {
    "one_list": "bbeb4e02dc792c53",
    "rows": "51907ca3e02175a0",
    "padded": "b3a7cb389e216b93",
    "flat": "28f2cbde8c6c1228",
    "sparse": "d91d2816cf344ce5",
    "judged": "a16b0ccc70966ef3",
    "truth": "464156b2956aa5da",
    "given_order": "5acf9f4488313496",
    "long_lists": "a3af6689bd94eb40",
    "with_ids": "d3cd1a5fe43682d9",
    "excluding": "423048de3e028fff",
    "topk": "d70ecc068dbc4392",
    "runs": "e58d43bb41d81def",
    "negative": "6437635020daadbe",
    "conventions": "b2894451fc00d98a",
    "bounds": "f7a4ced6e7522b88",
    "functions": "2bb6037750e9e9ae",
    "log2": "06aa9fd1c491f4dd",
}
LOG2 = "82664f29f36ad6ac"  # of the C library that the digest of "log2" was made with


@pytest.mark.parametrize("group", DIGESTS)
def test_every_bit_is_what_it_was(group: str) -> None:
    if group == "log2" and digest_inputs.log2_table() != LOG2:
        pytest.skip("the log2 of this C library differs in a last bit")
    assert digest_inputs.digest(group) == DIGESTS[group]


def test_there_are_ten_thousand() -> None:
    inputs = [digest_inputs.SHARE.get(group, digest_inputs.EACH) for group in DIGESTS]
    assert sum(inputs) == 10_000
    assert list(DIGESTS) == list(digest_inputs.GROUPS)
