"""Compresses pages, text-based pictures and streams for browsers that support it."""

from __future__ import annotations

import gzip
import zlib

from flask import Response, request

LEAST = 600
"""Bytes below which compressing gains nothing: a small answer is one packet anyway."""
LEVEL = 6
LARGEST = 2 * 1024 * 1024
TEXTS = ("text/", "application/json", "application/manifest+json", "image/svg+xml")
"""Prefixes of compressible types; photographs, fonts and PDFs are compressed already."""
OURS = ("same-origin", "none")


def accepts_gzip() -> bool:
    """Whether to compress for this request.

    Not for requests caused by another site's page, which could guess the content from the compressed length (BREACH).
    """
    return request.accept_encodings.quality("gzip") > 0 and request.headers.get("Sec-Fetch-Site", "none") in OURS


def compress(response: Response) -> Response:
    """Compress a text answer that is complete and not small; `Packing` compresses streams."""
    if not (response.mimetype or "").startswith(TEXTS) or response.mimetype == "text/event-stream":
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code in (204, 206, 304) or "Content-Encoding" in response.headers or not accepts_gzip():
        return response
    file = response.direct_passthrough
    if (response.is_streamed and not file) or (response.content_length or 0) > LARGEST:
        return response
    response.direct_passthrough = False
    data = response.get_data()
    if len(data) < LEAST:
        return response
    mark, _ = response.get_etag()
    response.set_data(gzip.compress(data, LEVEL, mtime=0))
    response.headers["Content-Encoding"] = "gzip"
    response.headers.pop("Accept-Ranges", None)
    if mark:  # the compressed file has other bytes, so its tag promises only the same meaning
        response.set_etag(mark, weak=True)
    return response


class Packing:
    """Compresses one stream's messages with gzip, so that a browser can unpack each on arrival.

    A region's messages repeat much of the previous ones. With the window of 32 KB, a move takes a fifth of the size
    that it would have on its own. A stream holds 160 KB for that.
    """

    LEVEL, WINDOW, MEMORY = 6, 15, 6

    def __init__(self) -> None:
        self._packer = zlib.compressobj(self.LEVEL, zlib.DEFLATED, 16 + self.WINDOW, self.MEMORY)

    def pack(self, message: bytes) -> bytes:
        """Return a message compressed."""
        return self._packer.compress(message) + self._packer.flush(zlib.Z_SYNC_FLUSH)

    def end(self) -> bytes:
        """Return the end of the compressed stream."""
        return self._packer.flush()
