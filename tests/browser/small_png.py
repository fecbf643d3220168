"""Makes pictures of pages small: a PNG with a palette of at most 256 colours, for documentation. Text stays as sharp as it was."""

from __future__ import annotations

import base64
import struct
import zlib
from itertools import starmap

import numpy as np
from numpy.typing import NDArray

from tests.browser.browser import Browser

MOST_COLOURS = 256

PIXELS = """
const [data, tell] = arguments;
const image = new Image();
image.onload = () => {
  const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
  canvas.drawImage(image, 0, 0);
  const reader = new FileReader();
  reader.onload = () => tell([image.width, image.height, reader.result.split(",")[1]]);
  reader.readAsDataURL(new Blob([canvas.getImageData(0, 0, image.width, image.height).data]));
};
image.src = `data:image/png;base64,${data}`;
"""
"""Tells width, height, and the bytes of a PNG's pixels, red, green, blue and opacity of each."""


def small_png(browser: Browser, data: str) -> bytes:
    """Return a PNG, given in base64, with a palette: the commonest colours; each other colour becomes the nearest of them."""
    browser.driver.get("about:blank")
    width, height, pixels = browser.driver.execute_async_script(PIXELS, data)
    colours = np.frombuffer(base64.b64decode(pixels), np.uint8).reshape(-1, 4)[:, :3].astype(np.int64)
    codes = (colours[:, 0] << 16) | (colours[:, 1] << 8) | colours[:, 2]
    palette, places = _reduced(codes)
    return _png(palette, places.reshape(height, width))


def _reduced(codes: NDArray[np.int64]) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the palette, of shape (colours, 3), and for each pixel its place in it."""
    every, inverse, counts = np.unique(codes, return_inverse=True, return_counts=True)
    every_rgb = np.stack([every >> 16 & 255, every >> 8 & 255, every & 255], axis=1).astype(np.int64)
    kept = np.argsort(-counts, kind="stable")[:MOST_COLOURS]
    distances = ((every_rgb[:, None, :] - every_rgb[None, kept, :]) ** 2).sum(axis=2)
    nearest = distances.argmin(axis=1)
    return every_rgb[kept].astype(np.uint8), nearest[inverse].astype(np.uint8)


def _png(palette: NDArray[np.uint8], places: NDArray[np.uint8]) -> bytes:
    """Return a PNG of places in a palette, each row without a filter, as is best for palettes."""
    height, width = places.shape
    rows = np.concatenate([np.zeros((height, 1), np.uint8), places], axis=1)
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", palette.tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(starmap(_chunk, chunks))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
