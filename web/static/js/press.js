// A page's own button. Sends a press the instant a finger comes down, with its time; the table judges what it means.
// A finger that stays down is a hold, even if the button's text changes under the finger.
"use strict";
(() => {
  const body = document.body, dock = document.querySelector("[data-press-dock]");
  if (!dock) return;
  const HELD = 700, SHOWN = 7000, LINGERS = 1200, NEAR = 60;
  const csrf = document.querySelector('meta[name="csrf"]')?.content || "";
  const ring = document.querySelector("[data-press-hold]"), message = document.querySelector("[data-press-message]");
  let holding = null, quiet = null;

  const stamp = (at) => { const there = window.companion.clock.there(at); return there === null ? "" : String(there); };

  function send(contact, at, since, held) {
    const form = new URLSearchParams({ contact, at, since: since || "", page: body.dataset.page });
    if (held) form.set("held", held);
    return fetch("press", { method: "POST", body: form, keepalive: true, headers: { "X-CSRF": csrf, "HX-Request": "true" } })
      .then(async (answer) => { if (answer.status >= 400) { const box = document.createElement("div"); box.innerHTML = await answer.text(); say(box.textContent.trim()); } })
      .catch(() => {});
  }
  function say(sentence, calm = false) {
    clearTimeout(quiet);
    message.textContent = sentence;
    message.classList.toggle("calm", calm);
    message.hidden = !sentence;
    quiet = setTimeout(() => { message.hidden = true; }, SHOWN);
  }
  document.addEventListener("stream:said", (event) => {
    say(event.detail.sentence, event.detail.quiet);
    dock.classList.remove("shaken");
    if (event.detail.quiet) return;
    void dock.offsetWidth;
    dock.classList.add("shaken");
  });

  function down(button, at, pointer) {
    if (body.dataset.offline || button.disabled) return;
    const ready = window.companion.seals?.hold(button);
    say(ready?.why || "");
    if (ready?.why) return;
    const since = stamp(at);
    send("closed", since, "", ready?.held);
    if (navigator.vibrate) navigator.vibrate(12);
    button.classList.add("down");
    setTimeout(() => button.classList.remove("down"), 160);
    release();
    if (!button.dataset.hold) return;
    ring.querySelector("b").textContent = button.dataset.hold;
    ring.hidden = false;
    holding = { pointer, timer: setTimeout(() => {
      send("held", stamp(performance.now()), since);
      ring.classList.add("full");
      if (navigator.vibrate) navigator.vibrate([20, 30, 20]);
      holding = { pointer, timer: setTimeout(release, 500) };
    }, HELD) };
  }
  function release(pointer) {
    if (!holding || (pointer !== undefined && holding.pointer !== pointer)) return;
    clearTimeout(holding.timer);
    holding = null;
    ring.hidden = true;
    ring.classList.remove("full");
  }

  // If a lot closes just before a finger comes down, the button stays for a moment. The press is then judged (too late,
  // and by how much), and the finger touches no control that replaces the button.
  const region = document.getElementById("region-press");
  let last = "", ghost = null;
  const remember = () => { const button = region.querySelector("[data-press]"); last = button ? button.outerHTML : ""; };
  remember();
  document.addEventListener("region:changed", (event) => {
    if (event.detail.name !== "press") return;
    const before = last;
    remember();
    clearTimeout(ghost);
    if (last || !before || region.querySelector(".press-bar")) return;
    region.innerHTML = `<div class="press-bar" data-kind="over">${before}</div>`;
    const button = region.querySelector("[data-press]");
    button.classList.add("over");
    delete button.dataset.hold;
    ghost = setTimeout(() => { if (region.contains(button)) region.replaceChildren(); }, LINGERS);
  });

  // If a move brings up the button under the finger that made it, the second of two quick taps does not count.
  let moved = null;
  document.addEventListener("pointerdown", (event) => {
    if (event.target.closest("form button")) moved = { at: event.timeStamp, x: event.clientX, y: event.clientY };
  });
  const again = (event, button) => moved && event.timeStamp - moved.at < +button.dataset.twice && Math.hypot(event.clientX - moved.x, event.clientY - moved.y) < NEAR;

  dock.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("[data-press]");
    if (!button || event.button > 0) return;
    event.preventDefault();
    if (again(event, button)) return;
    button.focus({ preventScroll: true });
    down(button, event.timeStamp, event.pointerId);
  });
  dock.addEventListener("contextmenu", (event) => { if (event.target.closest("[data-press]")) event.preventDefault(); });
  for (const kind of ["pointerup", "pointercancel"]) window.addEventListener(kind, (event) => release(event.pointerId));
  window.addEventListener("blur", () => release());

  // Some browsers turn a key's release into a click even when its press was handled: that click does not count.
  const KEYS = ["Enter", " "], CLICKED = 1000;
  let keyed = -Infinity;
  dock.addEventListener("keydown", (event) => {
    const button = event.target.closest("[data-press]");
    if (!button || !KEYS.includes(event.key)) return;
    event.preventDefault();
    if (!event.repeat) down(button, event.timeStamp, "key");
    keyed = event.timeStamp;
  });
  window.addEventListener("keyup", (event) => {
    if (!KEYS.includes(event.key)) return;
    if (event.target.closest?.("[data-press]")) { event.preventDefault(); keyed = event.timeStamp; }
    release("key");
  });
  // A screen reader's tap arrives as a click without a finger or a key before it.
  dock.addEventListener("click", (event) => {
    const button = event.target.closest("[data-press]");
    if (!button || event.detail !== 0 || event.timeStamp - keyed < CLICKED) return;
    down(button, event.timeStamp, "click");
    release("click");
  });
})();
