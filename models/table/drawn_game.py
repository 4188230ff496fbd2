"""Whole German games drawn by chance: legal moves of real words, for photos of games with a known score sheet.

    words = WordSearch(["QUAL", "QUALEN", ...])                # any words in capitals
    game = draw_game(np.random.default_rng(7), words)
    for turn in game.turns: ...                                # turn.player, turn.kind, turn.play, turn.challenged

The players are no experts: each turn takes one of some moves found by chance, good and bad, long and short. Now and
then one passes or changes tiles, and now and then one lays a word that no list has, which is challenged and taken back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorer.board import EMPTY, SIZE, SQUARES, Board, Square
from scorer.placement import Placement, PlacementFault
from scorer.rules import RULE_SETS, RuleSet
from scorer.scoring import Play, score_placement
from scorer.tiles import BLANK, GERMAN_102, is_blank

RULES = RULE_SETS["turnier"]
PLAYERS = 2
LONGEST = 10
"""Letters of the longest words laid."""

PASSES = 0.03
"""Share of turns in which nothing is laid though something could be."""

CHALLENGED = 0.05
"""Share of turns in which a word that does not exist is laid and taken back."""

BLANK_HELD = 0.6
"""How often a player with a blank keeps it for later, if there is a move without it."""

COUNTS = (0.07, 0.17, 0.24, 0.21, 0.14, 0.08, 0.09)
"""How often a player looks for moves of one, two, ... seven tiles."""

FOUND = 8
"""Moves among which a player chooses."""

_LETTERS = "".join(GERMAN_102.letters)
_NUMBER = {letter: number for number, letter in enumerate(_LETTERS)}
_VOWELS = "AEIOUÄÖÜY"


class WordSearch:
    """Words by length, ready for the search; letters as numbers in the order of the tile set.

    words: in capitals; those with other letters or too long ones are left out. The order given does not matter.
    """

    def __init__(self, words: Iterable[str], longest: int = LONGEST) -> None:
        kept = sorted({word for word in words if 2 <= len(word) <= longest and all(char in _NUMBER for char in word)})
        self.words = frozenset(kept)
        self.by_length: dict[int, list[str]] = {}
        for word in kept:
            self.by_length.setdefault(len(word), []).append(word)
        self.codes: dict[int, NDArray[np.int8]] = {}
        self.counts: dict[int, NDArray[np.int8]] = {}
        for length, listed in self.by_length.items():
            codes = np.array([[_NUMBER[char] for char in word] for word in listed], np.int8)
            counts = np.zeros((len(listed), len(_LETTERS)), np.int8)
            for column in codes.T:
                counts[np.arange(len(listed)), column] += 1
            self.codes[length], self.counts[length] = codes, counts


@dataclass(frozen=True)
class Turn:
    """One turn.

    kind: "place" or "none" (a pass, or tiles changed)
    play: what was laid, with its words and score; None where nothing was
    challenged: the word does not exist, the tiles go back before the next player's turn
    """

    player: int
    kind: str
    play: Play | None = None
    challenged: bool = False


@dataclass(frozen=True)
class DrawnGame:
    """turns: in order; totals: points of the moves by player, without those taken back and without the racks left"""

    turns: tuple[Turn, ...]
    totals: tuple[int, ...]


def draw_game(rng: np.random.Generator, words: WordSearch, turns: int = 28, rules: RuleSet = RULES) -> DrawnGame:
    """A game of at most so many turns; shorter when the tiles run out or nobody can lay anything.

    The same generator state, words and rules give the same game.
    """
    bag = [tile for tile in (*_LETTERS, BLANK) for _ in range(GERMAN_102.count(tile))]
    bag = [bag[i] for i in rng.permutation(len(bag))]
    racks = [Counter(_drawn(bag, rules.rack_size)) for _ in range(PLAYERS)]
    done: list[Turn] = []
    board, totals, stuck = Board.empty(), [0] * PLAYERS, 0
    while len(done) < turns and stuck < PLAYERS:
        player = len(done) % PLAYERS
        rack = racks[player]
        wants_pass, bluffs = rng.random() < PASSES, rng.random() < CHALLENGED
        found = [] if wants_pass and done else _some_moves(rng, board, rack, words, rules)
        bluff = _invented(rng, board, found, rack, words, rules) if bluffs and done else None
        if bluff is not None:
            done.append(Turn(player, "place", bluff, challenged=True))
            continue
        if not found:
            if len(bag) < rules.rack_size:  # none can be changed
                stuck += not wants_pass
            else:
                stuck = 0
                held = sorted(rack.elements())
                away = [held[i] for i in rng.permutation(len(held))[: int(rng.integers(1, len(held) + 1))]]
                rack.subtract(away)
                rack.update(_drawn(bag, len(away)))
                bag = [*bag, *away]
                bag = [bag[i] for i in rng.permutation(len(bag))]
            if done:  # who cannot begin changes tiles until it goes: an empty board shows no pass
                done.append(Turn(player, "none"))
            continue
        stuck = 0
        play = _chosen(rng, found)
        board = board.placed(dict(play.placement.tiles))
        rack.subtract(BLANK if is_blank(tile) else tile for _, tile in play.placement.tiles)
        rack.update(_drawn(bag, len(play.placement)))
        totals[player] += play.score
        done.append(Turn(player, "place", play))
        if not bag and not sum(rack.values()):
            break
    while done and done[-1].kind == "none":  # nobody photographs that
        done.pop()
    return DrawnGame(tuple(done), tuple(totals))


def _drawn(bag: list[str], count: int) -> list[str]:
    return [bag.pop() for _ in range(min(count, len(bag)))]


def _chosen(rng: np.random.Generator, found: list[Play]) -> Play:
    """Mostly a good one."""
    scores = np.array([play.score for play in found], float) + 1
    return found[int(rng.choice(len(found), p=scores / scores.sum()))]


def _some_moves(
    rng: np.random.Generator, board: Board, rack: Counter[str], words: WordSearch, rules: RuleSet
) -> list[Play]:
    """Up to FOUND legal moves, without a blank if the player keeps it; none when there is none at all."""
    if rack[BLANK] and rng.random() < BLANK_HELD:
        letters = Counter({tile: count for tile, count in rack.items() if tile != BLANK})
        if found := _moves(rng, board, letters, words, rules):
            return found
    return _moves(rng, board, rack, words, rules)


def _moves(rng: np.random.Generator, board: Board, rack: Counter[str], words: WordSearch, rules: RuleSet) -> list[Play]:
    held = np.array([rack[letter] for letter in _LETTERS], np.int8)
    blanks, size = rack[BLANK], sum(rack.values())
    # letters of each word that the rack lacks
    lacks = {n: np.maximum(counts - held, 0).sum(axis=1) for n, counts in words.counts.items()}
    wanted = int(rng.choice(np.arange(1, len(COUNTS) + 1), p=COUNTS))
    slots = [slot for slot in _slots(board, rules) if slot.new <= size and slot.length in words.codes]
    nearest = np.array([abs(slot.new - wanted) for slot in slots]) + rng.random(len(slots)) * 0.99
    found: list[Play] = []
    for number in np.argsort(nearest):
        slot = slots[number]
        fitting = lacks[slot.length] <= slot.length - slot.new + blanks
        codes = words.codes[slot.length]
        for at, letter in slot.lying:
            fitting &= codes[:, at] == _NUMBER[letter]
        hits = np.flatnonzero(fitting)
        if not len(hits):
            continue
        with_lying = held.copy()
        for _, letter in slot.lying:
            with_lying[_NUMBER[letter]] += 1
        hits = hits[np.maximum(words.counts[slot.length][hits] - with_lying, 0).sum(axis=1) <= blanks]
        for hit in rng.permutation(hits)[:12]:
            play = _play(rng, board, slot, words.by_length[slot.length][hit], rack, rules)
            if play is not None and all(word.capitals in words.words for word in play.words):
                found.append(play)
                break
        if len(found) >= FOUND:
            break
    return found


class _Slot(NamedTuple):
    """Squares that a word may fill: at least one free, next to tiles that lie or on the star, free on both ends.

    lying: (place in the word, letter) of the tiles that lie there; new: how many squares are free
    """

    squares: tuple[Square, ...]
    lying: tuple[tuple[int, str], ...]
    new: int

    @property
    def length(self) -> int:
        return len(self.squares)


def _slots(board: Board, rules: RuleSet) -> Iterator[_Slot]:
    beside = {near for square in board.occupied for near in square.neighbours} or {rules.layout.star}
    for across in (True, False):
        for line in range(SIZE):
            squares = SQUARES[line] if across else tuple(row[line] for row in SQUARES)
            tiles = (board.rows[line] if across else board.columns[line]) + EMPTY
            anchors = [tiles[k] == EMPTY and squares[k] in beside for k in range(SIZE)]
            for start in range(SIZE - 1):
                if start and tiles[start - 1] != EMPTY:
                    continue
                for end in range(start + 2, min(start + LONGEST, SIZE) + 1):
                    if tiles[end] != EMPTY or not any(anchors[start:end]):
                        continue
                    part = tiles[start:end]
                    new = part.count(EMPTY)
                    if new <= rules.rack_size:
                        lying = tuple((k, tile.upper()) for k, tile in enumerate(part) if tile != EMPTY)
                        yield _Slot(squares[start:end], lying, new)


def _play(
    rng: np.random.Generator, board: Board, slot: _Slot, word: str, rack: Counter[str], rules: RuleSet
) -> Play | None:
    """The word on these squares, blanks for the letters that the rack lacks; None when the rules forbid it."""
    left, tiles = Counter(rack), {}
    lies = {at for at, _ in slot.lying}
    for at in rng.permutation(len(word)):
        if at in lies:
            continue
        letter = word[at]
        taken = letter if left[letter] else BLANK
        left[taken] -= 1
        tiles[slot.squares[at]] = letter if taken != BLANK else letter.lower()
    play = score_placement(board, Placement.of(tiles), rules, GERMAN_102)
    return None if play.faults or left[BLANK] < 0 else play


def _invented(
    rng: np.random.Generator,
    board: Board,
    found: list[Play],
    rack: Counter[str],
    words: WordSearch,
    rules: RuleSet,
) -> Play | None:
    """A found move with one or two letters changed to others of the rack, so that its word does not exist."""
    for _ in range(40 if found else 0):
        play = found[int(rng.integers(len(found)))]
        tiles = dict(play.placement.tiles)
        left = Counter(rack)
        left.subtract(BLANK if is_blank(tile) else tile for tile in tiles.values())
        own = [square for square, tile in tiles.items() if not is_blank(tile)]
        if len(tiles) < 3 or not own:
            continue
        for number in rng.permutation(len(own))[: int(rng.integers(1, 3))]:
            square = own[number]
            like = [tile for tile in sorted(left) if tile != BLANK and (tile in _VOWELS) == (tiles[square] in _VOWELS)]
            other = [tile for tile in like if left[tile] > 0 and tile != tiles[square]]
            if other:
                letter = other[int(rng.integers(len(other)))]
                left[letter] -= 1
                left[tiles[square]] += 1
                tiles[square] = letter
        changed = score_placement(board, Placement.of(tiles), rules, GERMAN_102)
        if changed.faults == PlacementFault.NONE and changed.words[0].capitals not in words.words:
            return changed
    return None
