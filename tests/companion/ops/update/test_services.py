"""Services after an update: which ones must run, and how long the update waits for them."""

from __future__ import annotations

from collections.abc import Sequence

from companion.ops.update.services import PATIENCE, STEADY, Services
from companion.ops.update.system import Done


class Unit:
    """A unit with a sequence of states, of which the last one stays."""

    def __init__(self, *states: tuple[str, int]) -> None:
        self.states = list(states)

    def now(self) -> tuple[str, int]:
        """Return the present state and move to the next one."""
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]


class Machine:
    """A simulated systemd with its own clock."""

    def __init__(self, healthy: bool = True, **units: Unit) -> None:
        self.units, self.time, self.said = units, 0.0, list[str]()
        self.services = Services(self.run, True, lambda: healthy, lambda: self.time, self.pause)

    def run(self, command: Sequence[str]) -> Done:
        """Answer a call of systemctl."""
        if command[1] != "show":
            self.said.append(" ".join(command[1:]))
            return Done(0, "")
        blocks = []
        for name, unit in self.units.items():
            state, restarts = unit.now()
            blocks.append(
                f"Id=companion-{name}.service\nActiveState={state}\nUnitFileState=enabled\nNRestarts={restarts}"
            )
        return Done(0, "\n\n".join(blocks) + "\n")

    def pause(self, seconds: float) -> None:
        """Advance the clock by some seconds."""
        self.time += seconds


def test_services_that_stay_up_are_well() -> None:
    """Services that start slowly and then stay up are accepted after a short time."""
    machine = Machine(table=Unit(("activating", 0), ("activating", 0), ("active", 0)), camera=Unit(("active", 0)))
    assert machine.services.failing(("table", "camera")) == ""
    assert STEADY <= machine.time < STEADY + 3


def test_a_service_that_dies_after_its_start_is_found() -> None:
    """A service that systemd restarts again and again is reported quickly."""
    dying = Unit(*[(state, n) for n in range(4) for state in ("active", "active", "activating")])
    machine = Machine(table=Unit(("active", 0)), camera=dying)
    assert machine.services.failing(("table", "camera")) == "camera" and machine.time < 20


def test_a_service_that_never_comes_is_found() -> None:
    """A service that never starts is reported after the time limit."""
    machine = Machine(table=Unit(("activating", 0)))
    assert machine.services.failing(("table",)) == "table" and machine.time >= PATIENCE


def test_a_table_whose_pages_do_not_answer_is_not_well() -> None:
    """A table whose pages do not answer is reported, although systemd calls it active."""
    assert Machine(healthy=False, table=Unit(("active", 0))).services.failing(("table",)) == "table"


def test_what_did_not_work_before_need_not_work_afterwards() -> None:
    """Only services that worked before the update must work after it."""
    machine = Machine(table=Unit(("active", 0)), camera=Unit(("activating", 7)))
    assert machine.services.working() == ("table",)
    assert machine.services.failing(machine.services.working()) == ""
    assert Machine(table=Unit(("inactive", 0))).services.failing(()) == ""


def test_the_table_starts_first() -> None:
    """After an update systemd reloads its units and restarts the table first."""
    machine = Machine()
    machine.services.restart(("table", "camera"))
    assert machine.said == [
        "daemon-reload", "reset-failed companion-*", "restart companion-table.service",
        "restart companion-camera.service", "--no-block start companion.target",
    ]  # fmt: skip
