"""Game records (formats, part 7): read line by line, checked against the rules, written."""
