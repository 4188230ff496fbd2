"""A written move on a position: what it scores, what is wrong with it in sentences, and what a person should know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assistant.texts import Texts
from scorer.accounting import excess
from scorer.board import SIZE, Board, Direction, Square
from scorer.explain import Language, explain
from scorer.notation import Coordinate, MoveText, Notation, format_coordinate, format_square
from scorer.placement import PlacementFault
from scorer.rules import RuleSet
from scorer.scoring import Play, score_move
from scorer.tiles import BLANK, ESZETT, TileSet, is_blank, letter_of, same_letter


@dataclass(frozen=True)
class ScoredMove:
    """A move as it was written, on the position before it, and the play it makes.

    play: its words in the order they were written: that of the text first, when it forms a word
    """

    board: Board
    move: MoveText
    play: Play
    rules: RuleSet
    tile_set: TileSet
    notation: Notation

    @classmethod
    def of(cls, board: Board, move: MoveText, rules: RuleSet, tile_set: TileSet, notation: Notation) -> ScoredMove:
        """The move scored; never raises."""
        play = score_move(board, move, rules, tile_set)
        # a single tile forms two words, and the text says which of them is meant first
        if len(play.placement) == 1:
            play = replace(play, words=tuple(sorted(play.words, key=lambda word: word.direction != move.direction)))
        return cls(board, move, play, rules, tile_set, notation)

    @property
    def score(self) -> int | None:
        """Points of what lies there, also against the rules; None when no word is formed."""
        return self.play.score if self.play.words else None

    @property
    def written(self) -> str:
        """The whole main word with its coordinate, else the move as it was written."""
        return self.play.text(self.notation) or self.move.text(self.notation)

    def steps(self, texts: Texts) -> list[str]:
        """The sum, read aloud; nothing when no word is formed."""
        language: Language = "de" if texts.language == "de" else "en"
        return explain(self.play, language, self.notation) if self.play.words else []

    def faults(self, texts: Texts) -> list[str]:
        """A sentence for each fault: what it is, where, and what to do; none for a gap that is off the board anyway."""
        sentences = []
        for fault in PlacementFault:
            if fault in self.play.faults:
                values = self._values(fault, texts)
                if values.get("squares") != "":
                    sentences.append(texts(f"score.fault.{fault.codes[0]}", **values))
        return sentences

    def _values(self, fault: PlacementFault, texts: Texts) -> dict[str, object]:
        """What the sentence about a fault is filled with."""
        laid = [tile for _, tile in self.play.placement.tiles]
        match fault:
            case PlacementFault.FIRST_WORD_OFF_STAR:
                return {"star": self._names([self.rules.layout.star])}
            case PlacementFault.GAP:
                gaps = [square for square, tile, lies in self._marks() if lies and self.board.at(square) is None]
                return {"squares": self._names(gaps)}
            case PlacementFault.OFF_BOARD:
                start, direction = self.move.start, self.move.direction
                room = SIZE - (start.col if direction is Direction.ACROSS else start.row)
                coordinate = format_coordinate(Coordinate(start, direction), self.notation)
                return {"coordinate": coordinate, "room": room, "count": len(self.move.marks)}
            case PlacementFault.SQUARE_TAKEN:
                return {
                    "squares": ", ".join(
                        texts("score.taken-square", square=self._names([square]), there=there, written=tile)
                        for square, tile, _ in self._marks()
                        if tile and (there := self.board.at(square)) and not same_letter(there, tile)
                    )
                }
            case PlacementFault.TOO_MANY_TILES:
                return {"count": len(laid), "rack": self.rules.rack_size}
            case PlacementFault.NOT_IN_SET:
                foreign = dict.fromkeys(letter_of(t) for t in laid if t not in self.tile_set and t != ESZETT)
                return {"letters": ", ".join(foreign), "tiles": self.tile_set.name}
            case PlacementFault.SET_EXHAUSTED:
                kinds = {BLANK if is_blank(tile) else tile for tile in laid}
                found = excess(self.board, self.tile_set, laid)
                own = {kind: count for kind, count in found.items() if kind in kinds and kind in self.tile_set}
                return {"surplus": surplus_text(own, texts)}
            case PlacementFault.WORD_TOO_SHORT_BY_RULE:
                return {"count": len(laid), "least": self.rules.min_first_word}
            case _:
                return {}

    def warnings(self, texts: Texts) -> dict[str, str]:
        """What a person should know though it is no fault: sentences by their code."""
        found = {}
        if surplus := excess(self.board, self.tile_set):
            found["impossible-position"] = texts(
                "score.impossible-position", surplus=surplus_text(surplus, texts), tiles=self.tile_set.name
            )
        main = self.play.main_word
        if main and (main.start, len(main), main.direction) != (
            self.move.start,
            len(self.move.marks),
            self.move.direction,
        ):
            whole = format_coordinate(Coordinate(main.start, main.direction), self.notation)
            found["whole-word"] = texts("score.whole-word", move=f"{whole} {main.word}")
        if blanks := [square for square, tile in self.play.placement.tiles if tile == BLANK]:
            found["undeclared-blank"] = texts("score.undeclared-blank", squares=self._names(blanks))
        return found

    def to_json(self, texts: Texts) -> dict[str, Any]:
        """The JSON form of the contract; ``messages`` are the faults in words, ``warnings`` the codes of the rest."""
        return {
            "legal": self.play.legal,
            "faults": self.play.faults.codes,
            "score": self.score,
            "words": [{"word": word.word, "score": word.score} for word in self.play.words],
            "bingo": self.play.bingo_bonus,
            "steps": self.steps(texts),
            "tiles": [[square.row, square.col, tile] for square, tile in self.play.placement.tiles],
            "move": self.written,
            "rules": self.rules.name,
            "messages": self.faults(texts),
            "warnings": list(self.warnings(texts)),
        }

    def _marks(self) -> Iterator[tuple[Square, str | None, bool]]:
        """Each square of the written word: the tile the text names, and whether it says that it lies there."""
        for index, (tile, lies) in enumerate(self.move.marks):
            yield self.move.start.step(self.move.direction, index), tile, lies

    def _names(self, squares: Iterable[Square]) -> str:
        """Names of squares; those off the board have none."""
        return ", ".join(format_square(square, self.notation) for square in squares if square.on_board)


def surplus_text(surplus: Mapping[str, int], texts: Texts) -> str:
    """How many tiles there are too many of each kind, the blanks last."""
    return ", ".join(
        texts("score.surplus-blanks" if kind == BLANK else "score.surplus", tile=kind, count=count)
        for kind, count in surplus.items()
    )
