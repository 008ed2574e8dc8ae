// Features that only a secure address allows (HTTPS trusted by the device, or localhost): a page for when the table
// cannot be reached, a screen that stays on, and installing. Elsewhere the page explains how to keep the screen on.
"use strict";
(() => {
  const body = document.body;
  document.querySelector("[data-again]")?.addEventListener("click", (event) => { event.preventDefault(); location.reload(); });
  if ("serviceWorker" in navigator && !("staged" in body.dataset)) navigator.serviceWorker.register("/worker.js").catch(() => {});

  const awake = document.querySelector("[data-awake]"), install = document.querySelector("[data-install]");
  if (!awake) return;
  const secure = "wakeLock" in navigator;
  document.querySelector("[data-awake-field]").hidden = false;
  awake.hidden = !secure;
  const hint = document.querySelector("[data-awake-hint]");
  hint.hidden = secure;

  // --- the screen stays on while the page is shown and the game is not paused ----------------------

  let wanted = false, lock = null, asking = false;
  const paused = () => Boolean(document.querySelector("[data-paused]"));
  async function hold() {
    const on = wanted && !paused() && document.visibilityState === "visible";
    if (!on) { lock?.release().catch(() => {}); lock = null; hint.hidden = true; return; }
    if (asking || (lock && !lock.released)) return;
    asking = true;
    try { lock = await navigator.wakeLock.request("screen"); } catch { lock = null; } // an empty battery, for instance; the page then explains how to keep the screen on
    hint.hidden = lock !== null;
    asking = false;
  }
  function choose(on) {
    wanted = on;
    awake.textContent = on ? awake.dataset.on : awake.dataset.off;
    hold();
  }
  if (secure) {
    try { choose(localStorage.getItem("awake") === "on"); } catch { /* private mode: off */ }
    awake.addEventListener("click", () => {
      choose(!wanted);
      try { localStorage.setItem("awake", wanted ? "on" : ""); } catch { /* not remembered */ }
    });
    document.addEventListener("visibilitychange", hold);
    document.addEventListener("pointerup", hold); // after the system has released the lock, request it again at the next tap
    document.addEventListener("region:changed", (event) => { if (event.detail.name === "banner") hold(); });
  }

  // --- installing ---------------------------------------------------------------------------------

  let prompt = null;
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    prompt = event;
    install.hidden = false;
  });
  install.addEventListener("click", () => { prompt?.prompt(); install.hidden = true; });
})();
