"""Whole games at random, every event of them accepted by the rules: for property tests."""

from __future__ import annotations

from random import Random

from scorer.accounting import unseen
from scorer.board import Board, Direction, Square
from scorer.challenge import ChallengedWord, words_of
from scorer.events import (
    BlankNamed,
    Challenged,
    ChallengeRejected,
    Corrected,
    DrawnForFirst,
    Event,
    Exchanged,
    Noted,
    NothingLaid,
    Overtime,
    Passed,
    Placed,
    Redone,
    Refilled,
    ScoreAgreed,
    Undone,
    Withdrawn,
)
from scorer.game import Game, GameState, offer, replay
from scorer.placement import Placement
from scorer.rules import RULE_SETS, RuleSet
from scorer.tiles import GERMAN_102, TileSet


def random_game(seed: int, rules: RuleSet | None = None, tile_set: TileSet = GERMAN_102, events: int = 16) -> GameState:
    """The state after so many events drawn at random, each of them legal; the same for the same seed."""
    random = Random(seed)
    rules = rules or random.choice([*RULE_SETS.values()])
    names = ("Anna", "Ben", "Çem", "Dörte")[: random.randint(2, rules.max_players)]
    state = replay(Game(names, rules, tile_set, first_player=random.randrange(len(names))))
    tries = 0
    while len(state.game.events) < events and tries < events * 40:
        tries += 1
        event = random_event(state, random)
        if event is not None and isinstance(after := offer(state, event), GameState):
            state = after
    return state


def random_event(state: GameState, random: Random) -> Event | None:
    """Something that could happen now, mostly a placement; it may turn out to be against the rules."""
    player, seats = state.next_player, range(len(state.totals))
    move = state.open_move
    plays = [entry for entry in state.log if entry.play is not None and not entry.withdrawn]
    kind = random.choices(
        ["lay", "turn", "close", "challenge", "meta", "blank", "draw", "time"], [60, 8, 12, 10, 10, 6, 4, 1]
    )[0]
    match kind:
        case "lay":
            return Placed(player, random_placement(state, random), announced=random.choice([None, 7, 22]))
        case "turn":
            return random.choice(
                [Passed(player), Exchanged(player, 3), Exchanged(player, tiles="EN"), NothingLaid(player)]
            )
        case "close" if plays:
            last = plays[-1]
            return random.choice(
                [Noted(last.number), Refilled(last.number, last.drawn), ScoreAgreed(last.number, 5, unanimous=True)]
            )
        case "challenge" if move is not None and plays:
            entry = plays[-1]
            assert entry.play is not None
            words = tuple(ChallengedWord(word, random.random() < 0.6, "Duden") for word in words_of(entry.play))
            by = tuple(random.sample([seat for seat in seats if seat != entry.player], 1))
            return random.choice(
                [
                    Challenged(entry.number, by, words, random.choice([None, 12.5])),
                    Withdrawn(entry.number, by[0]),
                    ChallengeRejected(by[0], entry.number, len(words)),
                ]
            )
        case "meta":
            number = random.randint(1, max(1, len(state.game.events)))
            return random.choice(
                [Undone(), Undone(), Redone(), Corrected(number, None), Corrected(number, Passed(player))]
            )
        case "blank" if state.open_blanks:
            return BlankNamed(random.choice(state.open_blanks), random.choice("ÄENX"))
        case "draw":
            return DrawnForFirst(tuple((seat, random.choice("?AÄBE")) for seat in seats))
        case "time":
            return Overtime(random.choice(seats), random.choice([0.5, 61.0, 301.0]))
        case _:
            return None


def random_placement(state: GameState, random: Random) -> Placement:
    """Up to a rack of tiles in one line through a square that makes the placement likely to be legal."""
    board, tile_set = state.board, state.game.tile_set
    supply = [kind for kind, count in unseen(board, tile_set).items() for _ in range(count)]
    size = min(random.randint(1, 7), max(1, state.rack_sizes[state.next_player]), len(supply))
    direction, square = random.choice(list(Direction)), _anchor(board, random)
    square = square.step(direction, -random.randrange(size) if size else 0)
    tiles: dict[Square, str] = {}
    for tile in random.sample(supply, size):
        while board.at(square) is not None:
            square = square.step(direction)
        tiles[square] = tile if tile != "?" else random.choice("?eä")
        square = square.step(direction)
    return Placement.of(tiles)


def _anchor(board: Board, random: Random) -> Square:
    if board.is_empty:
        return Square(7, 7)
    near = sorted({one for square in board.occupied for one in square.neighbours if one.on_board} - board.occupied)
    return random.choice(near)
