"""docs/rules.md taken apart, for the tests that hold it to the engine.

Owns the reading of the page: its sections, its tables, and what the words of a points table mean
for a hand. It looks nothing up in the engine's tables, which the page was made from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["PAGE", "Facts", "points_by_the_page", "section", "tables"]

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"

Table = list[dict[str, str]]


def section(title: str) -> str:
    """Returns what stands under a heading of the second rank."""
    parts = re.split(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return parts[parts.index(title) + 1]


def tables(text: str, head: str) -> list[Table]:
    """Returns the tables whose first column has this head: rows as cells by head."""
    found = []
    for block in re.findall(r"(?:^\|.*\|\n)+", text, flags=re.MULTILINE):
        lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in block.splitlines()]
        if lines[0][0] == head:
            found.append([dict(zip(lines[0], line, strict=True)) for line in lines[2:]])
    return found


# --- points ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """How a hand went."""

    seats: int
    makers: set[int]
    """The maker, and his partner in team games."""
    loners: set[int]
    tricks: int
    """Won by the makers."""
    all_tricks: int
    bid: str = ""
    """As it is written, such as `bid 7`; empty where no tricks are bid for."""
    bid_name: str = ""
    undertaken: int = 0
    """Tricks that were bid; 0: none may be taken."""

    @property
    def made(self) -> bool:
        """Returns whether the makers did what they bid."""
        return self.tricks >= self.undertaken if self.undertaken else self.tricks == 0

    @property
    def maker_alone(self) -> bool:
        """Returns whether one of the makers plays alone."""
        return bool(self.loners & self.makers)

    @property
    def defender_alone(self) -> bool:
        """Returns whether one of the others plays alone."""
        return bool(self.loners - self.makers)


AMOUNTS = {
    "no trick": range(1),
    "fewer than three tricks": range(3),
    "three tricks": range(3, 4),
    "four tricks": range(4, 5),
    "three or four tricks": range(3, 5),
    "all five tricks": range(5, 6),
}


def _own_bid(words: re.Match[str], facts: Facts) -> bool:
    return (words["bid"] or facts.bid) == facts.bid and words["name"] == facts.bid_name


BID = r"(?:(?P<bid>bid \d), )?(?P<name>[^:]+?)(?: by a stuck dealer)?: "
READINGS: list[tuple[str, Callable[[re.Match[str], Facts], int]]] = [
    (
        r"the maker(?P<alone>, not alone,|, alone,|) takes (?P<tricks>.+)",
        lambda words, facts: (
            facts.tricks in AMOUNTS[words["tricks"]]
            and words["alone"] in ("", ", alone," if facts.maker_alone else ", not alone,")
        ),
    ),
    (
        r"a defender, alone, takes (?P<tricks>.+)",
        lambda words, facts: (
            facts.defender_alone and facts.all_tricks - facts.tricks in AMOUNTS[words["tricks"]]
        ),
    ),
    (
        r"for each trick, when they take as many as they bid",
        lambda _, facts: facts.tricks if facts.made else 0,
    ),
    (r"they take fewer tricks than they bid", lambda _, facts: not facts.made),
    (
        r"they bid (?P<name>.+) and take fewer",
        lambda words, facts: words["name"] == facts.bid_name and not facts.made,
    ),
    (r"for each trick that they take", lambda _, facts: facts.all_tricks - facts.tricks),
    (
        BID + r"(?:they|he) takes? (?:all )?(?P<tricks>.+)",
        lambda words, facts: _own_bid(words, facts) and _takes(words["tricks"], facts),
    ),
    (
        BID + r"he fails",
        lambda words, facts: _own_bid(words, facts) and not facts.made,
    ),
]


def _takes(words: str, facts: Facts) -> bool:
    """Returns whether the makers take `6 tricks`, `2 or more`, `no trick`, `fewer`."""
    if words == "fewer":
        return not facts.made
    if words == "no trick":
        return facts.tricks == 0
    number = re.fullmatch(r"(\d)(?: tricks?)?(?: or more)?", words)
    assert number is not None, words
    return facts.tricks >= int(number[1])


def _times(sentence: str, facts: Facts) -> int:
    """Returns how often the points of a row are paid; its words are read in one way or not at all.

    Raises:
        AssertionError: No reading knows the words.
    """
    for pattern, times in READINGS:
        words = re.fullmatch(pattern, sentence)
        if words is not None:
            return int(times(words, facts))
    raise AssertionError(f"rules_page.py has no reading for {sentence!r}")


def points_by_the_page(table: Table, column: str, facts: Facts) -> tuple[list[int], set[int]]:
    """Returns the points by seat of a hand by a points table, and the rows that were paid.

    Where two rows fit the same side, the later one counts.
    """
    counting: dict[bool, int] = {}
    for place, row in enumerate(table):
        if _times(row["result"], facts):
            counting["maker" in row["paid to"].split(" from ")[0]] = place
    points = [0] * facts.seats
    for place in counting.values():
        row = table[place]
        amount = int(row[column]) * _times(row["result"], facts)
        for seat, share in _shares(row["paid to"], facts).items():
            points[seat] += amount * share
    return points, set(counting.values())


def _shares(paid_to: str, facts: Facts) -> dict[int, int]:
    """Returns which seats get the points of a row, and which of them pay."""
    others = set(range(facts.seats)) - facts.makers
    match paid_to:
        case "the maker" | "each maker":
            return dict.fromkeys(facts.makers, 1)
        case "the defender" | "each defender" | "each opponent":
            return dict.fromkeys(others, 1)
        case "the lone defender":
            return dict.fromkeys(facts.loners - facts.makers, 1)
        case "the maker from each opponent":
            return dict.fromkeys(facts.makers, len(others)) | dict.fromkeys(others, -1)
        case "each opponent from the maker":
            return dict.fromkeys(facts.makers, -len(others)) | dict.fromkeys(others, 1)
        case _:
            raise AssertionError(f"rules_page.py does not know who {paid_to!r} is")
