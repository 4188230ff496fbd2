"""What a table agrees on before a game, as it is kept with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scorer.adjudication import Referee, decisions
from scorer.errors import BrettblickError, GameError
from scorer.game import Game, GameState
from scorer.lexicon import NoLexicon, TableDecides, Union, WordList
from scorer.notation import Notation
from scorer.rules import RuleSet, WordAuthority
from scorer.tiles import TileSet

FORMAT = 1

LONGEST_NAME = 40
"""Characters of a player's name."""


class SetupError(BrettblickError):
    """A stored game of another version of this program, or a damaged one."""

    code = "bad-setup"


JOINER = "\u200d"
"""Between the parts of an emoji; else nobody sees it."""


def visible(text: str) -> bool:
    """Whether a text has only characters that somebody sees."""
    return all(char.isprintable() or char == JOINER for char in text) and bool(text.replace(JOINER, "").strip())


@dataclass(frozen=True)
class Setup:
    """What was agreed on.

    lexicon:    what ``--lexicon`` names: where words are looked up after a challenge
    word_lists: the lists that were there under this name then, with their editions
    notation:   in which players write moves and read squares
    """

    players: tuple[str, ...]
    rules: RuleSet
    tile_set: TileSet
    lexicon: str = "none"
    first_player: int = 0
    score_keeper: int | None = None
    word_lists: tuple[WordList, ...] = ()
    notation: Notation = Notation.GERMAN

    def __post_init__(self) -> None:
        """GameError for players that cannot be: see ``scorer.game.Game``; no name, or an endless one."""
        if not all(name.strip() == name and 0 < len(name) <= LONGEST_NAME for name in self.players):
            raise GameError("a player without a name, or with an endless one", code="bad-players")
        if not all(map(visible, self.players)):
            raise GameError("a name with characters that nobody sees", code="bad-players")
        self.game()

    def game(self) -> Game:
        """The game before anything happened."""
        return Game(
            self.players,
            self.rules,
            self.tile_set,
            first_player=self.first_player,
            score_keeper=self.score_keeper,
            word_lists=self.word_lists,
        )

    def referee(self, state: GameState) -> Referee:
        """Who looks words up in this game; where the players say, what they said before stands, and a list is only
        evidence (R7.1).
        BrettblickError when a list that was agreed on is not there any more."""
        from assistant.lexicon.naming import lexicon_named

        if self.rules.word_authority is not WordAuthority.TABLE:
            return Referee(lexicon_named(self.lexicon, self.rules, self.tile_set))
        before = TableDecides(decisions(state), self.tile_set)
        return Referee(Union(before, lexicon_named(self.lexicon, self.rules, self.tile_set)))

    def without_lists(self) -> Referee:
        """Who decides when the lists agreed on are gone: every word is for the players to look up."""
        return Referee(NoLexicon(self.tile_set))

    def to_json(self) -> dict[str, Any]:
        """As JSON values; ``from_json`` is the inverse."""
        return {
            "format": FORMAT,
            "players": list(self.players),
            "rules": self.rules.to_json(),
            "tiles": self.tile_set.to_json(),
            "lexicon": self.lexicon,
            "first_player": self.first_player,
            "score_keeper": self.score_keeper,
            "word_lists": [one.to_json() for one in self.word_lists],
            "notation": self.notation.value,
        }

    @classmethod
    def from_json(cls, data: Any) -> Setup:
        """What ``to_json`` wrote; SetupError for anything else."""
        try:
            if data["format"] != FORMAT:
                raise SetupError(f"a game of format {data['format']}", why=f"format {data['format']}")
            return cls(
                tuple(map(str, data["players"])),
                RuleSet.from_json(data["rules"]),
                TileSet.from_json(data["tiles"]),
                str(data["lexicon"]),
                int(data["first_player"]),
                None if data["score_keeper"] is None else int(data["score_keeper"]),
                tuple(map(WordList.from_json, data["word_lists"])),
                Notation(data["notation"]),
            )
        except SetupError:
            raise
        except (KeyError, TypeError, ValueError, BrettblickError) as error:
            raise SetupError(f"what is kept of the game cannot be read: {error}", why=str(error)) from error


def agreed(
    players: Sequence[str],
    rules: RuleSet,
    tile_set: TileSet,
    lexicon: str,
    first_player: int = 0,
    score_keeper: int | None = None,
    notation: Notation = Notation.GERMAN,
) -> Setup:
    """What a table agrees on now, with the word lists as they are now; BrettblickError for a lexicon that is not there,
    GameError for players that cannot be."""
    from assistant.lexicon.naming import lexicon_named

    names = tuple(" ".join(name.split()) for name in players)
    lists = Referee(lexicon_named(lexicon, rules, tile_set)).lists
    return Setup(names, rules, tile_set, lexicon, first_player, score_keeper, lists, notation)
