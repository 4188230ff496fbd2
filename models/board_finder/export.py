"""The trained network as an ONNX file of 8-bit integers."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.board_finder.dataset import Samples
from models.board_finder.network import FinderNet
from models.board_finder.scenes import Picture
from vision.board_net import CANVAS


class _Examples(CalibrationDataReader):
    """Canvases that show what the layers' values range over."""

    def __init__(self, pictures: list[Picture]) -> None:
        samples, rng = Samples(pictures, []), np.random.default_rng(3)
        self.left = iter([samples.draw(rng)[0][None] for _ in range(120)])

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        canvas = next(self.left, None)
        return None if canvas is None else {"canvas": canvas}


def export(net: FinderNet, out: Path, examples: list[Picture], integers: bool = True) -> None:
    """Writes the ONNX file; `examples` set the scales of the integers."""
    net = net.eval().to(memory_format=torch.contiguous_format)  # type: ignore[call-overload]
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        plain, ready = Path(folder) / "plain.onnx", Path(folder) / "ready.onnx"
        torch.onnx.export(
            net, (torch.zeros(1, 3, CANVAS, CANVAS),), str(plain if integers else out), input_names=["canvas"],
            output_names=["maps"], dynamo=False,
        )  # fmt: skip
        if not integers:
            return
        quant_pre_process(str(plain), str(ready))
        quantize_static(
            str(ready), str(out), _Examples(examples), quant_format=QuantFormat.QDQ, per_channel=True,
            activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
            extra_options={"ActivationSymmetric": False, "WeightSymmetric": True},
            nodes_to_exclude=["/head/Conv"],
        )  # fmt: skip
