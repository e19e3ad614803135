"""The HTTP interface: operations, problem documents, streams and the description of all that."""
