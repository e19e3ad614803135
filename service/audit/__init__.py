"""The audit of a whole archive: every row of a database checked against every other, in parallel processes."""
