"""Names of a package that are imported when they are first used."""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` would take longer to import than everything before the command can end on a signal
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def imported_when_used(package: str, names: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package: it imports a public name from the module that defines it, and keeps it in the package.

    `names` has the public names of each module, which goes by its name within the package. No module is called like a public name: whoever
    imported it first would find the module under that name.

    Raises:
        AttributeError: the function that is returned, for any other name.
    """
    homes = {name: module for module, names_of_module in names.items() for name in names_of_module}

    def imported(name: str) -> Any:
        import sys
        from importlib import import_module

        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return imported
