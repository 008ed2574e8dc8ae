"""Tests of `companion camera`: its messages when something is missing, and its orderly end."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.devices.bus import SocketAddress, serve
from companion.findings import findings_of
from companion.messages import RENDERED, Answered, AnyMessage, Asked, CardLaid, Health
from vision.commands import camera as commands
from vision.commands.camera import command
from vision.mat.camera_resolution import BY_HAND, LEAST_PICTURE, picture_size
from vision.service.loop import CameraService, ServiceOptions
from vision.service.place_locator import NEEDED
from vision.settings import CameraSettings

PATIENCE = 30.0


def first_words(folder: Path, *arguments: str, paths: str = "", ask: str = "calibrate") -> list[AnyMessage]:
    """Run the service until it has reported and answered a question, check its clean exit and return its report."""
    heard: list[AnyMessage] = []
    answered = threading.Event()

    def hear(peer: Any, message: AnyMessage) -> None:
        heard.append(message)
        if isinstance(message, Health) and len(heard) == 1:
            peer.send(Asked(7, ask))
        if isinstance(message, Answered):
            answered.set()

    bus = serve(SocketAddress(folder / "bus"), hear)
    environment = {**os.environ, "COMPANION_SHELF": str(folder / "shelf"), "PYTHONPATH": paths}
    words = (sys.executable, "-m", "companion", "camera", "--data", str(folder), "--child", *arguments)
    process = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert answered.wait(PATIENCE)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.wait()
        bus.close()
    return heard


def test_without_opencv_it_says_so_and_lives(tmp_path: Path) -> None:
    """Without OpenCV the service reports the missing package and keeps running."""
    (tmp_path / "cv2.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    said = first_words(tmp_path, "--source", "usb:0", paths=str(tmp_path))
    assert isinstance(said[0], Health) and said[0].camera is not None
    assert (said[0].camera.looking, said[0].camera.trouble) == ("none", "no_opencv")
    assert next(each for each in said if isinstance(each, Answered)).key == "no_opencv"


def test_without_opencv_an_examination_names_it(tmp_path: Path) -> None:
    """Without OpenCV the host's page shows the missing package instead of a camera that does not answer."""
    (tmp_path / "cv2.py").write_text("raise ImportError('not here')\n", encoding="utf-8")
    said = first_words(tmp_path, paths=str(tmp_path), ask="examine")
    found = findings_of(next(each for each in said if isinstance(each, Answered)))
    assert found is not None and [(each.key, each.state) for each in found] == [("camera.opencv", "missing")]


def test_bad_settings_are_a_state_with_the_sentence(tmp_path: Path) -> None:
    """The camera's page shows the file, the key and the allowed values of a wrong setting."""
    (tmp_path / "companion.toml").write_text('[camera]\ncard = "big"\n', encoding="utf-8")
    said = first_words(tmp_path)
    states = [each.camera for each in said if isinstance(each, Health) and each.camera is not None]
    state = next(each for each in states if each.trouble)
    assert state.trouble == "bad_settings" and "63x88" in str(state.fields["said"])
    assert next(each for each in said if isinstance(each, Answered)).key == "no_camera"


def test_cameras_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each camera is listed with source and name, and an empty list is a sentence."""
    from vision.cameras import sources

    monkeypatch.setattr(
        sources,
        "find_cameras",
        lambda: (sources.FoundCamera("picamera2", "imx708"), sources.FoundCamera("usb:2", "C920")),
    )
    said = CliRunner().invoke(command, ["--list"])
    assert said.output.split() == ["picamera2", "imx708", "usb:2", "C920"]
    monkeypatch.setattr(sources, "find_cameras", lambda: ())
    assert "No camera found" in CliRunner().invoke(command, ["--list"]).output


def test_library_that_hangs_ends_the_process_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A library that hangs ends the process at once, without a cleanup that would hang too, and requests a restart."""
    codes: list[int] = []
    monkeypatch.setattr(commands, "serve", lambda folder, bus, source: 3)
    monkeypatch.setattr(os, "_exit", codes.append)
    CliRunner().invoke(command, ["--data", str(tmp_path)])
    assert codes == [3]


def test_a_rendered_tables_card_lies_face_down(tmp_path: Path) -> None:
    """A card laid face down shows its own back, and the true table can be queried."""
    with tempfile.TemporaryDirectory(prefix="bus-") as short:
        heard: queue.Queue[AnyMessage] = queue.Queue()
        bus = serve(SocketAddress(Path(short) / "bus"), lambda peer, message: heard.put(message))
        opened = commands.opener("rendered", CameraSettings(players=2))
        options = ServiceOptions(CameraSettings(players=2))
        service = CameraService(tmp_path, SocketAddress(Path(short) / "bus"), tmp_path, opened, options)
        thread = threading.Thread(target=service.run)
        thread.start()
        try:
            while not (isinstance(now := heard.get(timeout=PATIENCE), Health) and now.kind == RENDERED):
                pass
            bus.send(CardLaid("steam-3", "seat.1.train.1", face="down"))
            answer = Answered(0)
            while not answer.fields.get("cards") or answer.fields["moving"]:
                match heard.get(timeout=PATIENCE):
                    case Health():
                        bus.send(Asked(1, "lying"))
                    case Answered() as answer:
                        pass
        finally:
            service.stop()
            thread.join()
            bus.close()
    assert answer.fields["cards"] == [{"place": "seat.1.train.1", "card": "back-locomotive", "face": "down"}]
    assert "seat.2.train.3" in answer.fields["places"] and "seat.3.train.1" not in answer.fields["places"]


@pytest.mark.parametrize("mat", [(346.0, 726.0), (662.0, 726.0), (988.0, 364.0)])
def test_a_rendered_picture_shows_every_mat_large_enough(mat: tuple[float, float]) -> None:
    """Along the picture's long side, the mat has the pixels per millimetre that values need."""
    wide, tall = picture_size(mat)
    short, long = sorted(mat)
    assert min(wide * BY_HAND / long, tall * BY_HAND / short) >= NEEDED
    assert wide * 9 == tall * 16 and wide >= LEAST_PICTURE


@pytest.mark.parametrize(("source", "gives_way"), [("auto", True), (RENDERED, False)])
def test_a_rendered_camera_does_not_give_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, gives_way: bool
) -> None:
    """A rendered camera does not yield to busy processes, because each of its pictures is awaited."""
    gave: list[str] = []
    monkeypatch.setattr(commands, "end_with_parent", lambda: None)
    monkeypatch.setattr(commands, "give_way", lambda: gave.append(source))
    monkeypatch.setattr(commands, "find_bus", lambda *_: None)
    monkeypatch.setattr(commands, "serve", lambda *_: 0)
    run = CliRunner().invoke(command, ["--child", "--source", source, "--data", str(tmp_path)])
    assert run.exit_code == 0, run.output
    assert bool(gave) == gives_way
