"""What Jinja compiles templates to is kept where Python keeps what it compiles modules to, on the same terms.

Whoever can write there can also change the modules. Nothing is kept where Python is told to keep nothing, or where it cannot.
To compile them takes a third of what a small suite with a page takes in all.
"""

from __future__ import annotations

import marshal
import sys
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path

import jinja2
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

_LENGTH = sha256().digest_size


class CompiledTemplates(BytecodeCache):
    """Keeps each template in a file that begins with the digest of what follows, and of all on which that depends.

    `made_by` is the module that makes the environment, whose settings change what a template is compiled to. A file that is damaged, half
    written, or of something else is none.
    """

    def __init__(self, made_by: str) -> None:
        self._made_by = made_by

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take the code of a template, if it is kept."""
        with suppress(OSError, NotImplementedError):
            kept = self._place(bucket).read_bytes()
            if kept[:_LENGTH] == self._digest(bucket, kept[_LENGTH:]):
                bucket.code = marshal.loads(kept[_LENGTH:])  # noqa: S302 - as Python does with the modules of this folder

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep the code of a template, if that is allowed and possible."""
        if sys.dont_write_bytecode:
            return
        code = marshal.dumps(bucket.code)
        with suppress(OSError, NotImplementedError):
            self._place(bucket).write_bytes(self._digest(bucket, code) + code)

    def _place(self, bucket: Bucket) -> Path:
        return Path(cache_from_source(self._made_by)).with_name(f"template-{bucket.key}.{sys.implementation.cache_tag}.pyc")

    def _digest(self, bucket: Bucket, code: bytes) -> bytes:
        return sha256(_compiler(self._made_by) + bucket.checksum.encode() + code).digest()


@cache
def _compiler(made_by: str) -> bytes:
    """Return a digest of what compiles templates: this Python, all of Jinja, and the module that makes the environment."""
    sources = [*sorted(Path(jinja2.__file__).parent.glob("*.py")), Path(made_by)]
    return sha256(b"".join([MAGIC_NUMBER, *[path.read_bytes() for path in sources]])).digest()
