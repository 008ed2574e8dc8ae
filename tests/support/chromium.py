"""Finds Chromium: Debian's headless build, which takes half the time, else the usual browser."""

from shutil import which

CHROMIUM = which("chromium-headless-shell") or which("chromium")
