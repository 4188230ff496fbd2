"""Rules core of German Scrabble: tiles, board, placement, scoring, games and their written records.

Standard library only; imports no other package of the project. Each thing is imported from its own module, so that
reading a photo does not load what explains a challenge:

    from scorer.game import Game, offer, replay
    play = score_move(board, MoveText.parse("H4 FIRNS", Notation.GERMAN), rule_set("turnier"), GERMAN_102)
    play.score, play.faults.codes, explain(play)
    state = offer(replay(Game(("Anna", "Ben"), rules, GERMAN_102)), Placed(0, play.placement))

``tiles`` ``board`` ``notation``          what lies where and how it is written; ``accounting`` what is left
``rules`` ``placement`` ``scoring``       what was agreed, what is allowed, what it counts
``events`` ``game`` ``history``           what happens and what follows; ``challenge`` ``settlement`` ``clock`` ``draw``
``explain``                               all of it in words, in German and English
``written`` ``records`` ``rescore``       games on paper; ``formats`` their files; ``resume`` to go on with one
"""
