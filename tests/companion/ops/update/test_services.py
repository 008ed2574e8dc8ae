"""Services around an update: which ones must be up afterwards, and how long that is awaited."""

from __future__ import annotations

from collections.abc import Sequence

from companion.ops.update.services import PATIENCE, STEADY, Services
from companion.ops.update.system import Done


class Unit:
    """A service whose states come one after another; the last one stays."""

    def __init__(self, *states: tuple[str, int]) -> None:
        self.states = list(states)

    def now(self) -> tuple[str, int]:
        """Return the state, and go on to the next one."""
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]


class Machine:
    """systemd with a clock of its own."""

    def __init__(self, healthy: bool = True, **units: Unit) -> None:
        self.units, self.time, self.said = units, 0.0, list[str]()
        self.services = Services(self.run, True, lambda: healthy, lambda: self.time, self.pause)

    def run(self, command: Sequence[str]) -> Done:
        """Answer as systemctl."""
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
        """Let time pass."""
        self.time += seconds


def test_services_that_stay_up_are_well() -> None:
    """Each for some seconds, though they take their time."""
    machine = Machine(table=Unit(("activating", 0), ("activating", 0), ("active", 0)), camera=Unit(("active", 0)))
    assert machine.services.failing(("table", "camera")) == ""
    assert STEADY <= machine.time < STEADY + 3


def test_a_service_that_dies_after_its_start_is_found() -> None:
    """It is up now and then, and systemd starts it again and again: nobody waits for minutes."""
    dying = Unit(*[(state, n) for n in range(4) for state in ("active", "active", "activating")])
    machine = Machine(table=Unit(("active", 0)), camera=dying)
    assert machine.services.failing(("table", "camera")) == "camera" and machine.time < 20


def test_a_service_that_never_comes_is_found() -> None:
    """When patience is over."""
    machine = Machine(table=Unit(("activating", 0)))
    assert machine.services.failing(("table",)) == "table" and machine.time >= PATIENCE


def test_a_table_whose_pages_do_not_answer_is_not_well() -> None:
    """Though systemd says that it is up."""
    assert Machine(healthy=False, table=Unit(("active", 0))).services.failing(("table",)) == "table"


def test_what_did_not_work_before_need_not_work_afterwards() -> None:
    """A camera without its packages does not stop an update; where nothing runs, nothing is awaited."""
    machine = Machine(table=Unit(("active", 0)), camera=Unit(("activating", 7)))
    assert machine.services.working() == ("table",)
    assert machine.services.failing(machine.services.working()) == ""
    assert Machine(table=Unit(("inactive", 0))).services.failing(()) == ""


def test_the_table_starts_first() -> None:
    """After systemd has read the new units."""
    machine = Machine()
    machine.services.restart(("table", "camera"))
    assert machine.said == [
        "daemon-reload", "reset-failed companion-*", "restart companion-table.service",
        "restart companion-camera.service", "--no-block start companion.target",
    ]  # fmt: skip
