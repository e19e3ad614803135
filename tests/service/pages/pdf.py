"""The text of every sheet of a PDF as the browser prints it: enough of the format for that, and no more."""

import re
import zlib
from typing import Final

_OBJECT: Final = re.compile(rb"(?m)^(\d+) 0 obj\n(.*?)endobj", re.DOTALL)
_STREAM: Final = re.compile(rb"stream\r?\n(.*)\r?\nendstream", re.DOTALL)
_FONT: Final = re.compile(rb"/(F\d+) (\d+) 0 R")
_SHOWN: Final = re.compile(rb"/(F\d+) [\d.]+ Tf|(?P<text><[0-9A-Fa-f]+>)(?=[^<]*?T[jJ])")


def sheets_of(pdf: bytes) -> list[str]:
    """The texts of the sheets, in order, without the spaces between words."""
    objects = {int(number): body for number, body in _OBJECT.findall(pdf)}
    pages = [body for body in objects.values() if b"/Type /Page\n" in body]
    return [_text(page, objects) for page in pages]


def _text(page: bytes, objects: dict[int, bytes]) -> str:
    fonts = {name: _letters(objects[int(number)], objects) for name, number in _FONT.findall(page)}
    found = re.search(rb"/Contents (\d+) 0 R", page)
    assert found is not None, "A sheet has contents."
    letters: dict[int, str] = {}
    text = []
    for shown in _SHOWN.finditer(_stream(objects[int(found[1])])):
        if shown["text"] is None:
            letters = fonts[shown[1]]
            continue
        glyphs = bytes.fromhex(shown["text"][1:-1].decode())
        text += [letters.get(int.from_bytes(glyphs[at : at + 2], "big"), "") for at in range(0, len(glyphs), 2)]
    return "".join(text).replace(" ", "").replace("\xa0", "")


def _letters(font: bytes, objects: dict[int, bytes]) -> dict[int, str]:
    """The letter of every glyph of a font."""
    found = re.search(rb"/ToUnicode (\d+) 0 R", font)
    if found is None:
        return {}
    table = _stream(objects[int(found[1])]).decode()
    letters = {}
    for part in re.findall(r"beginbfchar\n(.*?)endbfchar", table, re.DOTALL):
        for glyph, letter in re.findall(r"<(\w+)> <(\w+)>", part):
            letters[int(glyph, 16)] = bytes.fromhex(letter).decode("utf-16-be")
    for part in re.findall(r"beginbfrange\n(.*?)endbfrange", table, re.DOTALL):
        for first, last, letter in re.findall(r"<(\w+)> <(\w+)> <(\w+)>", part):
            for apart in range(int(last, 16) - int(first, 16) + 1):
                letters[int(first, 16) + apart] = chr(int(letter, 16) + apart)
    return letters


def _stream(body: bytes) -> bytes:
    found = _STREAM.search(body)
    assert found is not None, "The object has a stream."
    return zlib.decompress(found[1]) if b"/FlateDecode" in body else found[1]
