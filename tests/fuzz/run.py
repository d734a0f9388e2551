"""Fuzz the target of $RANKGAIN_FUZZ_TARGET with atheris; `.ci/fuzz` calls it.

Arguments are libFuzzer's, which starts $RANKGAIN_FUZZ_PROGRAM again to merge inputs.
"""

import os
import sys
import warnings
from pathlib import Path

import atheris

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "oracle")]
warnings.simplefilter("ignore")

if __name__ == "__main__":
    with atheris.instrument_imports(include=["rankgain"]):
        import rankgain as rg
        from targets import TARGETS

        # What is imported later is not instrumented.
        rg.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["nDCG@3", "AP"])
        rg.evaluate_arrays([[1, 0]], [[0.5, 0.2]], "AP", bounds="ties")
    sys.argv[0] = os.environ["RANKGAIN_FUZZ_PROGRAM"]
    atheris.Setup(sys.argv, TARGETS[os.environ["RANKGAIN_FUZZ_TARGET"]])
    atheris.Fuzz()
