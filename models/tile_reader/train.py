"""Trains the tile reader on crops of models.tile_reader.make and exports it.

python -m models.tile_reader.train --crops runs/crops.npz --test runs/test.npz --out models/weights/tile_reader.onnx
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from models.tile_reader.classes import CLASSES
from models.tile_reader.dataset import Crops
from models.tile_reader.network import FEATURES, ExportedContext, ExportedSquares, TileNet
from vision.onnx_reader import context_file

COVERED = CLASSES.index("*")
"""Classes after this one are letters (another letter included)."""

SQUARES = (24, 48, 96)
"""Squares of one board in a step, one of these each time: few from many boards teach letters, many from few boards
teach to compare. Which squares is drawn anew each time."""


@dataclass(frozen=True)
class Batch:
    """Squares of some boards, one board after the other.

    crops: (n, 48, 48, 3) uint8 BGR; labels, quarters: (n,); places: (n, 2); sizes: squares of each board
    """

    crops: torch.Tensor
    labels: torch.Tensor
    quarters: torch.Tensor
    places: torch.Tensor
    sizes: list[int]


class Boards:
    """The squares of a set of crops, board by board."""

    def __init__(self, data: Crops) -> None:
        self.data = data
        starts = np.flatnonzero(np.diff(data.boards, prepend=-1))
        self.spans = list(zip(starts, [*starts[1:], len(data.boards)], strict=True))

    def __len__(self) -> int:
        return len(self.spans)

    def batch(self, picks: list[NDArray[np.intp]]) -> Batch:
        pick, data = np.concatenate(picks), self.data
        return Batch(
            torch.from_numpy(data.crops[pick]),
            torch.from_numpy(data.labels[pick]),
            torch.from_numpy(data.quarters[pick].astype(np.int64)),
            torch.from_numpy(data.places[pick].astype(np.int64)),
            [len(p) for p in picks],
        )

    def sampled(self, squares: int, steps: int, rng: np.random.Generator) -> Iterator[Batch]:
        """So many steps of about `squares` squares, every board equally often."""
        order = np.empty(0, np.int64)
        for _ in range(steps):
            each = int(rng.choice(SQUARES))
            boards = max(1, squares // each)
            if len(order) < boards:
                order = np.concatenate([order, rng.permutation(len(self))])
            now, order = order[:boards], order[boards:]
            yield self.batch([rng.permutation(np.arange(*self.spans[b]))[:each] for b in now])

    def whole(self, boards: int) -> Iterator[Batch]:
        """Every board with all its squares."""
        for k in range(0, len(self), boards):
            yield self.batch([np.arange(*span) for span in self.spans[k : k + boards]])


def turned(batch: Batch, rng: np.random.Generator) -> Batch:
    """A quarter of the boards turned as a whole, as when the photo is taken from another side; in an eighth of them
    single squares turned."""
    added = np.zeros(len(batch.labels), np.int64)
    places = batch.places.clone()
    start = 0
    for size in batch.sizes:
        part = slice(start, start + size)
        start += size
        if rng.random() < 0.25:
            quarters = int(rng.integers(1, 4))
            added[part] += quarters
            for _ in range(quarters):
                places[part] = torch.stack([places[part, 1], 14 - places[part, 0]], 1)
        if rng.random() < 0.125:
            added[part] += rng.integers(0, 4, size) * (rng.random(size) < rng.choice([0.04, 0.3]))
    added %= 4
    crops = batch.crops.clone()
    for k in (1, 2, 3):
        chosen = torch.from_numpy(added == k)
        crops[chosen] = torch.rot90(batch.crops[chosen], -k, (1, 2))
    return Batch(crops, batch.labels, (batch.quarters + torch.from_numpy(added)) % 4, places, batch.sizes)


class Augment:
    """Light, colour of the light, contrast, softness, a shift of the grid and noise, drawn anew for each board: what
    is alike on one photo stays so, since the context compares its squares."""

    def __init__(self, seed: int) -> None:
        self.noise = torch.randn(1 << 23, generator=torch.Generator().manual_seed(seed))

    def __call__(self, batch: Batch, rng: np.random.Generator) -> torch.Tensor:
        """(n, 3, 48, 48) RGB in 0..1."""
        out = torch.empty(len(batch.labels), 3, 48, 48)
        start = 0
        for size in batch.sizes:
            part = batch.crops[start : start + size]
            gain = np.exp(rng.normal(0, 0.12, 3) + rng.normal(0, 0.2))
            table = np.clip(np.arange(256)[:, None] / 255 * gain, 0, 1) ** np.exp(rng.normal(0, 0.15))
            table = torch.from_numpy(table.astype(np.float32))
            light = torch.stack([table[:, c][part[..., c].int()] for c in (2, 1, 0)], 1)
            if rng.random() < 0.5:
                dx, dy = (int(v) for v in rng.integers(-2, 3, 2))
                light = F.pad(light, (2, 2, 2, 2), mode="replicate")[:, :, 2 + dy : 50 + dy, 2 + dx : 50 + dx]
            if rng.random() < 0.25:
                light = F.avg_pool2d(F.pad(light, (1, 1, 1, 1), mode="replicate"), 3, 1)
            offset = int(rng.integers(len(self.noise) - light.numel()))
            noise = self.noise[offset : offset + light.numel()].view_as(light)
            out[start : start + size] = (light + float(rng.random() * 0.025) * noise).clamp_(0, 1)
            start += size
        return out


def logits(net: TileNet, crops: torch.Tensor, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Characters with context, characters of each square alone, turns: (n, K), (n, K), (n, 4)."""
    features = net.squares(crops)
    padded = pad_sequence(features.split(batch.sizes), batch_first=True)
    places = pad_sequence(batch.places.split(batch.sizes), batch_first=True)
    mask = torch.arange(padded.shape[1]) < torch.tensor(batch.sizes)[:, None]
    chars, turns = net.context(padded, places, mask)
    return chars[mask].float(), net.context.alone(features).float(), turns[mask].float()


def character_loss(chars: torch.Tensor, labels: torch.Tensor, quarters: torch.Tensor) -> torch.Tensor:
    """Characters count where the square is upright or has no upright.

    Of a letter that lies turned the character head need not know which it is, but that it is one: else a turned tile
    would be taken for an empty square before its turn is looked at.
    """
    letter = labels > COVERED
    upright = (quarters == 0) | ~letter
    chars = chars.log_softmax(-1)
    loss = F.nll_loss(chars[upright], labels[upright], reduction="sum")
    if (~upright).any():
        loss = loss - chars[~upright][:, COVERED + 1 :].logsumexp(-1).sum()
    return loss / len(labels)


def evaluate(net: TileNet, boards: Boards) -> tuple[torch.Tensor, torch.Tensor]:
    """Logits of all upright squares (m, K) and their labels (m,)."""
    net.eval()
    out, labels = [], []
    with torch.inference_mode():
        for batch in boards.whole(8):
            chars = logits(net, batch.crops.flip(-1).permute(0, 3, 1, 2).float() / 255, batch)[0]
            upright = (batch.quarters == 0) | (batch.labels <= COVERED)
            out.append(chars[upright])
            labels.append(batch.labels[upright])
    return torch.cat(out), torch.cat(labels)


def fit_temperature(chars: torch.Tensor, labels: torch.Tensor) -> float:
    """Temperature of least negative log-likelihood (Guo et al. 2017, On Calibration of Modern Neural Networks)."""
    candidates = torch.linspace(0.5, 4, 141)
    nll = torch.stack([F.cross_entropy(chars / t, labels) for t in candidates])
    return float(candidates[nll.argmin()])


def export(net: TileNet, temperature: float, path: Path) -> None:
    """The two ONNX files; what they need to be understood travels in their metadata."""
    import onnx

    net.eval()
    path.parent.mkdir(parents=True, exist_ok=True)
    places = torch.stack([torch.arange(5), torch.arange(5)], 1)
    features = torch.zeros(5, FEATURES)
    for file, model, inputs, names, outputs in (
        (path, ExportedSquares(net), (torch.zeros(5, 48, 48, 3, dtype=torch.uint8),), ["crops"], ["features"]),
        (
            context_file(path), ExportedContext(net, temperature), (features, places),
            ["features", "places"], ["chars", "turns"],
        ),
    ):  # fmt: skip
        torch.onnx.export(
            model.eval(),
            inputs,
            str(file),
            input_names=names,
            output_names=outputs,
            dynamic_axes={name: {0: "n"} for name in (*names, *outputs)},
            opset_version=17,
            dynamo=False,
        )
        proto = onnx.load(str(file))
        onnx.helper.set_model_props(proto, {"classes": "".join(CLASSES), "temperature": f"{temperature:.3f}"})
        onnx.checker.check_model(proto)
        onnx.save(proto, str(file))


def quantise(path: Path, crops: NDArray[np.uint8]) -> None:
    """Makes the convolutions of the first file work in 8-bit integers, twice as fast and a quarter of the size.

    The range of each layer's values is taken from `crops`, (n, 48, 48, 3) (post-training quantisation, Jacob et al.
    2018). Needs no training, so it can be tried on its own.
    """
    from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    from onnxruntime.quantization.shape_inference import quant_pre_process

    class Reader(CalibrationDataReader):  # type: ignore[misc]  # the library has no types
        def __init__(self) -> None:
            self.parts = iter(np.array_split(crops, max(1, len(crops) // 256)))

        def get_next(self) -> dict[str, NDArray[np.uint8]] | None:
            part = next(self.parts, None)
            return None if part is None else {"crops": part}

    with TemporaryDirectory() as folder:
        prepared = Path(folder) / "prepared.onnx"
        quant_pre_process(str(path), str(prepared))
        quantize_static(
            str(prepared),
            str(path),
            Reader(),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
        )


def calibration_crops(data: Crops, seed: int) -> NDArray[np.uint8]:
    """A thousand crops of the training data, the same ones each time."""
    pick = np.random.default_rng(seed).permutation(len(data.labels))[:1024]
    return data.crops[np.sort(pick)]


def settle_norms(net: TileNet, boards: Boards, augment: Augment, rng: np.random.Generator, steps: int = 100) -> None:
    """Batch statistics anew for averaged weights (Izmailov et al. 2018, Averaging Weights)."""
    for module in net.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.reset_running_stats()
            module.momentum = None
    net.train()
    with torch.no_grad():
        for batch in boards.sampled(768, steps, rng):
            net.squares(augment(batch, rng))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--crops", type=Path, required=True, nargs="+")
    parser.add_argument("--test", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=384, help="squares a step")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--start", type=Path, help="weights (.pt) to go on from")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    rng = np.random.default_rng(args.seed)
    augment = Augment(args.seed)
    boards = Boards(Crops.joined([Crops.load(path) for path in args.crops]))
    test = Boards(Crops.load(args.test))
    net = TileNet()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    net = net.to(memory_format=torch.channels_last)
    average = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.997))
    print(
        f"{sum(p.numel() for p in net.parameters())} parameters, {len(boards)} boards, "
        f"{len(boards.data.labels)} squares; test {len(test)} boards, {len(test.data.labels)} squares",
        flush=True,
    )
    steps = len(boards.data.labels) // args.batch
    optimiser = torch.optim.AdamW(net.parameters(), weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, args.epochs * steps, pct_start=0.15)
    for epoch in range(1, args.epochs + 1):
        net.train()
        start, sums = time.time(), torch.zeros(3)
        for batch in boards.sampled(args.batch, steps, rng):
            batch = turned(batch, rng)
            crops = augment(batch, rng).to(memory_format=torch.channels_last)
            # half precision where the processor has it in hardware is twice as fast; the losses stay in full
            with torch.autocast("cpu", torch.bfloat16):
                chars, alone, turns = logits(net, crops, batch)
            letter = batch.labels > COVERED
            parts = (
                character_loss(chars, batch.labels, batch.quarters),
                character_loss(alone, batch.labels, batch.quarters),
                F.cross_entropy(turns[letter], batch.quarters[letter]),
            )
            optimiser.zero_grad()
            (parts[0] + 0.5 * parts[1] + 0.3 * parts[2]).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 2.0)
            optimiser.step()
            schedule.step()
            average.update_parameters(net)
            sums += torch.stack([part.detach() for part in parts])
        chars, labels = evaluate(net, test)
        right = float((chars.argmax(1) == labels).float().mean())
        loss, alone_loss, turn_loss = (sums / steps).tolist()
        print(
            f"epoch {epoch}: loss {loss:.4f} alone {alone_loss:.4f} turn {turn_loss:.4f} "
            f"test {right:.5f} {time.time() - start:.0f} s",
            flush=True,
        )
        torch.save(net.state_dict(), args.out.with_suffix(".pt"))
    net = average.module
    settle_norms(net, boards, augment, rng)
    torch.save(net.state_dict(), args.out.with_suffix(".pt"))
    chars, labels = evaluate(net, test)
    temperature = fit_temperature(chars, labels)
    export(net, temperature, args.out)
    quantise(args.out, calibration_crops(boards.data, args.seed))
    report(chars / temperature, labels, temperature)


def report(chars: torch.Tensor, labels: torch.Tensor, temperature: float) -> None:
    """What the model card tells of the rendered test boards."""
    confidence, guess = torch.softmax(chars, 1).max(1)
    wrong = guess != labels
    figures = {
        "temperature": round(temperature, 3),
        "right": round(float(1 - wrong.float().mean()), 5),
        "squares": len(labels),
        "wrong_above": {str(t): int((wrong & (confidence > t)).sum()) for t in (0.5, 0.9, 0.95, 0.99, 0.999)},
        "below": {str(t): round(float((confidence < t).float().mean()), 4) for t in (0.5, 0.9, 0.95, 0.99, 0.999)},
    }
    print(json.dumps(figures), flush=True)
    pairs: dict[str, int] = {}
    for truth, got in zip(labels[wrong].tolist(), guess[wrong].tolist(), strict=True):
        key = f"{CLASSES[truth]}>{CLASSES[got]}"
        pairs[key] = pairs.get(key, 0) + 1
    print(json.dumps(dict(sorted(pairs.items(), key=lambda kv: -kv[1])[:40]), ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
