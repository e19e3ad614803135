"""`meldhouse openapi`."""

import click

from service.http.openapi import document_bytes


@click.command("openapi", short_help="Print the description of the API.")
def command() -> None:
    """Print the description of the API, OpenAPI 3.1 as JSON, as it is kept in `openapi/openapi.json`."""
    click.echo(document_bytes(), nl=False)
