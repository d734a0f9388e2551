"""The grammar of measure names, with the spellings of other tools.

A tool's spelling selects the measure and the parameters that it states; the tool's conventions (its
ties, its ideal, its value for an empty list) are not part of a name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from ..convention.options import MAX_CUTOFF, read_number

if TYPE_CHECKING:
    from ..engine.settings import Family

# ir_measures' keys; those of text are in lower case
_SYNONYMS = {"gains": "gain", "cutoff": "k", "t": "T"}
# Multiples of R for which trec_eval prints Rprec_mult.
MULTIPLES = tuple(str(i / 5) for i in range(1, 11))
# trec_eval's parameter x of (x + 1) P R / (x P + R), which ir_measures calls beta.
SQUARED = ("set_f", "setf")

LEVELS = ("recall", "multiple")  # parameters that take the place of a rank as the cutoff

Params = dict[str, object]
ParsedName = tuple["Family", int | None, Params]


class Spelling(NamedTuple):
    """The family, parameters and cutoff rule that a spelling stands for."""

    family: Family
    params: Mapping[str, object]
    cutoff: str
    squared: bool = False  # its parameter beta is the square of beta here


def spelling(alias: str, family: Family) -> tuple[str, Spelling]:
    """Read an alias as a family declares it: `success@required`, `ndcg_burges(gain=exp2)`."""
    if alias.endswith("@R"):  # a measure whose cutoff is R
        return alias.lower(), Spelling(family, {}, family.cutoff)
    rest, at, rule = alias.partition("@")
    name, opened, inside = rest.partition("(")
    params = _read_params(inside.removesuffix(")")) if opened else {}
    squared = name.lower() in SQUARED
    return name.lower(), Spelling(family, params, rule if at else family.cutoff, squared)


def read(text: str, known: Mapping[str, Spelling]) -> Iterator[ParsedName]:
    """The families, cutoffs and parameters of a name; ValueError if it cannot be read."""
    if ":" in text and "(" not in text:
        yield _catboost(text, known)
        return
    name, inside, cut = _parts(text)
    # Suffixes: ranx's relevance level (-l2) and XGBoost's minus.
    last, suffixes = name if cut is None else cut, Params()
    stem, dash, level = last.lower().rpartition("-l")
    if dash and level.isascii() and level.isdigit():
        last, suffixes = last[: len(stem)], {"level": level}
    elif len(last) > 1 and last.endswith("-"):
        last, suffixes = last[:-1], {"empty": 0}
    name, cut = (last, None) if cut is None else (name, last)
    entry, numbers = _find(name, cut, known)
    if cut is not None and cut.strip().upper() == "R":
        entry, cut = _with_cutoff_r(entry.family, known), None
    family = entry.family
    if "level" in suffixes:  # `min_label` of a graded measure, `rel` of a binary one
        key = "min_label" if "min_label" in family.params else "rel"
        suffixes = {key: suffixes["level"]}
    params = _join(entry.params, _read_params(inside), suffixes)
    entry = _variant(entry, params, known)
    if cut is not None:
        key = next((level for level in LEVELS if level in family.params), "k")
        numbers = [_join(one, {key: piece.strip()}) for one in numbers for piece in cut.split(",")]
    if family.cutoff == "multiple" and numbers == [{}] and "multiple" not in params:
        numbers = [{"multiple": multiple} for multiple in MULTIPLES]
    for each in numbers:
        joined = _join(params, each)
        if entry.squared and "beta" in joined:  # trec_eval's, which is the square of the one here
            with suppress(ValueError):  # a later check raises the error of a bad beta
                joined["beta"] = math.sqrt(read_number(joined["beta"]))
        yield _with_cutoff(name, entry, joined)


def _with_cutoff_r(family: "Family", known: Mapping[str, Spelling]) -> Spelling:
    """The measure of this family whose cutoff is the number of relevant documents."""
    if family.at_r is None:
        takers = [one.family.name for one in known.values() if one.family.at_r is not None]
        allowed = ", ".join(f"{name}@R" for name in dict.fromkeys(takers))
        raise ValueError(
            f"{family.name} does not take the cutoff R (the number of relevant documents of each "
            f"list), as {allowed} do; give a number"
        )
    return known[family.at_r]


def _variant(entry: Spelling, params: Params, known: Mapping[str, Spelling]) -> Spelling:
    """The spelling of another measure, if a parameter selects it."""
    for key, other in entry.family.variants.items():
        wanted = str(params.get(key, "")).lower()
        if key == "relative" and key in params:  # a flag of SetP in ir_measures, no parameter here
            _word(key, str(params.pop(key)), {"true": "", "false": ""})
            wanted = wanted.replace("false", "")
        if wanted:
            return known[other]._replace(cutoff=entry.cutoff)
    return entry


def unknown(name: str, known: Mapping[str, Spelling]) -> ValueError:
    """The error for an unknown name, with the nearest known names."""
    from difflib import get_close_matches  # the import takes 3 ms

    bare = name.lower().replace("-", "_").rstrip("0123456789.,").rstrip("_").removesuffix("_at")
    close = get_close_matches(bare, known, n=9, cutoff=0.7)
    near = list(dict.fromkeys(known[key].family.name for key in close))[:3]
    cutoff = name[len(name.rstrip("0123456789")) :]
    if bare in known and cutoff:  # nDCG10
        family = known[bare].family
        near = [family.name if family.cutoff == "none" else f"{family.name}@{cutoff}"]
    if near:
        return ValueError(f"unknown measure {name!r:.100}; did you mean {' or '.join(near)}?")
    names = dict.fromkeys(meaning.family.name for meaning in known.values())
    return ValueError(f"unknown measure {name!r:.100}; known are {', '.join(names)}")


def _with_cutoff(name: str, entry: Spelling, params: Params) -> ParsedName:
    family = entry.family
    cut = params.pop("k", None)
    if cut is None and entry.cutoff == "required":
        raise ValueError(f"add a cutoff, as in {family.example}@10")
    if cut is not None and entry.cutoff in ("none", *LEVELS):
        raise ValueError(f"{name} takes no cutoff: leave {cut} out")
    if cut is None:
        return family, None, params
    text = str(cut)
    digits = text.isascii() and text.isdigit() and len(text) < 20
    if not digits or not 1 <= int(text) <= MAX_CUTOFF:
        several = "; several measures are given as a list" if text[:1].isalpha() else ""
        raise ValueError(
            f"k must be a whole number of at least 1 and below 2**63, not {text!r:.100}"
            f" (without a cutoff the whole list counts){several}"
        )
    return family, int(text), params


def _parts(text: str) -> tuple[str, str, str | None]:
    """Split a name into family, text in parentheses, and text after the @ (None without an @)."""
    before, opened, rest = text.partition("(")
    inside = ""
    if opened:
        if "@" in before:
            raise ValueError("parameters stand before the cutoff, as in nDCG(gain=exp2)@10")
        inside, closed, after = rest.partition(")")
        if not closed:
            raise ValueError("the closing ')' is missing")
        after = after.strip()
        if after and not after.startswith("@"):
            raise ValueError(
                f"{after!r:.100} after the ')' is not understood; a cutoff is written @10"
            )
        name, at, cut = before, after[:1], after[1:]
    else:
        name, at, cut = text.partition("@")
    if "@" in cut:
        raise ValueError("'@' is repeated; a name has one cutoff")
    if not name.strip():
        raise ValueError("a name is missing; a measure is written nDCG@10")
    if at and not cut.strip():
        raise ValueError("the cutoff is missing after '@'")
    return name.strip(), inside, cut.strip() if at else None


def _find(
    name: str, cut: str | None, known: Mapping[str, Spelling]
) -> tuple[Spelling, list[Params]]:
    """The spelling at the start of a name, and the parameters of each number after it.

    Numbers follow as in trec_eval (`ndcg_cut_10`, `P.5,10`, `ndcg.1=3,2=7`), MTEB (`map_at_100`)
    or ranx (`rbp.95`).
    """
    key = name.lower()
    for place, mark in [(len(key), ""), *enumerate(key)]:  # first without a split
        rest = key[place + 1 :]
        is_split = rest.lstrip(".")[:1].isdigit() or (mark == "." and "=" in rest)
        if mark and not (mark in "._" and is_split):
            continue
        stem = key[:place].replace("-", "_")
        stem = stem.removesuffix("_at") if mark else stem
        if stem in known:
            return known[stem], _numbers(known[stem], mark, rest) if mark else [{}]
        if stem == "hits":
            offer = f"HitRate@{cut or rest or 10}"
            raise ValueError(
                "hits is a number of documents in some tools, and in others the part of the lists "
                f"that have a hit; the latter is {offer}"
            )
    raise unknown(name, known)


def _numbers(entry: Spelling, mark: str, rest: str) -> list[Params]:
    takes = entry.family.params
    if "=" in rest:  # trec_eval's: `1=3,2=7` are gains of labels, `p=0.8` is a parameter
        params, gains = Params(), []
        for piece in rest.split(","):
            key, _, value = piece.partition("=")
            if key[:1].isdigit() or key[:1] == "-":
                gains.append(f"{key}:{value}")
            else:
                params = _join(params, {key: value})
        return [_join(params, {"gain": "{" + ",".join(gains) + "}"} if gains else {})]
    pieces = rest.split(",")
    if "p" in takes and (mark == "." or "." in rest):  # ranx: rbp.95 is a persistence of 0.95
        return [{"p": piece if "." in piece else f"0.{piece}"} for piece in pieces]
    for level in LEVELS:
        if level in takes:
            return [{level: piece} for piece in pieces]
    key = "beta" if "beta" in takes and entry.cutoff == "none" else "k"
    return [{key: piece} for piece in pieces]


def _read_params(text: str) -> Params:
    """The parameters in parentheses, with the keys of rankgain or of ir_measures."""
    params: Params = {}
    outside_braces = r",(?![^{}]*\})"
    for piece in re.split(outside_braces, text) if text.strip() else ():
        key, equals, value = (part.strip() for part in piece.partition("="))
        key = key.lower()
        if not (key and equals and value):
            raise ValueError(f"a parameter is written key=value, not {piece.strip()!r:.100}")
        if len(value) > 1 and value[0] in "'\"" and value[-1] == value[0]:
            value = value[1:-1]
        if key == "dcg":
            key, value = "gain", _word(key, value, {"log2": "linear", "exp-log2": "exp2"})
        params = _join(params, {_SYNONYMS.get(key, key): value})
    return params


def _catboost(text: str, known: Mapping[str, Spelling]) -> ParsedName:
    name, _, rest = text.partition(":")
    entry = known.get(name.strip().lower())
    if entry is None:
        raise unknown(name, known)
    params = dict(entry.params)
    for piece in rest.split(";"):
        key, _, value = (part.strip() for part in piece.partition("="))
        match key.lower():
            case "top":
                new: Params = {} if value == "-1" else {"k": value}
            case "type":
                new = {"gain": _word(key, value, {"base": "linear", "exp": "exp2"})}
            case "denominator":
                words = {"position": "reciprocal", "logposition": "log2"}
                new = {"discount": _word(key, value, words)}
            case "decay":
                new = {"decay": value}
            case "border":
                raise ValueError("border is a strict threshold (label > border); write rel=")
            case _:
                raise ValueError(
                    f"unknown parameter {key!r:.100}; top, type, denominator and decay are read"
                )
        params = _join(params, new)
    return _with_cutoff(name, entry, params)


def _word(key: str, value: str, meanings: Mapping[str, str]) -> str:
    if value.lower() not in meanings:
        raise ValueError(f"{key} must be {' or '.join(meanings)}, not {value!r:.100}")
    return meanings[value.lower()]


def _join(*several: Mapping[str, object]) -> Params:
    joined: Params = {}
    for params in several:
        for key, value in params.items():
            if key in joined:
                raise ValueError(f"{key} is given twice")
            joined[key] = value
    return joined
