"""brettblick check: whether words are allowed, which list says so, and who decides by the rules agreed on."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from assistant.rules_option import add_rules_arguments, rules_of, title
from assistant.texts import Texts, one_line

if TYPE_CHECKING:
    from scorer.adjudication import Ruling
    from scorer.lexicon import Verdict


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    parser.add_argument("words", nargs="+", metavar="WORD", help=texts("help.check-words"))
    parser.add_argument("--lexicon", metavar="NAME|FILE", help=texts("help.lexicon-option"))
    add_rules_arguments(parser, texts)
    parser.set_defaults(tiles="german")  # the lists are German
    parser.add_argument("--json", action="store_true", help=texts("help.json"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    from assistant.lexicon.naming import lexicon_named, usual
    from scorer.adjudication import rule_on
    from scorer.lexicon import Answer

    rules = rules_of(args, texts)
    lexicon = lexicon_named(usual(rules) if args.lexicon is None else args.lexicon, rules)
    rulings = [rule_on(lexicon.look_up(word), rules) for word in args.words]
    if args.json:
        for ruling in rulings:
            print(json.dumps(ruling_json(ruling), ensure_ascii=False))
    else:
        from rich.text import Text

        from assistant.terminal import Console

        console = Console()
        for ruling in rulings:
            console.print(Text(verdict_text(ruling.verdict, texts)))
        console.print(Text(texts(f"check.authority.{rules.word_authority}", rules=title(rules, texts)), style="dim"))
        if not rules.open_dictionary:
            console.print(Text(texts("check.closed"), style="dim"))
    return 0 if all(ruling.verdict.answer is Answer.VALID for ruling in rulings) else 1


def ruling_json(ruling: Ruling) -> dict[str, Any]:
    """The contract's object; besides how the word is laid, all reasons, and what the rules make of it."""
    verdict, source = ruling.verdict, ruling.verdict.source
    return {
        "word": verdict.word,
        "answer": verdict.answer.value,
        "list": source.name if source else None,
        "edition": source.edition if source else None,
        "found": list(verdict.found),
        "reason": verdict.reasons[0].value if verdict.reasons else None,
        "reasons": [reason.value for reason in verdict.reasons],
        "tiles": verdict.tiles,
        "allowed": ruling.allowed,
        "decides": ruling.resort.value,
    }


def verdict_text(verdict: Verdict, texts: Texts) -> str:
    """One line: the word, the answer, what was found where, and why."""
    found = one_line(", ".join(verdict.found))
    line = texts(f"check.{verdict.answer}", word=one_line(verdict.word))
    if verdict.source is not None:
        key = "check.found" if found else "check.asked"
        line += texts(key, found=found, list=one_line(verdict.source.title))
    elif verdict.by:
        line += texts("check.decided", by=one_line(verdict.by))
    else:
        line += "."
    why = [texts(f"check.reason.{reason}", tiles=one_line(verdict.tiles)) for reason in verdict.reasons]
    return " ".join([line, *why])
