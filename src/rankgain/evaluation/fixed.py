"""Immutable dicts and lists, for results; pickles name this place."""

from typing import Any, NoReturn


def _refuse(self: object, *_: object, **__: object) -> NoReturn:
    kind = "dict" if isinstance(self, dict) else "list"
    raise TypeError(f"results are immutable, and so are their {kind}s; change a {kind}(...) of it")


class Fixed(dict[Any, Any]):
    """An immutable dict. It is a dict, so JSON and pandas take it."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[object, ...]:
        return Fixed, (dict(self),)


class FixedList(list[Any]):
    """An immutable list. It is a list, so it equals one and JSON takes it."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __reduce__(self) -> tuple[object, ...]:
        return FixedList, (list(self),)
