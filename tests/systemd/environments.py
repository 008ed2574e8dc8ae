"""Python environments as an installation leaves them, intact or broken by an upgrade of the system."""

from __future__ import annotations

import sys
from pathlib import Path


def environment_of(folder: Path, python: str, program: str = "#!/bin/sh\n") -> Path:
    """Create an environment for a Python such as `python3.11`, and return its program `python`, which is a script.

    The system has the Python that runs the tests; an environment for any other is broken.
    """
    (folder / "lib" / python / "site-packages").mkdir(parents=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "python3").symlink_to(Path(sys.executable).resolve())
    (folder / "bin" / "python").write_text(program)
    (folder / "bin" / "python").chmod(0o755)
    return folder / "bin" / "python"
