"""Trains the tile reader on crops of models.tile_reader.make and exports it with its card data.

python -m models.tile_reader.train --crops runs/crops.npz --test runs/test.npz --out models/weights/tile_reader.onnx
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from models.tile_reader.classes import CLASSES
from models.tile_reader.network import Exported, TileNet

EMPTY, BLANK, COVERED = (CLASSES.index(char) for char in ".?*")


def load(path: Path) -> tuple[torch.Tensor, torch.Tensor]:
    with np.load(path) as data:
        return torch.from_numpy(data["crops"]), torch.from_numpy(data["labels"])


def augmented(batch: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    """(n, 3, 48, 48) in 0..1: light, colour of the light, contrast, softness and noise drawn anew for each crop."""
    n = len(batch)

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(n, *shape, generator=rng)

    gain = torch.exp(0.12 * draw(3, 1, 1) + 0.2 * draw(1, 1, 1))
    gamma = torch.exp(0.15 * draw(1, 1, 1))
    out = (batch * gain).clamp(0, 1).pow(gamma)
    soft = torch.rand(n, 1, 1, 1, generator=rng) < 0.25
    out = torch.where(soft, F.avg_pool2d(F.pad(out, (1, 1, 1, 1), mode="replicate"), 3, 1), out)
    return (out + 0.02 * torch.rand(n, 1, 1, 1, generator=rng) * draw(3, 48, 48)).clamp(0, 1)


def turned(batch: torch.Tensor, quarters: torch.Tensor) -> torch.Tensor:
    """Each crop turned so that `quarters` counter-clockwise quarters would make it upright again."""
    out = batch.clone()
    for k in (1, 2, 3):
        chosen = quarters == k
        out[chosen] = torch.rot90(batch[chosen], -k, (2, 3))
    return out


def losses(
    net: TileNet, crops: torch.Tensor, labels: torch.Tensor, quarters: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Characters count where the crop is upright or has no upright; turns count where there is a letter.

    Of a letter that lies turned the character head need not know which it is, but that it is one: else a turned tile
    would be taken for an empty square before its turn is looked at.
    """
    chars, turns = net(crops)
    letter = labels > COVERED
    upright = (quarters == 0) | ~letter
    chars = chars.log_softmax(-1)
    char_loss = F.nll_loss(chars[upright], labels[upright], reduction="sum")
    if (~upright).any():
        char_loss = char_loss - chars[~upright][:, COVERED + 1 :].logsumexp(-1).sum()
    turn_loss = F.cross_entropy(turns[letter], quarters[letter])
    return char_loss / len(labels), turn_loss


def evaluate(net: nn.Module, crops: torch.Tensor) -> torch.Tensor:
    net.eval()
    out = []
    with torch.inference_mode():
        for part in crops.split(2048):
            out.append(net(part.flip(-1).permute(0, 3, 1, 2).float() / 255)[0])
    return torch.cat(out)


def fit_temperature(logits: torch.Tensor, labels: torch.Tensor) -> float:
    """Temperature of least negative log-likelihood (Guo et al. 2017, On Calibration of Modern Neural Networks)."""
    candidates = torch.linspace(0.5, 4, 141)
    nll = torch.stack([F.cross_entropy(logits / t, labels) for t in candidates])
    return float(candidates[nll.argmin()])


def export(net: TileNet, temperature: float, path: Path) -> None:
    """ONNX with dynamic batch; classes and input size travel in the file's metadata."""
    import onnx

    net.eval()
    model = Exported(net, temperature).eval()
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.onnx.export(
        model,
        (torch.zeros(2, 48, 48, 3, dtype=torch.uint8),),
        str(path),
        input_names=["crops"],
        output_names=["chars", "turns"],
        dynamic_axes={"crops": {0: "n"}, "chars": {0: "n"}, "turns": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )
    proto = onnx.load(str(path))
    onnx.helper.set_model_props(proto, {"classes": "".join(CLASSES), "temperature": f"{temperature:.3f}"})
    onnx.checker.check_model(proto)
    onnx.save(proto, str(path))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--crops", type=Path, required=True, nargs="+")
    parser.add_argument("--test", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--start", type=Path, help="weights (.pt) to go on from")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    rng = torch.Generator().manual_seed(args.seed)
    loaded = [load(path) for path in args.crops]
    crops, labels = torch.cat([c for c, _ in loaded]), torch.cat([y for _, y in loaded])
    test_crops, test_labels = load(args.test)
    net = TileNet()
    if args.start:
        net.load_state_dict(torch.load(args.start))
    print(
        f"{sum(p.numel() for p in net.parameters())} parameters, {len(labels)} crops, {len(test_labels)} test crops",
        flush=True,
    )
    steps = len(labels) // args.batch
    optimiser = torch.optim.AdamW(net.parameters(), weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, args.epochs * steps, pct_start=0.15)
    for epoch in range(1, args.epochs + 1):
        net.train()
        start, order, sums = time.time(), torch.randperm(len(labels), generator=rng), torch.zeros(2)
        for step in range(steps):
            pick = order[step * args.batch : (step + 1) * args.batch]
            batch = crops[pick].flip(-1).permute(0, 3, 1, 2).float() / 255
            quarters = torch.randint(0, 4, (len(pick),), generator=rng) * (torch.rand(len(pick), generator=rng) < 0.35)
            chars, turns = losses(net, augmented(turned(batch, quarters), rng), labels[pick], quarters)
            optimiser.zero_grad()
            (chars + 0.3 * turns).backward()
            optimiser.step()
            schedule.step()
            sums += torch.stack([chars.detach(), turns.detach()])
        logits = evaluate(net, test_crops)
        right = (logits.argmax(1) == test_labels).float().mean()
        print(
            f"epoch {epoch}: loss {sums[0] / steps:.4f} turn {sums[1] / steps:.4f} "
            f"test {right:.5f} {time.time() - start:.0f} s",
            flush=True,
        )
        torch.save(net.state_dict(), args.out.with_suffix(".pt"))
    temperature = fit_temperature(logits, test_labels)
    export(net, temperature, args.out)
    probs = torch.softmax(logits / temperature, 1)
    confidence, guess = probs.max(1)
    wrong = guess != test_labels
    report = {
        "temperature": temperature,
        "test_right": float(1 - wrong.float().mean()),
        "test_crops": len(test_labels),
        "wrong_above": {str(t): int((wrong & (confidence > t)).sum()) for t in (0.5, 0.9, 0.95, 0.99, 0.999)},
        "below": {str(t): float((confidence < t).float().mean()) for t in (0.5, 0.9, 0.95, 0.99, 0.999)},
    }
    print(json.dumps(report), flush=True)
    pairs: dict[str, int] = {}
    for truth, got in zip(test_labels[wrong].tolist(), guess[wrong].tolist(), strict=True):
        key = f"{CLASSES[truth]}>{CLASSES[got]}"
        pairs[key] = pairs.get(key, 0) + 1
    print(json.dumps(dict(sorted(pairs.items(), key=lambda kv: -kv[1])[:40]), ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
