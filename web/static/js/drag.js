// Drags a card of the hand to a place: lifting chooses it, dropping presses the button shown at the place.
"use strict";
(() => {
  const field = document.getElementById("region-holdings"), root = document.documentElement;
  if (!field) return;
  const HOLD = 200, STILL = 8; // milliseconds for which a finger rests on a card to lift it, because a quick one scrolls; pixels by which a mouse lifts it
  const EDGE = 80, PACE = 12; // near the edge of the screen the page scrolls: pixels from the edge, and pixels per frame
  let held = null; // the card under the finger; it counts as lifted once it has a ghost

  const visible = (element) => element.checkVisibility() && !element.disabled;
  const button = (place) => [...place.querySelectorAll("button[data-drop-do]")].find(visible);

  function lift() {
    const input = held.piece.querySelector("input"), shown = held.piece.querySelector("span"), box = shown.getBoundingClientRect();
    input.checked = true;
    input.dispatchEvent(new Event("input", { bubbles: true }));
    held.ghost = shown.cloneNode(true);
    held.ghost.classList.add("drag-ghost");
    held.ghost.setAttribute("aria-hidden", "true");
    held.ghost.style.width = `${box.width}px`;
    document.body.append(held.ghost);
    root.toggleAttribute("data-dragging", true);
    root.toggleAttribute("data-lifted", true);
    follow();
    requestAnimationFrame(scroll);
  }
  function follow() {
    held.ghost.style.translate = `calc(${held.x}px - 50%) calc(${held.y}px - 70%)`;
    const place = document.elementFromPoint(held.x, held.y)?.closest("[data-drop]") || null;
    if (place === held.place) return;
    held.place?.removeAttribute("data-dropping");
    held.place = place;
    place?.setAttribute("data-dropping", button(place) ? "yes" : "no");
  }
  function scroll() {
    if (!held?.ghost) return;
    const by = held.y < EDGE ? -PACE : held.y > innerHeight - EDGE ? PACE : 0;
    if (by) { scrollBy(0, by); follow(); }
    requestAnimationFrame(scroll);
  }
  function end() {
    clearTimeout(held?.timer);
    held?.ghost?.remove();
    held?.place?.removeAttribute("data-dropping");
    root.removeAttribute("data-dragging");
    held = null;
  }

  document.addEventListener("change", (event) => { if (event.target.closest("[data-drag]")) root.removeAttribute("data-lifted"); });
  field.addEventListener("pointerdown", (event) => {
    const piece = event.target.closest("[data-drag]");
    if (!piece || !event.isPrimary || event.button) return;
    held = { piece, x: event.clientX, y: event.clientY, from: [event.clientX, event.clientY], touch: event.pointerType === "touch" };
    if (held.touch) held.timer = setTimeout(lift, HOLD);
  });
  document.addEventListener("pointermove", (event) => {
    if (!held || !event.isPrimary) return;
    [held.x, held.y] = [event.clientX, event.clientY];
    if (held.ghost) follow();
    else if (Math.hypot(held.x - held.from[0], held.y - held.from[1]) > STILL) { if (held.touch) end(); else lift(); }
  });
  document.addEventListener("pointerup", (event) => {
    if (!held || !event.isPrimary) return;
    const place = held.ghost && held.place;
    end();
    if (!place) return;
    const found = button(place);
    if (found) found.click(); else place.scrollIntoView({ block: "nearest" });
  });
  document.addEventListener("pointercancel", end);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") end(); });
  field.addEventListener("region:changed", end);
  field.addEventListener("touchmove", (event) => { if (held?.ghost) event.preventDefault(); }, { passive: false });
  field.addEventListener("contextmenu", (event) => { if (held) event.preventDefault(); });
})();
