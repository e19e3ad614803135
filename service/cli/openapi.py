"""`meldhouse openapi`."""

import json

import click

from service.http.openapi import document


@click.command("openapi", short_help="Print the description of the API.")
def command() -> None:
    """Print the description of the API, OpenAPI 3.1 as JSON."""
    click.echo(json.dumps(document(), indent=2, ensure_ascii=False))
