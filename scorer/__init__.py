"""Rules core of German Scrabble: tiles, board, placement, scoring, games and their written records.

Standard library only; imports no other package of the project. What others use is named here:

    board = Board.empty()
    play = score_move(board, MoveText.parse("H4 FIRNS", Notation.GERMAN), rule_set("turnier"), GERMAN_102)
    play.score, play.faults.codes, explain(play)
"""

from scorer.board import SIZE, STANDARD, Board, BoardLayout, Direction, Premium, Square
from scorer.errors import BoardError, BrettblickError, GameError, NotationError, RuleError
from scorer.explain import explain
from scorer.formats import read_written_game
from scorer.game import (
    ChallengeRejected,
    Entry,
    Event,
    Game,
    GameState,
    Passed,
    Placed,
    Settled,
    Withdrawn,
    advance,
    replay,
)
from scorer.notation import Coordinate, MoveText, Notation, format_coordinate, format_square, parse_coordinate
from scorer.placement import Placement, PlacementFault, check_placement
from scorer.rescore import Rescore, RescoredMove, rescore
from scorer.rules import RULE_SETS, PenaltyUnit, RuleSet, rule_set
from scorer.scoring import LetterScore, Play, WordScore, score_move, score_placement
from scorer.tiles import BLANK, ENGLISH_100, GERMAN_102, TILE_SETS, TileSet
from scorer.written import Action, NotationSource, WrittenGame, WrittenMove

__all__ = [
    "BLANK",
    "ENGLISH_100",
    "GERMAN_102",
    "RULE_SETS",
    "SIZE",
    "STANDARD",
    "TILE_SETS",
    "Action",
    "Board",
    "BoardError",
    "BoardLayout",
    "BrettblickError",
    "ChallengeRejected",
    "Coordinate",
    "Direction",
    "Entry",
    "Event",
    "Game",
    "GameError",
    "GameState",
    "LetterScore",
    "MoveText",
    "Notation",
    "NotationError",
    "NotationSource",
    "Passed",
    "PenaltyUnit",
    "Placed",
    "Placement",
    "PlacementFault",
    "Play",
    "Premium",
    "Rescore",
    "RescoredMove",
    "RuleError",
    "RuleSet",
    "Settled",
    "Square",
    "TileSet",
    "Withdrawn",
    "WordScore",
    "WrittenGame",
    "WrittenMove",
    "advance",
    "check_placement",
    "explain",
    "format_coordinate",
    "format_square",
    "parse_coordinate",
    "read_written_game",
    "replay",
    "rescore",
    "rule_set",
    "score_move",
    "score_placement",
]
