"""Makes the pictures of docs/adding-a-game.md: `python -m tests.tools.region_pictures` frames and names each region."""

from __future__ import annotations

import os
import re

os.environ["COMPANION_EXAMPLES"] = "1"

from companion.engine import COLOURS, SHAPES
from tests.support.paths import ROOT
from tests.tools.palette import smaller
from tests.web.browser.devices import PHONE, TABLET, Device, chromium, started

NAMES = ("Jane", "Bill", "Tom")
FRAME = """() => {
  for (const region of document.querySelectorAll(".region:has(> *)")) {
    region.style.outline = "3px solid #d22f27";
    region.style.position = "relative";
    const name = document.createElement("b");
    name.textContent = region.id.replace("region-", "");
    name.style.cssText = "position:absolute;right:0;top:0;z-index:9;padding:0 .4rem;background:#d22f27;color:#fff";
    region.append(name);
  }
}"""


def main() -> None:
    """Begin a game of Twenty Tons, and take a picture of the table and one of the seat on turn."""
    folder = ROOT / "docs" / "pictures"
    with started() as server, chromium() as browser:
        host, phone = Device(browser, TABLET), Device(browser, PHONE)
        host.open(server.address)
        people = {"name": NAMES, "colour": COLOURS[: len(NAMES)], "shape": SHAPES[: len(NAMES)]}
        host.open(host.post("/setup?game=twenty-tons", game="twenty-tons", deck="dealt", pin="2468", **people))
        room = re.sub(r"\D", "", str(host.page.locator(".join-code .pin").text_content()))
        phone.open(server.address)
        phone.open(phone.post("/join", room=room, seat=0, pin="1111"))
        host.open(host.post("/tablet", "/join", room=room))
        for device, name in ((host, "regions-table.png"), (phone, "regions-seat.png")):
            device.page.wait_for_timeout(500)
            device.page.evaluate(FRAME)
            (folder / name).write_bytes(smaller(device.page.screenshot(full_page=True)))


if __name__ == "__main__":
    main()
