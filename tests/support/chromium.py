"""Finds Chromium: Debian's headless build, which needs half the time, or else the usual browser."""

from shutil import which

CHROMIUM = which("chromium-headless-shell") or which("chromium")
