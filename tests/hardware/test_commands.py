"""The command lines around the buttons."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion import cli, config
from companion.messages import HOST
from hardware import commands
from hardware.wiring.diagram import picture
from hardware.wiring.wiring import DEFAULT, read
from tests.support.paths import ROOT

SOCKETS = "seats = [{ button = 17, lamp = 18 }, { button = 27 }]\n"


def run(folder: Path, *words: str) -> Result:
    """Run a command line with a data folder."""
    return CliRunner().invoke(cli.main, [*words, "--data", str(folder)])


def refused(result: Result) -> str:
    """Return the sentence with which a command failed."""
    assert result.exit_code == 1, result.output
    assert "Traceback" not in result.output and "should not have" not in result.output
    return result.stderr


def test_the_commands_are_listed() -> None:
    """The help lists the commands of the buttons."""
    said = CliRunner().invoke(cli.main, ["--help"]).output
    assert all(f"\n  {name} " in said for name in ("buttons", "wiring", "run"))


def test_the_wiring_is_printed_with_places_and_grounds(tmp_path: Path) -> None:
    """The wiring is printed with GPIO number, place on the header and nearest ground for each part."""
    rows = [line.split() for line in run(tmp_path, "wiring").stdout.splitlines()]
    assert ["seat", "1", "GPIO", "17", "11", "9", "GPIO", "18", "12", "14"] in rows
    assert ["host", "GPIO", "26", "37", "39", "–"] in rows
    assert ["buzzer", "–", "GPIO", "12", "32", "30"] in rows


def test_the_wiring_is_drawn(tmp_path: Path) -> None:
    """The drawing shows the wiring of the data folder."""
    config.path_in(tmp_path).write_text("[wiring]\n" + SOCKETS, encoding="utf-8")
    file = tmp_path / "w.svg"
    assert run(tmp_path, "wiring", "--svg", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8") == picture(read(tmp_path)) != picture(DEFAULT)


def test_the_shipped_wiring_is_written_beside_other_settings(tmp_path: Path) -> None:
    """Writing the wiring keeps the other settings, and is refused the second time."""
    path = config.path_in(tmp_path)
    path.write_text('[radio]\nbroker = "x"', encoding="utf-8")
    assert run(tmp_path, "wiring", "--write").exit_code == 0
    assert config.read(tmp_path).tables["radio"] == {"broker": "x"}
    assert read(tmp_path) == DEFAULT
    before = path.read_bytes()
    assert "already has a table [wiring]" in refused(run(tmp_path, "wiring", "--write"))
    assert path.read_bytes() == before


def test_the_shipped_wiring_is_written_into_a_new_folder(tmp_path: Path) -> None:
    """Writing the wiring into a new folder makes the folder and the file."""
    assert run(tmp_path / "new", "wiring", "--write").exit_code == 0
    assert read(tmp_path / "new") == DEFAULT


@pytest.mark.parametrize("words", [("wiring",), ("buttons",), ("buttons", "--test")])
def test_a_bad_wiring_stops_every_command_with_its_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    """A bad wiring stops each command with one sentence and changes nothing."""
    config.path_in(tmp_path).write_text("[wiring]\n" + SOCKETS + "host = 17\n", encoding="utf-8")
    result = run(tmp_path, *words)
    assert "GPIO 17 is used twice, for the button of seat 1 and for the host's button." in refused(result)
    assert result.stdout == ""


@pytest.mark.skipif(Path("/dev/gpiochip0").exists(), reason="this machine has pins")
def test_real_pins_where_there_are_none_are_one_sentence(tmp_path: Path) -> None:
    """The service says in one sentence that there are no real pins."""
    assert "lgpio" in refused(run(tmp_path, "buttons", "--pins", "lgpio"))


@pytest.mark.parametrize("words", [("--bounce", "3"), ("--late", "5", "--pins", "lgpio"), ("--seconds", "3")])
def test_options_that_do_not_go_together_are_refused(tmp_path: Path, words: tuple[str, ...]) -> None:
    """Faults need simulated pins, and a time limit needs a trial."""
    result = run(tmp_path, "buttons", *words)
    assert result.exit_code == 2 and "Traceback" not in result.output


def test_a_trial_ends_by_itself(tmp_path: Path) -> None:
    """A trial presses simulated buttons, ends by itself and prints the summary."""
    result = run(tmp_path, "buttons", "--test", "--pins", "simulated", "--bounce", "2", "--seconds", "0.5")
    assert result.exit_code == 0, result.output
    assert "seat 1  pressed" in result.stdout and "Never felt: " in result.stdout


def test_the_wireless_buttons_come_from_the_settings(tmp_path: Path) -> None:
    """Without the settings' table there is no radio; a bad table is reported in a sentence, and wired buttons still
    work."""
    assert commands.open_radio(config.read(tmp_path), DEFAULT) is None
    path = config.path_in(tmp_path)
    path.write_text('[radio.buttons]\n1 = "companion/seat-1"\n', encoding="utf-8")
    radio = commands.open_radio(config.read(tmp_path), DEFAULT)
    assert radio is not None and [state.seat for state in radio.buttons()] == [0]
    path.write_text("[radio]\n", encoding="utf-8")
    wiring, radio, left_out = commands.read_settings(tmp_path)
    assert (wiring, radio) == (DEFAULT, None)
    assert [str(config.ConfigError(each)) for each in left_out] == [
        f'{path}, line 1, [radio]: buttons must name a topic for each wireless button, such as 1 = "companion/seat-1".'
    ]


def test_the_settings_of_the_documents_can_be_used_as_they_stand(tmp_path: Path) -> None:
    """All settings in docs/buttons.md can be read together and have the effect that the text describes."""
    text = (ROOT / "docs" / "buttons.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", text, re.S)
    assert len(blocks) == 3
    config.path_in(tmp_path).write_text("\n".join(blocks), encoding="utf-8")
    (tmp_path / "radio.password").write_text("hush", encoding="utf-8")
    found = read(tmp_path)
    assert (len(found.seats), found.host, found.bounce_ms, found.stuck_s) == (2, 26, 10, 20)
    radio = commands.open_radio(config.read(tmp_path), found)
    assert radio is not None and [state.seat for state in radio.buttons()] == [0, 1, HOST]


def service(folder: Path, *words: str, **settings: Any) -> subprocess.Popen[str]:
    """Start the service as a process."""
    command = [sys.executable, "-m", "companion", "buttons", "--pins", "simulated", "--data", str(folder), *words]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **settings)


def listening(folder: Path) -> Any:
    """Return a bus for the service, and the list of what it reports."""
    import queue

    from companion.devices.bus import find_address, serve

    heard: queue.Queue[Any] = queue.Queue()
    return serve(find_address(folder), lambda peer, message: heard.put(message)), heard


def test_the_service_tells_its_health_and_ends_when_told(tmp_path: Path) -> None:
    """`companion buttons` joins the bus and ends at SIGTERM."""
    bus, heard = listening(tmp_path)
    process = service(tmp_path)
    try:
        assert heard.get(timeout=30).kind == "simulated"
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.communicate()
        bus.close()


def test_a_child_ends_with_its_parent(tmp_path: Path) -> None:
    """With `--child` the service ends with its parent, even if the parent was killed."""
    bus, heard = listening(tmp_path)
    line = f"exec 3>&1; {sys.executable} -m companion buttons --pins simulated --data {tmp_path} --child & wait"
    parent = subprocess.Popen(["sh", "-c", line], stdout=subprocess.PIPE, text=True)
    try:
        assert heard.get(timeout=30).service == "buttons"
        os.kill(parent.pid, signal.SIGKILL)
        assert parent.stdout is not None
        assert parent.stdout.read() == ""  # The pipe ends when the child, which holds the other end, has ended
    finally:
        parent.kill()
        parent.communicate()
        bus.close()
