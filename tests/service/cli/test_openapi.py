"""`meldhouse openapi`."""

from pathlib import Path

from service.http.openapi import document_bytes
from tests.service.cli.running import told, told_in_json

COMMITTED = Path(__file__).resolve().parents[3] / "openapi" / "openapi.json"


def test_it_prints_the_description_byte_for_byte_as_it_is_kept() -> None:
    assert told("openapi").encode() == document_bytes() == COMMITTED.read_bytes()


def test_the_description_is_of_openapi_3_1() -> None:
    assert told_in_json("openapi")["openapi"].startswith("3.1")
