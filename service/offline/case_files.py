"""Case files (formats, part 10): a verdict for every case, and for a file that is none."""

from collections.abc import Iterable, Iterator

from domain.cases import CaseFileInvalidError, Verdict, read_cases, run_case
from domain.records.diagnosis import quoted
from domain.records.lines import split_lines


def verdicts(name: str, chunks: Iterable[bytes]) -> Iterator[Verdict]:
    """The verdicts on the cases of a file that comes in chunks.

    A line that is no case is a failure by the name of its place (`name:line`) and ends the file: what follows cannot
    be trusted; so is a blank line in front of the first case. A second case with the id of another fails by its place
    as well, without being run. A file without a case fails by its name.
    """
    lines: dict[str, int] = {}
    try:
        for number, case in read_cases(split_lines(chunks)):
            if not lines and number > 1:
                yield Verdict(f"{name}:1", False, "The first line is blank.")
                return
            first = lines.setdefault(case.id, number)
            if first == number:
                yield run_case(case)
            else:
                yield Verdict(f"{name}:{number}", False, f"The id {quoted(case.id)} is that of line {first}.")
    except CaseFileInvalidError as invalid:
        yield Verdict(f"{name}:{invalid.fault.line}", False, invalid.fault.message)
        return
    if not lines:
        yield Verdict(name, False, "The file holds no case.")
