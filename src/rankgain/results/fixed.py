"""Mappings that cannot be changed."""

from collections.abc import Mapping
from typing import Any, NoReturn


class Fixed(dict[Any, Any]):
    """A dict that cannot be changed; what takes dicts alone, as JSON and pandas do, takes it."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError(
            "results are immutable, and so are their mappings; change a dict(...) of it"
        )

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return Fixed, (dict(self),)


def fixed(mapping: Mapping[str, Any]) -> Fixed:
    """A mapping, and those in it, so that none can be changed."""
    return Fixed(
        {key: fixed(one) if isinstance(one, Mapping) else one for key, one in mapping.items()}
    )
