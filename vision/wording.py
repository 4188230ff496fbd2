"""Letters that a picture leaves open, weighed by the words they would form.

A word speaks only where the picture does not, and quietly: words that do not exist are laid on purpose. It serves to
propose the likeliest letter; what the picture leaves open has to be asked all the same, since a reader that is wrong
about one letter finds words that agree with it.
What it is worth: docs/lexicon.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import exp, prod

from scorer.board import Board, Direction, Square
from scorer.letter_model import ANY, Prior
from scorer.tiles import letter_of

Candidates = tuple[tuple[str, float], ...]
"""Characters that a square may hold with their probabilities, likeliest first."""

FAIR = 0.04
"""A letter that the picture gives less is out, whatever word it would make."""

MOST_OPEN = 4
"""With more open letters in one placement there is no word to go by, only guesses upon guesses."""

TRUST = 0.5
"""How much of a word's log-probability counts: a rare word is as good a move as a common one."""

LIMIT = 2.0
"""Most that words may add to the log-odds between two letters. Less than it takes to be sure (19:1, 2.9): a letter that
the picture ranks second may come to be proposed, never to look sure."""


def weighed_by_words(
    board: Board, candidates: Mapping[Square, Candidates], prior: Prior, sure: float
) -> dict[Square, Candidates]:
    """The candidates for the new tiles, those of open squares weighed by all words that they would form together.

    board: before the placement; ``?`` also where a letter is not sure
    sure:  probability from which a letter is not open

    Candidates that are no fair ones keep their probability. Where one of them is a blank nothing is weighed: every word
    would speak for it.
    """
    fair = {
        square: [pair for pair in ranked if pair[1] >= FAIR]
        for square, ranked in candidates.items()
        if ranked and ranked[0][1] < sure
    }
    open_ = [square for square, pairs in fair.items() if len(pairs) > 1 and all(char.isalpha() for char, _ in pairs)]
    weighed = dict(candidates)
    if not 1 <= len(open_) <= MOST_OPEN:
        return weighed
    laid = {square: ANY if square in fair else ranked[0][0] for square, ranked in candidates.items()}
    after = board.placed({square: char for square, char in laid.items() if board.at(square) is None})
    letters = {square: letter_of(char) for square, char in after}
    words = [after.run(square, square, way) for square in open_ for way in Direction]
    words = [word for word in dict.fromkeys(words) if len(word) > 1]

    choices = list(product(*(fair[square] for square in open_)))
    logs = []
    for choice in choices:
        letters.update(zip(open_, (char for char, _ in choice), strict=True))
        logs.append(TRUST * sum(prior.log_probability("".join(letters[square] for square in word)) for word in words))
    best = max(logs)
    weights = [
        exp(max(log - best, -LIMIT)) * prod(p for _, p in choice) for choice, log in zip(choices, logs, strict=True)
    ]
    for k, square in enumerate(open_):
        mass = sum(p for _, p in fair[square]) / sum(weights)
        posterior = dict(candidates[square])
        for char, _ in fair[square]:
            weight = sum(w for choice, w in zip(choices, weights, strict=True) if choice[k][0] == char)
            posterior[char] = mass * weight
        weighed[square] = tuple(sorted(posterior.items(), key=lambda pair: -pair[1]))
    return weighed
