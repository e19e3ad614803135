"""Case files (formats, part 10): a verdict for every case, and for a file that is none."""

from collections.abc import Iterable, Iterator

from domain.cases import CaseFileInvalidError, Verdict, read_cases, run_case
from domain.records.lines import split_lines


def verdicts(name: str, chunks: Iterable[bytes]) -> Iterator[Verdict]:
    """The verdicts on the cases of a file that comes in chunks.

    A line that is no case is a failure by the name of its place (`name:line`) and ends the file: what follows cannot
    be trusted. So is a file without a case, by its name.
    """
    empty = True
    try:
        for _, case in read_cases(split_lines(chunks)):
            empty = False
            yield run_case(case)
    except CaseFileInvalidError as invalid:
        yield Verdict(f"{name}:{invalid.fault.line}", False, invalid.fault.message)
        return
    if empty:
        yield Verdict(name, False, "The file holds no case.")
