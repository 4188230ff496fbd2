"""What came of a look, in words: for the terminal, for the page, and to be spoken."""

from __future__ import annotations

from assistant.live.game import Outcome
from assistant.notes import move_text
from assistant.questions import sentence
from assistant.table.session import Table
from assistant.texts import Texts
from scorer.events import Withdrawn


def told_of(outcome: Outcome, table: Table, texts: Texts) -> str | None:
    """One line about a proposal, a booking or a question; None for what nobody needs to hear."""
    proposal, players = outcome.proposal, table.setup.players
    if outcome.kind not in ("proposed", "asked", "booked", "dropped"):
        return None
    if outcome.kind == "dropped":
        return texts("live.dropped")
    if outcome.behind is not None and outcome.behind.play is not None and outcome.behind.player is not None:
        play, player = outcome.behind.play, players[outcome.behind.player]
        return texts("live.behind", move=texts("live.move", player=player, move=move_text(play), points=play.score))
    if outcome.behind is not None and outcome.behind.kind == "withdrawn":
        return texts("live.behind", move=texts("live.taken-back"))
    if proposal is None:
        return None
    back = [event for event in proposal.events if isinstance(event, Withdrawn)]
    parts = [texts("live.taken-back") for _ in back]
    parts += [
        texts("live.move", player=players[player], move=move_text(play), points=play.score)
        for player, play in proposal.laid
    ]
    said = "; ".join(parts)
    if outcome.kind == "asked":
        question = sentence(proposal.question, texts) if proposal.question is not None else None
        return texts("live.asked", question=question or said or texts("live.look-there"))
    told = texts(f"live.{outcome.kind}", move=said)
    if outcome.kind == "proposed" and proposal.question is not None:
        return f"{told} {sentence(proposal.question, texts)}"
    return told
