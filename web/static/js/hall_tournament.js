// A player's phone and the tournament's walls ask again by themselves, and count down to the round's beginning.
"use strict";
(() => {
  const PATIENCE = 8000, SPREAD = 0.3, LOST = 3;
  const clock = document.querySelector("[data-clock]");
  const ahead = clock ? Date.now() / 1000 - Number(clock.dataset.clock) : 0;
  let failed = 0, timer = 0, was = document.querySelector("[data-again]")?.outerHTML;

  function count() {
    for (const each of document.querySelectorAll("[data-begins]")) {
      const minutes = Math.ceil((Number(each.dataset.begins) - (Date.now() / 1000 - ahead)) / 60);
      const { many, one, on } = each.dataset;
      const said = minutes > 1 ? many.replace("{count}", minutes) : minutes === 1 ? one : on;
      if (each.textContent !== said) each.textContent = said;
    }
  }
  // People who type, or have just tabbed there, keep what there is.
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
        was = read.outerHTML; // what is the same is not said again to those who listen
        shown.replaceWith(document.adoptNode(read));
      }
      failed = 0;
    } catch { failed++; }
    const lost = document.getElementById("spot-lost");
    if (lost) lost.hidden = failed < LOST;
    count();
    wait();
  }
  function wait() {
    const shown = document.querySelector("[data-again]");
    if (!shown) return;
    clearTimeout(timer);
    // Not all phones of a hall at the same moment.
    timer = setTimeout(ask, Number(shown.dataset.every) * 1000 * (1 - SPREAD / 2 + SPREAD * Math.random()));
  }
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") ask(); });
  document.querySelector("[data-print]")?.addEventListener("click", () => print());
  setInterval(count, 5000);
  count();
  wait();
})();
