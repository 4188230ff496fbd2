"""What people read of a camera that watches a game: pure functions of what it sees and of the texts of one language."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from assistant.doubts import Question
from assistant.live.game import ONE_OR_TWO, WHOSE_TURN, Outcome
from assistant.live.telling import told_of
from assistant.table.session import Table
from assistant.texts import Texts
from assistant.web.live import PASSING, Answer, Live
from assistant.web.live_wire import advice_json
from assistant.web.view import proposal_said
from scorer.errors import BrettblickError

Json = dict[str, Any]

NEWS = 8.0
"""Seconds for which a page says that a move was booked."""


def answer_json(answer: Answer, table: Table, texts: Texts) -> Json:
    """What a camera is told (``live_wire``)."""
    return {
        "press": answer.press,
        "again": answer.again,
        "outcome": outcome_json(answer.outcome, table, texts),
        "stop": answer.stop,
        "dropped": answer.dropped,
    }


def outcome_json(outcome: Outcome | None, table: Table, texts: Texts) -> Json | None:
    """An outcome with its words: text, and of what it is about title, player, move, words, points, question."""
    if outcome is None:
        return None
    about = None if outcome.proposal is None else proposal_said(table, outcome.proposal, texts)
    behind = told_of(outcome, table, texts) if outcome.behind is not None else None
    text = behind or _outcome_text(outcome, about, texts)
    return {"kind": outcome.kind, "why": outcome.why, "again": outcome.again, "text": text} | (about or {})


def _outcome_text(outcome: Outcome, about: Json | None, texts: Texts) -> str:
    key = f"live.outcome.{outcome.kind}"
    if outcome.kind in ("proposed", "booked") and about is not None:
        return _counted(key, about, texts)
    if outcome.kind == "asked":
        asked = about and (about["question"] or about["fault"])
        return asked or texts(key)
    why = f"live.why.{outcome.why}"
    if texts.has(why):
        return texts(why)
    reason = f"reason.{outcome.why}"
    if outcome.kind == "unreadable" and texts.has(reason):
        return texts(reason)
    return texts(key)


def _counted(key: str, about: Json, texts: Texts) -> str:
    points = about["points"]
    if points is None:
        return texts(key, title=about["title"])
    counted = texts("count.points.one" if abs(points) == 1 else "count.points.many", count=points)
    return texts(f"{key}-points", title=about["title"], points=counted)


def live_json(live: Live | None, table: Table, texts: Texts, now: float) -> Json:
    """What a page of those who play shows: nothing watches, or what is seen and what came of it.

    now: by the clock of the cameras (`Lives.clock`)
    It may take as long as making a proposal does.
    """
    if live is None:
        return {"watching": False}
    silent = live.silent(now)
    trouble = live.trouble or ("silent" if silent else None)
    told, size = live.told, live.size
    state = "trouble" if trouble else told.state if told else "searching"
    news = _news(live, table, texts, now)
    return {
        "watching": True,
        "name": live.camera.name,
        "state": state,
        "trouble": trouble,
        "text": trouble_text(trouble, texts) if trouble else _state_text(live, state, texts),
        "frame": live.number,
        "size": list(size),
        "corners": None if told is None or told.corners is None else [list(one) for one in told.corners.points],
        "outcome": news,
        "waiting": _waiting_text(live.game.waiting, texts),
        "books_in_ms": None if live.books_in is None or news is None else round(1000 * live.books_in),
        "advice": _advice(live, texts),
    }


def _waiting_text(count: int, texts: Texts) -> str:
    """How many moves wait for an answer; nothing for none."""
    return texts("live.waits.one" if count == 1 else "live.waits.many", count=count) if count else ""


def _state_text(live: Live, state: str, texts: Texts) -> str:
    if live.reading:
        return texts("live.state.reading")
    if state == "calm" and live.outcome is not None and live.outcome.kind in PASSING:
        why = f"live.why.{live.outcome.why}"
        if texts.has(why):
            return texts(why)
    return texts(f"live.state.{state}")


def _news(live: Live, table: Table, texts: Texts, now: float) -> Json | None:
    """What is proposed or asked as long as it is, as it stands now; what else came of looks for a while."""
    news = live.news
    if news is None:
        return None
    if news.kind not in ("proposed", "asked"):
        return outcome_json(news, table, texts) if now - live.news_at <= NEWS else None
    if table.state.pending is None:  # somebody has decided
        return None
    try:
        proposal = table.proposal()
    except BrettblickError:  # what somebody has typed cannot be, or photos are read again
        return None
    if proposal is not None and (held := live.game.held) is not None:
        asked = outcome_json(Outcome("asked", why=held.code, proposal=replace(proposal, question=held)), table, texts)
        return None if asked is None else asked | {"options": _held_options(held, table, texts)}
    if proposal is not None and live.game.settles_at is not None:
        return outcome_json(Outcome("proposed", proposal=proposal), table, texts)
    if proposal is not None and (proposal.question is not None or not proposal.legal):
        return outcome_json(Outcome("asked", why=news.why, proposal=proposal), table, texts)
    return None


def _held_options(held: Question, table: Table, texts: Texts) -> list[Json]:
    """The answers to what is asked about a turn, as buttons: label and what it does."""
    state = table.state.state
    names, last = table.setup.players, next((one.player for one in reversed(state.log) if one.play is not None), None)
    if held is WHOSE_TURN:
        player = names[state.next_player]
        return [
            {"label": texts("live.option.passed", player=player), "act": {"action": "pass", "open_blank": True}},
            {"label": texts("live.option.laid", player=player), "act": {"action": "confirm", "open_blank": True}},
        ]
    if held is ONE_OR_TWO:
        return [
            {"label": texts("live.option.one-move"), "act": {"action": "drop"}},
            {"label": texts("live.option.two-moves"), "act": {"action": "confirm", "open_blank": True}},
        ]
    again = names[last] if last is not None else ""
    return [
        {"label": texts("live.option.challenged"), "act": {"action": "confirm"}},
        {"label": texts("live.option.lays-again", player=again), "act": {"action": "undo"}},
    ]


def trouble_text(code: str, texts: Texts) -> str:
    """What is wrong with a camera and what to do; of a code that has no text, that something is."""
    key = f"live.trouble.{code}"
    return texts(key) if texts.has(key) else texts("live.trouble.other", code=code)


def _advice(live: Live, texts: Texts) -> list[Json] | None:
    """What is said of the view, the worst first; None where it was not measured."""
    found = advice_json(live.advice)
    if found is None:
        return None
    for one in found:
        name = f"view.{one['code']}"
        how = f"view.{one['code']}.advice"
        one["name"] = texts(name) if texts.has(name) else one["code"]
        one["text"] = texts(how) if not one["ok"] and texts.has(how) else ""
        one["percent"] = math.floor(100 * one["share"])
    return found


def watching_json(live: Live | None, texts: Texts, now: float) -> Json:
    """What those who only look on are told of a camera: that there is one."""
    watching = live is not None and live.trouble is None and not live.silent(now)
    return {"watching": watching, "text": texts("live.watching") if watching else ""}
