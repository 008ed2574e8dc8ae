"""The whole chain on a real kernel: contact, buttons service, bus, table and lamp, over both kinds of bus."""

from __future__ import annotations

from typing import Any

import pytest

from tests.hardware.kernel.machine import boot

pytestmark = pytest.mark.kernel


@pytest.fixture(scope="module")
def chain() -> dict[str, Any]:
    """Return the results of both games."""
    return boot("tests.hardware.kernel.chain")


@pytest.mark.parametrize("bus", ["local", pytest.param("broker", marks=pytest.mark.broker)])
def test_from_a_real_contact_to_a_real_lamp(chain: dict[str, Any], bus: str) -> None:
    """B, A and B raise with bouncing contacts, each leader's lamp lights up, B counts to three and pays 350."""
    if bus not in chain:
        pytest.skip("there is no mosquitto: apt install mosquitto")
    found = chain[bus]
    assert found["raised"] == [1, 0, 1], found["said"]
    assert found["lamps"] == [True, True, True]
    assert found["money"] == [5000, 4650, 5000]
