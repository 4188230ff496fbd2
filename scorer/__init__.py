"""Rules core of German Scrabble: tiles, board, placement, scoring, games and their written records.

Standard library only; imports no other package of the project. What others use is named here:

    board = Board.empty()
    play = score_move(board, MoveText.parse("H4 FIRNS", Notation.GERMAN), rule_set("turnier"), GERMAN_102)
    play.score, play.faults.codes, explain(play)

    game = Game(("Anna", "Ben"), rule_set("turnier"), GERMAN_102)
    state = offer(replay(game), Placed(0, play.placement))  # a GameState, or a Refusal with all faults
"""

from scorer.accounting import InferredRacks, RackFault, excess, infer_racks, is_possible, unseen
from scorer.board import SIZE, STANDARD, Board, BoardLayout, Direction, Premium, Square
from scorer.challenge import ChallengedWord, ChallengeResult, Outcome
from scorer.clock import Clock, ClockError, OvertimePenalty, format_time, milliseconds, overtime_points
from scorer.draw import DrawFault, DrawResult, draw
from scorer.errors import BoardError, BrettblickError, GameError, NotationError, RuleError
from scorer.events import (
    BlankNamed,
    BlankSwapped,
    Challenged,
    ChallengeRejected,
    Corrected,
    DrawnForFirst,
    Event,
    EventFault,
    Exchanged,
    MoveTimedOut,
    Noted,
    NothingLaid,
    Overtime,
    Passed,
    Placed,
    RacksShown,
    Redone,
    Refilled,
    Resigned,
    ScoreAgreed,
    Settled,
    Stopped,
    Undone,
    Withdrawn,
)
from scorer.explain import explain
from scorer.formats import read_written_game
from scorer.formats.events import read_game, write_game
from scorer.game import Entry, Game, GameState, Refusal, advance, faults_of, offer, replay
from scorer.notation import Coordinate, MoveText, Notation, format_coordinate, format_square, parse_coordinate
from scorer.placement import Placement, PlacementFault, check_placement
from scorer.rescore import Rescore, RescoredMove, rescore
from scorer.rules import (
    RULE_SETS,
    SETTINGS,
    PenaltyUnit,
    RuleConflict,
    RuleSet,
    conflicts,
    differing_settings,
    read_rule_set,
    rule_set,
)
from scorer.scoring import LetterScore, Play, WordScore, score_move, score_placement
from scorer.settlement import EndReason, GameEnd, Result, Settlement, SettlementLine, settle
from scorer.tiles import BLANK, ENGLISH_100, GERMAN_102, TILE_SETS, TileSet
from scorer.written import Action, NotationSource, WrittenGame, WrittenMove

__all__ = [
    "BLANK",
    "ENGLISH_100",
    "GERMAN_102",
    "RULE_SETS",
    "SETTINGS",
    "SIZE",
    "STANDARD",
    "TILE_SETS",
    "Action",
    "BlankNamed",
    "BlankSwapped",
    "Board",
    "BoardError",
    "BoardLayout",
    "BrettblickError",
    "ChallengeRejected",
    "ChallengeResult",
    "Challenged",
    "ChallengedWord",
    "Clock",
    "ClockError",
    "Coordinate",
    "Corrected",
    "Direction",
    "DrawFault",
    "DrawResult",
    "DrawnForFirst",
    "EndReason",
    "Entry",
    "Event",
    "EventFault",
    "Exchanged",
    "Game",
    "GameEnd",
    "GameError",
    "GameState",
    "InferredRacks",
    "LetterScore",
    "MoveText",
    "MoveTimedOut",
    "Notation",
    "NotationError",
    "NotationSource",
    "Noted",
    "NothingLaid",
    "Outcome",
    "Overtime",
    "OvertimePenalty",
    "Passed",
    "PenaltyUnit",
    "Placed",
    "Placement",
    "PlacementFault",
    "Play",
    "Premium",
    "RackFault",
    "RacksShown",
    "Redone",
    "Refilled",
    "Refusal",
    "Rescore",
    "RescoredMove",
    "Resigned",
    "Result",
    "RuleConflict",
    "RuleError",
    "RuleSet",
    "ScoreAgreed",
    "Settled",
    "Settlement",
    "SettlementLine",
    "Square",
    "Stopped",
    "TileSet",
    "Undone",
    "Withdrawn",
    "WordScore",
    "WrittenGame",
    "WrittenMove",
    "advance",
    "check_placement",
    "conflicts",
    "differing_settings",
    "draw",
    "excess",
    "explain",
    "faults_of",
    "format_coordinate",
    "format_square",
    "format_time",
    "infer_racks",
    "is_possible",
    "milliseconds",
    "offer",
    "overtime_points",
    "parse_coordinate",
    "read_game",
    "read_rule_set",
    "read_written_game",
    "replay",
    "rescore",
    "rule_set",
    "score_move",
    "score_placement",
    "settle",
    "unseen",
    "write_game",
]
