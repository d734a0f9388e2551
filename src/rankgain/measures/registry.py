"""The registry of all families of measures, and of the spellings that name them."""

from ..engine.family import Family
from ..engine.parameters import PARAMETERS
from .grammar import Spelling, spelling

FAMILIES: dict[str, Family] = {}
SPELLINGS: dict[str, Spelling] = {}


def register(family: Family) -> Family:
    """Make a family known under its name, its function's name and its aliases."""
    unexpected = [name for name in family.params if name not in PARAMETERS]
    if unexpected:
        raise ValueError(f"family {family.name}: {unexpected[0]!r} has no row in PARAMETERS")
    names = (family.name, family.function, *family.aliases)
    new: dict[str, Spelling] = {}
    for key, meaning in (spelling(name, family) for name in names if name):
        if key in FAMILIES or new.setdefault(key, meaning) != meaning:
            other = FAMILIES.get(key, family).name
            raise ValueError(f"family {family.name}: {key!r} is a spelling of {other} already")
    FAMILIES.update(dict.fromkeys(new, family))
    SPELLINGS.update(new)
    return family
