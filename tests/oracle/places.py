"""Where things are, for tests: the checkout, its examples, and real data where there is any."""

import os
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES, DOCS = ROOT / "examples", ROOT / "docs"
DATA = Path(os.environ.get("RANKGAIN_DATA", "none"))  # of real use; it is no part of the project
