"""brettblick rules: rule sets shown in plain words, compared, and checked for contradictions."""

from __future__ import annotations

import argparse
import json

from assistant.actions import Actions
from assistant.rules_option import DEFAULT, add_rule_argument, changed, load_rules, title
from assistant.texts import Texts


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    from scorer.rules import RULE_SETS

    actions = Actions(parser, "rules", texts)
    about = texts("help.rules-name", names=", ".join(RULE_SETS))
    for action in (show, compare, check):
        sub = actions.add(action.__name__, action)
        if action is compare:
            sub.add_argument("one", metavar="A", help=about)
            sub.add_argument("other", metavar="B", help=about)
        else:
            sub.add_argument("name", metavar="NAME|FILE.json", nargs="?", default=DEFAULT, help=about)
            add_rule_argument(sub, texts)
        sub.add_argument("--json", action="store_true", help=texts("help.json"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    status: int = args.run_action(args, texts)
    return status


def show(args: argparse.Namespace, texts: Texts) -> int:
    """Every setting with its value in words, its meaning, and how it is written; or a file for ``--rules``."""
    from rich.console import Group
    from rich.text import Text

    from assistant.rules_texts import SECTIONS, value_text
    from assistant.terminal import Console, item
    from scorer.rules import RULE_SETS, SETTINGS

    rules = changed(load_rules(args.name, texts), args.rule, texts)
    if args.json:
        print(json.dumps(rules.to_json(), ensure_ascii=False, indent=1))
        return 0
    console, usual = Console(), RULE_SETS["mattel"]
    console.print(Text(texts("rules.title", name=title(rules, texts)), style="bold"))
    if texts.has(f"ruleset.{rules.name}"):
        console.print(Text(texts(f"ruleset.{rules.name}")))
    for name in SETTINGS:
        if name in SECTIONS:
            console.print(Text("\n" + texts(f"section.{name}"), style="bold"))
        differs = getattr(rules, name) != getattr(usual, name)
        line = Text.assemble(texts(f"setting.{name}") + ": ", (value_text(rules, name, texts), "bold"))
        if differs:
            line.append(f" ({texts('rules.at-mattel', value=value_text(usual, name, texts))})")
        about = Text(f"{texts(f'setting.{name}.about')} [{name}={rules.text_of(name)}]", style="dim")
        console.print(item("*" if differs else " ", Group(line, item(" ", about))))
    print()
    others = ", ".join(name for name in RULE_SETS if name != rules.name)
    console.print(Text(texts("rules.marked", example="end_on_passes=1", names=others)))
    return 0


def compare(args: argparse.Namespace, texts: Texts) -> int:
    """The settings in which two rule sets differ, side by side."""
    from rich.table import Table
    from rich.text import Text

    from assistant.rules_texts import value_text
    from assistant.terminal import Console
    from scorer.rules import SETTINGS, differing_settings

    one, other = (load_rules(name, texts) for name in (args.one, args.other))
    names, sides = differing_settings(one, other), {"a": one, "b": other}
    if args.json:
        values = [
            {"setting": name} | {side: SETTINGS[name].plain(getattr(rules, name)) for side, rules in sides.items()}
            for name in names
        ]
        print(json.dumps({"a": one.name, "b": other.name, "differences": values}, ensure_ascii=False, indent=1))
        return 0
    if not names:
        print(texts("rules.same"))
        return 0
    table = Table(texts("rules.setting"), title(one, texts), title(other, texts), show_lines=True)
    for name in names:
        about = Text.assemble(texts(f"setting.{name}"), "\n", (name, "dim"))
        table.add_row(about, *(Text(value_text(rules, name, texts)) for rules in (one, other)))
    console = Console()
    console.print(table)
    console.print(texts("rules.different", count=len(names), all=len(SETTINGS)))
    return 0


def check(args: argparse.Namespace, texts: Texts) -> int:
    """What in a rule set contradicts itself: 0 nothing, 1 something."""
    from rich.text import Text

    from assistant.terminal import Console, item
    from scorer.rules import conflicts

    rules = changed(load_rules(args.name, texts), args.rule, texts)
    found = [{"code": str(code), "text": texts(f"conflict.{code}")} for code in conflicts(rules)]
    if args.json:
        print(json.dumps({"rules": rules.name, "conflicts": found}, ensure_ascii=False, indent=1))
    else:
        console = Console()
        console.print(Text(texts("rules.conflicts" if found else "rules.no-conflicts", name=title(rules, texts))))
        for conflict in found:
            console.print(item("-", Text(conflict["text"])))
    return 1 if found else 0
