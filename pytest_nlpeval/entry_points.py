"""What installed packages add by entry points: one thing for each name, whose import may raise anything."""

from __future__ import annotations

from typing import Any

from pytest_nlpeval.foreign import failure_of
from pytest_nlpeval.foreign_process import announce, called
from pytest_nlpeval.libraries import metadata
from pytest_nlpeval.wording import printable


def load_point(group: str, name: str) -> Any:
    """Return what an installed package adds to a group under a name.

    Raises:
        KeyError: if there is nothing.
        ImportError: if importing it raises anything, `sys.exit` among it, or if packages add several things under the name: the order of
            their installation would choose.
    """
    points = tuple(metadata.entry_points(group=group, name=name))
    if not points:
        raise KeyError(name)
    places = sorted({point.value for point in points})
    if len(places) > 1:
        raise ImportError(
            f"installed packages give it several times, as {' and as '.join(map(printable, places))}; uninstall all but one"
        )
    announce(name)
    try:
        with called():
            return points[0].load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise ImportError(f"importing {points[0].module} raises {failure_of(error)}") from error
