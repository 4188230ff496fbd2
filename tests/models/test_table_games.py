"""Rendered games are whole legal games, their score sheet follows from their moves, and their photos show them."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest
from PIL import ExifTags, Image

from models.table import fonts
from models.table.drawn_game import WordSearch
from models.table.fillings import EMPTY
from models.table.games import DISTURBANCES, MOST_HIDDEN, RULES, RenderedGame, Shot, photo, rendered_game, turned_round
from models.table.scene import SceneParams, hidden_squares, render
from scorer.board import SIZE, Board
from scorer.placement import Placement, PlacementFault, check_placement
from scorer.scoring import score_placement
from scorer.tiles import GERMAN_102, is_blank


def made_up_words(count: int = 3000) -> frozenset[str]:
    """Syllables of the letters of a German set: the rules know no words, and the tests need no list."""
    rng = np.random.default_rng(5)
    vowels, others = "EEEEIIAAUUOÄÖÜ", "NNNSSSRRRTTTDDDHHLLGGMMBBWFFKKCCZZPPVJQXY"
    made = set()
    for _ in range(count):
        first = int(rng.integers(2))
        made.add("".join(str(rng.choice(list((vowels, others)[(first + k) % 2]))) for k in range(rng.integers(2, 9))))
    return frozenset(made)


WORDS = made_up_words()
SEEDS = (*range(6), 9)


@cache
def words() -> WordSearch:
    return WordSearch(WORDS)


@cache
def game(seed: int, disturbed: bool = True) -> RenderedGame:
    return rendered_game(seed, words(), disturbed)


def shots(disturbance: str) -> list[tuple[RenderedGame, int]]:
    """Where this disturbance comes."""
    return [
        (game(seed), number)
        for seed in SEEDS
        for number, shot in enumerate(game(seed).shots)
        if shot.disturbance == disturbance
    ]


def filling(board: Board) -> tuple[str, ...]:
    return tuple("".join("?" if is_blank(char) and char != "." else char for char in row) for row in board.rows)


def position(shots: tuple[Shot, ...]) -> Board:
    """What these photos' moves add up to."""
    board = Board.empty()
    by_name = {shot.name: shot for shot in shots}
    for shot in shots:
        if shot.takes_back is not None:
            board = board.removed([(row, col) for row, col, _ in by_name[shot.takes_back].tiles])
        for tiles in (shot.forgotten, shot.tiles):
            board = board.placed(dict(Placement.of([((row, col), tile) for row, col, tile in tiles]).tiles))
    return board


@pytest.fixture(autouse=True)
def _faces():
    try:
        fonts.find_faces()
    except fonts.NoFontsError:
        pytest.skip("no typefaces on this machine")


@pytest.mark.parametrize("seed", SEEDS)
def test_every_move_is_legal_of_listed_words_and_scored_by_the_rules(seed):
    drawn = game(seed).drawn
    board, totals, tiles = Board.empty(), [0, 0], []
    for number, turn in enumerate(drawn.turns):
        assert turn.player == number % 2
        if turn.play is None:
            continue
        assert check_placement(board, turn.play.placement, RULES, GERMAN_102) == PlacementFault.NONE
        assert turn.play == score_placement(board, turn.play.placement, RULES, GERMAN_102)
        if turn.challenged:
            assert turn.play.words[0].capitals not in WORDS
            continue
        assert {word.capitals for word in turn.play.words} <= WORDS
        board = board.placed(dict(turn.play.placement.tiles))
        totals[turn.player] += turn.play.score
        tiles += ["?" if is_blank(tile) else tile for _, tile in turn.play.placement.tiles]
    assert tuple(totals) == drawn.totals
    assert board.rows == game(seed).board
    assert all(tiles.count(tile) <= GERMAN_102.count(tile) for tile in set(tiles))
    assert len(drawn.turns) >= 20


def test_games_hold_blanks_bingos_challenges_and_passes():
    turns = [turn for seed in SEEDS for turn in game(seed).drawn.turns]
    plays = [turn.play for turn in turns if turn.play is not None]
    assert any(is_blank(tile) for play in plays for _, tile in play.placement.tiles)
    assert {1, 2, 3, 4} <= {len(play.placement) for play in plays}
    assert 0 < sum(turn.challenged for turn in turns) < 0.12 * len(turns)
    assert any(turn.play is None for turn in turns)


def test_the_same_seed_gives_the_same_game_whatever_the_order_of_the_words():
    again = rendered_game(3, WordSearch(sorted(WORDS, reverse=True)), disturbed=True)
    assert again == game(3)
    assert game(4).drawn != game(3).drawn


@pytest.mark.parametrize("seed", SEEDS)
def test_plain_photos_show_the_moves_one_after_the_other(seed):
    plain = game(seed, disturbed=False)
    for number, shot in enumerate(plain.shots):
        assert shot.name == f"{number:02d}.jpg"
        assert shot.kind in ("start", "place", "none", "withdrawn")
        assert shot.board == filling(position(plain.shots[: number + 1]))
        assert shot.disturbance is None and not shot.scene.hands and not shot.scene.pushed
        assert (shot.player is None) == (shot.kind in ("start", "withdrawn"))
    players = [shot.player for shot in plain.shots if shot.player is not None]
    assert players == [number % 2 for number in range(len(players))]
    counted = [shot for shot in plain.shots if shot.score is not None and not shot.taken_back]
    assert plain.totals == tuple(sum(shot.score for shot in counted if shot.player == seat) for seat in (0, 1))
    assert position(plain.shots).rows == plain.board


@pytest.mark.parametrize("seed", SEEDS)
def test_disturbed_photos_add_up_to_the_same_game(seed):
    mixed = game(seed)
    assert (mixed.drawn, mixed.board, mixed.totals) == (game(seed, False).drawn, *_sums(mixed))
    for number, shot in enumerate(mixed.shots):
        if shot.disturbance not in ("initials", "mid-move", "other-board", "missing", "unreadable"):
            assert shot.board == filling(position(mixed.shots[: number + 1])), shot.name
        if shot.disturbance in ("initials", "mid-move", "same-photo", "again", "other-board", "unreadable"):
            assert (shot.kind, shot.player, shot.tiles, shot.score) == ("not-a-move", None, (), None)
    times = [shot.taken for shot in mixed.shots if shot.disturbance != "same-photo"]
    assert all(a < b for a, b in pairwise(times))


def _sums(mixed: RenderedGame) -> tuple[tuple[str, ...], tuple[int, ...]]:
    totals = [0, 0]
    for shot in mixed.shots:
        if shot.score is not None and not shot.taken_back:
            totals[shot.player] += shot.score
        if shot.forgotten_score is not None:
            totals[1 - shot.player] += shot.forgotten_score
    return position(mixed.shots).rows, tuple(totals)


def test_about_every_third_photo_is_disturbed_and_every_kind_comes():
    kinds = [shot.disturbance for seed in SEEDS for shot in game(seed).shots]
    assert set(DISTURBANCES) <= set(kinds)
    assert 0.2 < 1 - kinds.count(None) / len(kinds) < 0.5


def test_initials_lie_before_the_first_move_alone():
    for held, number in shots("initials"):
        assert all(shot.kind == "start" for shot in held.shots[:number])
        tiles = "".join(held.shots[number].board).replace(".", "")
        assert 2 <= len(tiles) <= 5 and len(tiles.replace("?", "")) >= 2
        assert "?" in tiles or any("." in row.strip(".") for row in held.shots[number].board)


def test_a_hand_hides_few_squares_and_not_most_of_the_move():
    found = shots("hand")
    assert found
    for held, number in found:
        shot = held.shots[number]
        hidden = hidden_squares(replace(shot.scene, things=()))
        assert len(shot.scene.hands) == 1 and 1 <= hidden.sum() <= MOST_HIDDEN
        assert 2 * sum(hidden[row, col] for row, col, _ in shot.tiles) < len(shot.tiles)


def test_in_mid_move_some_of_the_tiles_lie_and_seconds_later_all():
    for held, number in shots("mid-move"):
        part, whole = held.shots[number : number + 2]
        before = filling(position(held.shots[:number]))
        new = {(r, c, part.board[r][c]) for r in range(SIZE) for c in range(SIZE) if part.board[r][c] != before[r][c]}
        tiles = {(row, col, "?" if is_blank(tile) else tile) for row, col, tile in whole.tiles}
        assert whole.kind == "place" and new and new < tiles
        assert 2 < (whole.taken - part.taken).total_seconds() < 10


def test_the_same_photo_is_the_same_scene_and_another_one_is_taken_moments_later_from_nearly_there():
    for held, number in shots("same-photo"):
        first, second = held.shots[number - 1 : number + 1]
        assert (first.scene, first.quality, first.taken) == (second.scene, second.quality, second.taken)
    for held, number in shots("again"):
        first, second = held.shots[number - 1 : number + 1]
        assert first.board == second.board and first.scene.camera != second.scene.camera
        assert abs(first.scene.camera.tilt - second.scene.camera.tilt) < 8
        assert 1 <= (second.taken - first.taken).total_seconds() <= 2


def test_a_pushed_row_lies_together_beside_its_squares_for_one_photo():
    for held, number in shots("nudged"):
        shot = held.shots[number]
        ways = {way for _, way in shot.scene.pushed}
        assert len(ways) == 1 and len(shot.scene.pushed) >= 3
        right, down, turn = ways.pop()
        assert turn == 0 and sorted((abs(right), abs(down)))[0] == 0 and 0.3 <= max(abs(right), abs(down)) <= 0.5
        piece = {square for square, _ in shot.scene.pushed}
        into = {(row + int(np.sign(down)), col + int(np.sign(right))) for row, col in piece} - piece
        assert all(shot.board[row][col] != "." for row, col in piece)
        assert all(shot.board[row][col] == "." for row, col in into)
        assert all(not later.scene.pushed for later in held.shots[number + 1 : number + 2])


def test_another_board_lacks_most_tiles_of_this_game():
    for held, number in shots("other-board"):
        shot, own = held.shots[number], position(held.shots[:number])
        there = sum(shot.board[row][col] == tile for (row, col), tile in own)
        assert there < len(own.occupied) / 2 and shot.board != EMPTY


def test_a_forgotten_move_comes_before_the_one_on_the_photo():
    found = [held.shots[number] for held, number in shots("forgotten")]
    assert all(shot.kind == "place" and shot.forgotten and shot.forgotten_score > 0 for shot in found)
    assert {shot.either_order for shot in found} == {True, False}


def test_a_move_taken_back_without_a_photo_is_named():
    found = shots("withdrawn-placed")
    assert found
    for held, number in found:
        shot, earlier = held.shots[number], held.shots[number - 1]
        assert shot.kind == "place" and shot.takes_back == earlier.name and earlier.taken_back
        assert shot.player != earlier.player


def test_a_turned_board_turns_against_table_and_lamp():
    held, number = shots("turned")[0]
    before, after = held.shots[number - 1].scene, held.shots[number].scene
    turned = (after.ground.turn - before.ground.turn) % 360
    assert turned in (90, 180, 270) and after.filling == held.shots[number].board
    once = turned_round(held.shots[0].scene, 1)
    assert once.light.azimuth == held.shots[0].scene.light.azimuth + 90
    assert turned_round(once, 3).light.lamp_at == held.shots[0].scene.light.lamp_at


def test_one_old_tile_is_missing_for_one_photo():
    for held, number in shots("missing"):
        shot = held.shots[number]
        there = filling(position(held.shots[: number + 1]))
        gone = [(r, c) for r in range(SIZE) for c in range(SIZE) if shot.board[r][c] != there[r][c]]
        assert len(gone) == 1 and shot.board[gone[0][0]][gone[0][1]] == "."
        assert gone[0] not in {(row, col) for row, col, _ in shot.tiles}


def test_after_an_unreadable_photo_comes_a_better_one_of_the_same_position():
    for held, number in shots("unreadable"):
        bad, good = held.shots[number : number + 2]
        camera, sensor = bad.scene.camera, bad.scene.sensor
        assert sensor.defocus > 0.25 * camera.square_px or min(camera.margins) <= -0.2
        assert good.kind == "place" and good.board == bad.board and good.disturbance is None


def test_tiles_that_lie_stay_as_they_lie_from_photo_to_photo():
    """With the same camera only squares near new tiles change."""
    plain = game(2, disturbed=False)
    first, second = [shot for shot in plain.shots if shot.kind == "place"][2:4]
    scene = replace(second.scene, camera=replace(first.scene.camera, square_px=16.0), sensor=first.scene.sensor,
                    light=first.scene.light, things=(), number=0)  # fmt: skip
    before, after = render(replace(scene, filling=first.board)), render(scene)
    difference = cv2.absdiff(before.pixels, after.pixels).max(axis=2)
    new = np.array([(col + 0.5, row + 0.5) for row, col, _ in second.tiles])
    places = _pixels(before, new)
    y, x = np.nonzero(difference > 3)
    distance = np.min(np.hypot(x[:, None] - places[:, 0], y[:, None] - places[:, 1]), axis=1)
    assert len(distance) and distance.max() < 2.5 * 16


def _pixels(scene, grid):
    corners = np.array(scene.corners.points, np.float32)
    ends = np.array([(0, 0), (SIZE, 0), (SIZE, SIZE), (0, SIZE)], np.float32)
    return cv2.perspectiveTransform(grid.reshape(-1, 1, 2), cv2.getPerspectiveTransform(ends, corners).astype(float))[
        :, 0
    ]


def test_a_pushed_tile_lies_elsewhere_and_the_others_where_they_lay():
    look = replace(game(1).shots[0].scene, filling=("." * SIZE,) * 7 + ("..TISCH........",) + ("." * SIZE,) * 7)
    plain = render(_small(look))
    pushed = render(_small(replace(look, pushed=tuple(((7, col), (0.0, 0.4, 0.0)) for col in (5, 6)))))
    difference = cv2.absdiff(plain.pixels, pushed.pixels).max(axis=2)
    still, moved = _pixels(plain, np.array([(2.5, 7.4), (5.5, 7.4)]))
    assert difference[int(moved[1]), int(moved[0])] > 10 or difference.max() > 40
    y, x = np.nonzero(difference > 3)
    assert np.hypot(x - still[0], y - still[1]).min() > 16


def _small(scene: SceneParams) -> SceneParams:
    return replace(scene, camera=replace(scene.camera, square_px=16.0, tilt=0.0), hands=(), things=(), number=0)


def test_the_file_knows_its_time_and_is_the_same_each_time():
    held = game(0)
    shot = next(shot for shot in held.shots if shot.kind == "place")
    small = replace(shot, scene=_small(shot.scene))
    data = photo(small)
    assert data == photo(small)
    times = Image.open(io.BytesIO(data)).getexif().get_ifd(ExifTags.IFD.Exif)
    assert times[ExifTags.Base.DateTimeOriginal] == shot.taken.strftime("%Y:%m:%d %H:%M:%S")
    assert int(times[ExifTags.Base.SubsecTimeOriginal]) == shot.taken.microsecond // 1000
    assert len(Image.open(io.BytesIO(photo(replace(small, taken=None)))).getexif()) == 0
