"""Scores, challenges, settlements and every other event as steps a person reads aloud, in German and English.

Each function gives lines, one for each step; ``explain_entry`` finds the lines for whatever happened. Nothing is
decided here: the numbers are those of the play, the entry or the settlement, and what follows is that of the rule set.
All texts are in ``scorer/texts.toml``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TypeGuard

from scorer.accounting import excess
from scorer.board import Square
from scorer.challenge import ChallengedWord, Outcome, undecided, words_of
from scorer.clock import MS_PER_SECOND, format_time, milliseconds, overtime_points
from scorer.draw import DrawFault
from scorer.events import (
    IMPOSSIBLE,
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
    PlainEvent,
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
from scorer.game import Entry, Game, GameState, Refusal, draw_rounds, drawn, replay
from scorer.history import counting, standing
from scorer.notation import Coordinate, Notation, format_coordinate, format_square
from scorer.placement import Placement
from scorer.rules import (
    BlankReuse,
    Challengers,
    ChallengeScope,
    ChallengeUntil,
    MixedChallenge,
    MoveTimeout,
    PassCount,
    PenaltyUnit,
    Proof,
    RestTo,
    RuleSet,
    ScoreCorrection,
    Tie,
    TurnOrder,
)
from scorer.scoring import LetterScore, Play, WordScore
from scorer.settlement import EndReason, GameEnd, Result, Settlement, SettlementLine, result
from scorer.texts import Language, Wording
from scorer.tiles import BLANK, TileSet, is_blank, letter_of

# --- the sum of a play --------------------------------------------------------------------------------------------


def explain(play: Play, language: Language = "de", notation: Notation = Notation.GERMAN) -> list[str]:
    """The steps of the sum: a line for each word (R5.2, R5.6), for each bonus (R5.7, R12.3), and one for the total."""
    say = Wording(language)
    lines = [_word_line(word, say, notation) for word in play.words]
    parts = [word.score for word in play.words]
    if play.bingo_bonus:
        lines.append(say("sum.all-tiles", count=len(play.placement), points=play.bingo_bonus))
        parts.append(play.bingo_bonus)
    if play.theme_bonus:
        lines.append(say("sum.theme-bonus", points=play.theme_bonus))
        parts.append(play.theme_bonus)
    return [*lines, say("sum.total", points=_sum(parts) if parts else play.score)]


def _word_line(word: WordScore, say: Wording, notation: Notation) -> str:
    """``H4 FIRNS: F 4 x 2 = 8, I 1, R 1, N 1, S 1 = 12, Wort x 2 = 24``; all word premiums are named (R5.4)."""
    coordinate = format_coordinate(Coordinate(word.start, word.direction), notation)
    letters = ", ".join(_letter_text(letter, say) for letter in word.letters)
    line = f"{coordinate} {word.word}: {letters} = {word.letter_sum}"
    if word.theme_bonus:
        line += ", " + say("sum.theme", bonus=word.theme_bonus, points=word.letter_sum + word.theme_bonus)
    factors = [letter.premium.word_multiplier for letter in word.letters if letter.premium.word_multiplier > 1]
    if factors:
        line += ", " + say("sum.word", factors=" x ".join(map(str, factors)), points=word.score)
    return line


def _letter_text(letter: LetterScore, say: Wording) -> str:
    """A blank is named as one and counts 0, on a letter premium as well (R5.1); a tile that lay there has no premium
    (R5.3)."""
    if letter.tile == BLANK:
        name = say("sum.open-blank")
    else:
        name = say("sum.blank", letter=letter_of(letter.tile)) if is_blank(letter.tile) else letter.tile
    times = letter.premium.letter_multiplier
    return f"{name} {letter.value} x {times} = {letter.score}" if times > 1 else f"{name} {letter.value}"


def _sum(parts: Sequence[int], total: str = "") -> str:
    """``24 + 12 + 50 = 86``, a single number alone; ``total`` is what the sum is called, else its number."""
    total = total or str(sum(parts))
    return f"{' + '.join(map(str, parts))} = {total}" if len(parts) > 1 else total


# --- challenges ---------------------------------------------------------------------------------------------------


def explain_challenge(
    entry: Entry, player: int, names: Sequence[str], rules: RuleSet, language: Language = "de", *, over: bool = False
) -> list[str]:
    """What was challenged and found, how it ends and what follows by these rules (R8.3 to R8.13).

    entry:  of a Challenged event
    player: who laid the move
    over:   whether the game is over after it, so that nobody is in turn
    """
    event, found = entry.event, entry.challenge
    assert isinstance(event, Challenged)
    say = Wording(language)
    lines = [_challenged_line(event, player, names, say)]
    lines += [_word_found(word, rules, say) for word in event.words]
    if found is None:
        return lines
    if found.outcome is Outcome.TOO_LATE:
        lines.append(_too_late(event.seconds, rules, say))
        return [*lines, say("challenge.free")] if rules.challenge_penalty else lines
    penalties = [_penalty_line(payer, points, len(found.valid), names, rules, say) for payer, points in found.penalties]
    if found.outcome is Outcome.UPHELD:
        paid = sum(points for payer, points in found.penalties if payer == player)
        lines += _taken_back(player, -(entry.changes[player] + paid), names, rules, say)
        if found.valid and rules.challenge_penalty and not penalties:
            lines.append(say("challenge.free-words", words=say.listed(found.valid)))
    else:
        lines.append(say("challenge.rejected"))
        lines += [] if penalties else [say("challenge.free")]
    lines += penalties
    if penalties and len(event.challengers) > len(penalties):
        lines.append(say("challenge.first-pays"))
    return lines if found.outcome is Outcome.UPHELD or over else [*lines, _turn_stays(player, names, say)]


def challenge_consequences(
    play: Play,
    player: int,
    challenger: int,
    names: Sequence[str],
    rules: RuleSet,
    language: Language = "de",
) -> list[str]:
    """What a challenge would lead to in each case, to be shown before it is booked. Says nothing about whether the
    words are allowed (R7.7).

    play:   the move and its words
    player: who laid it
    """
    say, words, who = Wording(language), words_of(play), names[player]
    all_words = rules.challenge_scope is ChallengeScope.ALL_WORDS
    lines = []
    if words:
        key = "challenge.if-all-words" if all_words else "challenge.if-named-words"
        lines.append(say(key, words=say.listed(words)))
    if rules.proof is not Proof.LOOK_UP:
        lines.append(say("challenge.if-shown" if rules.proof is Proof.PLAYER else "challenge.if-table", player=who))
    lines.append(" ".join([say("challenge.if-invalid", player=who), *_after_taking_back(player, names, rules, say)]))
    lines.append(f"{say('challenge.if-valid')} {_price(len(words) if all_words else 0, challenger, names, rules, say)}")
    if rules.challenge_penalty and len(words) > 1:
        points = say.counted("points", rules.challenge_penalty)
        mixed = "challenge.if-mixed-free"
        if rules.mixed_challenge is MixedChallenge.EACH_VALID:
            by_word = rules.penalty_unit is PenaltyUnit.WORD
            mixed = "challenge.if-mixed-each" if by_word else "challenge.if-mixed-once"
        lines.append(say(mixed, points=points, player=names[challenger]))
    if rules.challenge_seconds:
        lines.append(say("challenge.until-seconds", seconds=say.counted("seconds", rules.challenge_seconds)))
    return [*lines, say(f"challenge.until-{rules.challenge_until}")]


def _challenged_line(event: Challenged, player: int | None, names: Sequence[str], say: Wording) -> str:
    words = say.listed(word.word for word in event.words) if event.words else say("event.whole-move")
    who = _name(player, names, say)
    if not event.challengers:
        return say("event.challenged-by-nobody", words=words, player=who)
    challengers = say.listed(_name(one, names, say) for one in event.challengers)
    return say("event.challenged", challengers=challengers, words=words, player=who)


def _too_late(seconds: float | None, rules: RuleSet, say: Wording) -> str:
    """A challenge after the move was closed, by an event or by the time since the announcement (R8.2)."""
    limit = rules.challenge_seconds
    if limit and seconds is not None and seconds > limit:
        waited, most = say.counted("seconds", seconds), say.counted("seconds", limit)
        return say("challenge.too-late-by-seconds", seconds=waited, limit=most)
    return say("challenge.too-late")


def _word_found(word: ChallengedWord, rules: RuleSet, say: Wording) -> str:
    """A word that was not found is not allowed where the player has to show it (R8.13)."""
    if word.valid is None:
        key = "challenge.not-shown" if rules.proof is Proof.PLAYER else "challenge.not-found"
    else:
        key = "challenge.valid" if word.valid else "challenge.invalid"
    found = say(key, word=word.word)
    source = ", ".join(filter(None, (word.source, say("challenge.by", by=word.by) if word.by else "")))
    return say("challenge.source", found=found, source=source) if source else found


def _taken_back(player: int, points: int, names: Sequence[str], rules: RuleSet, say: Wording) -> list[str]:
    """The move of the player, which counted so many points, is taken back (R8.3)."""
    upheld = say("challenge.upheld", player=names[player], points=points)
    return [upheld, *_after_taking_back(player, names, rules, say)]


def _after_taking_back(player: int, names: Sequence[str], rules: RuleSet, say: Wording) -> list[str]:
    """The turns lost (R8.4), and the tiles drawn before (R8.10) where there can be any."""
    lines = [say(f"challenge.turns-lost-{rules.turns_lost}", player=names[player])]
    drawn_first = rules.challenge_until is ChallengeUntil.NEXT_TURN or (
        rules.challenge_until is ChallengeUntil.NOTED and rules.turn_order is not TurnOrder.NOTE_DRAW
    )
    if drawn_first:
        lines.append(say(f"challenge.drawn-{rules.drawn_tiles}", player=names[player]))
    return lines


def _penalty_line(payer: int, points: int, words: int, names: Sequence[str], rules: RuleSet, say: Wording) -> str:
    """What a challenger pays for so many allowed words (R8.5, R8.6, R8.11)."""
    total = say.counted("points", points)
    if rules.penalty_unit is PenaltyUnit.CHALLENGE:
        return say("challenge.penalty", points=total, player=names[payer])
    counted = say.counted("words", words)
    return say(
        "challenge.penalty-by-word", words=counted, penalty=rules.challenge_penalty, points=total, player=names[payer]
    )


def _price(words: int, challenger: int, names: Sequence[str], rules: RuleSet, say: Wording) -> str:
    """What the challenge of so many words costs if all are allowed; 0 words: nobody knows yet how many."""
    if not rules.challenge_penalty:
        return say("challenge.free")
    if rules.penalty_unit is PenaltyUnit.WORD and not words:
        each = say.counted("points", rules.challenge_penalty)
        return say("challenge.if-penalty-each-named", points=each, player=names[challenger])
    return _penalty_line(challenger, rules.penalty(words), words, names, rules, say)


def _turn_stays(player: int, names: Sequence[str], say: Wording) -> str:
    """Nobody loses a turn by a wrong challenge (R8.12); with two players it is known who is next."""
    if len(names) == 2:
        return say("challenge.turn-stays", player=names[1 - player])
    return say("challenge.order-stays")


# --- the end ------------------------------------------------------------------------------------------------------


def explain_end(end: GameEnd, names: Sequence[str], rules: RuleSet, language: Language = "de") -> str:
    """Why the game is over (R10.1 to R10.3), or what has to be cleared up to know whether it is."""
    say = Wording(language)
    if not end.certain:
        return say("end.maybe")
    match end.reason:
        case EndReason.OUT:
            return say("end.out", player=_name(end.player, names, say))
        case EndReason.PASSES:
            running = rules.pass_count is PassCount.RUNNING
            once = rules.end_on_passes == 1
            key = ("end.passes-once" if once else "end.passes-running") if running else "end.passes-ever"
            return say("end.passes-ever-once" if once and not running else key, count=rules.end_on_passes)
        case EndReason.SCORELESS:
            rounds = rules.end_on_scoreless_rounds
            return say("end.scoreless-one" if rounds == 1 else "end.scoreless-many", count=rounds)
        case EndReason.EMPTY_BAG | EndReason.GIVEN_UP | EndReason.STOPPED:
            return say(f"end.{end.reason}")


def explain_settlement(
    settlement: Settlement,
    end: GameEnd | None,
    names: Sequence[str],
    rules: RuleSet,
    tile_set: TileSet,
    language: Language = "de",
) -> list[str]:
    """Why the game ended, what is taken off for each rest (R11.1), and who is credited with them (R11.2 to R11.4).

    A rest that nobody knows is asked for by name.
    """
    say = Wording(language)
    lines = [explain_end(end, names, rules, language)] if end else []
    lines += [_rest_line(line, names, rules, tile_set, say) for line in settlement.lines]
    receiver = _receiver(settlement, end, rules)
    if receiver:
        lines.append(_credit_line(receiver, settlement, names, rules, say))
    elif end and any(line.rest != "" for line in settlement.lines):
        lines.append(say("settlement.no-credit"))
    return lines if settlement.complete else [*lines, say("settlement.incomplete")]


def explain_result(
    outcome: Result,
    totals: Sequence[int],
    names: Sequence[str],
    rules: RuleSet,
    lost: Collection[int] = (),
    language: Language = "de",
) -> list[str]:
    """The final score and who has won (R11.5), or what a tie is (R11.6, R13.6).

    lost: players who resigned or lost by time, behind all others (R13.4)
    """
    say = Wording(language)
    by_place = sorted(range(len(names)), key=lambda player: outcome.places[player])
    lines = [say("result.totals", totals=", ".join(f"{names[player]} {totals[player]}" for player in by_place))]
    if lost:
        lines.append(say("result.lost", players=say.listed(names[player] for player in sorted(lost))))
    winners = outcome.winners
    if not outcome.tied:
        best = winners[0]
        equal = [names[p] for p in by_place if totals[p] == totals[best] and (p in lost) == (best in lost)]
        if len(equal) > 1:
            lines.append(say("result.before-settlement", players=say.listed(equal), player=names[best]))
        return [*lines, say("result.winner", player=names[best])]
    lines.append(say("result.tie", players=say.listed(names[player] for player in winners)))
    match rules.tie:
        case Tie.DRAW:
            lines.append(say("result.draw"))
        case Tie.HALF_WIN:
            lines.append(say("result.half-win" if len(winners) == 2 else "result.shared-win", count=len(winners)))
        case Tie.BEFORE_SETTLEMENT:
            lines.append(say("result.equal-before"))
    return lines


def _rest_line(line: SettlementLine, names: Sequence[str], rules: RuleSet, tile_set: TileSet, say: Wording) -> str:
    """``Anna: Rest QRY = 10 + 1 + 10 = 21 Punkte Abzug``; a blank counts 0 (R6.4)."""
    player = names[line.player]
    if line.rest is None or line.value is None:
        return say("settlement.unknown", player=player)
    if not line.rest:
        return say("settlement.nothing-left", player=player)
    if not rules.subtract_rest:
        return say("settlement.kept", player=player, rest=line.rest)
    values = [tile_set.value(tile) for tile in line.rest]
    return say("settlement.rest", player=player, rest=line.rest, sum=_sum(values, say.counted("points", line.value)))


def _receiver(settlement: Settlement, end: GameEnd | None, rules: RuleSet) -> SettlementLine | None:
    """The line of the player who is credited with the rests; also when they are worth nothing."""
    for line in settlement.lines:
        finisher = end is not None and end.reason is EndReason.OUT and line.player == end.player
        if line.credited != 0 or (finisher and rules.rest_to is RestTo.FINISHER):
            return line
    return None


def _credit_line(
    receiver: SettlementLine, settlement: Settlement, names: Sequence[str], rules: RuleSet, say: Wording
) -> str:
    others = [line for line in settlement.lines if line.player != receiver.player]
    key = f"settlement.{'finisher' if rules.rest_to is RestTo.FINISHER else 'bag-emptier'}"
    if receiver.credited is None:
        missing = say.listed(names[line.player] for line in others if line.value is None)
        return say(f"{key}-open", player=names[receiver.player], others=missing)
    values = [line.value for line in others if line.value]
    points = say.counted("points", receiver.credited)
    return say(key, player=names[receiver.player], sum=_sum(values, points))


# --- every event --------------------------------------------------------------------------------------------------


def explain_entry(
    entry: Entry, game: Game, language: Language = "de", notation: Notation = Notation.GERMAN
) -> list[str]:
    """What happened, what follows from it, and what speaks against it; for an entry of ``replay(game).log``."""
    say, names, event = Wording(language), game.players, entry.event
    done = describe(event, game, language, notation, entry.number)
    if entry.faults & IMPOSSIBLE:
        return [done, *(say("entry.without-effect", fault=text) for text in _faults_of(entry, game, say, notation))]
    player = _player_of(event, game, entry.number)
    if isinstance(event, Challenged) and player is not None:
        over = _over_after(game, entry.number)
        lines = explain_challenge(entry, player, names, game.rules, language, over=over)
    elif entry.settlement is not None:
        lines = _end_lines(entry, entry.settlement, game, say)
    else:
        lines = [done, *_follows(entry, player, game, say, notation)]
    return [*lines, *explain_faults(entry, game, language, notation)]


def explain_faults(
    entry: Entry, game: Game, language: Language = "de", notation: Notation = Notation.GERMAN
) -> list[str]:
    """What speaks against an event that was recorded all the same, and against its placement; a line each."""
    say = Wording(language)
    found = _faults_of(entry, game, say, notation)
    if entry.play and entry.play.faults:
        found.append(_placement_faults(entry.play.faults.codes, say))
    return [say("entry.against-the-rules", fault=text) for text in found]


def describe(
    event: Event,
    game: Game,
    language: Language = "de",
    notation: Notation = Notation.GERMAN,
    number: int | None = None,
) -> str:
    """One sentence that says what was done, whatever follows from it.

    number: of the event in the game, without it the event is taken as the next one
    """
    say, names = Wording(language), game.players
    number = len(game.events) + 1 if number is None else number
    player = _player_of(event, game, number)
    who = _name(player, names, say)
    match event:
        case DrawnForFirst(tiles):
            drawn = [
                say("event.drawn-tile", player=_name(one, names, say), tile=_tile_name(tile, say))
                for one, tile in tiles
            ]
            return say("event.drawn-for-first", tiles=", ".join(drawn))
        case Placed(_, placement):
            if not placement.tiles:
                return say("event.placed-nothing", player=who)
            return say("event.placed", player=who, tiles=_laid_text(placement, say, notation))
        case Exchanged(_, _, tiles):
            if event.size is None:
                return say("event.exchanged-unknown", player=who)
            return say("event.exchanged", player=who, tiles=_counted_tiles(event.size, tiles, say))
        case Refilled(_, count, tiles):
            return say("event.refilled", player=who, tiles=_counted_tiles(count, tiles, say))
        case Challenged():
            return _challenged_line(event, player, names, say)
        case Withdrawn(_, challenger):
            key = "event.withdrawn" if challenger is None else "event.withdrawn-challenger"
            return say(key, player=who, challenger=_name(challenger, names, say))
        case ChallengeRejected(challenger):
            return say("event.challenge-rejected", player=who, challenger=_name(challenger, names, say))
        case ScoreAgreed(_, points, unanimous):
            key = "event.score-agreed-by-all" if unanimous else "event.score-agreed"
            return say(key, player=who, points=say.counted("points", points))
        case BlankNamed(square, letter):
            return say("event.blank-named", square=_square_name(square, notation), letter=letter)
        case BlankSwapped(_, square, tile):
            return say("event.blank-swapped", player=who, square=_square_name(square, notation), tile=tile)
        case Overtime(_, seconds):
            over = format_time(milliseconds(seconds)) if 0 <= seconds < float("inf") else "?"
            return say("event.overtime", player=who, time=over)
        case RacksShown(racks):
            shown = [_rack_text(player, rack, names, say) for player, rack in enumerate(racks)]
            return say("event.racks-shown", racks=", ".join(shown))
        case Settled(_, points, reason):
            key = "event.gain" if points >= 0 else "event.loss"
            change = say(key, points=say.counted("points", abs(points)), player=who)
            return say(f"event.settled-{reason}", change=change)
        case Corrected(ref, other):
            before = _before(game, ref, number)
            old = describe(before, game, language, notation, ref) if before else say("event.none")
            if other is None:
                return say("event.cancelled", number=ref, before=old)
            if _only_announcement(other, before):
                said = "–" if other.announced is None else say.counted("points", other.announced)
                return say("event.announcement-corrected", number=ref, move=old, points=said)
            new = describe(other, game, language, notation, ref)
            return say("event.corrected", number=ref, before=old, after=new)
        case Passed():
            return say("event.passed", player=who)
        case NothingLaid():
            return say("event.nothing-laid", player=who)
        case MoveTimedOut():
            return say("event.move-timed-out", player=who)
        case Noted():
            return say("event.noted", player=who)
        case Resigned():
            return say("event.resigned", player=who)
        case Stopped():
            return say("event.stopped")
        case Undone():
            return say("event.undone")
        case Redone():
            return say("event.redone")


def _follows(entry: Entry, player: int | None, game: Game, say: Wording, notation: Notation) -> list[str]:
    """What follows from an event that is neither a challenge nor the settlement."""
    rules, names, event = game.rules, game.players, entry.event
    who = _name(player, names, say)
    match event:
        case DrawnForFirst():
            return _draw_lines(entry, event, game, say)
        case Placed():
            return _placed_lines(entry, event, game, say, notation)
        case Exchanged() if not entry.used_turn:
            return [say("entry.still-to-move", player=who)]
        case Exchanged() | NothingLaid():
            return [say("entry.counts-as-pass")] if entry.is_pass else []
        case MoveTimedOut():
            passed = rules.move_timeout is MoveTimeout.PASS
            return [say("entry.counts-as-pass" if passed else "entry.only-a-reminder")]
        case Noted() | Refilled():
            noted = isinstance(event, Noted) and rules.challenge_until is not ChallengeUntil.NEXT_TURN
            drawn = isinstance(event, Refilled) and rules.challenge_until is ChallengeUntil.DRAWN
            return [say("entry.closed")] if noted or drawn else []
        case Withdrawn() if player is not None:
            return _taken_back(player, -entry.changes[player], names, rules, say)
        case ChallengeRejected(challenger, _, words) if player is not None:
            penalty = -entry.changes[challenger]
            price = _penalty_line(challenger, penalty, words, names, rules, say) if penalty else say("challenge.free")
            return [price] if _over_after(game, entry.number) else [price, _turn_stays(player, names, say)]
        case BlankSwapped(_, _, tile):
            value = game.tile_set.value(tile) if rules.swapped_tile_counts else 0
            counts = say("entry.swapped-counts", tile=tile, points=say.counted("points", value))
            if rules.blank_reuse_uses_turn:
                return [counts, say("entry.swap-uses-turn")]
            return (
                [counts, say("entry.still-to-move", player=who)]
                if rules.blank_reuse is BlankReuse.OWN_TURN
                else [counts]
            )
        case Overtime(_, seconds):
            return _overtime_lines(seconds, who, rules, say)
        case Resigned():
            over = len(_gone(game, entry.number)) >= len(names) - 1
            return [say("entry.game-ends") if over else say("entry.others-go-on", player=who)]
        case _:
            return []


def explain_score(entry: Entry, rules: RuleSet, language: Language = "de") -> list[str]:
    """The three numbers of a placement's score: announced, computed, agreed (R3.6); nothing when only one is known."""
    say, event, play = Wording(language), entry.event, entry.play
    assert isinstance(event, Placed) and play is not None
    numbers = {"announced": event.announced, "computed": play.score, "agreed": event.agreed}
    counting_now = say.counted("counting", entry.points)
    if event.agreed is not None:
        key = "entry.agreed" if event.announced is None else "entry.announced-agreed"
        return [say(key, counting=counting_now, **numbers)]
    if event.announced is None:
        return []
    if event.announced == play.score:
        return [say("entry.announced-right", announced=event.announced)]
    holds = rules.score_correction is ScoreCorrection.NEVER
    return [say("entry.announced-holds" if holds else "entry.announced-wrong", counting=counting_now, **numbers)]


def _placed_lines(entry: Entry, event: Placed, game: Game, say: Wording, notation: Notation) -> list[str]:
    """The sum, the three numbers of a score (R3.6), and what is still open about the move (R6.3)."""
    play, rules = entry.play, game.rules
    assert play is not None
    lines = explain(play, say.language, notation)
    letters = {letter.square: letter for word in play.words for letter in word.letters}
    for square, letter in sorted(letters.items()):
        if letter.value == 0 and not is_blank(letter.tile) and game.tile_set.value(letter.tile):
            lines.append(say("entry.worthless", tile=letter.tile, square=_square_name(square, notation)))
    if event.theme_words:
        lines.append(say("entry.theme-words", words=say.listed(event.theme_words)))
    lines += explain_score(entry, rules, say.language)
    lines += [say("entry.blank-open", square=_square_name(square, notation)) for square in play.open_blanks]
    return [*lines, say("entry.taken-back", points=entry.points)] if entry.withdrawn else lines


def _overtime_lines(seconds: float, who: str, rules: RuleSet, say: Wording) -> list[str]:
    """Every started minute costs (R13.3), too many of them the game (R13.4)."""
    over = overtime_points(seconds, rules)
    price = -over.points
    if not price:
        lines = [say("entry.in-time")]
    else:
        minutes = say.counted("started-minutes", price // rules.overtime_penalty)
        points = say.counted("points", price)
        lines = [say("entry.overtime", minutes=minutes, penalty=rules.overtime_penalty, points=points, player=who)]
    if over.lost:
        limit = format_time(rules.overtime_limit * MS_PER_SECOND)
        lines.append(say("entry.overtime-lost", limit=limit, player=who))
    return lines


def _over_after(game: Game, number: int) -> bool:
    """Whether the game is over and nobody had a turn after this event."""
    state = replay(game)
    went_on = any(entry.used_turn and entry.number > number for entry in state.log)
    return state.end is not None and state.end.certain and not went_on


def _gone(game: Game, number: int) -> set[int | None]:
    """The players who had left by this event: resigned, or lost by time."""
    return {
        entry.player
        for entry in replay(game).log
        if entry.number <= number
        and not entry.faults & IMPOSSIBLE  # times are times then
        and (
            isinstance(entry.event, Resigned)
            or (isinstance(entry.event, Overtime) and overtime_points(entry.event.seconds, game.rules).lost)
        )
    }


def _draw_lines(entry: Entry, event: DrawnForFirst, game: Game, say: Wording) -> list[str]:
    """Who starts (R2.1, R2.2), in which order (R2.4), or who draws again (R2.5)."""
    if EventFault.DRAW_FAULTY in entry.faults:
        return []
    rounds, names = draw_rounds(old for old in replay(game).log if old.number <= entry.number), game.players
    decided = drawn(rounds, game)
    if decided.order is None:
        return [say("entry.draw-again", players=say.listed(names[player] for player in decided.again))]
    first = decided.order[0]
    tile = next(tiles[first] for tiles in reversed(rounds) if first in tiles)
    lines = [say("entry.starts-by-blank" if tile == BLANK else "entry.starts", player=names[first], tile=tile)]
    if len(names) > 2:
        lines.append(say("entry.order", players=", ".join(names[player] for player in decided.order)))
    return lines


def _end_lines(entry: Entry, settlement: Settlement, game: Game, say: Wording) -> list[str]:
    """The settlement, and the result once all is known."""
    state, rules, language = replay(game), game.rules, say.language
    lines = explain_settlement(settlement, state.end, game.players, rules, game.tile_set, language)
    if not settlement.complete or state.end is None or not state.end.certain:
        return lines
    before = [total - change for total, change in zip(entry.totals, entry.changes, strict=True)]
    outcome = result(entry.totals, before, state.lost, rules)
    return [*lines, *explain_result(outcome, entry.totals, game.players, rules, state.lost, language)]


def _player_of(event: Event, game: Game, number: int) -> int | None:
    """Whose turn or points an event is about: of an event about an earlier move who laid that, None for nobody."""
    match event:
        case (
            Noted(ref) | Refilled(ref) | Challenged(ref) | Withdrawn(ref) | ChallengeRejected(_, ref) | ScoreAgreed(ref)
        ):
            now = {one: event for one, event, _ in counting(game.events, game.tile_set) if one < number}
            placed = now.get(ref)
            found = placed.player if isinstance(placed, Placed) else None
        case _:
            found = getattr(event, "player", None)
    return found if found in range(len(game.players)) else None


def _only_announcement(now: PlainEvent, before: Event | None) -> TypeGuard[Placed]:
    """Whether the tiles are the same and only what was announced is not."""
    if not isinstance(before, Placed) or not isinstance(now, Placed):
        return False
    return before.placement == now.placement and before.announced != now.announced


def _before(game: Game, ref: int, number: int) -> Event | None:
    """What event ``ref`` was before the correction with this number, None when there was none."""
    found: Event | None = None
    if ref >= number:
        return None
    for one, event in standing(game.events)[0]:
        if one == ref:
            found = event
        elif one < number and isinstance(event, Corrected) and event.ref == ref:
            found = event.event
    return found


def _name(player: int | None, names: Sequence[str], say: Wording) -> str:
    return names[player] if player is not None and 0 <= player < len(names) else say("event.somebody")


def _counted_tiles(count: int, tiles: str, say: Wording) -> str:
    counted = say.counted("tiles", count)
    return say("event.tiles-named", count=counted, tiles=tiles) if tiles else counted


def _tile_name(tile: str, say: Wording) -> str:
    return say("event.blank-tile") if tile == BLANK else tile


def _rack_text(player: int, rack: str | None, names: Sequence[str], say: Wording) -> str:
    who = _name(player, names, say)
    if rack is None:
        return say("event.rack-unknown", player=who)
    return say("event.rack", player=who, tiles=rack) if rack else say("event.rack-empty", player=who)


def _square_name(square: Square, notation: Notation) -> str:
    """The name of a square, "?" off the board, where there is none."""
    return format_square(square, notation) if square.on_board else "?"


def _laid_text(placement: Placement, say: Wording, notation: Notation) -> str:
    """The tiles as laid: along their line, else square by square. The board is not known here."""
    inside = [(square, tile) for square, tile in placement.tiles if square.on_board]
    parts = []
    if len(inside) > 1 and placement.in_line:
        first, last = inside[0][0], inside[-1][0]
        tiles = "".join(tile for _, tile in inside)
        ends = {"first": _square_name(first, notation), "last": _square_name(last, notation)}
        parts.append(say("event.tiles-along", tiles=tiles, **ends))
    else:
        parts += [say("event.tiles-on", tiles=tile, square=_square_name(square, notation)) for square, tile in inside]
    if outside := "".join(tile for square, tile in placement.tiles if not square.on_board):
        parts.append(say("event.tiles-off", tiles=outside))
    return say.listed(parts)


# --- what speaks against an event ---------------------------------------------------------------------------------


def explain_refusal(
    refusal: Refusal, game: Game, language: Language = "de", notation: Notation = Notation.GERMAN
) -> list[str]:
    """A line for everything that speaks against an event that was not taken: what is wrong and what to do.

    game: to which the event was offered
    """
    say, event = Wording(language), refusal.event
    corrected = isinstance(event, Corrected) and event.event is not None
    subject = event.event if isinstance(event, Corrected) and event.event is not None else event
    number = event.ref if isinstance(event, Corrected) and corrected else len(game.events) + 1
    lines = []
    for fault, text in _fault_texts(refusal.faults, subject, game, number, say, notation):
        more = [] if corrected else _more(fault, event, game, say)
        lines.append(" ".join([text, *more]))
    if refusal.placement_faults:
        lines.append(say("refusal.placement", faults=_placement_faults(refusal.placement_faults.codes, say)))
    return lines


def _more(fault: EventFault, event: Event, game: Game, say: Wording) -> list[str]:
    """What the state of the game adds to a fault, so that it is clear what to do."""
    state = replay(game)
    match fault, event:
        case EventFault.OUT_OF_TURN, _:
            return [say("refusal.next", player=game.players[state.next_player])]
        case EventFault.BAG_TOO_SMALL, _:
            return [say("refusal.bag", tiles=say.counted("tiles", state.bag))]
        case EventFault.VERDICT_MISSING, Challenged(ref, _, words):
            entry = state.entry(ref)
            missing = undecided(entry.play, words, game.rules) if entry and entry.play else ()
            return [say("refusal.look-up", words=say.listed(missing))] if missing else []
        case EventFault.WORD_NOT_FORMED, Challenged(ref):
            entry = state.entry(ref)
            words_now = words_of(entry.play) if entry and entry.play else ()
            return [say("refusal.words", words=say.listed(words_now))] if words_now else []
        case EventFault.DRAW_FAULTY, DrawnForFirst():
            faults = drawn([*draw_rounds(state.log), dict(event.tiles)], game).faults
            return list(dict.fromkeys(_draw_fault_text(one, game.players, say) for one in faults))
        case EventFault.RACKS_IMPOSSIBLE, RacksShown(racks):
            return _wrong_racks(racks, state, say)
        case _:
            return []


def _wrong_racks(racks: Sequence[str | None], state: GameState, say: Wording) -> list[str]:
    """Which tiles and which racks cannot be (R1.2)."""
    game = state.game
    surplus = excess(state.board, game.tile_set, [rack for rack in racks if rack is not None])
    kinds = [_tile_name(kind, say) for kind in surplus]
    lines = [say("refusal.too-many", tiles=say.listed(kinds))] if kinds else []
    for name, rack, size in zip(game.players, racks, state.rack_sizes, strict=True):
        if rack is not None and len(rack) != size:
            told = say.counted("tiles", len(rack))
            lines.append(say("refusal.rack-size", player=name, size=say.counted("tiles", size), told=told))
    return lines


def _faults_of(entry: Entry, game: Game, say: Wording, notation: Notation) -> list[str]:
    return [text for _, text in _fault_texts(entry.faults, entry.event, game, entry.number, say, notation)]


def _fault_texts(
    faults: EventFault, event: Event, game: Game, number: int, say: Wording, notation: Notation
) -> Iterable[tuple[EventFault, str]]:
    """Each fault of an event with its text."""
    rules, names = game.rules, game.players
    square = getattr(event, "square", None)
    who = "next" if rules.challengers is Challengers.NEXT else "any"
    values = {
        "player": _name(_player_of(event, game, number), names, say),
        "players": say.listed(names),
        "least": say.counted("tiles", rules.exchange_min_bag),
        "rack": say.counted("tiles", rules.rack_size),
        "square": _square_name(square, notation) if square else "",
        "letter": getattr(event, "letter", getattr(event, "tile", "")),
        "order": say(f"event-fault.wrong-order.{rules.turn_order}"),
        "who": say(f"event-fault.may-not-challenge.{who}"),
    }
    for fault in EventFault:
        if fault in faults:
            yield fault, say(f"event-fault.{fault.codes[0]}", **values)


def _draw_fault_text(fault: DrawFault, names: Sequence[str], say: Wording) -> str:
    return say(f"draw-fault.{fault.kind}", player=_name(fault.player, names, say), tile=fault.tile or "")


def _placement_faults(codes: Iterable[str], say: Wording) -> str:
    return ", ".join(say(f"fault.{code}") for code in codes)
