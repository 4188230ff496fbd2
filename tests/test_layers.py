"""The layers import one way: scorer <- vision <- calibration <- assistant; training code stays out of run time."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = {"scorer", "vision", "calibration", "models", "assistant"}
MAY_IMPORT = {
    "scorer": set(),
    "vision": {"scorer"},
    "calibration": {"scorer", "vision"},
    "models": {"scorer", "vision"},
    "assistant": {"scorer", "vision", "calibration", "models"},
}
TRAINING = ("tile_reader", "print_turn", "board_finder")
"""Packages of `models` that train; they may use one another."""
TRAINING_LIBRARIES = {"torch", "onnx", "fontTools"}


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Full names of all modules a file imports, wherever in the file."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("package", sorted(OURS))
def test_layers_import_one_way(package: str) -> None:
    files = modules(package)
    assert files, f"{package} has no modules"
    for path in files:
        ours = {name.partition(".")[0] for name in imports(path)} & OURS
        assert ours <= MAY_IMPORT[package] | {package}, f"{path} imports {ours}"


def test_scorer_needs_the_standard_library_only() -> None:
    for path in modules("scorer"):
        tops = {name.partition(".")[0] for name in imports(path)}
        assert tops <= set(sys.stdlib_module_names) | {"scorer"}, f"{path} imports {tops}"


def test_training_code_is_never_imported_at_run_time() -> None:
    for package in OURS:
        for path in modules(package):
            if any((ROOT / "models" / training) in path.parents for training in TRAINING):
                continue
            names = imports(path)
            assert not any(f"{name}.".startswith(f"models.{one}.") for name in names for one in TRAINING), path
            if package != "models":
                assert not {name.partition(".")[0] for name in names} & TRAINING_LIBRARIES, path


def test_the_command_line_starts_without_heavy_imports() -> None:
    code = (
        "import sys, assistant.cli as c\n"
        "try: c.main(['--help'])\n"
        "except SystemExit as e: assert e.code == 0\n"
        "heavy = {'cv2', 'numpy', 'onnxruntime', 'PIL', 'rich', 'pytesseract', 'jinja2', 'starlette', 'uvicorn'}\n"
        "print(sorted((heavy | {'sqlalchemy', 'cryptography', 'segno'}) & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert out.stdout.splitlines()[-1] == "[]"
