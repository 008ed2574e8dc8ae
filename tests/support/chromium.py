"""Where Chromium is: Debian's build without windows, which needs half the time, else the browser that people use."""

from shutil import which

CHROMIUM = which("chromium-headless-shell") or which("chromium")
