"""Faults on purpose: processes of a running service are killed while clients play, and nothing acknowledged is lost."""
