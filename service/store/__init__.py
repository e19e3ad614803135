"""The event store and the tables beside it. `base` has the contract, `postgres` and `memory` fulfil it."""
