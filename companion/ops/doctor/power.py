"""Examine power, heat and memory: the Raspberry Pi's firmware records problems since the start."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import msgspec

from companion.findings import Finding, bad, look, well

MONITORS, VOLTAGE = "class/hwmon", "rpi_volt"
"""The folder of /sys with the kernel's monitors, and the voltage monitor's name."""
THROTTLED = "devices/platform"
"""The folder of /sys that contains the firmware's flags, at a greater depth on a Pi 5 than on older ones."""
UNDERVOLTED, CAPPED, SLOWED, SOFT = 1 << 0, 1 << 1, 1 << 2, 1 << 3
"""The firmware's flags: voltage too low; clock limited; slowed down; too warm (from 60 °C on a Pi 3)."""
BEFORE = 16
"""Shift of the flags that record the same problems at any time since the start."""
HOT = 80.0
"""Degrees Celsius at which a Raspberry Pi slows down."""
SHORT_MB, SCARCE_MB = 150, 40
"""Megabytes of memory available without swapping."""
PATIENCE = 2.0
MODEL = Path("/proc/device-tree/model")


class PowerReading(msgspec.Struct, frozen=True):
    """A reading of the machine."""

    bits: int | None = None
    """The firmware's flags; None: this machine has none."""
    celsius: float | None = None
    free_mb: int = 0
    total_mb: int = 0


def read(sys: Path = Path("/sys"), proc: Path = Path("/proc")) -> PowerReading:
    """Read firmware, temperature and memory."""
    memory = _read_memory(proc / "meminfo")
    return PowerReading(
        _read_flags(sys),
        _read_celsius(sys),
        memory.get("MemAvailable", 0),
        memory.get("MemTotal", 0),
    )


def read_model(model: Path = MODEL) -> str:
    """Return the kernel's name for the machine."""
    return _read_text(model).rstrip("\0").strip()


def is_raspberry(model: Path = MODEL) -> bool:
    """Return whether the machine's model, in the kernel's file, is a Raspberry Pi."""
    return "raspberry pi" in read_model(model).lower()


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _read_flags(sys: Path) -> int | None:
    """Return the firmware's flags: the voltage from the kernel's monitor, the others from the firmware's own program.

    The kernel's file with all flags is the last resort: newer kernels log a stack trace on each read.
    """
    low, flags = _read_voltage(sys), _ask_firmware()
    if low is not None:
        return (flags or 0) & ~UNDERVOLTED | (UNDERVOLTED if low else 0)
    return _read_throttled(sys) if flags is None else flags


def _read_voltage(sys: Path) -> bool | None:
    """Return whether the voltage is too low now; None if the kernel does not watch it."""
    for monitor in sorted((sys / MONITORS).glob("hwmon*")):
        if _read_text(monitor / "name").strip() == VOLTAGE:
            alarm = _read_text(monitor / "in0_lcrit_alarm").strip()
            return alarm == "1" if alarm else None
    return None


def _read_throttled(sys: Path) -> int | None:
    """Return the firmware's flags from the kernel's file."""
    for pattern in ("*/*firmware/get_throttled", "*/*/*firmware/get_throttled"):
        for path in sorted((sys / THROTTLED).glob(pattern)):
            try:
                return int(_read_text(path).strip(), 16)
            except ValueError:
                continue
    return None


def _ask_firmware() -> int | None:
    """Return the flags from the firmware's own program, which may be missing or lack the right to ask."""
    program = shutil.which("vcgencmd")
    if program is None:
        return None
    try:
        done = subprocess.run([program, "get_throttled"], capture_output=True, timeout=PATIENCE, check=False)
        return parse_flags(done.stdout.decode(errors="replace"))
    except (OSError, subprocess.SubprocessError):
        return None


def parse_flags(answer: str) -> int | None:
    """Return the flags in `throttled=0x50005`, or None."""
    _, sign, word = answer.strip().partition("=")
    try:
        return int(word, 16) if sign else None
    except ValueError:
        return None


def _read_celsius(sys: Path) -> float | None:
    """Return the temperature of the hottest zone."""
    found = []
    for path in (sys / "class/thermal").glob("thermal_zone*/temp"):
        try:
            found.append(int(_read_text(path)) / 1000)
        except ValueError:
            continue
    return round(max(found), 1) if found else None


def _read_memory(path: Path) -> dict[str, int]:
    """Return the kernel's figures in megabytes."""
    lines = (line.split() for line in _read_text(path).splitlines())
    return {words[0].rstrip(":"): int(words[1]) * 1024 // 1_000_000 for words in lines if len(words) > 1}


def judge(found: PowerReading) -> list[Finding]:
    """Return the findings about the machine."""
    return [*_supply(found), *_heat(found), *_memory(found)]


def _supply(found: PowerReading) -> list[Finding]:
    """Return the state of the power supply; only a Raspberry Pi reports it."""
    bits = found.bits
    if bits is None:
        return []
    if bits & UNDERVOLTED:
        return [bad("power.supply", "low")]
    if bits & UNDERVOLTED << BEFORE:
        return [look("power.supply", "was_low")]
    return [well("power.supply")]


def _heat(found: PowerReading) -> list[Finding]:
    fields = {} if found.celsius is None else {"celsius": found.celsius}
    bits = found.bits or 0
    if (found.celsius or 0) >= HOT or (bits & (CAPPED | SLOWED | SOFT) and not bits & UNDERVOLTED):
        return [look("power.heat", "hot" if fields else "slowed", **fields)]
    if bits >> BEFORE & (SLOWED | SOFT) and not bits & UNDERVOLTED << BEFORE:
        return [look("power.heat", "was_hot", **fields)]
    return [well("power.heat", **fields)] if fields else []


def _memory(found: PowerReading) -> list[Finding]:
    fields = {"free_mb": found.free_mb, "total_mb": found.total_mb}
    if not found.total_mb:
        return []
    if found.free_mb < SCARCE_MB:
        return [bad("memory.free", "scarce", **fields)]
    if found.free_mb < SHORT_MB:
        return [look("memory.free", "short", **fields)]
    return [well("memory.free", **fields)]
