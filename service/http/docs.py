"""The description as a page for people: one file, nothing fetched from elsewhere."""

import json
from collections.abc import Mapping
from html import escape
from typing import Any, Final

from service.http.operations import JSON

STYLE: Final = """
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
body{color:#1b2420;background:#fbfaf6}
h1{margin-bottom:0}h2{margin-top:2.5rem;border-bottom:2px solid #2f6b4f;text-transform:capitalize}
details{margin:.4rem 0;border:1px solid #d9d5c7;border-radius:6px;background:#fff;padding:.4rem .8rem}
summary{cursor:pointer}summary code{font-weight:600}
.m{display:inline-block;min-width:4.2rem;color:#2f6b4f;font-weight:700}
pre{background:#f3f0e6;padding:.6rem;border-radius:6px;overflow:auto;font-size:.85rem}
table{border-collapse:collapse;width:100%}td{border-top:1px solid #eee;padding:.2rem .6rem .2rem 0;vertical-align:top}
"""


def page(document: Mapping[str, Any]) -> bytes:
    """The page of a description."""
    by_tag: dict[str, list[str]] = {tag["name"]: [] for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            by_tag[operation["tags"][0]].append(_operation(path, method.upper(), operation))
    info = document["info"]
    sections = "".join(f"<h2>{escape(tag)}</h2>{''.join(found)}" for tag, found in by_tag.items())
    described = "".join(f"<p>{_text(part)}</p>" for part in info["description"].split("\n\n"))
    html = (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width,initial-scale=1'>"
        f"<title>{escape(info['title'])} API</title><style>{STYLE}</style>"
        f"<h1>{escape(info['title'])}</h1><p>{escape(info['summary'])}, version {escape(info['version'])}. "
        "The whole description: <a href=/v1/openapi.json>/v1/openapi.json</a> (OpenAPI 3.1).</p>"
        f"{described}{sections}</html>"
    )
    return html.encode()


def _operation(path: str, method: str, operation: Mapping[str, Any]) -> str:
    parts = [f"<p>{_text(operation['description'])}</p>"] if "description" in operation else []
    rows = [
        f"<tr><td><code>{escape(parameter['name'])}</code><td>{escape(parameter['in'])}"
        f"<td>{escape(_schema(parameter['schema']))}<td>{_text(parameter.get('description', ''))}"
        for parameter in operation["parameters"]
    ]
    if rows:
        parts.append(f"<table>{''.join(rows)}</table>")
    if "requestBody" in operation:
        contents = operation["requestBody"]["content"]
        kinds = " or ".join(f"{_schema(content['schema'])} ({media_type})" for media_type, content in contents.items())
        parts.append(f"<p>Body: {escape(kinds)}</p>")
        if "example" in contents.get(JSON, ()):
            parts.append(f"<pre>{escape(_curl(path, method, operation, contents[JSON]['example']))}</pre>")
    answers = [
        f"<tr><td>{escape(status)}<td>{_text(response['description'])}"
        for status, response in operation["responses"].items()
    ]
    parts.append(f"<table>{''.join(answers)}</table>")
    title = f"<span class=m>{method}</span> <code>{escape(path)}</code> {escape(operation['summary'])}"
    return f"<details id={escape(operation['operationId'])}><summary>{title}</summary>{''.join(parts)}</details>"


def _curl(path: str, method: str, operation: Mapping[str, Any], example: Any) -> str:
    token = " -H 'Authorization: Bearer TOKEN'" if operation["security"] else ""
    body = json.dumps(example)
    return f"curl -X {method} http://127.0.0.1:8000{path}{token} -H 'Content-Type: application/json' -d '{body}'"


def _schema(schema: Mapping[str, Any]) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(map(_schema, schema["anyOf"]))
    if "enum" in schema:
        return "one of " + ", ".join(str(value) or '""' for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_schema(schema.get('items', {}))}"
    limits = [f"{name} {schema[name]}" for name in ("minimum", "maximum", "maxLength", "pattern") if name in schema]
    return " ".join([str(schema.get("type", "value")), *limits])


def _text(text: str) -> str:
    """A sentence, with what stands in backquotes as code."""
    pieces = escape(text).split("`")
    return "".join(f"<code>{piece}</code>" if number % 2 else piece for number, piece in enumerate(pieces))
