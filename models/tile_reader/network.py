"""The network: a small CNN that describes one square's colour crop, and a context that compares the squares of a board.

Two stages, two ONNX files. The first turns each crop into a vector of features, square by square. The second lets the
squares of one photo look at each other (self-attention, Vaswani et al. 2017, without any order of squares beyond where
they lie): what a blank tile looks like under this light, whether this set's O have a dimple that makes them look like
Q, is told by the other squares. It knows the kind of premium square, never words: training boards mean nothing.
"""

from __future__ import annotations

from copy import deepcopy

import torch
from torch import nn

from models.tile_reader.classes import CLASSES
from scorer.board import STANDARD

FEATURES = 3 * 3 * 128
KIND_SYMBOLS = sorted({symbol for row in STANDARD.rows for symbol in row})
KINDS = torch.tensor([[KIND_SYMBOLS.index(symbol) for symbol in row] for row in STANDARD.rows])
"""(15, 15) what is printed on each square; the same after any quarter turn."""


def _conv(n_in: int, n_out: int, stride: int = 1) -> list[nn.Module]:
    return [
        nn.Conv2d(n_in, n_out, 3, stride, 1, bias=False),
        nn.BatchNorm2d(n_out),
        nn.ReLU(inplace=True),
    ]


class _Residual(nn.Module):
    """Adds a convolution to what it is given (He et al. 2016)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.step = nn.Sequential(*_conv(width, width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.step(x)


class SquareNet(nn.Module):
    """(n, 3, 48, 48) RGB in 0..1 -> (n, FEATURES): 128 channels in 3 x 3 places, a letter's parts keep theirs."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *_conv(3, 16, stride=2),
            *_conv(16, 32, stride=2), _Residual(32), _Residual(32),
            *_conv(32, 64, stride=2), _Residual(64), _Residual(64),
            *_conv(64, 128, stride=2), nn.Flatten(),
        )  # fmt: skip

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.body((crops - 0.5) * 4)
        return out


class _Layer(nn.Module):
    """One layer of self-attention with a two-layer network behind it, normalised before each."""

    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
        self.look, self.say = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.think = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
        boards, squares, width = x.shape
        q, k, v = self.look(self.norms[0](x)).view(boards, squares, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(2, 3) * (width // self.heads) ** -0.5
        if mask is not None:
            scores = scores.masked_fill(~mask[:, None, None], -1e4)
        seen = scores.softmax(-1) @ v
        x = x + self.say(seen.transpose(1, 2).reshape(boards, squares, width))
        out: torch.Tensor = x + self.think(self.norms[1](x))
        return out


class Context(nn.Module):
    """Features (b, n, FEATURES) and places (b, n, 2) of squares -> logits of characters (b, n, K) and turns (b, n, 4).

    The turn is the number of counter-clockwise quarters (numpy.rot90) that make the tile upright. `mask` (b, n) tells
    squares from padding.
    """

    def __init__(self, width: int = 96, heads: int = 4, layers: int = 2) -> None:
        super().__init__()
        self.register_buffer("kinds", KINDS.flatten(), persistent=False)
        self.register_buffer("waves", torch.tensor([1.0, 2.0, 4.0]) * torch.pi / 15, persistent=False)
        self.drop = nn.Dropout(0.2)
        self.alone = nn.Linear(FEATURES, len(CLASSES))
        self.start = nn.Sequential(nn.LayerNorm(FEATURES), nn.Linear(FEATURES, width))
        self.kind, self.place = nn.Embedding(len(KIND_SYMBOLS), width), nn.Linear(12, width)
        self.layers = nn.ModuleList([_Layer(width, heads) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.chars, self.turns = nn.Linear(width, len(CLASSES)), nn.Linear(width + FEATURES, 4)

    def forward(
        self, features: torch.Tensor, places: torch.Tensor, mask: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor]:
        features = self.drop(features)
        angles = (places.float()[..., None] * self.waves).flatten(2)
        kinds = self.kinds[places[..., 0] * 15 + places[..., 1]]
        x = self.start(features) + self.kind(kinds) + self.place(torch.cat([angles.sin(), angles.cos()], -1))
        for layer in self.layers:
            x = layer(x, mask)
        x = self.norm(x)
        return self.alone(features) + self.chars(x), self.turns(torch.cat([x, features], -1))


class TileNet(nn.Module):
    """Both stages, for training."""

    def __init__(self) -> None:
        super().__init__()
        self.squares, self.context = SquareNet(), Context()


class ExportedSquares(nn.Module):
    """What the first ONNX file computes: uint8 BGR crops (n, 48, 48, 3) -> features (n, FEATURES).

    The first convolution takes the colours in the order in which they come, and one factor and one offset stand for
    all scaling: passes over the pixels cost as much as a layer.
    """

    def __init__(self, net: TileNet) -> None:
        super().__init__()
        self.body = deepcopy(net.squares.body)
        first = self.body[0]
        assert isinstance(first, nn.Conv2d)
        first.weight.data = first.weight.data.flip(1)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        out: torch.Tensor = self.body(crops.permute(0, 3, 1, 2).to(torch.float32) * (4 / 255) - 2)
        return out


class ExportedContext(nn.Module):
    """The second: features (n, FEATURES), places (n, 2) int64 -> log-probabilities (n, K), (n, 4), by temperature."""

    def __init__(self, net: TileNet, temperature: float) -> None:
        super().__init__()
        self.net, self.temperature = net.context, temperature

    def forward(self, features: torch.Tensor, places: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        chars, turns = self.net(features[None], places[None])
        return (chars[0] / self.temperature).log_softmax(-1), (turns[0] / self.temperature).log_softmax(-1)
