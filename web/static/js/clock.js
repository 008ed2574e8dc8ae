// The clock: the offset between this page's performance.now() and the table's clock. Of several requests, the one with
// the shortest round trip counts. The measurement is repeated regularly, and after the page has slept.
"use strict";
(() => {
  window.companion = window.companion || {};
  const body = document.body;
  const QUESTIONS = 6, AGAIN = 20000, MISTRUST = 60000, PATIENCE = 3000;
  let offset = null, way = Infinity, measured = 0, busy = false;

  async function ask(nonce) {
    const query = new URLSearchParams({ page: body.dataset.page, nonce });
    const sent = performance.now();
    const answer = await fetch("clock?" + query, { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
    const heard = performance.now();
    if (!answer.ok) throw new Error(String(answer.status));
    const told = await answer.json();
    return { nonce: told.nonce, way: heard - sent, offset: told.now / 1e6 - (sent + heard) / 2 };
  }
  async function measure() {
    if (busy || body.dataset.offline || document.visibilityState === "hidden") return;
    busy = true;
    try {
      let best = null, nonce = "";
      for (let n = 0; n < QUESTIONS; n++) {
        const found = await ask(nonce);
        nonce = found.nonce;
        if (!best || found.way < best.way) best = found;
      }
      // For a while, prefer an older measurement with a clearly shorter round trip: clocks drift slowly.
      if (best.way < way * 1.5 || performance.now() - measured > MISTRUST) {
        offset = best.offset; way = best.way; measured = performance.now();
      }
    } catch { /* no way to the table: the stream says so */ }
    busy = false;
  }

  window.companion.clock = {
    // Converts nanoseconds of the table to milliseconds of this page, and back; null before any measurement.
    here: (at) => offset === null ? null : at / 1e6 - offset,
    there: (ms) => offset === null ? null : Math.round((ms + offset) * 1e6),
    way: () => way,
    measure,
  };
  if (!("live" in body.dataset)) return;
  measure();
  setInterval(measure, AGAIN);
  const woken = () => { if (document.visibilityState === "visible") { measured = -Infinity; measure(); } };
  document.addEventListener("visibilitychange", woken);
  window.addEventListener("pageshow", (event) => { if (event.persisted) woken(); });
})();
