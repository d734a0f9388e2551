"""The kept corpus: a file for each target, an input on each line, as base64.

python tests/fuzz/corpus.py unpack TARGET FOLDER    a file for each input, as libFuzzer reads it
python tests/fuzz/corpus.py pack TARGET FOLDER [BYTES]    keep what is in a folder, short first
"""

import base64
import hashlib
import random
import sys
from pathlib import Path

KEPT = Path(__file__).parent / "corpus"
MOST = 18_000  # bytes of a target's file


def inputs_of(target: str) -> list[bytes]:
    """The kept inputs of a target."""
    path = KEPT / f"{target}.txt"
    return [base64.b64decode(line) for line in path.read_text("ascii").splitlines()]


def unpack(target: str, folder: Path) -> None:
    """Write the kept inputs, and some random ones: most decoders want more than a few bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    draw = random.Random(target)
    others = [draw.randbytes(draw.randrange(20, 200)) for _ in range(60)]
    for one in [*(inputs_of(target) if (KEPT / f"{target}.txt").exists() else []), *others]:
        (folder / hashlib.sha1(one).hexdigest()).write_bytes(one)


def pack(target: str, folder: Path, most: int = MOST) -> None:
    """Keep the inputs that stand there now, and of a folder's as many as fit, short ones first."""
    kept = inputs_of(target) if (KEPT / f"{target}.txt").exists() else []
    others = sorted((one.read_bytes() for one in folder.iterdir()), key=lambda one: (len(one), one))
    lines = [base64.b64encode(one).decode() for one in dict.fromkeys([*kept, *others])]
    size = 0
    KEPT.mkdir(exist_ok=True)
    with (KEPT / f"{target}.txt").open("w", encoding="ascii") as file:
        for line in lines:
            size += len(line) + 1
            if size <= most:
                file.write(f"{line}\n")


if __name__ == "__main__":
    {"pack": pack, "unpack": unpack}[sys.argv[1]](
        sys.argv[2], Path(sys.argv[3]), *map(int, sys.argv[4:])
    )
