"""Trains the board finder:

python -m models.board_finder.train --tables runs/tables.npz --others runs/others.npz --test runs/test.npz \
    --steps 2600 --out models/weights/board_finder.onnx
"""

from __future__ import annotations

import argparse
import queue
import sys
import threading
import time
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor

from models.board_finder.dataset import Samples
from models.board_finder.export import export
from models.board_finder.network import FinderNet
from models.board_finder.scenes import Picture, load

BATCH = 24

PHOTOS = 12
"""How often a real photo counts among the rendered ones."""


def loss_of(out: Tensor, want: Tensor) -> Tensor:
    """Mask: cross entropy; folded places: absolute error where they count; corners: penalty-reduced focal loss
    (Law and Deng, CornerNet, 2018)."""
    mask = torch.nn.functional.binary_cross_entropy_with_logits(out[:, 0], want[:, 0])
    seen = want[:, 4]
    miss = torch.nn.functional.smooth_l1_loss(out[:, 1:3], want[:, 1:3], reduction="none", beta=0.03)
    folded = (miss * seen[:, None]).sum() / (seen.sum() + 1) / 2
    p = torch.sigmoid(out[:, 3]).clamp(1e-4, 1 - 1e-4)
    bump = want[:, 3]
    top = (bump > 0.8).float()
    hits = top * (1 - p) ** 2 * p.log() + (1 - top) * (1 - bump) ** 4 * p**2 * (1 - p).log()
    corner = -hits.sum() / (top.sum() + 1)
    return mask + 6 * folded + 0.12 * corner


def batch(samples: Samples, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Canvases and their targets."""
    drawn = [samples.draw(rng) for _ in range(BATCH)]
    return torch.from_numpy(np.stack([x for x, _ in drawn])), torch.from_numpy(np.stack([t for _, t in drawn]))


def batches(samples: Samples, seed: int, steps: int) -> queue.Queue[tuple[Tensor, Tensor]]:
    """Batches drawn ahead by a thread."""
    ahead: queue.Queue[tuple[Tensor, Tensor]] = queue.Queue(6)

    def work() -> None:
        rng = np.random.default_rng(seed)
        for _ in range(steps):
            ahead.put(batch(samples, rng))

    threading.Thread(target=work, daemon=True).start()
    return ahead


def test_loss(net: FinderNet, tables: list[Picture], others: list[Picture]) -> float:
    """Mean loss on samples that are always the same."""
    samples, rng = Samples(tables, others), np.random.default_rng(5)
    net.eval()
    total = []
    with torch.no_grad():
        for _ in range(10):
            x, want = batch(samples, rng)
            total.append(float(loss_of(net(x), want)))
    net.train()
    return float(np.mean(total))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=Path, nargs="+", required=True)
    parser.add_argument("--others", type=Path, nargs="*", default=[])
    parser.add_argument("--photos", type=Path, help="few real photos, made by make --photos: each counts PHOTOS times")
    parser.add_argument("--test", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--start", type=Path, help="weights (.pt) to go on from")
    parser.add_argument("--steps", type=int, default=2600)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    tables = [picture for path in args.tables for picture in load(path)]
    others = [picture for path in args.others for picture in load(path)]
    tables += load(args.photos) * PHOTOS if args.photos else []
    test = load(args.test)
    net = FinderNet().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    if args.start:
        net.load_state_dict(torch.load(args.start))
    decay = [p for p in net.parameters() if p.ndim > 1]
    rest = [p for p in net.parameters() if p.ndim <= 1]
    optimiser = torch.optim.AdamW([{"params": decay, "weight_decay": 0.02}, {"params": rest, "weight_decay": 0.0}])
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, args.rate, args.steps, pct_start=0.08)
    ahead, start, recent = batches(Samples(tables, others), args.seed, args.steps), time.time(), []
    for step in range(1, args.steps + 1):
        x, want = ahead.get()
        with torch.autocast("cpu", torch.bfloat16):
            out = net(x.to(memory_format=torch.channels_last))
        loss = loss_of(out.float(), want)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        schedule.step()
        recent.append(loss.item())
        now = f"{step} loss {np.mean(recent[-50:]):.4f} {time.time() - start:.0f} s"
        if step % 500 == 0 or step == args.steps:
            now += f" test {test_loss(net, test, others[-200:]):.4f}"
            torch.save(net.state_dict(), args.out.with_suffix(".pt"))
        if step % 50 == 0 or step == args.steps:
            print(now, file=sys.stderr, flush=True)
    export(net, args.out, tables[:200])


if __name__ == "__main__":
    main()
