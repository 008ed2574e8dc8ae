// A player's phone and the tournament's walls refresh by themselves.
"use strict";
(() => {
  const PATIENCE = 8000, SPREAD = 0.3, LOST = 3;
  let failed = 0, timer = 0, was = document.querySelector("[data-again]")?.outerHTML;

  // Do not replace an element in which people are typing, or that they have just reached by the Tab key.
  function inUse(part) {
    return part.contains(document.activeElement) || [...part.querySelectorAll("input")].some((each) => each.value !== each.defaultValue);
  }
  async function ask() {
    const shown = document.querySelector("[data-again]");
    if (!shown || document.visibilityState === "hidden") return wait();
    try {
      const answer = await fetch(shown.dataset.again, { signal: AbortSignal.timeout(PATIENCE) });
      if (!answer.ok) throw new Error(String(answer.status));
      const read = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(shown.id);
      if (read && read.outerHTML !== was && !inUse(shown)) {
        was = read.outerHTML; // a replaced part is read aloud, so replace only changed ones
        shown.replaceWith(document.adoptNode(read));
      }
      failed = 0;
    } catch { failed++; }
    const lost = document.getElementById("spot-lost");
    if (lost) lost.hidden = failed < LOST;
    dispatchEvent(new Event("hall-shown"));
    wait();
  }
  function wait() {
    const shown = document.querySelector("[data-again]");
    if (!shown) return;
    clearTimeout(timer);
    // Spread the phones' requests over time.
    timer = setTimeout(ask, Number(shown.dataset.every) * 1000 * (1 - SPREAD / 2 + SPREAD * Math.random()));
  }
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") ask(); });
  document.querySelector("[data-print]")?.addEventListener("click", () => print());
  wait();
})();
