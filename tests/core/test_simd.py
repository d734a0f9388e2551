"""The same bits and the same refusals whatever instruction set runs."""

import os
import shutil
import subprocess
import sys

import pytest

from places import ROOT
from rankgain._core import simd
from simd_paths import output_on, skip_without

ROUNDS = 400
LENGTHS = 300


def values(path: str, rounds: int = ROUNDS, *, lengths: bool = False) -> list[str]:
    script = ROOT / "tests" / "oracle" / "simd_values.py"
    return output_on(path, [str(script), "11", str(rounds), *["lengths"] * lengths]).split()


@pytest.fixture(scope="module")
def plain() -> list[str]:
    result = values("plain")
    assert len(result) == ROUNDS
    assert len(set(result)) > ROUNDS / 2
    return result


@pytest.mark.parametrize("path", ["avx2", "neon"])
def test_every_path_has_the_same_bits(plain: list[str], path: str) -> None:
    skip_without(path)  # its narrower path would be compared in its place
    assert values(path) == plain


@pytest.fixture(scope="module")
def plain_lengths() -> list[str]:
    result = values("plain", LENGTHS, lengths=True)
    assert len(set(result)) == LENGTHS
    return result


@pytest.mark.slow
@pytest.mark.parametrize("path", ["avx2", "neon"])
def test_every_length_and_place_has_the_same_bits(plain_lengths: list[str], path: str) -> None:
    skip_without(path)
    assert values(path, LENGTHS, lengths=True) == plain_lengths


SANITIZED = ("-O1", "-fsanitize=undefined", "-fno-sanitize-recover=undefined")


@pytest.mark.parametrize("options", [("-O2",), SANITIZED], ids=["optimised", "sanitized"])
def test_each_primitive_does_what_a_plain_loop_does(options, tmp_path):
    """Compiled as the core is, and without optimisation and with checks: compilers differ there."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform == "win32":
        pytest.skip("no C compiler of the kind that has vectors")
    program = tmp_path / "primitives"
    folder = ROOT / "src" / "rankgain" / "_core" / "simd"
    source = ROOT / "tests" / "core" / "primitives.c"
    command = [compiler, *options, "-ffp-contract=off", "-I", folder, source, "-o", program, "-lm"]
    made = subprocess.run([*map(str, command)], capture_output=True, text=True)
    if made.returncode and options is SANITIZED:
        pytest.skip(f"no sanitizer here: {made.stderr[:200]}")
    assert made.returncode == 0, made.stderr
    done = subprocess.run([str(program)], capture_output=True, text=True)
    if done.returncode == 77:
        pytest.skip("this machine has no vectors that the core knows")
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_an_unknown_path_is_refused() -> None:
    environment = {**os.environ, "RANKGAIN_SIMD": "sse9"}
    command = [sys.executable, "-c", "from rankgain._core import SIMD"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert "RANKGAIN_SIMD must be plain, avx2 or neon, not 'sse9'" in done.stderr


def test_another_word_for_the_instructions_is_refused(monkeypatch):
    monkeypatch.setenv("RANKGAIN_SIMD", "sse")
    words = "RANKGAIN_SIMD must be plain, avx2 or neon, not 'sse'"
    with pytest.raises(ImportError, match=words):
        simd.selected(1)


def test_the_name_of_a_set_that_is_no_more_means_the_next(monkeypatch):
    """AVX-512 had a path of its own; who chose it gets AVX2, or what the machine has."""
    monkeypatch.setenv("RANKGAIN_SIMD", "avx512")
    assert [simd.PATHS[simd.selected(best)] for best in (0, 1)] == ["plain", "avx2"]
