"""The network: a small U-net from a canvas of 256 x 256 to four maps of 64 x 64 (`vision.board_net.Maps`)."""

from __future__ import annotations

import torch
from torch import Tensor, nn


def block(inside: int, outside: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    """3x3 convolution, batch norm, ReLU."""
    return nn.Sequential(
        nn.Conv2d(inside, outside, 3, stride, dilation, dilation, bias=False), nn.BatchNorm2d(outside), nn.ReLU(True)
    )


class Twice(nn.Module):
    """Two convolutions with a way past them (He et al. 2016)."""

    def __init__(self, width: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = block(width, width, dilation=dilation)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, dilation, dilation, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.second(self.first(x)))


class FinderNet(nn.Module):
    """(n, 3, 256, 256) -> (n, 4, 64, 64): logit of the mask, far, near, logit of the corners."""

    def __init__(self, widths: tuple[int, int, int, int, int] = (16, 32, 56, 88, 112)) -> None:
        super().__init__()
        a, b, c, d, e = widths
        self.stem = nn.Sequential(nn.Conv2d(3, a, 5, 2, 2, bias=False), nn.BatchNorm2d(a), nn.ReLU(True))
        self.at4 = nn.Sequential(block(a, b, 2), Twice(b))
        self.at8 = nn.Sequential(block(b, c, 2), Twice(c))
        self.at16 = nn.Sequential(block(c, d, 2), Twice(d), Twice(d))
        self.at32 = nn.Sequential(block(d, e, 2), Twice(e), Twice(e, 2), Twice(e))
        self.up16 = block(e + d, d)
        self.more16 = Twice(d)
        self.up8 = block(d + c, c)
        self.more8 = Twice(c)
        self.up4 = block(c + b, b)
        self.more4 = Twice(b)
        self.head = nn.Conv2d(b, 4, 1)

    def forward(self, x: Tensor) -> Tensor:
        x4 = self.at4(self.stem(x))
        x8 = self.at8(x4)
        x16 = self.at16(x8)
        x = self.at32(x16)
        for skip, up, more in ((x16, self.up16, self.more16), (x8, self.up8, self.more8), (x4, self.up4, self.more4)):
            x = nn.functional.interpolate(x, scale_factor=2.0, mode="nearest")
            x = more(up(torch.cat([x, skip], 1)))
        return self.head(x)
