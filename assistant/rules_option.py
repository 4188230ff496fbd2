"""The options ``--rules`` and ``--rule`` of every command that counts points."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.files import read_text
from assistant.texts import Texts

if TYPE_CHECKING:
    from scorer.errors import RuleError
    from scorer.rules import RuleSet

DEFAULT = "turnier"


def add_rules_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    from scorer.rules import RULE_SETS

    about = texts("help.rule-set", names=", ".join(RULE_SETS))
    parser.add_argument("--rules", metavar="NAME|FILE.json", default=DEFAULT, help=about)
    add_rule_argument(parser, texts)


def add_rule_argument(parser: argparse.ArgumentParser, texts: Texts) -> None:
    """``--rule`` alone, for commands that name the rule set in another way."""
    parser.add_argument("--rule", metavar="NAME=VALUE", action="append", default=[], help=texts("help.rule"))


def rules_of(args: argparse.Namespace, texts: Texts) -> RuleSet:
    """The rule set that ``--rules`` and ``--rule`` ask for; RuleError that names what is allowed.

    A named set has the rack that goes with the tiles (``--tiles``): eight for the German tiles before 1990.
    """
    from scorer.rules import RULE_SETS
    from scorer.tiles import tile_set

    rules = load_rules(args.rules, texts)
    if rules.name in RULE_SETS and rules == RULE_SETS[rules.name]:
        rules = rules.with_settings(rack_size=tile_set(args.tiles).rack_size)
    return changed(rules, args.rule, texts)


def load_rules(name: str, texts: Texts) -> RuleSet:
    """The rule set of that name or in that file; RuleError, or BrettblickError for a file that is not there."""
    from scorer.errors import RuleError
    from scorer.rules import RULE_SETS, read_rule_set, rule_set

    path = Path(name)
    if name.lower() in RULE_SETS or not (path.suffix or os.path.isfile(path) or path.name != name):
        return rule_set(name.lower())
    try:
        return read_rule_set(read_text(path))
    except RuleError as error:
        reason = in_words(error, texts)
        raise RuleError(f"{path}: {error.message}", code="bad-rules-file", path=path, reason=reason) from error


def changed(rules: RuleSet, assignments: Iterable[str], texts: Texts) -> RuleSet:
    """The rule set with these ``NAME=VALUE``; RuleError that names what is allowed."""
    from scorer.errors import RuleError

    try:
        return rules.with_texts(assignments)
    except RuleError as error:
        raise in_words(error, texts) from error


def in_words(error: RuleError, texts: Texts) -> RuleError:
    """The same error with what is allowed in the language of the texts."""
    from assistant.rules_texts import allowed_text
    from scorer.errors import RuleError
    from scorer.rules import SETTINGS

    name = str(error.details.get("setting"))
    if error.code == "bad-setting":
        value = error.details["value"]
        value = ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value
        return RuleError(
            error.message, code="bad-setting", setting=name, value=value, allowed=allowed_text(name, texts)
        )
    if error.code == "unknown-setting" and (similar := get_close_matches(name, SETTINGS, n=3)):
        return RuleError(error.message, code="similar-setting", setting=name, similar=", ".join(similar))
    return error


def title(rules: RuleSet, texts: Texts) -> str:
    """What a rule set is called: its name, with the settings that differ from the set of that name."""
    from scorer.rules import RULE_SETS, differing_settings

    if rules.name not in RULE_SETS or not (names := differing_settings(rules, RULE_SETS[rules.name])):
        return rules.name
    settings = [f"{name}={rules.text_of(name)}" for name in names]
    if len(settings) > 3:
        settings[3:] = ["..."]
    return texts("rules.changed", name=rules.name, settings=", ".join(settings))
