"""Work on files alone, without a server: cases, records, simulated games."""
