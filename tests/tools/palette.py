"""Makes screenshots smaller: turns a PNG of 8-bit RGB(A) into one with the 256 most frequent colours."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator

MAGIC = b"\x89PNG\r\n\x1a\n"
COLOURS = 256
COARSE = 3
"""The bits to which rare colours are rounded before the search for the nearest frequent one."""
CHANNELS = {2: 3, 6: 4}
"""The bytes of a pixel by PNG's colour type."""


def smaller(png: bytes) -> bytes:
    """Return the picture with a palette, without transparency."""
    parts = dict(chunks(png))
    width, height, depth, kind, _, _, laced = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    if depth != 8 or kind not in CHANNELS or laced:
        raise ValueError("only 8-bit RGB pictures that are not interlaced can be made smaller")
    size = CHANNELS[kind]
    rows = list(unfiltered(zlib.decompress(parts[b"IDAT"]), width, height, size))
    pixels = [[row[at : at + 3] for at in range(0, len(row), size)] for row in rows]
    frequent = [colour for colour, _ in Counter(pixel for row in pixels for pixel in row).most_common(COLOURS)]
    place = {colour: number for number, colour in enumerate(frequent)}
    rounded: dict[bytes, int] = {}
    for row in pixels:
        for pixel in row:
            if pixel not in place:
                rough = bytes(value >> COARSE for value in pixel)
                if rough not in rounded:
                    rounded[rough] = nearest(pixel, frequent)
                place[pixel] = rounded[rough]
    lines = b"".join(b"\0" + bytes(place[pixel] for pixel in row) for row in pixels)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    body = [(b"IHDR", header), (b"PLTE", b"".join(frequent)), (b"IDAT", zlib.compress(lines, 9)), (b"IEND", b"")]
    return MAGIC + b"".join(map(packed, body))


def nearest(pixel: bytes, colours: list[bytes]) -> int:
    """Return the index of the colour nearest to a pixel."""
    red, green, blue = pixel
    return min(
        range(len(colours)),
        key=lambda n: (colours[n][0] - red) ** 2 + (colours[n][1] - green) ** 2 + (colours[n][2] - blue) ** 2,
    )


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield a picture's chunks, with the image data as one."""
    at, data = len(MAGIC), b""
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        name, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        if name == b"IDAT":
            data += body
        else:
            yield name, body
        at += length + 12
    yield b"IDAT", data


def packed(part: tuple[bytes, bytes]) -> bytes:
    """Return a chunk in the file's format."""
    name, body = part
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def unfiltered(data: bytes, width: int, height: int, size: int) -> Iterator[bytes]:
    """Yield the rows of pixels with PNG's five filters reversed."""
    length = width * size
    above = bytearray(length)
    for number in range(height):
        start = number * (length + 1)
        kind, row = data[start], bytearray(data[start + 1 : start + 1 + length])
        if kind == 1:
            for at in range(size, length):
                row[at] = (row[at] + row[at - size]) & 255
        elif kind == 2:
            row = bytearray((one + up) & 255 for one, up in zip(row, above, strict=True))
        elif kind == 3:
            for at in range(length):
                left = row[at - size] if at >= size else 0
                row[at] = (row[at] + (left + above[at]) // 2) & 255
        elif kind == 4:
            for at in range(length):
                left, corner = (row[at - size], above[at - size]) if at >= size else (0, 0)
                row[at] = (row[at] + paeth(left, above[at], corner)) & 255
        yield bytes(row)
        above = row


def paeth(left: int, up: int, corner: int) -> int:
    """Return the neighbour nearest to `left + up - corner` (PNG's Paeth filter)."""
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))
