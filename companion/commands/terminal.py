"""Print for commands: errors appear as sentences, never as a traceback."""

from __future__ import annotations

import codecs
import io
import json
import os
import re
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click
import msgspec
import platformdirs

from companion import config
from companion.commands.stdio import below, can_show, safe_streams
from companion.devices.bus import Address, find_address, parse_address
from companion.devices.bus.address import configured_address
from companion.files.atomic_folder import finish
from companion.files.untrusted import printable, printable_lines
from companion.i18n import LANGUAGES

if TYPE_CHECKING:
    from rich.console import Console

LONGEST_ERROR = 1000
"""The longest message of an unexpected error that is printed, in characters."""
FAILED = 1
"""The exit code of a command that failed; click uses 2 for wrong usage."""


def out() -> Console:
    """Return the console for results."""
    return _console(sys.stdout)


def remarks() -> Console:
    """Return the console for progress and remarks, which are not results."""
    return _console(sys.stderr)


def remark(text: str) -> None:
    """Print a remark. Services print few lines and save the time to load a console."""
    click.echo(printable_lines(text), err=True)


def _console(file: TextIO) -> Console:
    """Return a console that prints text unchanged, since names of files and cards may contain brackets and colons.

    It shows control characters in texts instead of sending them; only its own are sent.
    """
    from rich.console import Console
    from rich.segment import Segment

    class SafeConsole(Console):
        def render(self, *args: Any, **kwargs: Any) -> Iterable[Segment]:
            for segment in super().render(*args, **kwargs):
                yield segment if segment.control else segment._replace(text=printable_lines(segment.text))

    return SafeConsole(file=below(file), markup=False, emoji=False, highlight=False, soft_wrap=True)


def print_code(address: str) -> None:
    """Print an address as a QR code in the best form that the terminal can show."""
    import segno

    code, stream = segno.make(address, micro=False), below(sys.stdout)
    if can_show(stream, "▀▄█"):
        code.terminal(out=stream, compact=True, border=2)
    elif stream.isatty():
        code.terminal(out=stream, border=2)  # in spaces, some in reverse video
    else:
        remarks().print("The QR code is left out: the terminal's encoding has no blocks.")


def code_lines(text: str) -> list[str]:
    """Return a QR code as lines of text, or none if the terminal cannot show one."""
    import segno

    if not can_show(below(sys.stdout), "▀▄█"):
        return []
    drawn = io.StringIO()
    segno.make(text, micro=False).terminal(out=drawn, compact=True, border=2)
    return drawn.getvalue().splitlines()


def print_json(data: object) -> None:
    """Print data as one line of JSON."""
    echo_json(msgspec.json.encode(data).decode() + "\n")


def echo_json(text: str) -> None:
    """Print lines of JSON; a terminal without UTF-8 gets them in ASCII with the same meaning."""
    unicode = codecs.lookup(sys.stdout.encoding or "ascii").name == "utf-8"
    click.echo(text if unicode else re.sub(r"[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], text), nl=False)


class Commands(click.Group):
    """A group of commands that prints known errors as sentences and logs unknown ones to a file."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command line with safe streams."""
        with safe_streams():
            return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; turn errors into sentences with exit code 1."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            raise click.exceptions.Exit(130) from None
        except (ValueError, OSError) as error:
            if not _is_expected(error):
                raise click.ClickException(log_error(error)) from None
            raise click.ClickException(error_text(error)) from None
        except Exception as error:
            raise click.ClickException(log_error(error)) from None


def error_text(error: Exception) -> str:
    """Return an error as a sentence: for files, what could not be done and why."""
    from companion.engine import BadSetup

    if isinstance(error, BadSetup):
        text = error.message
        return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return printable(f"{where}{error.strerror}.")
    return printable(str(error))


def _is_expected(error: Exception) -> bool:
    """Return whether we raised an error on purpose, or the system raised it about a file."""
    return isinstance(error, OSError) or type(error).__module__.startswith("companion.")


def log_error(error: Exception) -> str:
    """Write an unexpected error's traceback into a file and return a sentence that names it."""
    told, why = "".join(traceback.format_exception(error)), printable(f"{type(error).__name__}: {error}", LONGEST_ERROR)
    path = Path(platformdirs.user_log_path("table-companion")) / "last-error.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(told, encoding="utf-8", errors="backslashreplace")
    except OSError:
        return f"Unexpected error: {why}."
    return f"Unexpected error: {why}. The details are in {path}."


# --- shared options and arguments -----------------------------------------------------------------


as_json = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, for programs.")


def data_folder(given: Path | None) -> Path:
    """Return the data folder: `given`, from COMPANION_DATA, or the user's default.

    Before that, finish an interrupted restoration in it.
    """
    named = os.environ.get("COMPANION_DATA")
    folder = given or (Path(named) if named else Path(platformdirs.user_data_path("table-companion")))
    if os.geteuid() or not folder.exists() or folder.stat().st_uid == 0:  # as root, leave that to the folder's owner
        finish(folder)
    return folder


bus_option = click.option(
    "--bus",
    metavar="ADDRESS",
    help="The bus: unix:PATH. [default: COMPANION_BUS, the settings, or `bus` in the data folder]",
)


def find_bus(given: str | None, folder: Path) -> Address:
    """Return the address of the bus: `given`, else from the environment, the settings or the data folder.

    If the settings of the bus contain a mistake, print it and ignore them.
    """
    if given is not None:
        return parse_address(given, "--bus")
    try:
        configured_address(config.read(folder))
    except config.ConfigError as error:
        if error.finding.key == f"settings.{config.BUS}":
            remarks().print(str(error))
    return find_address(folder)


def own_language() -> str:
    """Return the system's language, or our first one if we lack it."""
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return named[:2] if named[:2] in LANGUAGES else LANGUAGES[0]
