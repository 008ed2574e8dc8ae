// Simulated pins: buttons to press, with several fingers at once, and lamps as the buttons' service sets them.
"use strict";
(() => {
  const panel = document.querySelector("[data-pins-panel]");
  if (!panel) return;
  const csrf = document.querySelector('meta[name="csrf"]')?.content || "";
  const roads = new Map(), fingers = new Map();

  // A pin's edges are sent one after another, so that none overtakes another.
  function drive(pin, high) {
    const form = new URLSearchParams({ pin, high: high ? "1" : "0" });
    const go = () => fetch("drive", { method: "POST", body: form, headers: { "X-CSRF": csrf, "HX-Request": "true" } }).catch(() => {});
    roads.set(pin, (roads.get(pin) || Promise.resolve()).then(go));
  }
  function press(button, finger) {
    if (fingers.has(finger)) return;
    fingers.set(finger, button);
    button.classList.add("down");
    drive(button.dataset.pin, false);
  }
  function lift(finger) {
    const button = fingers.get(finger);
    if (!button) return;
    fingers.delete(finger);
    if (![...fingers.values()].includes(button)) { button.classList.remove("down"); drive(button.dataset.pin, true); }
  }
  panel.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("[data-pin]");
    if (button && event.button <= 0) { event.preventDefault(); button.focus({ preventScroll: true }); press(button, event.pointerId); }
  });
  for (const kind of ["pointerup", "pointercancel"]) window.addEventListener(kind, (event) => lift(event.pointerId));
  panel.addEventListener("contextmenu", (event) => event.preventDefault());
  panel.addEventListener("keydown", (event) => {
    const button = event.target.closest("[data-pin]");
    if (button && (event.key === " " || event.key === "Enter")) { event.preventDefault(); if (!event.repeat) press(button, "key" + button.dataset.pin); }
  });
  window.addEventListener("keyup", (event) => { const button = event.target.closest?.("[data-pin]"); if (button) lift("key" + button.dataset.pin); });
  window.addEventListener("blur", () => [...fingers.keys()].forEach(lift));

  document.addEventListener("stream:pins", (event) => {
    const { lamps, buttons, alive } = event.detail;
    panel.dataset.alive = alive ? "1" : "";
    panel.querySelectorAll("[data-lamp]").forEach((lamp) => {
      const on = Boolean(lamps[lamp.dataset.lamp]);
      lamp.classList.toggle("lit", on);
      lamp.setAttribute("aria-label", `${lamp.dataset.name}: ${on ? lamp.dataset.on : lamp.dataset.off}`);
    });
    panel.querySelectorAll("[data-pin]").forEach((button) => { button.dataset.condition = buttons[button.dataset.pin] || "missing"; });
  });
})();
