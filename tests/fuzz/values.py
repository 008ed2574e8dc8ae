"""Hostile values that each reader must withstand."""

from __future__ import annotations

import random
from typing import Any

import msgspec
from msgspec import inspect

TEXTS = (
    "", " ", "0", "-1", "1", "2", "3", "7", "00", "1e9", "-0", "0x10", "1_000", "NaN", "Infinity", "9" * 15,
    "9" * 400, "9" * 5000,
    "-" + "9" * 20, "²", "٣", "１２", "1,000", "1 000", "$5", "true", "null", "None", "[]", "{}", "[[1,2],[3]]",
    '{"a":1}',
    "1\u202f200\u202f$", "1’200", "1.200", "1,200.00", "−$1,200", "1,5", "١٬٢٠٠", "\u200e1200", "０", "$",
    "<script>alert(1)</script>", "'\"><img src=x onerror=y>", "{{7*7}}", "{% raw %}", "%s%n%x", "../../etc/passwd",
    "..", ".",
    "/", "//evil.example", "\\\\evil", "a/b", "a\x00b", "a\nb", "a\r\nX-Evil: 1", "\t", "\x7f", "\u202e", "\ufeff",
    "\ud7ff",
    "😀", "e\u0301" * 20, "x" * 41, "x" * 257, "x" * 4000, "-" * 64, "a" * 43, "import-x.deck", "live.jpg",
    ".hidden", "a.jpg",
    # Control sequences that a peer may send to a terminal or a log.
    "fine\nERROR forged", "\r\x1b[2Kforged", "\x1b[31mred", "\x1b]0;title\x07", "\x9b31m", "\u202egnp.exe",
    "\u2066x\u2069", "a\u2028b", "\u200b", "\U000e0041",
    # Amounts as people type them.
    "1 200 $", "$1,200", "1’200", "1'200", "1.200", "1\u202f200 $", "1\xa0200", "1 200,00 €", "12 00", "1,2,3", "+5",
    "−5", "５００", "$", "200 dollars", "2e2", "1/2", " 300 ",
    "seat.1.train.3", "market", "seat.99.train.99", "steam-1", "coal-200", "our cards", "1:1", "deadbeef-5", "-5",
    "5-", "--",
)  # fmt: skip
NUMBERS: tuple[Any, ...] = (
    0, 1, -1, 2, 3, 6, 63, 64, 255, 2**31, -(2**31) - 1, 2**53, 2**63 - 1, -(2**63), 2**64 - 1, 10**18,
)  # fmt: skip
FLOATS = (0.0, -0.0, 0.5, 1.0, -1.0, 1e-300, 1e300, 1.7976931348623157e308, 5e-324, 99999999999999999999.0)
BYTES = (
    b"", b"{", b"[]", b"null", b"{}", b"\xff\xfe", b"[" * 5000, b'{"a":' * 2000, b"\x00" * 64, b"csrf", b"=&=&;;&%",
    b"%zz=%00",
    b"a=" + b"x" * 70_000, b"&".join(b"a%d=1" % n for n in range(500)), b'{"event":' + b"9" * 6000 + b"}",
    b"\x80abc=\xff",
    b'{"event":"passed","x":[[],1]}', b'{"event":"passed","then":[[]]}', b'{"event":"passed","then":[{"event":1}]}',
    b'{"event":null}', b'{"event":["passed"]}', b'{"then":{"a":1},"event":"x"}', b'{"":"","event":{}}',
    b'{"event":"\\ud800"}',
    b'"passed"', b"1e400", b"-", b"\xef\xbb\xbf{}", b'{"event":"passed","event":"bid"}',
    b'{"x":[[[[]]]],"event":"placed"}',
)  # fmt: skip


def text(luck: random.Random) -> str:
    """Return a hostile text."""
    if luck.random() < 0.85:
        return luck.choice(TEXTS)
    return "".join(chr(luck.choice((luck.randrange(32), luck.randrange(32, 127), luck.randrange(128, 0xD800))))
                   for _ in range(luck.randrange(1, 30)))  # fmt: skip


def anything(luck: random.Random, deep: int = 3) -> Any:
    """Return any value that JSON can represent."""
    kind = luck.randrange(8 if deep else 6)
    if kind == 0:
        return luck.choice((None, True, False))
    if kind == 1:
        return luck.choice(NUMBERS)
    if kind == 2:
        return luck.choice(FLOATS)
    if kind in (3, 4, 5):
        return text(luck)
    if kind == 6:
        return [anything(luck, deep - 1) for _ in range(luck.choice((0, 1, 2, 5)))]
    return {text(luck)[:40]: anything(luck, deep - 1) for _ in range(luck.choice((0, 1, 3)))}


def of_type(kind: Any, luck: random.Random, wild: float) -> Any:
    """Return plain data for a msgspec type: valid, at its limits, or (with probability `wild`) of any other type."""
    if luck.random() < wild:
        return anything(luck)
    match kind:
        case inspect.IntType():
            return luck.choice((*NUMBERS, luck.randrange(8)))
        case inspect.FloatType():
            return luck.choice((*FLOATS, luck.random()))
        case inspect.StrType():
            return text(luck)
        case inspect.BoolType():
            return luck.random() < 0.5
        case inspect.NoneType():
            return None
        case inspect.LiteralType(values=values):
            return luck.choice(values)
        case inspect.UnionType(types=types):
            return of_type(luck.choice(types), luck, wild)
        case inspect.TupleType(item_types=types):
            return [of_type(each, luck, wild) for each in types]
        case inspect.VarTupleType(item_type=each) | inspect.ListType(item_type=each):
            return [of_type(each, luck, wild) for _ in range(luck.choice((0, 1, 1, 2, 3, 40)))]
        case inspect.DictType(value_type=each):
            return {text(luck)[:60]: of_type(each, luck, wild) for _ in range(luck.choice((0, 1, 2, 5)))}
        case inspect.StructType():
            return record(kind.cls, luck, wild)
        case inspect.AnyType() | inspect.CustomType():  # `object`
            return anything(luck)
    raise TypeError(f"no values are known for {kind}")


def record(cls: type[msgspec.Struct], luck: random.Random, wild: float = 0.05) -> dict[str, Any]:
    """Return plain data for a record with missing, wrong or unknown fields."""
    info = inspect.type_info(cls)
    assert isinstance(info, inspect.StructType)
    data: dict[str, Any] = {} if info.tag_field is None else {info.tag_field: info.tag}
    for field in info.fields:
        if (field.required and luck.random() < 0.98) or luck.random() < 0.7:
            data[field.encode_name] = of_type(field.type, luck, wild)
    if luck.random() < wild:
        data[text(luck)[:30]] = anything(luck)
    return data
