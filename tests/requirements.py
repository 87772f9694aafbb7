"""`python -m tests.requirements`: which test proves which requirement.

Prints every requirement id with the tests marked ``@pytest.mark.req(id)``, then the open ids. Exit
code 1 when an id has neither a test nor a line in `requirements_open.txt`, when an open id has a
test (the list only shrinks), when a mark names an unknown id, or when `docs/requirements.md` has gone
out of step with the specification. ``--write-open`` writes the open ids anew. An id whose every test
needs something of the machine (`tests.support.needs`), without which it is skipped, is told as proved only
there.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.support.needs import needs_of

HERE = Path(__file__).resolve().parent
REQUIREMENTS = HERE.parent / "docs" / "requirements.md"
SPECIFICATION = HERE.parents[1] / "shared" / "spec" / "REQUIREMENTS.md"
OPEN = HERE / "requirements_open.txt"

_ROW = re.compile(r"^\|\s*(KG|PR|CG|AX|KB)-([^|]*?)\s*\|", re.MULTILINE)
_PART = re.compile(r"(\d+)\s+to\s+(\d+)|(\d+)|([A-Z])\b")
_SHOWN = 4  # tests named in a line of the table


def ids_in(text: str) -> list[str]:
    """Ids of all rows, ``KG-4 to 6`` and ``AX-6, 8`` written out, in the order of the rows."""
    found: dict[str, None] = {}
    for prefix, numbers in _ROW.findall(text):
        for low, high, number, letter in _PART.findall(numbers):
            span = range(int(low), int(high) + 1) if low else (number or letter,)
            found.update(dict.fromkeys(f"{prefix}-{part}" for part in span))
    return list(found)


def known_ids() -> list[str]:
    """Ids of all requirements, in the order of `docs/requirements.md`."""
    return ids_in(REQUIREMENTS.read_text("utf-8"))


def read_list(path: Path) -> list[str]:
    """Lines of a list file without comments and empty ones; none when there is no file."""
    if not path.exists():
        return []
    lines = (line.partition("#")[0].strip() for line in path.read_text("utf-8").splitlines())
    return [line for line in lines if line]


@dataclass
class Marks:
    """A pytest plugin that reads the ``req`` marks of every collected test.

    Attributes:
        tests: requirement id -> its tests.
        needs: requirement id -> what each of its tests needs, case by case.
    """

    tests: dict[str, list[str]] = field(default_factory=dict)
    needs: dict[str, list[frozenset[str]]] = field(default_factory=dict)

    def pytest_collection_modifyitems(self, items: Sequence[pytest.Item]) -> None:
        for item in items:
            name = f"{item.path.stem.removeprefix('test_')}::{getattr(item, 'originalname', item.name)}"
            for mark in item.iter_markers("req"):
                for requirement in mark.args:
                    names = self.tests.setdefault(str(requirement), [])
                    if name not in names:
                        names.append(name)
                    self.needs.setdefault(str(requirement), []).append(frozenset(needs_of(item)))


def collect_marks(*places: str | Path) -> Marks:
    """The marks of all tests in these files or folders, from pytest's own collection.

    Raises:
        SystemExit: a test file cannot be collected.
    """
    marks = Marks()
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        # Without the plug-in that collects garbage ten times, at the end, in a process that may hold much.
        quick = ["--collect-only", "-q", "-p", "no:unraisableexception"]
        code = pytest.main([*quick, *map(str, places)], plugins=[marks])
    if code != pytest.ExitCode.OK:
        raise SystemExit(f"{output.getvalue()}\nThe tests cannot be collected.")
    return marks


def proved_only_with(
    ids: Iterable[str], needs: Mapping[str, Sequence[frozenset[str]]]
) -> dict[str, list[str]]:
    """What the machine must have -> ids that no test proves without it."""
    found: dict[str, list[str]] = {}
    for one in ids:
        cases = needs.get(one, [])
        if cases and all(cases):
            ways = sorted({" and ".join(sorted(case)) for case in cases})
            found.setdefault(" or ".join(ways), []).append(one)
    return dict(sorted(found.items()))


def problems(
    ids: Iterable[str], tests: Mapping[str, Sequence[str]], still_open: Iterable[str]
) -> list[str]:
    """What is wrong with the table, in words; nothing when it is in order."""
    known, waiting = list(ids), set(still_open)
    found = [f"{one}: no test, and not listed as open" for one in known if not tests.get(one)]
    found = [line for line in found if line.partition(":")[0] not in waiting]
    found += [
        f"{one}: listed as open but has a test; remove it from {OPEN.name}"
        for one in sorted(waiting)
        if tests.get(one)
    ]
    for one in sorted((set(tests) | waiting) - set(known)):
        where = tests.get(one) or [OPEN.name]
        found.append(f"{one}: unknown id in {', '.join(where)}")
    return found


def out_of_step() -> list[str]:
    """Differences between the project's own list and the specification, where that is at hand."""
    if not SPECIFICATION.exists():
        return []
    wanted, kept = ids_in(SPECIFICATION.read_text("utf-8")), known_ids()
    return [
        *(f"{one}: missing in {REQUIREMENTS.name}" for one in wanted if one not in kept),
        *(
            f"{one}: in {REQUIREMENTS.name} but not in the specification"
            for one in kept
            if one not in wanted
        ),
    ]


def table(ids: Iterable[str], tests: Mapping[str, Sequence[str]]) -> str:
    """One line for every id: id, number of tests, their names."""
    lines = []
    for one in ids:
        names = tests.get(one, [])
        more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
        lines.append(f"{one:<6} {len(names):>3}  {', '.join(names[:_SHOWN])}{more}".rstrip())
    return "\n".join(lines)


def write_open(ids: Iterable[str], tests: Mapping[str, Sequence[str]]) -> None:
    """Write the ids without a test to the list of open ones."""
    head = (
        "# Requirements that no test proves yet; the list only shrinks (see tests/requirements.py)."
    )
    lines = [head, *(one for one in ids if not tests.get(one))]
    OPEN.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.requirements", description=__doc__)
    parser.add_argument(
        "--write-open", action="store_true", help=f"write {OPEN.name} anew from what has no test"
    )
    options = parser.parse_args(arguments)
    ids, marks = known_ids(), collect_marks(HERE)
    tests = marks.tests
    if options.write_open:
        write_open(ids, tests)
    still_open = read_list(OPEN)
    print(table(ids, tests))
    proven = sum(1 for one in ids if tests.get(one))
    print(f"\n{proven} of {len(ids)} requirements have a test.")
    for what, only_there in proved_only_with(ids, marks.needs).items():
        print(f"Proved only where {what} is present: {', '.join(only_there)}")
    if still_open:
        print(f"Open: {', '.join(still_open)}")
    wrong = out_of_step() + problems(ids, tests, still_open)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
