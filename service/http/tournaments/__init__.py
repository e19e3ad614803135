"""Tournaments over HTTP: announced, entered, directed, followed."""
