"""The network: a small CNN on one square's colour crop with two heads (character, turn)."""

from __future__ import annotations

import torch
from torch import nn

from models.tile_reader.classes import CLASSES


class TileNet(nn.Module):
    """(n, 3, 48, 48) RGB in 0..1 -> character logits (n, K) and turn logits (n, 4).

    The turn is the number of counter-clockwise quarters (numpy.rot90) that make the tile upright.
    """

    def __init__(self) -> None:
        super().__init__()

        def block(n_in: int, n_out: int, stride: int = 1) -> list[nn.Module]:
            return [nn.Conv2d(n_in, n_out, 3, stride, 1, bias=False), nn.BatchNorm2d(n_out), nn.ReLU(inplace=True)]

        self.body = nn.Sequential(
            *block(3, 16, 2), *block(16, 24), *block(24, 40, 2), *block(40, 56), *block(56, 80, 2), *block(80, 128, 2),
            nn.Flatten(), nn.Dropout(0.2),
        )  # fmt: skip
        self.chars = nn.Linear(128 * 3 * 3, len(CLASSES))
        self.turns = nn.Linear(128 * 3 * 3, 4)

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.body((crops - 0.5) * 4)
        return self.chars(features), self.turns(features)


class Exported(nn.Module):
    """What the ONNX file computes: uint8 BGR crops (n, 48, 48, 3) -> log-probabilities, calibrated by temperature."""

    def __init__(self, net: TileNet, temperature: float) -> None:
        super().__init__()
        self.net, self.temperature = net, temperature

    def forward(self, crops: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        rgb = crops.to(torch.float32).flip(-1).permute(0, 3, 1, 2) / 255
        chars, turns = self.net(rgb)
        return torch.log_softmax(chars / self.temperature, -1), torch.log_softmax(turns / self.temperature, -1)
