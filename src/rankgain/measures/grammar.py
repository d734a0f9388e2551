"""The grammar of measure names, with the spellings of other tools.

A tool's spelling selects the measure and the parameters that it states; the tool's conventions (its
ties, its ideal, its value for an empty list) are not part of a name.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from ..convention.fields import list_choices
from ..convention.options import MAX_CUTOFF, read_number

if TYPE_CHECKING:
    from ..engine.settings import Family

# ir_measures' keys; those of text are in lower case
_SYNONYMS = {"gains": "gain", "cutoff": "k", "t": "T"}
# Multiples of R for which trec_eval prints Rprec_mult.
MULTIPLES = tuple(str(i / 5) for i in range(1, 11))
# trec_eval's parameter x of (x + 1) P R / (x P + R), which ir_measures calls beta.
SQUARED_BETA_NAMES = ("set_f", "setf")

LEVELS = ("recall", "multiple")  # parameters that take the place of a rank as the cutoff

Params = dict[str, object]
ParsedName = tuple["Family", int | None, Params]


class Spelling(NamedTuple):
    """The family, parameters and cutoff rule that a spelling stands for."""

    family: Family
    params: Mapping[str, object]
    cutoff: str
    squared: bool = False  # its parameter beta is trec_eval's, the square of beta here


def parse_alias(alias: str, family: Family) -> tuple[str, Spelling]:
    """Read an alias as a family declares it: `success@required`, `ndcg_burges(gain=exp2)`."""
    if alias.endswith("@R"):  # a measure whose cutoff is R
        return alias.lower(), Spelling(family, {}, family.cutoff)
    before_cutoff, at_sign, rule = alias.partition("@")
    if not at_sign:
        rule = family.cutoff
    name, _, parameters = before_cutoff.partition("(")
    params = _read_params(parameters.removesuffix(")"))
    squared = name.lower() in SQUARED_BETA_NAMES
    return name.lower(), Spelling(family, params, rule, squared)


def parse_name(text: str, spellings: Mapping[str, Spelling]) -> Iterator[ParsedName]:
    """The families, cutoffs and parameters of a name; ValueError if it cannot be read."""
    if ":" in text and "(" not in text:
        yield _parse_catboost_name(text, spellings)
        return
    _refuse_several(text, spellings)
    name, parameters_text, cut = _split_name(text)
    # A suffix of ranx or XGBoost stands at the end: ndcg-l2, or ndcg@10-.
    if cut is None:
        name, suffixes = _split_suffix(name)
    else:
        cut, suffixes = _split_suffix(cut)
    entry, numbers = _find_spelling(name, cut, spellings)
    if cut is not None and cut.strip().upper() == "R":
        entry = _with_cutoff_r(entry.family, spellings)
        cut = None
    family = entry.family
    if "level" in suffixes:  # `min_label` of a graded measure, `rel` of a binary one
        level_name = "min_label" if "min_label" in family.params else "rel"
        suffixes = {level_name: suffixes["level"]}
    params = _merge_params(entry.params, _read_params(parameters_text), suffixes)
    entry = _select_variant(entry, params, spellings)
    cutoffs: list[Params] = [{}]
    if cut is not None:
        key = next((level for level in LEVELS if level in family.params), "k")
        cutoffs = [{key: piece.strip()} for piece in cut.split(",")]
    # Rprec_mult without a multiple stands for the ten that trec_eval prints.
    if family.cutoff == "multiple" and numbers == cutoffs == [{}] and "multiple" not in params:
        numbers = [{"multiple": multiple} for multiple in MULTIPLES]
    # Each number after the name with each cutoff: P.5,10 are two measures, as P@5,10 are.
    for numbered in numbers:
        for cutoff in cutoffs:
            merged = _merge_params(params, _merge_params(numbered, cutoff))
            if entry.squared and "beta" in merged:
                with suppress(ValueError):  # a later check raises the error of a bad beta
                    merged["beta"] = math.sqrt(read_number(merged["beta"]))
            yield _with_cutoff(name, entry, merged)


def _refuse_several(text: str, spellings: Mapping[str, Spelling]) -> None:
    """Refuse several names in one text: another name after a separator, as in "nDCG@3, AP"."""
    if text.count("(") != text.count(")"):
        return
    # A list that was written as text.
    inner = text
    if text.startswith("[") and text.endswith("]"):
        inner = text[1:-1]
    pieces = _split_outside_parentheses(inner, ",;")
    if len(pieces) == 1 and "@" in text:
        # Blanks separate names only if each piece is one: "nDCG@3 AP", but not "nDCG @ 3".
        words = _split_outside_parentheses(inner, r"\s")
        if all(_base_name(word) in spellings for word in words):
            pieces = words
    if any(_base_name(piece) in spellings for piece in pieces[1:]):
        raise ValueError(f"pass several measures as a list: {pieces}")


def _split_outside_parentheses(text: str, separators: str) -> list[str]:
    """The pieces between separators: inside parentheses they separate parameters."""
    pieces = re.split(rf"[{separators}](?![^(]*\))", text)
    return [piece.strip(" '\"") for piece in pieces]


def _base_name(text: str) -> str:
    """The name before a cutoff and parameters, in lower case."""
    return re.split("[@(]", text)[0].strip().lower()


def _split_suffix(text: str) -> tuple[str, Params]:
    """Split off ranx's level of relevance (-l2) and XGBoost's minus, which counts empty lists 0."""
    stem, dash, level = text.lower().rpartition("-l")
    if dash and level.isascii() and level.isdigit():
        return text[: len(stem)], {"level": level}
    if len(text) > 1 and text.endswith("-"):
        return text[:-1], {"empty": 0}
    return text, {}


def _with_cutoff_r(family: Family, spellings: Mapping[str, Spelling]) -> Spelling:
    """The measure of this family whose cutoff is the number of relevant documents."""
    if family.at_r is None:
        names: dict[str, None] = {}  # a dict, as each name is wanted once and in order
        for spelling in spellings.values():
            if spelling.family.at_r is not None:
                names[f"{spelling.family.name}@R"] = None
        raise ValueError(
            f"{family.name} does not take the cutoff R (the number of relevant documents of each "
            f"list), as {', '.join(names)} do; give a number"
        )
    return spellings[family.at_r]


def _select_variant(entry: Spelling, params: Params, spellings: Mapping[str, Spelling]) -> Spelling:
    """The spelling of another measure, if a parameter selects it."""
    for key, variant_name in entry.family.variants.items():
        wanted = str(params.get(key, "")).lower()
        if key == "relative" and key in params:  # a flag of SetP in ir_measures, no parameter here
            _translate_word(key, str(params.pop(key)), {"true": "", "false": ""})
            wanted = wanted.replace("false", "")
        if wanted:
            return spellings[variant_name]._replace(cutoff=entry.cutoff)
    return entry


def unknown_measure_error(
    name: str, spellings: Mapping[str, Spelling], cutoff: str | None = None
) -> ValueError:
    """The error for an unknown name: what another tool's name is here, or the nearest spelling."""
    from .known_names import answer_to  # imported only for the error

    answer = answer_to(name, cutoff)
    if answer is not None:
        return ValueError(f"{name!r:.100} is not a measure here: {answer}")
    # The name without what may be its cutoff: ndcg-at-10 and nDCG10 are ndcg.
    bare = name.lower().replace("-", "_").rstrip("0123456789.,[]()").rstrip("_").removesuffix("_at")
    suggestions = _nearest_families(bare, spellings)
    cutoff = name[len(name.rstrip("0123456789")) :]
    if bare in spellings and cutoff:  # nDCG10
        family = spellings[bare].family
        suggestions = [f"{family.name}@{cutoff}"]
        if family.cutoff == "none":
            suggestions = [family.name]
    if suggestions:
        return ValueError(f"unknown name {name!r:.100}; did you mean {list_choices(suggestions)}?")
    if os.path.isfile(name):
        return ValueError(
            f"{name!r:.100} is a file, not a measure; the order of arguments is qrels, run, "
            "measures"
        )
    names = dict.fromkeys(meaning.family.name for meaning in spellings.values())
    return ValueError(f"unknown name {name!r:.100}. Known names: {', '.join(names)}")


def _nearest_families(bare: str, spellings: Mapping[str, Spelling]) -> list[str]:
    """The families whose spelling is nearest to a misspelt name; none if it may be another word."""
    from difflib import SequenceMatcher, get_close_matches  # the import takes 3 ms

    # A letter more or less makes another measure of a short name: MRR, MR.
    close = get_close_matches(bare, spellings, n=9, cutoff=0.7)
    similarities: dict[str, float] = {}
    for key in close:
        similarity = SequenceMatcher(None, key, bare).ratio()
        is_transposed = sorted(key) == sorted(bare)
        if is_transposed or (len(bare) > 4 and similarity >= 0.8):
            similarities[key] = similarity
    nearest = max(similarities.values(), default=0.0)
    names: list[str] = []
    for key, similarity in similarities.items():
        name = spellings[key].family.name
        if similarity == nearest and name not in names:
            names.append(name)
    return names


def _with_cutoff(name: str, entry: Spelling, params: Params) -> ParsedName:
    """Move the cutoff, if there is one, from the parameters to its own place, and check it."""
    family = entry.family
    cut = params.pop("k", None)
    if cut is None and entry.cutoff == "required":
        raise ValueError(f"add a cutoff, as in {family.example}@10")
    if cut is not None and entry.cutoff in ("none", *LEVELS):
        raise ValueError(f"{name} has no cutoff: remove {cut}")
    if cut is None:
        return family, None, params
    text = str(cut)
    digits = text.isascii() and text.isdigit() and len(text) < 20
    if not digits or not 1 <= int(text) <= MAX_CUTOFF:
        raise ValueError(
            f"invalid cutoff {text!r:.100}: expected a positive integer, as in {family.example}@10"
        )
    return family, int(text), params


def _split_name(text: str) -> tuple[str, str, str | None]:
    """Split a name into family, text in parentheses, and text after the @ (None without an @)."""
    before, parenthesis, after_parenthesis = text.partition("(")
    parameters = ""
    if parenthesis:
        if "@" in before:
            raise ValueError("parameters stand before the cutoff, as in nDCG(gain=exp2)@10")
        parameters, closed, after = after_parenthesis.partition(")")
        if not closed:
            raise ValueError("the closing ')' is missing")
        after = after.strip()
        if after and not after.startswith("@"):
            raise ValueError(
                f"{after!r:.100} after the ')' is not understood; a cutoff is written @10"
            )
        name, at_sign, cut = before, after[:1], after[1:]
    else:
        name, at_sign, cut = text.partition("@")
    if "@" in cut:
        raise ValueError("'@' is repeated; a name has one cutoff")
    if not name.strip():
        raise ValueError("a name is missing; a measure is written nDCG@10")
    if at_sign and not cut.strip():
        raise ValueError("the cutoff is missing after '@'")
    return name.strip(), parameters, cut.strip() if at_sign else None


def _find_spelling(
    name: str, cut: str | None, spellings: Mapping[str, Spelling]
) -> tuple[Spelling, list[Params]]:
    """The spelling at the start of a name, and the parameters of each number after it.

    Numbers follow as in trec_eval (`ndcg_cut_10`, `P.5,10`, `ndcg.1=3,2=7`), MTEB (`map_at_100`)
    or ranx (`rbp.95`).
    """
    key = name.lower()
    # First the whole name, then each split at a dot or an underscore, from the left: of
    # iprec_at_recall_0.10 the first that leaves a spelling is before 0.10.
    for position, mark in [(len(key), ""), *enumerate(key)]:
        after_mark = key[position + 1 :]
        is_split = after_mark.lstrip(".")[:1].isdigit() or (mark == "." and "=" in after_mark)
        if mark and not (mark in "._" and is_split):
            continue
        stem = key[:position].replace("-", "_")
        if mark:
            stem = stem.removesuffix("_at")
        if stem in spellings:
            entry = spellings[stem]
            if not mark:
                return entry, [{}]
            return entry, _read_numbers(entry, mark, after_mark)
        if stem == "hits":
            k = cut or after_mark or 10
            raise ValueError(
                "hits is ambiguous. For the share of lists with a relevant document, write "
                f"HitRate@{k}; for the number of relevant documents, NumRelRet@{k}"
            )
    raise unknown_measure_error(name, spellings, cut)


def _read_numbers(entry: Spelling, mark: str, numbers_text: str) -> list[Params]:
    """The parameters for each number after a spelling, which `mark` separates from it."""
    parameters = entry.family.params
    if "=" in numbers_text:  # trec_eval's: `1=3,2=7` are gains of labels, `p=0.8` is a parameter
        params: Params = {}
        gains: list[str] = []
        for piece in numbers_text.split(","):
            key, _, value = piece.partition("=")
            if key[:1].isdigit() or key[:1] == "-":
                gains.append(f"{key}:{value}")
            else:
                params = _merge_params(params, {key: value})
        if gains:
            table = "{" + ",".join(gains) + "}"
            params = _merge_params(params, {"gain": table})
        return [params]
    pieces = numbers_text.split(",")
    if "p" in parameters and (mark == "." or "." in numbers_text):
        # ranx writes rbp.95 for a persistence of 0.95.
        persistences: list[Params] = []
        for piece in pieces:
            if "." not in piece:
                piece = f"0.{piece}"
            persistences.append({"p": piece})
        return persistences
    for level in LEVELS:
        if level in parameters:
            return [{level: piece} for piece in pieces]
    key = "beta" if "beta" in parameters and entry.cutoff == "none" else "k"
    return [{key: piece} for piece in pieces]


def _read_params(text: str) -> Params:
    """The parameters in parentheses, with the keys of rankgain or of ir_measures."""
    params: Params = {}
    if not text.strip():
        return params
    # Commas inside of braces, as in gain={1:3,2:7}, separate no parameters.
    comma_outside_braces = r",(?![^{}]*\})"
    for piece in re.split(comma_outside_braces, text):
        key, equals, value = map(str.strip, piece.partition("="))
        key = key.lower()
        if not (key and equals and value):
            raise ValueError(f"a parameter is written key=value, not {piece.strip()!r:.100}")
        if len(value) > 1 and value[0] in "'\"" and value[-1] == value[0]:
            value = value[1:-1]
        if key == "dcg":
            value = _translate_word(key, value, {"log2": "linear", "exp-log2": "exp2"})
            key = "gain"
        params = _merge_params(params, {_SYNONYMS.get(key, key): value})
    return params


def _parse_catboost_name(text: str, spellings: Mapping[str, Spelling]) -> ParsedName:
    name, _, parameters_text = text.partition(":")
    entry = spellings.get(name.strip().lower())
    if entry is None:
        raise unknown_measure_error(name, spellings)
    params = dict(entry.params)
    # CatBoost writes NDCG:top=10;type=Exp.
    for piece in parameters_text.split(";"):
        key, _, value = map(str.strip, piece.partition("="))
        match key.lower():
            case "top":
                new: Params = {} if value == "-1" else {"k": value}
            case "type":
                new = {"gain": _translate_word(key, value, {"base": "linear", "exp": "exp2"})}
            case "denominator":
                words = {"position": "reciprocal", "logposition": "log2"}
                new = {"discount": _translate_word(key, value, words)}
            case "decay":
                new = {"decay": value}
            case "border":
                raise ValueError("border is a strict threshold (label > border); write rel=")
            case _:
                raise ValueError(
                    f"unknown parameter {key!r:.100}; top, type, denominator and decay are read"
                )
        params = _merge_params(params, new)
    return _with_cutoff(name, entry, params)


def _translate_word(key: str, value: str, meanings: Mapping[str, str]) -> str:
    """The word of rankgain for a word of another tool, in any case."""
    if value.lower() not in meanings:
        raise ValueError(f"{key} must be {' or '.join(meanings)}, not {value!r:.100}")
    return meanings[value.lower()]


def _merge_params(*mappings: Mapping[str, object]) -> Params:
    """The parameters of all mappings; one that is in two of them is an error."""
    joined: Params = {}
    for params in mappings:
        for key, value in params.items():
            if key in joined:
                raise ValueError(f"{key} is given twice")
            joined[key] = value
    return joined
