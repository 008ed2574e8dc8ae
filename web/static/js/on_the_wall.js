// The television and the shared tablet are a stage: the subject of a step moves from its old place to its new one.
// Things are identified by their printed text. Only transform and opacity change, after the new state is in place, so
// that motion delays nothing. The device's own controls are visible while a pointer moves.
"use strict";
(() => {
  const body = document.body, wall = document.querySelector("main.wall");
  if (!wall || !("live" in body.dataset)) return;

  // --- the corner of a television -------------------------------------------------------------------
  const RESTS = 3000;
  let resting = 0;
  function wake() {
    body.dataset.pointer = "";
    clearTimeout(resting);
    resting = setTimeout(() => { delete body.dataset.pointer; }, RESTS);
  }
  for (const kind of ["pointermove", "pointerdown", "keydown"]) document.addEventListener(kind, wake, { passive: true });

  // --- movement -------------------------------------------------------------------------------------
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const LASTS = 700, MOST = 12, LEAST = 6; // milliseconds; more moving things mean a new table; fewer pixels do not count as a move
  const THINGS = ".wg[data-wagon], .pool-card, .loco[data-card], .train-loco[data-card], .car[data-card], .wagon-card[data-card], .card-chip[data-card], .pile[data-card], .xp-run[data-card] .xp-car";
  const SPRING = "cubic-bezier(.2, .8, .25, 1)";

  function what(thing) {
    const own = thing.dataset;
    if (own.wagon || thing.matches(".pool-card")) return `wagon ${own.wagon || thing.querySelector(".plate")?.textContent}`;
    return own.card || thing.closest("[data-card]").dataset.card;
  }
  function boxes() {
    const found = new Map(); // boxes of each thing by its name, in the order of the page
    for (const thing of wall.querySelectorAll(THINGS)) {
      const box = thing.getBoundingClientRect();
      if (box.width < 1) continue;
      const name = what(thing);
      if (!found.has(name)) found.set(name, []);
      found.get(name).push({ thing, box });
    }
    return found;
  }

  let before = null, waiting = false, counted = 0;
  function go(thing, ...frames) {
    thing.animate(frames, { duration: LASTS, easing: SPRING });
  }
  function roll(thing, from, to) {
    const x = from.left - to.left + (from.width - to.width) / 2, y = from.top - to.top + (from.height - to.height) / 2;
    go(thing, { transform: `translate(${x}px, ${y}px) scale(${from.width / to.width}, ${from.height / to.height})` }, { transform: "none" });
  }
  // A new thing enters from the right.
  function come(thing, box) {
    go(thing, { transform: `translateX(${box.width / 2}px)`, opacity: 0 }, { transform: "none", opacity: 1 });
  }

  // One hand of the count lights up.
  function light() {
    const lit = wall.querySelectorAll(".lamp.lit");
    if (lit.length > counted && !calm.matches) go(lit[lit.length - 1], { transform: "scale(1.4)", opacity: 0.2 }, { transform: "none", opacity: 1 });
    counted = lit.length;
  }

  function move() {
    waiting = false;
    const old = before, now = boxes();
    before = now;
    light();
    if (!old || calm.matches || document.visibilityState === "hidden") return;
    const moves = [];
    for (const [name, places] of now) {
      const left = [...(old.get(name) || [])];
      // Things that stay keep their place; others of their kind take the free places.
      const others = places.filter((place) => {
        const same = left.findIndex((was) => Math.abs(was.box.left - place.box.left) + Math.abs(was.box.top - place.box.top) < LEAST);
        if (same >= 0) left.splice(same, 1);
        return same < 0;
      });
      for (const place of others) {
        const was = left.shift();
        moves.push(() => (was ? roll(place.thing, was.box, place.box) : come(place.thing, place.box)));
      }
    }
    if (moves.length <= MOST) moves.forEach((each) => each());
  }
  // All regions of one message are in place before anything moves, and the page has been laid out once.
  document.addEventListener("region:changed", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(move);
  });
  window.addEventListener("resize", () => { before = null; requestAnimationFrame(() => { before = boxes(); }); });
  requestAnimationFrame(() => { before = boxes(); });
})();
