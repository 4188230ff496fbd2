"""Films of whole games: what is said about them is what they show, and developing in parts changes no picture."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest

from models.table import film, fonts
from models.table.__main__ import main
from models.table.camera import View
from models.table.darkroom import Darkroom
from models.table.drawn_game import WordSearch, draw_game
from models.table.fillings import EMPTY
from models.table.film import CAT, _Player, _Reach, _Step, truth, turned_view
from models.table.items import draw_paw, random_paw
from models.table.light import develop, light_map
from models.table.sprites import drawn, place
from models.table.whole_film import WholeFilm, _moves, _WholeScript, sheet, whole_film, whole_frames
from scorer.board import SIZE
from tests.models.test_table_games import WORDS

cv2.setNumThreads(1)
SMALL = (256, 144)
WITHDRAWN = 27
"""Seed of a short game in which a move is taken back."""


@pytest.fixture(scope="module", autouse=True)
def _faces():
    try:
        fonts.find_faces()
    except fonts.NoFontsError:
        pytest.skip("no typefaces on this machine")


@cache
def words() -> WordSearch:
    return WordSearch(WORDS)


@cache
def short(seed: int = WITHDRAWN, turns: int = 4) -> WholeFilm:
    made = whole_film(seed, words(), turns=turns, size=SMALL, rate=5.0)
    return replace(made, params=replace(made.params, shaky=0.0))


@cache
def played(seed: int = WITHDRAWN) -> tuple[list[film.Frame], dict]:
    frames = list(whole_frames(short(seed)))
    lines = [{**truth(frame, k), "in_sight": frame.in_sight, "what": frame.what} for k, frame in enumerate(frames)]
    return frames, sheet(short(seed), lines)


def tiles_on(board) -> dict[tuple[int, int], str]:
    return {(r, c): board[r][c] for r in range(SIZE) for c in range(SIZE) if board[r][c] != "."}


# --- the game -----------------------------------------------------------------------------------------------------


def test_moves_are_those_of_the_drawn_game():
    withdrawn = none = 0
    for seed in range(5):
        game = draw_game(np.random.default_rng((seed, 1)), words(), 24)
        moves = _moves(game)
        assert [move.player for move in moves if move.kind != "withdrawn"] == [turn.player for turn in game.turns]
        totals, board = [0, 0], {}
        for number, move in enumerate(moves):
            tiles = {(r, c): "?" if tile.islower() else tile for r, c, tile in move.tiles}
            after = tiles_on(move.board)
            if move.kind == "place":
                assert not tiles.keys() & board.keys()
                board = {**board, **tiles}
                totals[move.player] += move.score
            elif move.kind == "withdrawn":
                assert tiles.items() <= board.items() and move.tiles == moves[number - 1].tiles
                board = {square: tile for square, tile in board.items() if square not in tiles}
                totals[move.player] -= moves[number - 1].score
                withdrawn += 1
            else:
                none += 1
            assert after == board
        assert tuple(totals) == game.totals
    assert withdrawn > 1 and none > 0


def test_a_whole_game_has_all_its_turns():
    made = whole_film(9, words(), size=SMALL)
    assert len([move for move in made.moves if move.kind != "withdrawn"]) >= 20
    assert made.params.boards == (EMPTY, *(move.board for move in made.moves))
    again = whole_film(9, WordSearch(sorted(WORDS, reverse=True)), size=SMALL)
    assert again.moves == made.moves and again.params == made.params


# --- the frames ---------------------------------------------------------------------------------------------------


def test_frames_show_the_moves_in_order():
    frames, made = played()
    moves = short().moves
    assert {"place", "withdrawn"} <= {move.kind for move in moves}
    assert frames[0].board == EMPTY and frames[-1].board == moves[-1].board and frames[-1].move == len(moves)
    changes = [
        (b, sum(p != q for rows in zip(a.board, b.board, strict=True) for p, q in zip(*rows, strict=True)))
        for a, b in pairwise(frames)
    ]
    assert max(count for _, count in changes) == 1, "one tile after the other"
    assert all(frame.hand for frame, count in changes if count)
    assert all(frame.board == short().params.boards[frame.move] and not frame.hand for frame in frames if frame.calm)
    assert made["totals"] == list(short().totals) and made["frames"] == len(frames)


def test_the_hand_has_left_when_it_is_said():
    frames, made = played()
    rate = short().params.rate
    for move in made["moves"]:
        if move["kind"] == "none":
            assert move["left_s"] is None
            continue
        left, until = move["left_frame"], move["until_frame"]
        assert frames[left - 1].hand and not frames[left].hand
        assert move["left_s"] == left / rate and move["start_frame"] < left <= move["gone_frame"] < until
        assert all(list(frame.board) == move["board"] and not frame.hand for frame in frames[left:until])
        assert until - left >= 4 * rate, "time to look"
        laid = set(map(tuple, (tile[:2] for tile in move["tiles"])))
        last = max(k for k in range(left) if frames[k].board != frames[left].board)
        changed = tiles_on(frames[last].board).items() ^ tiles_on(frames[left].board).items()
        assert {square for square, _ in changed} <= laid


def test_same_seed_same_pixels():
    frames, _ = played()
    other = whole_frames(short.__wrapped__())
    for k, (a, b) in enumerate(zip(frames, other, strict=False)):
        assert np.array_equal(a.pixels, b.pixels) and a.corners == b.corners and a.what == b.what
        if k == 150:
            break


# --- what happens -------------------------------------------------------------------------------------------------


def happening(what: str, seed: int = WITHDRAWN, **changes) -> list[film.Frame]:
    """Frames of this alone, on the board after the first move."""
    whole = short(seed)
    params = replace(whole.params, boards=whole.params.boards[1:], flicker=0.0, drift=0.0, shade=0.0, **changes)
    script = _WholeScript(replace(whole, params=params, moves=whole.moves[1:]))
    script._idle(0.4, 0.4)
    getattr(script, f"_{what}")()
    script._idle(0.4, 0.4)
    player = _Player(params)
    return [player.play(number, step) for number, step in enumerate(script.steps)]


def test_a_paw_comes_and_goes():
    seen = happening("cat")
    over = [frame.hand for frame in seen]
    assert not over[0] and not over[-1] and any(over)
    assert max(frame.covered.sum() for frame in seen) >= 4
    assert all(frame.board == seen[0].board for frame in seen)
    quiet = np.abs(seen[0].pixels.astype(int) - seen[-1].pixels).mean()
    most = max(seen, key=lambda frame: frame.covered.sum())
    assert np.abs(seen[0].pixels.astype(int) - most.pixels).mean() > quiet + 1


def test_a_paw_covers_the_squares_under_it():
    view = View(short().params.scene.camera, short().params.scene.edition.aspect)
    for seed in range(4):
        paw = replace(random_paw(np.random.default_rng(seed)), tip=(7.5, 7.5), angle=0.0)
        sprite = drawn(lambda easel, paw=paw: draw_paw(easel, paw), view.camera.square_px, (0.6, -0.8))
        placed = place(sprite, (4.5, 6.5), 0.0, 0.0, view)  # leg towards the right, over the rest of row 6
        hidden = np.zeros(view.size[::-1], np.uint8)
        x0, y0, x1, y1 = placed.box
        hidden[y0:y1, x0:x1] = placed.layer[..., 3]
        share = film._per_square(hidden, view, 0.0) / 255
        assert (share[6, 5:] > 0.9).all() and (share[:, :4] == 0).all() and (share[:2] == 0).all()
        assert (share[13:] == 0).all()


def test_an_arm_rests():
    seen = [happening("rests", seed) for seed in range(3)]
    assert all(not frames[0].hand and not frames[-1].hand for frames in seen)
    longest = [max(len(run) for run in "".join("x" if f.hand else " " for f in frames).split()) for frames in seen]
    assert min(longest) >= 2 * short().params.rate


def test_a_bump_shows_the_board_elsewhere_and_all_of_it():
    for seed in range(3):
        seen = happening("bump", seed)
        far = np.abs(seen[-1].corners.array - seen[0].corners.array).max()
        assert far > 0.2 * short(seed).params.scene.camera.square_px
        assert seen[-1].corners == seen[-2].corners and seen[-1].calm and seen[0].calm
        assert not all(frame.calm for frame in seen)
        for points in (seen[0].corners.array, seen[-1].corners.array):
            assert (points > 0).all() and (points < SMALL).all()


def test_a_lamp_is_a_step_of_the_light():
    seen = happening("lamp")
    levels = [float(frame.pixels.mean()) for frame in seen]
    steps = np.abs(np.diff(levels))
    assert steps.max() > 4 and all(frame.calm for frame in seen), "the position has not changed"
    assert steps[-2:].max() < 1


def test_a_camera_exposes_by_what_it_sees():
    """A lamp's step is made good by as much as is said, and the picture far from it changes when a hand comes."""
    params = replace(short().params, flicker=0.0, drift=0.0, shade=0.0, auto=0.5)
    light = params.scene.light
    player = _Player(params)
    darker = _Step(light=replace(light, exposure=light.exposure / 2))
    seen = [player.play(k, step) for k, step in enumerate([_Step()] * 3 + [darker] + [_Step()] * 20)]
    assert [player.exposed > 1.3, player.exposed < 1.45] == [True, True], "the root of two"
    levels = [frame.pixels.mean() for frame in seen]
    assert abs(levels[0] - levels[2]) < 0.5 and levels[3] < levels[-1] < levels[0]
    assert all(frame.calm for frame in seen)
    dark = replace(params.scene.hands[0], skin=(12, 8, 6), cloth=(5, 5, 5))
    player = _Player(replace(params, scene=replace(params.scene, hands=(dark, dark))))
    reach = _Step(reach=_Reach(0, np.array([7.0, 7.0])))
    seen = [player.play(k, step).pixels.mean(axis=2) for k, step in enumerate([_Step()] + [reach] * 9 + [_Step()] * 20)]
    away = np.s_[:40, :20]
    assert abs(seen[9][away].mean() - seen[0][away].mean()) > 1
    assert abs(seen[-1][away].mean() - seen[0][away].mean()) < 0.7


def test_a_thing_lies_beside_the_board():
    seen = happening("thing", 1)
    assert all(frame.board == seen[0].board for frame in seen)
    assert not seen[-1].covered.any() and any(frame.in_sight for frame in seen)
    assert np.abs(seen[-1].pixels.astype(int) - seen[0].pixels).max() > 40


def test_tiles_laid_elsewhere_are_all_taken_back():
    whole = short()
    script = _WholeScript(whole)
    script.player = 0
    script._false_start(*whole.params.boards[:2])
    player = _Player(whole.params)
    seen = [player.play(number, step) for number, step in enumerate(script.steps)]
    most = max(len(tiles_on(frame.board)) for frame in seen)
    assert most >= 1 and seen[-1].board == whole.params.boards[0] and not seen[-1].hand
    assert {tile for frame in seen for tile in tiles_on(frame.board).values()} <= set("".join(whole.params.boards[1]))


# --- how it is drawn ----------------------------------------------------------------------------------------------


def test_developing_is_that_of_a_still_photo():
    for seed in range(3):
        scene = short(seed).params.scene
        view = View(scene.camera, scene.edition.aspect)
        picture = film._table(scene, view)
        clean = replace(scene.sensor, shot=0.0, read=0.0)
        want = develop(picture, *light_map(scene.light, view, 5), scene.light, clean, 6).astype(int)
        room = Darkroom(scene.light, clean, view, 5)
        got = room.printed(room.plate(picture), 6).astype(int)
        assert np.abs(got - want).max() <= 2
        noisy = replace(scene.sensor, shot=0.02, read=0.006)
        want = develop(picture, *light_map(scene.light, view, 5), scene.light, noisy, 6) - want
        room = Darkroom(scene.light, noisy, view, 5)
        got = room.printed(room.plate(picture), 6) - got
        assert got.std() == pytest.approx(want.std(), rel=0.15) and abs(got.mean() - want.mean()) < 0.5


def test_what_is_drawn_in_parts_is_what_is_drawn_at_once():
    whole = short(2)
    params = replace(whole.params, boards=whole.params.boards[-2:])
    player = _Player(params)
    square = next(iter(tiles_on(params.boards[0])))
    player.play(0, _Step(reach=_Reach(0, np.array([3.0, 9.0])), held=next(iter(tiles_on(params.boards[1])))))
    player.play(1, _Step(reach=_Reach(CAT, np.array([8.0, 6.0]))))
    player.play(2, _Step(take=square, reach=_Reach(1, np.array([square[1] + 0.5, square[0] + 0.5]))))
    parts, plate = player.picture.copy(), player.plate.copy()
    after = player.play(3, _Step())
    player._draw_all()
    assert np.array_equal(parts, player.picture)
    assert np.array_equal(plate.levels, player.plate.levels) and np.array_equal(plate.grain, player.plate.grain)
    assert after.board[square[0]][square[1]] == "."
    player._restore((0, 0, 0, 0))
    assert np.array_equal(player.canvas, player.picture) and np.array_equal(player.print.levels, plate.levels)


def test_fingertips_hold_the_tile_that_is_laid():
    """Fingers cover a part of the square under a tile in the hand, whoever's hand, wherever."""
    for seed in range(2):
        params = short(seed).params
        square = next(iter(tiles_on(params.boards[1])))
        script = _WholeScript(short(seed))
        for script.player in (0, 1):
            for place_at in ((0, 3), (7, 7), (14, 11)):
                at = script._fingers(place_at)
                bare, held = (
                    _Player(params).play(0, _Step(reach=_Reach(script.player, at, lift=-0.5), held=held))
                    for held in (None, square)
                )
                assert bare.hand and held.covered[place_at] and held.covered.sum() >= bare.covered.sum()


def test_a_turned_camera_moves_the_picture_by_a_homography():
    scene = short().params.scene
    view = View(scene.camera, scene.edition.aspect)
    degrees = np.array([1.5, -0.8, 2.0])
    points = np.array([(0, 0), (15, 0), (15, 15), (3.5, 9)], float)
    moved = cv2.perspectiveTransform(view.project(points)[:, None], film._turned(view, degrees))[:, 0]
    assert np.allclose(turned_view(view, degrees).project(points), moved)
    assert np.allclose(turned_view(view, np.zeros(3)).project(points, 0.5), view.project(points, 0.5))


def test_command_writes_a_whole_game(tmp_path, capsys):
    listed, path = tmp_path / "words.txt", tmp_path / "game.avi"
    listed.write_text("\n".join(sorted(WORDS)), encoding="utf-8")
    arguments = ["film", "--whole", "--seed", "5", "--moves", "1", "--size", "192x108", "--rate", "4"]
    assert main([*arguments, "--words", str(listed), "--out", str(path)]) == 0
    lines = [json.loads(line) for line in path.with_suffix(".jsonl").read_text(encoding="utf-8").splitlines()]
    made = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    assert made["frames"] == len(lines) and lines[-1]["board"] == made["moves"][-1]["board"]
    assert made["moves"][0]["words"][0] in WORDS and str(path) in capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2 and "--words" in capsys.readouterr().err
