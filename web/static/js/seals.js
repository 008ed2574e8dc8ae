// Bids that can be checked: seals one's own fist, keeps the seals that the table showed while the fists were closed,
// and compares the opened bids with them. `companion/mechanics/seals.py` defines the hashed text.
"use strict";
(() => {
  const hash = (...lines) => window.sha256(lines.join("\n"));
  const sealOf = (match, lot, bid) => hash("companion seal 1", match, lot, bid.seat, bid.device, bid.amount, bid.nonce);
  function setOf(match, lot, seals) {
    const seats = Object.keys(seals).map(Number).sort((one, other) => one - other);
    return hash("companion seals 1", match, lot, ...seats.map((seat) => `${seat} ${seals[seat] || "-"}`));
  }

  // Compare an opened lot with the seals that the page was shown. `seals` has these by seat; `own` has its device, its
  // sent seals, and whether it was ready with these seals. A page that was not ready may have slept while a fist was
  // closed anew.
  function check(match, opened, seals, own) {
    const found = { checked: [], unsealed: [], corrected: [], unshown: [], misfit: [], apart: false };
    const seats = new Set([...Object.keys(seals).map(Number), ...opened.bids.map((bid) => bid.seat)]);
    for (const seat of [...seats].sort((one, other) => one - other)) {
      const bids = opened.bids.filter((bid) => bid.seat === seat);
      found[bids.length === 1 ? verdict(match, opened.lot, bids[0], seals[seat], own) : own.ready ? "misfit" : "unshown"].push(seat);
    }
    const all = setOf(match, opened.lot, own.ready ? seals : Object.fromEntries(opened.bids.map((bid) => [bid.seat, bid.seal])));
    found.apart = (own.ready || !found.corrected.length) && opened.held.some(([, theirs]) => theirs !== all);
    return found;
  }
  function verdict(match, lot, bid, seal, own) {
    if (bid.corrected) return "corrected";
    if (seal === "" && bid.seal === "") return "unsealed";
    const fits = sealOf(match, lot, bid);
    if (!own.ready && seal !== bid.seal && (bid.seal === "" || bid.seal === fits)) return "unshown";
    if (seal !== fits) return "misfit";
    return bid.device === own.device && !own.sent.includes(seal) ? "misfit" : "checked";
  }
  window.companion = window.companion || {};
  window.companion.seals = { sealOf, setOf, check, hold: () => null };

  const region = document.getElementById("region-seals");
  if (!region) return;
  const { seat, players } = JSON.parse(document.body.dataset.cues);
  const sealing = typeof seat === "number" && !("handed" in document.body.dataset);
  const random = (bytes) => [...crypto.getRandomValues(new Uint8Array(bytes))].map((each) => each.toString(16).padStart(2, "0")).join("");

  // The shown seals survive a reload: the match, this device, and for each lot the seals, those sent and those held.
  const STORE = `seals ${location.pathname}`, LOTS = 4;
  let kept = null;
  try { kept = JSON.parse(sessionStorage.getItem(STORE)); } catch { /* private mode: begins anew */ }
  function keep() { try { sessionStorage.setItem(STORE, JSON.stringify(kept)); } catch { /* as above */ } }
  function lotOf(name) {
    kept.lots = [...kept.lots.filter((each) => each.name === name), ...kept.lots.filter((each) => each.name !== name)].slice(0, LOTS);
    if (kept.lots[0]?.name !== name) kept.lots.unshift({ name, seals: {}, sent: [], held: null, ready: false });
    return kept.lots[0];
  }

  let now = null, words = {};
  function look() {
    const box = region.querySelector("[data-seals]");
    now = box ? JSON.parse(box.dataset.seals) : null;
    if (!box) return;
    words = JSON.parse(box.dataset.sealsWords);
    if (kept?.match !== now.match) kept = { match: now.match, device: random(8), lots: [] };
    if (now.lot) see(lotOf(now.lot));
    keep();
    const place = box.querySelector("[data-seals-found]");
    if (place) place.replaceChildren(...said(now.opened));
  }
  function see(lot) {
    const ready = now.ready.includes(seat);
    if (lot.ready && !ready) lot.held = null;
    lot.ready = ready;
    lot.seals = Object.fromEntries(now.closed.map((bid) => [bid.seat, bid.seal]));
  }

  // --- reporting the result -----------------------------------------------------------------------

  function said(opened) {
    const lot = kept.lots.find((each) => each.name === opened.lot);
    if (!lot) return [line("hint", words.unseen)];
    const ready = Boolean(lot.held) && opened.held.some(([theirs]) => theirs === seat);
    const found = check(now.match, opened, ready ? lot.held : lot.seals, { device: kept.device, sent: lot.sent, ready });
    const names = (seats) => seats.map((each) => players[each]?.name || "").join(", ");
    const fill = (key) => line("hint", words[key].replace("{names}", () => names(found[key])));
    const lines = [line("seals-count", words.count.replace("{n}", found.checked.length).replace("{all}", opened.bids.length))];
    if (found.misfit.length) lines.push(line("flash bad", words.misfit.replace("{names}", () => names(found.misfit))));
    if (found.apart) lines.push(line("flash bad", words.apart));
    for (const key of ["unsealed", "corrected", "unshown"]) if (found[key].length) lines.push(fill(key));
    if (found.checked.length && !found.misfit.length && !found.unshown.length && !found.apart) lines.push(line("hint", words.promise));
    return lines;
  }
  function line(kind, text) {
    const made = document.createElement("p");
    made.className = kind;
    made.textContent = text;
    return made;
  }

  // --- one's own fist and readiness ---------------------------------------------------------------

  document.addEventListener("htmx:config:request", (event) => {
    const form = event.detail.ctx.request.body;
    if (!sealing || !now?.lot || !form?.set || form.get("event") !== now.event) return;
    const amount = window.companion.wholeNumber(form.get("amount") || "");
    if (!(amount >= 0)) return; // the table reports the fault
    const bid = { seat, amount, device: kept.device, nonce: random(16) };
    bid.seal = sealOf(now.match, now.lot, bid);
    lotOf(now.lot).sent.push(bid.seal);
    keep();
    for (const name of ["device", "nonce", "seal"]) form.set(name, bid[name]);
  });

  // Return the data to send with a press that reports ready: the hash of all seals, or why this page cannot be ready
  // yet; null if neither applies.
  window.companion.seals.hold = (button) => {
    if (!sealing || !now?.lot || button.closest(".press-bar")?.dataset.kind !== "ready" || now.ready.includes(seat)) return null;
    if (!now.closed.some((bid) => bid.seal)) return null;
    if (!now.all_closed) return { why: words.wait };
    const lot = lotOf(now.lot), mine = now.closed.find((bid) => bid.seat === seat);
    if (mine?.device === kept.device && !lot.sent.includes(mine.seal)) return { why: words.own };
    lot.held = { ...lot.seals };
    keep();
    return { held: setOf(now.match, now.lot, lot.held) };
  };

  region.addEventListener("region:changed", look);
  look();
})();
