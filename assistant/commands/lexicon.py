"""brettblick lexicon: the word lists there are, what is known of them, a club's own list, and the built-in one anew."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.actions import Actions
from assistant.texts import Texts, one_line
from scorer.board import SIZE
from scorer.errors import BrettblickError

if TYPE_CHECKING:
    from assistant.lexicon.club import ClubList, NotTaken
    from scorer.lexicon import WordList


PACKING = ("packed_with", "file_sha256")
"""What of the provenance is about how the words are packed, not about the words."""


def add_arguments(parser: argparse.ArgumentParser, texts: Texts) -> None:
    actions = Actions(parser, "lexicon", texts)
    named = (("list", list_), ("info", info), ("import", import_), ("remove", remove), ("build", build))
    for name, action in named:
        sub = actions.add(name, action)
        if action is info:
            sub.add_argument("name", metavar="NAME", nargs="?", default="deutsch", help=texts("help.lexicon-name"))
        elif action is remove:
            sub.add_argument("name", metavar="NAME", help=texts("help.lexicon-name"))
        elif action is import_:
            sub.add_argument("file", metavar="FILE", type=Path, help=texts("help.lexicon-file"))
            sub.add_argument("--name", required=True, help=texts("help.lexicon-call"))
            sub.add_argument("--edition", default="", help=texts("help.lexicon-edition"))
            sub.add_argument(
                "--max-length", type=int, choices=range(2, SIZE + 1), metavar="N",
                help=texts("help.lexicon-max-length"),
            )  # fmt: skip
        elif action is build:
            sub.add_argument("--from", dest="base", type=Path, metavar="FILE", help=texts("help.lexicon-base"))
            sub.add_argument("--write", action="store_true", help=texts("help.lexicon-write"))
        if action in (list_, info, import_):
            sub.add_argument("--json", action="store_true", help=texts("help.json"))


def run(args: argparse.Namespace, texts: Texts) -> int:
    status: int = args.run_action(args, texts)
    return status


def list_(args: argparse.Namespace, texts: Texts) -> int:
    """The lists there are, the built-in one first."""
    from assistant.lexicon import club, german, naming

    lists: list[tuple[str, str, WordList, int | None]] = [
        ("built-in", naming.BUILT_IN, german.about(), german.provenance()["words"]),
        *(("official", one.about.name, one.about, one.words) for one in club.kept()),
    ]
    if second := german.second_list():
        lists.append(("second", "", second, None))
    if args.json:
        for _, _, about, words in lists:
            print(json.dumps(about.to_json() | {"words": words}, ensure_ascii=False))
        return 0
    from rich.table import Table

    from assistant.terminal import Console

    table = Table(box=None, pad_edge=False)
    for key in ("call", "name", "words", "length", "role"):
        table.add_column(texts(f"lexicon.{key}"), justify="right" if key in ("words", "length") else "left")
    for role, call, about, words in lists:
        count = "" if words is None else texts.number(words)
        table.add_row(call, about.title, count, f"2-{about.max_length}", texts(f"lexicon.role.{role}"))
    Console().print(table)
    return 0


def info(args: argparse.Namespace, texts: Texts) -> int:
    """What is known of one list: edition, hash, how many words of which length, where from. None of its words."""
    from assistant.lexicon import german, naming

    if naming.is_built_in(args.name):
        about, trie, file, made = german.about(), german.words(), german.FILE, german.provenance()
    else:
        one = naming.kept_as(args.name)
        about, trie, file, made = one.about, one.open(), one.file, {}
    lengths = Counter(map(len, {tiles for tiles, _ in trie.entries()}))
    facts: dict[str, Any] = about.to_json() | {
        "words": lengths.total(),
        "words_by_length": dict(sorted(lengths.items())),
        "file": str(file),
    }
    if made:
        facts |= {"base": made["base"], "packed_with": made["packed_with"]}
    if args.json:
        print(json.dumps(facts, ensure_ascii=False, indent=1))
        return 0
    print(about.title)
    print(texts("lexicon.count", words=texts.number(lengths.total())))
    print("  " + ", ".join(f"{length}: {texts.number(count)}" for length, count in sorted(lengths.items())))
    print(texts("lexicon.longest", length=about.max_length) if about.official else texts("lexicon.evidence"))
    print(texts("lexicon.hash", hash=about.sha256))
    print(texts("lexicon.where", file=file))
    if made:
        print(texts("lexicon.base", list=made["base"]["list"], package=made["base"]["package"]))
        print(texts("lexicon.licence"))
    return 0


def import_(args: argparse.Namespace, texts: Texts) -> int:
    """Reads a club's list and keeps it on this computer."""
    from assistant.lexicon import club, naming
    from assistant.photos import with_progress

    name = naming.tidy(args.name)
    naming.check_name(name)

    def progress(steps: Iterable[int], total: int) -> Iterator[int]:
        return with_progress(steps, total, texts("lexicon.reading"))

    found = naming.read_file(args.file, name, one_line(naming.tidy(args.edition)), args.max_length, progress)
    before = naming.find(name)
    kept = club.keep(found)
    if args.json:
        print(json.dumps(found.about.to_json() | _counts(found), ensure_ascii=False, indent=1))
        return 0
    print(texts("lexicon.imported", list=kept.about.title, words=texts.number(kept.words)))
    if before is not None and before.about != kept.about:
        print(texts("lexicon.replaced", list=before.about.title))
    for key, left in (("duplicates", found.duplicates), ("longer", found.longer), ("no-words", found.no_words)):
        if left.count:
            print(_left_out(key, left, found, texts))
    if found.without_umlauts:
        print(texts("lexicon.without-umlauts"), file=sys.stderr)
    print(texts("lexicon.longest", length=kept.about.max_length))
    print(texts("lexicon.hash", hash=kept.about.sha256))
    print(texts("lexicon.stays", file=kept.file))
    print(texts("lexicon.use", name=shlex.quote(name)))
    return 0


def _left_out(key: str, left: NotTaken, found: ClubList, texts: Texts) -> str:
    examples = ", ".join(texts("lexicon.line", number=number, text=text) for number, text in left.examples)
    more = ", ..." if left.count > len(left.examples) else ""
    return texts(
        f"lexicon.{key}", count=texts.number(left.count), length=found.about.max_length, examples=examples + more
    )


def _counts(found: ClubList) -> dict[str, Any]:
    return {
        "words": len(found.entries),
        "lines": found.lines,
        "duplicates": found.duplicates.count,
        "longer": found.longer.count,
        "no_words": found.no_words.count,
    }


def remove(args: argparse.Namespace, texts: Texts) -> int:
    """Takes a club's list off this computer."""
    from assistant.lexicon import club, naming

    one = naming.kept_as(args.name)
    club.forget(one)
    print(texts("lexicon.removed", list=one.about.title))
    return 0


def build(args: argparse.Namespace, texts: Texts) -> int:
    """Builds the built-in list from its sources and compares it with the one that is shipped, bit by bit; where another
    version of the packing library is installed, by what is in it."""
    from assistant.files import write_whole
    from assistant.lexicon import german
    from assistant.lexicon.build import BASE
    from assistant.lexicon.build import build as built_list

    print(texts("lexicon.building"), file=sys.stderr)
    built = built_list(args.base or BASE)
    files, made, shipped = built.files(), built.provenance, german.provenance()
    differing = [path for path, data in files.items() if not path.is_file() or path.read_bytes() != data]
    if not differing:
        print(texts("lexicon.same", list=german.about().title, hash=german.about().sha256))
        return 0
    if {**made, **dict.fromkeys(PACKING)} == {**shipped, **dict.fromkeys(PACKING)} and not args.write:
        print(
            texts(
                "lexicon.same-words", list=german.about().title, packed=made["packed_with"], hash=german.about().sha256
            )
        )
        return 0
    if args.write:
        for path, data in files.items():
            try:
                write_whole(path, data)
            except OSError as error:
                raise BrettblickError(f"{path}: {error}", code="cannot-write", path=path) from error
        print(texts("lexicon.written", files=", ".join(path.name for path in differing)))
        return 0
    if made["base"]["sha256"] != shipped["base"]["sha256"]:
        print(texts("lexicon.other-base"))
    print(texts("lexicon.differs", files=", ".join(path.name for path in differing)))
    return 1
